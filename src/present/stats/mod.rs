//! The size of games and positions in bits, and the openings that were played.

mod codec_table;
mod game_lengths;
mod game_lengths_text;
mod huffman;
mod openings;
mod position_costs;

pub use codec_table::codec_lengths;
pub use game_lengths::game_lengths;
pub use openings::opening_games;

use crate::{
    record::Family,
    request::{RequestError, unknown_codec},
};

/// The encoding with a name, of a family of games.
fn codec_of(family: &dyn Family, name: &str) -> Result<&'static str, RequestError> {
    let known = family.codecs();
    let of = if family.has_pgn() { "game" } else { family.name() };
    let codec = known.iter().copied().find(|codec| *codec == name);
    codec.ok_or_else(|| unknown_codec(name, of, known.into_iter()))
}
