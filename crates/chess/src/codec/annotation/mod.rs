//! The annotations of a game as bytes: comments, glyphs and variations, in the order of the movetext.
//!
//! # Layout, version 1
//! | part | what |
//! |---|---|
//! | 1 byte | the version: 1 |
//! | varint | the length of the opcodes |
//! | … | the opcodes (`opcodes.rs`): what stands where, one byte an opcode or a variation's move |
//! | varint, … | the texts of comments (`comment_text.rs`), packed if that makes them shorter |
//! | rest | the numbers (`numbers.rs`): clocks, times and evaluations, a few bits each |
//!
//! Version 2 is the same with one more opcode: the mainline goes on after the game's last move with a null move,
//! as a line that is not closed. It is written only for games that have that.
//!
//! Version 3 is for comments that are lists of fields, as engines write them. It has all that version 2 has, and one
//! more gap in templates: the value of a field, which stands in the column of its name (`fields.rs`). Behind its
//! byte stand the body (`body.rs`), which is opcodes, texts and columns packed together, and the numbers. It is
//! written only for games with long comments that have many fields.
//!
//! Where every move has one comment of the same frozen template and there is nothing else, as in most games
//! played online, there is a shorter form: one byte, 16 and the template's place, and the numbers.
//!
//! A comment is a template (`template.rs`), a text with gaps, and the numbers in its gaps. So `[%clk 0:04:58]`
//! costs only the difference to what was expected, whatever blanks or words stand around it; and what is
//! not written in the usual way stays text. A variation's move is its index among the legal moves.
//!
//! A varint has seven bits a byte, the lowest first, and a high bit on all bytes but the last.
//!
//! # Stability
//! The version, the opcodes, the frozen templates and the dictionary of the texts never change; a better
//! encoding is another version. Annotations may have several forms (packers differ), but each form means
//! one thing for ever.

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

/// The version of games that go on after a null move.
const CONTINUED: u8 = 2;

/// The version of games with columns of fields.
const FIELDS: u8 = 3;

/// The first byte of the short form, for the first frozen template.
const UNIFORM: u8 = 16;

fn damaged(what: &'static str) -> DecodeError {
    DecodeError::Annotations { what }
}

/// Whether a comment can stand in a PGN: in braces, or else in the rest of a line.
fn fits_pgn(comment: &str) -> bool {
    comment.len() <= MAX_COMMENT_BYTES && !(comment.contains('}') && comment.contains('\n'))
}
