//! PGN in and out: sources, cutting at game borders, reading, the audit that nothing was dropped, writing.
//!
//! A game goes `source` (bytes, unpacked) → `cut` (one slice a game) → `read` (tags, moves, outcome), where
//! `audit` proves that every token of the movetext was accounted for. This is the only folder that names
//! pgn-reader.

mod ahead;
mod audit;
mod borders;
mod convert;
mod cut;
mod encoding;
mod fields;
mod find;
mod foreign;
mod glued;
mod glyph;
mod letters;
mod lines;
mod loose;
mod mainline;
mod members;
mod note;
mod openings;
mod path_name;
mod plain;
mod read;
mod readings;
mod reject;
mod result;
mod source;
mod tags;
mod text;
mod token;
mod tree;
mod unpack;
mod watch;
mod write;

pub use ahead::Ahead;
pub use borders::{Border, Borders, PgnBorders, ends_with_result};
pub use cut::{Batch, Cutter, Piece};
pub use encoding::{Encoding, UnknownEncoding};
pub use find::find_sources;
pub use letters::{Letters, UnknownLetters};
pub use members::Member;
pub use note::{Note, Notes};
pub use path_name::path_name;
pub use read::{Game, ReadOptions, Reader};
pub use reject::{Place, Reason, Reject};
pub use source::{Opened, Source, SourceError};
pub use watch::{Change, Watch, is_fresh, own_change};
pub use write::{continuation, movetext, write_game};
