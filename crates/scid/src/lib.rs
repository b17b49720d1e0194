//! The databases of Scid 4 and Scid 5: an index with a record of fixed size per game, names that games share, and the
//! data of each game. The data is the same in both versions.
//!
//! [`Format`] reads the index, [`Names`] the names, and [`GameReader`] a game from its record and its data. [`BaseWriter`]
//! writes a database.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::panic
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod bytes;
mod encode;
mod fields;
mod game;
mod header;
mod index;
mod move_code;
mod movetext;
mod name_table;
mod names;
mod pieces;
mod start;
mod tags;

mod text;
mod values;
mod write;
mod write_record;

pub use encode::{EncodedGame, Unstorable, encode};
pub use fields::GameToWrite;
pub use game::{GameReader, ScidGame};
pub use header::{Header, HeaderError};
pub use index::{Format, GameRecord};
pub use names::{NameKind, Names, NamesError};
pub use tags::Irregularity;
pub use values::{COMMON_TAGS, FLAG_LETTERS, Flags, RATING_TAGS, date_bits, date_text, eco_code, eco_text};
pub use write::{BaseEnd, BaseWriter, WriteError};

/// The largest data of a game, in bytes.
pub const MAX_GAME_DATA: usize = (1 << 17) - 1;
