//! `url`: 7 bits per move, as characters that are allowed in a URL.
//!
//! ```text
//! symbol    0 to 126 the index of the move among the legal moves
//!           127      a 14-bit move code follows as two more symbols, the higher half first
//! text      the symbols' bits, highest first, six per character of base64url, zero bits at the end
//! ```
//!
//! n moves take ⌈7n/6⌉ characters unless an index is above 126, which has never been observed. c characters contain
//! ⌊6c/7⌋ symbols, so the zero bits at the end are never mistaken for a move.
//!
//! The source specifies 7 bits per legal move and 7n/6 characters, and says that illegal moves are written by other
//! means. The escape is ours. [`symbols`] reads any move after it; [`decode`], like everything that plays a game,
//! accepts only legal moves, and an escape only if the index does not fit.
//!
//! # Stability
//! Frozen, like the canonical order of moves and the move codes.

use super::{XeltoCodec, base64url, bits_of, move14};
use crate::{Move, Moves, Position};
use plybook_chess::{
    bits::{BitReader, Bits},
    codec::{DecodeError, EncodeError},
    limits::MAX_BLOB_BYTES,
    rules::LegalMoves,
};

/// Introduces a move code.
const ESCAPE: u8 = 127;

/// The codec `url`.
pub const URL: XeltoCodec = XeltoCodec {
    name: "url",
    summary: "Move numbers, 7 bits per move, as text for a URL",
    // A character of base64url contains six bits.
    bits: |game| Ok(bits_of(encode(&game.start, &game.moves)?.len(), 6)),
    write_text: |game| encode(&game.start, &game.moves),
    read_text: |text| Ok(decode(&Position::start(), text)?),
};

/// The text of a game.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn encode(start: &Position, moves: &[Move]) -> Result<String, EncodeError> {
    let mut symbols = Vec::with_capacity(moves.len());
    super::write_moves(start, moves, |m, index| symbols.push(Symbol::of(m, index)))?;
    text(&symbols)
}

/// The game for a text.
///
/// # Errors
/// The text is not a game from this start position, or differs from what [`encode`] writes.
pub fn decode(start: &Position, text: &str) -> Result<Vec<Move>, DecodeError> {
    super::read_moves(start, symbols(text)?, |_, legal, symbol| symbol.find(legal))
}

/// A move as encoded in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// Its index among the legal moves, below 127.
    Index(u8),
    /// The move itself, by its code.
    Escape(Move),
}

impl Symbol {
    fn of(m: Move, index: u8) -> Symbol {
        if index < ESCAPE { Symbol::Index(index) } else { Symbol::Escape(m) }
    }

    /// The corresponding legal move; `None` for a symbol that [`encode`] would not write.
    fn find(self, legal: &Moves) -> Option<Move> {
        match self {
            Symbol::Index(index) => legal.nth(index.into()),
            Symbol::Escape(m) => Some(m).filter(|&m| legal.index_of(m) >= Some(ESCAPE.into())),
        }
    }
}

/// The text of some symbols, legal or not.
///
/// # Errors
/// An index above 126, which would be read as an escape.
pub fn text(symbols: &[Symbol]) -> Result<String, EncodeError> {
    let mut bits = Bits::default();
    for symbol in symbols {
        match *symbol {
            Symbol::Index(ESCAPE..) => {
                return Err(EncodeError::CannotHold("url", "an index above 126"));
            }
            Symbol::Index(index) => bits.push(index.into(), 7),
            Symbol::Escape(m) => {
                bits.push(ESCAPE.into(), 7);
                bits.push(move14::code(m).into(), 14);
            }
        }
    }
    Ok(base64url::text(bits))
}

/// The symbols of a text, legal or not.
///
/// # Errors
/// A character outside the alphabet, a truncated or invalid escape, or padding other than zero bits up to the next
/// character.
pub fn symbols(text: &str) -> Result<Vec<Symbol>, DecodeError> {
    let mut sevens = sevens(text)?.into_iter();
    let mut symbols = Vec::new();
    while let Some(seven) = sevens.next() {
        let ply = symbols.len();
        symbols.push(if seven == ESCAPE {
            let (Some(high), Some(low)) = (sevens.next(), sevens.next()) else {
                return Err(DecodeError::CutShort(ply));
            };
            let code = u16::from(high) << 7 | u16::from(low);
            Symbol::Escape(move14::from_code(code).ok_or(DecodeError::NoSuchMove(ply))?)
        } else {
            Symbol::Index(seven)
        });
    }
    Ok(symbols)
}

/// Splits a text into 7-bit numbers.
fn sevens(text: &str) -> Result<Vec<u8>, DecodeError> {
    if text.len() > MAX_BLOB_BYTES {
        return Err(DecodeError::TooLarge(text.len()));
    }
    let bits = base64url::bits(text).map_err(|at| DecodeError::NoSuchMove(6 * at / 7))?;
    let mut reader = BitReader::new(bits.bytes());
    let sevens = (0..bits.len() / 7).map(|_| reader.take_u8(7)).collect::<Result<_, _>>()?;
    let spare = bits.len() % 7;
    // Six bits or more mean an unnecessary character.
    if spare < 6 && reader.take(spare)? == 0 { Ok(sevens) } else { Err(DecodeError::NotCanonical) }
}
