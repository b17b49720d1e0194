//! PGN in and out: sources, cutting at game boundaries, reading, the audit that nothing was dropped, writing.
//!
//! A game goes `source` (bytes, unpacked) → `cut` (one slice a game) → `read` (tags, moves, outcome), where
//! `audit` proves that every token of the movetext was accounted for. This is the only folder that names
//! pgn-reader.

mod ahead;
mod audit;
mod boundaries;
mod convert;
mod encoding;
mod find;
mod foreign;
mod lenient_san;
mod lexer;
mod line_wrap;
mod members;
mod nag;
mod path_name;
mod piece_letters;
mod plain;
mod read;
mod read_ambiguous;
mod read_full;
mod read_mainline;
mod reject;
mod result;
mod san_cache;
mod source;
mod split_games;
mod split_words;
mod tags;
mod text;
mod text_fields;
mod unpack;
mod warning;
mod watch;
mod write;

pub use ahead::Ahead;
pub use boundaries::{Boundaries, Boundary, PgnBoundaries, ends_with_result};
pub use encoding::{Encoding, UnknownEncoding};
pub use find::find_sources;
pub use members::Member;
pub use path_name::path_name;
pub use piece_letters::{PieceLetters, UnknownPieceLetters};
pub use read::{Game, ReadOptions, Reader};
pub use reject::{Location, Reject, RejectReason};
pub use source::{Opened, Source, SourceError};
pub use split_games::{GameBatch, GameSplitter, GameText};
pub use warning::{Warning, Warnings};
pub use watch::{Change, Watch, is_fresh, own_change};
pub use write::{continuation, movetext, write_game};
