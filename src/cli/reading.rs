//! Options on how games are read from text, for all commands that store them.

use clap::Args;

use crate::pgn::{Encoding, PieceLetters, ReadOptions};

/// How games are read.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ReadingArgs {
    /// Language of the piece letters: en, de, fr, es, it, nl, ru, figurine, or auto (English, or else the first
    /// that makes the game legal)
    #[arg(long, value_name = "LANGUAGE", default_value = "en", help_heading = "Reading games")]
    letters: PieceLetters,
    /// Keep a game up to its first illegal move instead of rejecting it: the rest of its text becomes a comment, and
    /// the move the tag Broken
    #[arg(long, help_heading = "Reading games")]
    keep_broken: bool,
}

impl ReadingArgs {
    pub(super) fn options(self) -> ReadOptions {
        ReadOptions { letters: self.letters, keep_broken: self.keep_broken, ..ReadOptions::default() }
    }
}

/// How the texts of sources are read.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct SourceReadingArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Encoding of text that is not UTF-8: windows-1251, latin2, koi8-r, cp437, macintosh, gbk and others [default:
    /// detected, else windows-1252]. With a multi-byte encoding such as gbk, the complete source is converted to UTF-8,
    /// including the original texts
    #[arg(long, value_name = "NAME", help_heading = "Reading games")]
    encoding: Option<Encoding>,
    /// Reject games that would need repair
    #[arg(long, help_heading = "Reading games")]
    strict: bool,
}

impl SourceReadingArgs {
    pub(super) fn options(self) -> ReadOptions {
        ReadOptions { strict: self.strict, encoding: self.encoding, ..self.reading.options() }
    }
}
