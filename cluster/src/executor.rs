//! The processes that replay games.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use anyhow::{Context, Result};
use ballista_core::{
    config::TaskSchedulingPolicy, object_store::runtime_env_with_s3_support,
    registry::BallistaFunctionRegistry,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};

use crate::session;

/// How often an executor says that it is there, in seconds; the least time after which a scheduler gives one up is 10.
const HEARTBEAT: u64 = 3;

/// Runs until the process ends.
#[derive(Debug, clap::Args)]
pub struct Executor {
    /// The scheduler that it works for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_and_port)]
    scheduler: (String, u16),
    /// The address that it listens on; without authentication: only on a network that is trusted
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The name by which others reach it, where that is another than the address that it calls from
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// The port that it hands out results on
    #[arg(long, default_value_t = 50051, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// How many tasks it works on at a time [default: one for each core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    tasks: Option<u16>,
    /// How much memory all tasks may take, in MiB; they write what is more to disk [default: 70 % of what there is]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    memory: Option<u64>,
    /// The folder for what is on its way between tasks [default: a temporary one]
    #[arg(long, value_name = "FOLDER")]
    work_dir: Option<PathBuf>,
    /// Without plybook's functions, as a test of what happens then
    #[arg(long, hide = true)]
    without_functions: bool,
}

/// The host and the port of `HOST:PORT`.
fn host_and_port(text: &str) -> Result<(String, u16), String> {
    let (host, port) = text.rsplit_once(':').ok_or("a host and a port are needed, as in node1:50050")?;
    let port = port.parse().map_err(|_| format!("{port:?} is no port"))?;
    Ok((host.trim_start_matches('[').trim_end_matches(']').to_owned(), port))
}

impl Executor {
    pub async fn run(self) -> Result<()> {
        let temporary = tempfile::tempdir().context("a temporary folder")?;
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
            work_dir: Some(work_dir.to_str().context("the name of the folder is no text")?.to_owned()),
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            executor_heartbeat_interval_seconds: HEARTBEAT,
            memory_pool_size: self.memory.map(|mib| mib << 20),
            override_function_registry: Some(Arc::new(functions)),
            override_config_producer: Some(Arc::new(session::config)),
            override_runtime_producer: Some(Arc::new(runtime_env_with_s3_support)),
            ..usual
        };
        eprintln!("executor on {}, port {}", self.listen, self.port);
        start_executor_process(Arc::new(config)).await.context("the executor")
    }
}
