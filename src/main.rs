//! The `plybook` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    plybook::cli::run()
}
