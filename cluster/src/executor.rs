//! The processes that replay games.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use anyhow::{Context, Result};
use ballista_core::{
    config::TaskSchedulingPolicy, object_store::runtime_env_with_s3_support,
    registry::BallistaFunctionRegistry,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};

use crate::session;

/// Seconds between heartbeats. A scheduler's timeout is at least 10 seconds.
const HEARTBEAT: u64 = 3;

/// Runs until the process ends.
#[derive(Debug, clap::Args)]
pub struct Executor {
    /// The scheduler to work for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_and_port)]
    scheduler: (String, u16),
    /// The address to listen on; there is no authentication, so use only trusted networks
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The host name at which other processes reach this executor, if it differs from the address it connects from
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// The port on which results are served
    #[arg(long, default_value_t = 50051, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// Maximum number of concurrent tasks [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    tasks: Option<u16>,
    /// Memory limit for all tasks, in MiB; tasks spill to disk beyond it [default: 70 % of the available memory]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    memory: Option<u64>,
    /// The directory for data exchanged between tasks [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Run without plybook's functions, to test how that failure is reported
    #[arg(long, hide = true)]
    without_functions: bool,
}

/// Parses `HOST:PORT`.
fn host_and_port(text: &str) -> Result<(String, u16), String> {
    let (host, port) = text.rsplit_once(':').ok_or("expected a host and a port, for example node1:50050")?;
    let port = port.parse().map_err(|_| format!("{port:?} is not a valid port"))?;
    Ok((host.trim_start_matches('[').trim_end_matches(']').to_owned(), port))
}

impl Executor {
    pub async fn run(self) -> Result<()> {
        let temporary = tempfile::tempdir().context("cannot create a temporary directory")?;
        let work_dir = self.work_dir.unwrap_or_else(|| temporary.path().to_owned());
        let functions = if self.without_functions {
            BallistaFunctionRegistry::default()
        } else {
            BallistaFunctionRegistry::from(&session::state(session::config())?)
        };
        let usual = ExecutorProcessConfig::default();
        let config = ExecutorProcessConfig {
            bind_host: self.listen.to_string(),
            external_host: self.advertise,
            port: self.port,
            scheduler_host: self.scheduler.0,
            scheduler_port: self.scheduler.1,
            vcores: self.tasks.map_or(usual.vcores, usize::from),
            work_dir: Some(work_dir.to_str().context("the directory name is not valid UTF-8")?.to_owned()),
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            executor_heartbeat_interval_seconds: HEARTBEAT,
            memory_pool_size: self.memory.map(|mib| mib << 20),
            override_function_registry: Some(Arc::new(functions)),
            override_config_producer: Some(Arc::new(session::config)),
            override_runtime_producer: Some(Arc::new(runtime_env_with_s3_support)),
            ..usual
        };
        eprintln!("executor on {}, port {}", self.listen, self.port);
        start_executor_process(Arc::new(config)).await.context("cannot start the executor")
    }
}
