//! `plybook-cluster`: SQL over tables of chess games on many machines, with the functions of plybook.
//!
//! Scheduler, executors and clients are one program, and must be of one build: they send each other plans that name the
//! functions, not the functions.

mod answer;
mod executor;
mod functions;
mod scheduler;
mod session;
mod sql;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

/// SQL over tables of chess games on many machines, with the functions of plybook
///
/// The tables are what `plybook export --format parquet` writes.
#[derive(Debug, Parser)]
#[command(version, after_help = "RUST_LOG=info says on the standard error what the processes do.")]
enum Command {
    /// Plans queries and hands their parts to executors
    Scheduler(scheduler::Scheduler),
    /// Works for a scheduler
    Executor(executor::Executor),
    /// Asks a cluster, or this process alone
    Sql(sql::Sql),
}

/// Plans are trees that are walked by recursion.
const STACK: usize = 32 << 20;

fn main() -> ExitCode {
    let command = Command::parse();
    // Whoever asks gets the error as the last word.
    let usual = if matches!(command, Command::Sql(_)) { "off" } else { "error" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    let done = match runtime {
        // In a thread of the runtime, for its stack.
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
