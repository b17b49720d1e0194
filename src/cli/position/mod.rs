//! `plybook position`: single positions in every encoding.

mod compare;
mod convert;
mod huffman;

use anyhow::bail;
use clap::Subcommand;

use super::{Done, output, place::Places};
use crate::codec::position::{POSITION_CODECS, PositionCodec, by_name};

/// Encode, decode and compare positions
#[derive(Debug, Subcommand)]
pub(super) enum Position {
    Encode(convert::Encode),
    Decode(convert::Decode),
    Compare(compare::Compare),
    Huffman(Box<huffman::Huffman>),
}

impl Position {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        match self {
            Position::Encode(command) => command.run(),
            Position::Decode(command) => command.run(),
            Position::Compare(command) => command.run(),
            Position::Huffman(command) => command.run(),
        }
    }
}

/// The codec with a name.
fn codec(name: &str) -> anyhow::Result<&'static dyn PositionCodec> {
    let Some(codec) = by_name(name) else {
        let names = POSITION_CODECS.map(|codec| codec.info().name).join(", ");
        bail!("{name:?} is no position codec; there are {names}");
    };
    Ok(codec)
}
