//! What a game costs in each encoding.

use super::{byte, move14, url};
use crate::{
    bits::Bits,
    codec::{
        EncodeError,
        game::{GameMoves, index},
    },
    xelto::Position,
};

/// An encoding of games, to be measured.
#[derive(Clone, Copy, Debug)]
pub struct GameEncoding {
    /// Its name, also on the command line.
    pub name: &'static str,
    /// The bits of a game.
    bits: fn(&GameMoves<Position>) -> Result<u64, EncodeError>,
}

/// Every encoding of games, the one of archives first.
pub const GAME_ENCODINGS: [GameEncoding; 4] = [
    GameEncoding {
        name: "index",
        bits: |game| Ok(count(Bits::from_integer_le(&index::encode(game)?.to_integer()).len())),
    },
    GameEncoding { name: "byte", bits: |game| Ok(8 * count(byte::encode(&game.start, &game.moves)?.len())) },
    GameEncoding {
        name: "move14",
        bits: |game| Ok(14 * count(move14::encode(&game.start, &game.moves)?.len())),
    },
    // A character of base64url holds six bits.
    GameEncoding { name: "url", bits: |game| Ok(6 * count(url::encode(&game.start, &game.moves)?.len())) },
];

impl GameEncoding {
    /// The encoding of this name.
    pub fn by_name(name: &str) -> Option<GameEncoding> {
        GAME_ENCODINGS.into_iter().find(|encoding| encoding.name == name)
    }

    /// The bits of a game.
    ///
    /// # Errors
    /// A move that is not legal, or too many moves.
    pub fn bits(self, game: &GameMoves<Position>) -> Result<u64, EncodeError> {
        (self.bits)(game)
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
