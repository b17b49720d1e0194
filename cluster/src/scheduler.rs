//! The process that plans queries and distributes their tasks to executors.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::start_server,
};

use crate::session;

/// How often the scheduler checks for executors that stopped sending heartbeats.
const LOOK_FOR_LOST: Duration = Duration::from_secs(2);

/// Runs until the process ends.
#[derive(Debug, clap::Args)]
pub struct Scheduler {
    /// The address to listen on; there is no authentication, so use only trusted networks
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
    /// The host name at which executors reach the scheduler, if it differs from the address
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// Seconds without a heartbeat after which an executor is dropped and its tasks are reassigned
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..))]
    lost_after: u64,
    /// Number of executors needed before http://ADDRESS:PORT/readyz reports ready
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    ready_with: usize,
}

impl Scheduler {
    pub async fn run(self) -> Result<()> {
        let config = SchedulerConfig {
            external_host: self.advertise.unwrap_or_else(|| self.listen.ip().to_string()),
            bind_host: self.listen.ip().to_string(),
            bind_port: self.listen.port(),
            executor_timeout_seconds: self.lost_after,
            no_executors_grace_period_seconds: self.lost_after,
            expire_dead_executor_interval_seconds: LOOK_FOR_LOST.as_secs(),
            min_ready_executors: self.ready_with,
            // Executors pull work. If the scheduler pushes it instead and the last stage of a query loses its input, it
            // considers the remaining executors busy forever.
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            // Results go through the scheduler, so that clients need no connection to executors.
            enable_embedded_flight_proxy: true,
            override_config_producer: Some(Arc::new(session::config)),
            override_session_builder: Some(Arc::new(session::state)),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await?;
        eprintln!("scheduler on {}", self.listen);
        start_server(cluster, self.listen, Arc::new(config))
            .await
            .with_context(|| format!("cannot start the scheduler on {}", self.listen))
    }
}
