//! A stored game as a row of values, without SQLite: how tag pairs are stored in columns and restored exactly, how
//! moves and comments are decoded, and when two games are equal.
//!
//! [`Record`] is a game to be stored in an archive, [`StoredGame`] a game read from it. A program that reads an archive
//! with its own SQLite builds a [`StoredMoves`] from the columns and replays it:
//!
//! ```
//! use plybook_chess::{codec::CodecId, chess::Variant, rules::Outcome};
//! use plybook_record::{Ply, StoredMoves, fen};
//!
//! // SELECT codec, moves, plies FROM games
//! let moves = StoredMoves { id: 1, codec: CodecId::Index, variant: Variant::Standard, plies: 4,
//!     result: Outcome::Unknown, setup: None, moves: 8_712_609_247_u64.to_le_bytes()[..5].to_vec() };
//! let position = moves.position_at(Ply::After(2))?;
//! assert_eq!(fen(&position), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
//! # Ok::<(), plybook_record::GameError>(())
//! ```
//!
//! # Stability
//! Everything here is part of the archive's format: see `docs/design.md`.

mod as_text;
mod columns;
mod error;
mod family;
mod fingerprint;
#[cfg(feature = "zstd")]
mod from_pgn;
mod from_stored;
pub mod functions;
mod game_metadata;
mod game_row;
mod game_sums;
mod kind;
mod move_bits;
mod opening_of;
mod original;
mod ply;
mod read_tags;
mod recoded;
mod renewed;
mod replay;
mod row;
pub mod same_game;
mod sides;
mod stored_game;
mod tag_layout;
mod time_control;
mod title;

pub use as_text::{as_optional_text, as_text};
pub use columns::{Columns, Round, result_number, result_of};
pub use error::GameError;
#[cfg(feature = "pgn")]
pub use family::TextOptions;
pub use family::{Family, xelto_fingerprint};
pub use fingerprint::fingerprint;
pub use game_metadata::GameMetadata;
pub use game_row::{GameRow, RowError};
pub use game_sums::{BestGame, GameSums, RatingSum, Results, performance};
pub use kind::GameKind;
pub use opening_of::{opening_of, opening_of_replay};
#[cfg(feature = "zstd")]
#[doc(hidden)]
pub use original::packed;
#[doc(hidden)]
pub use original::unpacked;
pub use ply::{Ply, PlyError};
pub use replay::{Positions, fen};
pub use row::Record;
pub use sides::Sides;
pub use stored_game::{StoredGame, StoredMoves};
pub use tag_layout::{TagLayout, TagLayoutCache, TagSlot, TagValue, ValueRules};
pub use time_control::{TimeControl, clock_seconds};
pub use title::title;

/// The number of a game in its archive: 1 for the first one imported.
pub type GameId = i64;

/// The ids of neighbouring games.
pub type GameRange = std::range::RangeInclusive<GameId>;

/// Appends ids to ascending ranges: the last range grows if they follow it immediately.
pub fn push_ids(ranges: &mut Vec<GameRange>, ids: impl Into<GameRange>) {
    let ids = ids.into();
    match ranges.last_mut() {
        Some(before) if before.last + 1 == ids.start => before.last = ids.last,
        _ => ranges.push(ids),
    }
}
