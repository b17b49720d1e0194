//! `plybook game`: single games and their integers.

mod compare;
mod convert;
mod input;
mod prefix;

use anyhow::bail;
use clap::Subcommand;

use super::{ArchiveArg, Done, output};
use crate::{
    bits::{Bits, Integer},
    codec::game::{GAME_CODECS, GameCodec, by_name},
};

/// Encode single games as integers, and back
#[derive(Debug, Subcommand)]
pub(super) enum Game {
    Encode(convert::Encode),
    Decode(convert::Decode),
    Compare(compare::Compare),
    Prefix(prefix::Prefix),
}

impl Game {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        match self {
            Game::Encode(command) => command.run(),
            Game::Decode(command) => command.run(),
            Game::Compare(command) => command.run(),
            Game::Prefix(command) => command.run(),
        }
    }
}

/// The codec with a name.
fn codec(name: &str) -> anyhow::Result<&'static dyn GameCodec> {
    let Some(codec) = by_name(name) else {
        let names = GAME_CODECS.map(|codec| codec.info().name).join(", ");
        bail!("{name:?} is no game codec; there are {names}");
    };
    Ok(codec)
}

/// The integer of an encoded game: its bytes, the least significant first.
fn number(bits: &Bits) -> Integer {
    Integer::from_bytes_le(bits.bytes())
}
