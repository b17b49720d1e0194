//! [`game::index`](plybook_chess::codec::game::index), the codec of archives, for games of Xelto.

use super::{TextError, XeltoCodec};
use crate::{Move, Position};
use plybook_chess::{
    bits::{Bits, Integer, mixed_radix::MixedRadix},
    codec::{
        EncodeError,
        game::{GameMoves, index},
    },
};

/// The codec `index`.
#[derive(Debug)]
pub struct Index;

impl XeltoCodec for Index {
    fn name(&self) -> &'static str {
        "index"
    }

    fn summary(&self) -> &'static str {
        "Move numbers in mixed radix, terminated by End, as one decimal number"
    }

    fn bits(&self, game: &GameMoves<Position>) -> Result<u64, EncodeError> {
        let number = Bits::from_integer_le(&index::encode(game)?.to_integer());
        Ok(u64::try_from(number.len()).unwrap_or(u64::MAX))
    }

    fn write_text(&self, game: &GameMoves<Position>) -> Result<String, EncodeError> {
        Ok(index::encode(game)?.to_integer().to_string())
    }

    fn read_text(&self, text: &str) -> Result<Vec<Move>, TextError> {
        let number: Integer = text.parse().map_err(|_| TextError::NoInteger(text.to_owned()))?;
        Ok(index::decode(Position::start(), &MixedRadix::from(&number).to_bytes_le())?.moves)
    }
}
