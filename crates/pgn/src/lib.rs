//! Reads and writes PGN, and splits it at game boundaries.
//!
//! A game passes through `split_games` (one slice per game) and `reader` (tags, moves, outcome). Three modules process
//! a movetext: `lexer` finds its tokens, `read_mainline` plays the words of a plain one, `read_full` reads all others.
//! This is the only crate that uses pgn-reader, which parses SAN and glyphs.

mod bad_tags;
mod boundaries;
mod comment_braces;
mod comment_command;
mod comment_commands;
mod comment_end;
mod comment_language;
mod common_san;
mod encoding;
mod engine_comment;
mod game;
mod lenient_san;
mod lexer;
mod line_wrap;
mod movetext;
mod nag;
mod observer;
mod outline;
mod piece_letters;
mod read_ambiguous;
mod read_full;
mod read_mainline;
mod reader;
mod reject;
mod resolve;
mod result;
mod san_cache;
#[cfg(feature = "sources")]
pub mod sources;
mod split_games;
mod split_words;
mod tag_line;
mod tag_values;
mod tags;
mod text;
mod text_fields;
mod warning;
mod warnings;
mod write;

pub use boundaries::{Ahead, Boundaries, Boundary, PgnBoundaries, ends_with_result};
pub use comment_command::CommentCommand;
pub use comment_commands::comment_commands;
pub use comment_language::{COMMENT_LANGUAGES, CommentLanguage, CommentPart, comment_parts};
pub use encoding::Encoding;
pub use game::Game;
pub use observer::Observer;
pub use piece_letters::{PieceLetters, UnknownPieceLetters};
pub use reader::{PgnGames, ReadOptions, Reader, start_position};
pub use reject::{Location, MoveWord, Reject, RejectReason};
pub use resolve::Resolve;
pub use san_cache::{Node, SanCache, ShortWord};
#[cfg(feature = "sources")]
pub use sources::EncodingGuess;
pub use split_games::{GameBatch, GameSplitter, GameText};
pub use tag_values::{note_tag_values, variant_of_fen};
pub use warning::Warning;
pub use warnings::Warnings;
pub use write::{GameWriter, TagOrder, continuation, movetext, write_game};
