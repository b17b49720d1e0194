//! Encodings of [Xelto](crate): one file per encoding, and one line in [`XELTO_CODECS`] for an encoding of games.
//!
//! | encoding | content | size |
//! |---|---|---|
//! | [`move14`] | moves | 14 bits per ply |
//! | [`byte`] | moves | 8 bits per ply |
//! | [`url`] | moves | 7 bits per ply, as text |
//! | [`index`] | moves, outcome | Σ log2(n+1) for n legal moves, about 5.4 bits per ply |
//! | [`hash34`] | a position | 34 characters, 204 bits |
//! | [`hash32`] | a position | 32 characters, 192 bits |
//!
//! The last game codec is also used for chess games: it needs only the number of legal moves and the index of the move
//! played, so it works for Xelto unchanged.
//!
//! ```
//! use plybook_chess::codec::game::index;
//! use plybook_xelto::{codec::{game_moves, url}, Position, notation::Record};
//!
//! let record: Record = "1.b2mik&b3fav\n2.s5lin\n3.t6mel".parse()?;
//! assert_eq!(url::encode(&record.start(), &record.moves)?, "JAxY");
//! assert_eq!(url::decode(&Position::start(), "JAxY")?, record.moves);
//!
//! let game = game_moves(&record);
//! let number = index::encode(&game)?;
//! assert_eq!(index::decode(Position::start(), &number.to_bytes_le())?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::as_conversions
)]

mod base64url;
pub mod byte;
mod encoding;
pub mod hash32;
pub mod hash34;
pub mod index;
mod layout;
mod list;
pub mod move14;

pub mod url;

pub use encoding::{TextError, XeltoCodec};
pub use layout::HashError;
pub use list::{XELTO_CODECS, by_name};

use crate::{Move, Moves, Position, notation::Record};
use plybook_chess::{
    codec::{DecodeError, EncodeError, game::GameMoves},
    limits::MAX_PLIES,
    rules::LegalMoves,
};

/// The game of a record: the moves played, without headers and continuation.
pub fn game_moves(record: &Record) -> GameMoves<Position> {
    GameMoves { start: record.start(), moves: record.moves.clone(), outcome: record.outcome() }
}

/// Plays a game and passes every move to `write`, with its index among the legal moves.
fn write_moves(start: &Position, moves: &[Move], mut write: impl FnMut(Move, u8)) -> Result<(), EncodeError> {
    if moves.len() > MAX_PLIES {
        return Err(EncodeError::TooLong);
    }
    let mut position = start.clone();
    for (ply, &m) in (1..).zip(moves) {
        let index = position.legal_moves().index_of(m);
        let index = index.and_then(|index| u8::try_from(index).ok());
        write(m, index.ok_or(EncodeError::IllegalMove { ply })?);
        position.play(m);
    }
    Ok(())
}

/// Plays a game from its symbols: `read` finds the legal move for a symbol.
fn read_moves<S>(
    start: &Position,
    symbols: impl IntoIterator<Item = S>,
    read: impl Fn(&Position, &Moves, S) -> Option<Move>,
) -> Result<Vec<Move>, DecodeError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for (ply, symbol) in symbols.into_iter().enumerate() {
        if ply == MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        let legal = position.legal_moves();
        if legal.count() == 0 {
            return Err(DecodeError::Trailing { ply });
        }
        let m = read(&position, &legal, symbol).ok_or(DecodeError::NoSuchMove { ply })?;
        position.play(m);
        moves.push(m);
    }
    Ok(moves)
}
