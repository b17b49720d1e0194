//! Encodes the annotations of a game: comments, glyphs and variations, in movetext order.
//!
//! # Layout, version 1
//! | part | content |
//! |---|---|
//! | 1 byte | the version: 1 |
//! | varint | the length of the opcodes |
//! | … | the opcodes (`opcodes.rs`): what is where, one byte per opcode or variation move |
//! | varint, … | the texts of comments (`comment_text.rs`), compressed if that makes them shorter |
//! | rest | the numbers (`numbers.rs`): clocks, times and evaluations, a few bits each |
//!
//! Version 2 has one more opcode: after the game's last move the mainline continues with a null move, as a line that
//! is not closed. It is written only for games that have such a continuation.
//!
//! Version 3 is for comments that are lists of fields, as written by engines. It has everything in version 2, and one
//! more kind of gap in templates: the value of a field, which is stored in the column of its name (`fields.rs`). After
//! the version byte come the body (`body.rs`), that is opcodes, texts and columns compressed together, and the
//! numbers. It is written only for games with long comments that have many fields.
//!
//! If every move has one comment with the same frozen template and there is nothing else, as in most games played
//! online, there is a shorter form: one byte, 16 plus the template's index, and the numbers.
//!
//! A comment is a template (`template.rs`), which is a text with gaps, and the numbers in its gaps. `[%clk 0:04:58]`
//! therefore costs only the difference to the expected time, whatever spaces or words surround it; anything that is
//! not in the usual notation stays text. A variation move is its index among the legal moves.
//!
//! A varint has seven bits per byte, lowest first, and the high bit is set in all bytes but the last.
//!
//! # Stability
//! The versions, opcodes, frozen templates and the dictionary of texts never change; a better encoding gets a new
//! version. Annotations may have several encodings (compressors differ), but the meaning of each encoding is
//! permanent.

mod body;
mod comment_text;
mod decode;
mod encode;
mod fields;
mod gap;
mod numbers;
mod opcodes;
mod packed;
mod rice;
mod style;
mod template;
mod value;
mod variation_cursor;
mod varint;

#[cfg(all(test, feature = "zstd"))]
pub(in crate::codec) use comment_text::DICTIONARY;
pub use decode::decode;
pub use encode::encode;

use super::DecodeError;
use crate::limits::MAX_COMMENT_BYTES;

/// The version that is written.
const VERSION: u8 = 1;

/// The version for games that continue after a null move.
const CONTINUED: u8 = 2;

/// The version for games with columns of fields.
const FIELDS: u8 = 3;

/// The first byte of the short form, for the first frozen template.
const UNIFORM: u8 = 16;

fn damaged(what: &'static str) -> DecodeError {
    DecodeError::Annotations(what)
}

/// Whether a comment can be written as PGN: in braces, or as the rest of a line.
fn fits_pgn(comment: &str) -> bool {
    comment.len() <= MAX_COMMENT_BYTES && !(comment.contains('}') && comment.contains('\n'))
}
