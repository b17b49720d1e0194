//! `plybook position`: single positions in every encoding.

mod compare;
mod convert;
mod huffman;

use clap::Subcommand;

use super::{ExitStatus, position_arg::PositionReader, terminal};

/// Encode, decode and compare positions
#[derive(Debug, Subcommand)]
pub(super) enum Position {
    Encode(convert::Encode),
    Decode(convert::Decode),
    Compare(compare::Compare),
    Huffman(Box<huffman::Huffman>),
}

impl Position {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        match self {
            Position::Encode(command) => command.run(),
            Position::Decode(command) => command.run(),
            Position::Compare(command) => command.run(),
            Position::Huffman(command) => command.run(),
        }
    }
}
