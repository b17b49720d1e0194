//! `plybook completions`

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::{ExitStatus, terminal};

/// Print what a shell needs to complete commands, options and values
///
/// A package of plybook brings it along. Otherwise it is written to where the shell looks for it, once for each new
/// version of plybook.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook completions bash > ~/.local/share/bash-completion/completions/plybook
  plybook completions zsh > ~/.zfunc/_plybook
  plybook completions fish > ~/.config/fish/completions/plybook.fish

For zsh, ~/.zshrc says before compinit where that is: fpath+=~/.zfunc")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // Made in memory, since what makes it takes a failing output for impossible.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "plybook", &mut script);
        let mut out = terminal::raw_stdout();
        out.write_all(&script)?;
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}
