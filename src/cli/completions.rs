//! `plybook completions`

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::terminal;

/// Print a completion script for your shell
///
/// Packages of plybook install these scripts. Otherwise, write the script to where your shell looks for it, and again
/// after each upgrade of plybook.
///
/// Examples:
/// * plybook completions bash > ~/.local/share/bash-completion/completions/plybook
/// * plybook completions zsh > ~/.zfunc/_plybook
/// * plybook completions fish > ~/.config/fish/completions/plybook.fish
#[derive(Debug, Args)]
#[command(after_help = "{examples}

For zsh, add the directory to ~/.zshrc before compinit: fpath+=~/.zfunc")]
pub(super) struct Completions {
    /// Shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // Generated in memory, because clap_complete panics if the output fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "plybook", &mut script);
        let mut out = terminal::raw_stdout();
        out.write_all(&script)?;
        Ok(out.flush()?)
    }
}
