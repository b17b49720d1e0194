//! PGN in and out: sources, splitting at game boundaries, reading, writing.
//!
//! A game goes `source` (bytes, unpacked) → `split_games` (one slice a game) → `reader` (tags, moves, outcome). Three
//! parts look at a movetext: the `lexer` names every token of it, `read_mainline` plays the words of a plain one,
//! `read_full` reads all others. This is the only folder that names pgn-reader, which reads SAN and glyphs.

mod ahead;
mod boundaries;
mod convert;
mod encoding;
mod find;
mod foreign;
mod game;
mod lenient_san;
mod lexer;
mod line_wrap;
mod members;
mod nag;
mod outline;
mod path_name;
mod piece_letters;
mod read_ambiguous;
mod read_full;
mod read_mainline;
mod read_movetext;
mod reader;
mod reject;
mod resolve;
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
pub use game::Game;
pub use members::Member;
pub use path_name::path_name;
pub use piece_letters::{PieceLetters, UnknownPieceLetters};
pub use reader::{ReadOptions, Reader};
pub use reject::{Location, Reject, RejectReason};
pub use source::{Opened, Source, SourceError};
pub use split_games::{GameBatch, GameSplitter, GameText};
pub use warning::{Warning, Warnings};
pub use watch::{Change, Watch, is_fresh, own_change};
pub use write::{continuation, movetext, write_game};
