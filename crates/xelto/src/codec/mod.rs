//! Encodings of [Xelto](crate): one file per encoding, and one line in [`XELTO_CODECS`] for an encoding of games.
//!
//! | encoding | content | size |
//! |---|---|---|
//! | [`move14`] | moves | 14 bits per ply |
//! | [`byte`] | moves | 8 bits per ply |
//! | [`url`] | moves | 7 bits per ply, as text |
//! | [`index`] | moves, outcome | Σ log2(n+1) for n legal moves, about 5.4 bits per ply |
//! | [`HASH34`] | a position | 34 characters, 204 bits |
//! | [`HASH32`] | a position | 32 characters, 192 bits |
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
mod hash;
pub mod index;
pub mod move14;
pub mod url;

pub use hash::{HASH32, HASH34, HashError, PositionHash};

use std::str::FromStr;

use crate::{Move, Moves, Position, notation::Record};
use plybook_chess::{
    codec::{DecodeError, EncodeError, game::GameMoves},
    limits::MAX_PLIES,
    rules::LegalMoves,
};

/// An encoding of games of Xelto.
#[derive(Clone, Copy, Debug)]
pub struct XeltoCodec {
    /// The permanent name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The size of a game in bits; fails if a move is illegal, or if there are too many.
    pub bits: fn(&GameMoves<Position>) -> Result<u64, EncodeError>,
    /// A game as one line of text; fails if a move is illegal, or if there are too many.
    pub write_text: fn(&GameMoves<Position>) -> Result<String, EncodeError>,
    /// The moves of a text, from the standard start position; fails if the text is not a game.
    pub read_text: fn(&str) -> Result<Vec<Move>, TextError>,
}

/// Every encoding of games, that of archives first.
pub static XELTO_CODECS: [&XeltoCodec; 4] = [&index::INDEX, &byte::BYTE, &move14::MOVE14, &url::URL];

/// The encoding with the given name.
///
/// ```
/// use plybook_xelto::codec::{TextError, by_name};
/// assert_eq!((by_name("url").unwrap().read_text)("JAxY")?.len(), 3);
/// assert!(by_name("URL").is_none());
/// # Ok::<(), TextError>(())
/// ```
pub fn by_name(name: &str) -> Option<&'static XeltoCodec> {
    XELTO_CODECS.into_iter().find(|codec| codec.name == name)
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A word that is not a number of the encoding.
    #[error("{0:?} is not a valid number in this encoding")]
    NoNumber(String),
    /// The text is not one integer.
    #[error("{0:?} is not a decimal integer")]
    NoInteger(String),
    /// The content of the text is not a game.
    #[error(transparent)]
    Game(#[from] DecodeError),
}

/// Numbers separated by spaces.
fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The numbers in a text.
fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, TextError> {
    text.split_whitespace()
        .map(|word| word.parse().map_err(|_| TextError::NoNumber(word.to_owned())))
        .collect()
}

/// The size of some moves with the given number of bits per move.
fn bits_of(moves: usize, each: u64) -> u64 {
    u64::try_from(moves).unwrap_or(u64::MAX).saturating_mul(each)
}

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
        write(m, index.ok_or(EncodeError::IllegalMove(ply))?);
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
            return Err(DecodeError::Trailing(ply));
        }
        let m = read(&position, &legal, symbol).ok_or(DecodeError::NoSuchMove(ply))?;
        position.play(m);
        moves.push(m);
    }
    Ok(moves)
}
