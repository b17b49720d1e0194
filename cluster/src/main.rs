//! `plybook-cluster`: SQL over tables of chess games on many machines, with the functions of plybook.
//!
//! Scheduler, executors and clients are one program and must be the same build: query plans refer to functions by name
//! and do not contain their code.

mod answer;
mod executor;
mod functions;
mod scheduler;
mod session;
mod sql;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

/// Query tables of chess games on many machines with SQL
///
/// The tables are Parquet files written by `plybook export --format parquet`. All SQL functions of plybook are available.
#[derive(Debug, Parser)]
#[command(version, after_help = "Set RUST_LOG=info to log what the processes do to standard error.")]
enum Command {
    /// Run a scheduler, which plans queries and distributes their tasks
    Scheduler(scheduler::Scheduler),
    /// Run an executor, which works for a scheduler
    Executor(executor::Executor),
    /// Run a query on a cluster or in this process
    Sql(sql::Sql),
}

/// DataFusion walks query plans by recursion; a default stack is too small for nested ones.
const STACK: usize = 32 << 20;

fn main() -> ExitCode {
    let command = Command::parse();
    // `sql` prints its own error last, so the log would only repeat it.
    let usual = if matches!(command, Command::Sql(_)) { "off" } else { "error" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    let done = match runtime {
        // Spawned, because only the runtime's threads have the large stack.
        Ok(runtime) => runtime
            .block_on(async { tokio::spawn(run(command)).await })
            .map_err(anyhow::Error::from)
            .and_then(|done| done),
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Scheduler(scheduler) => scheduler.run().await,
        Command::Executor(executor) => executor.run().await,
        Command::Sql(sql) => sql.run().await,
    }
}
