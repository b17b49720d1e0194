//! `plybook game`: single games and their integers.

mod compare;
mod convert;
mod input;
mod prefix;

use clap::Subcommand;

use super::{ArchiveArg, ExitStatus, terminal};

/// Encode single games as integers, and back
#[derive(Debug, Subcommand)]
pub(super) enum Game {
    Encode(convert::Encode),
    Decode(convert::Decode),
    Compare(compare::Compare),
    Prefix(prefix::Prefix),
}

impl Game {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        match self {
            Game::Encode(command) => command.run(),
            Game::Decode(command) => command.run(),
            Game::Compare(command) => command.run(),
            Game::Prefix(command) => command.run(),
        }
    }
}
