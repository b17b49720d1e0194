//! Options on how games are read from text, for all commands that store them.

use clap::Args;

use crate::pgn::{PieceLetters, ReadOptions};

/// How games are read.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ReadingArgs {
    /// Language of the piece letters: en, de, fr, es, it, nl, ru, figurine, or auto (English, or else the first
    /// that makes the game legal)
    #[arg(long, value_name = "LANGUAGE", default_value = "en", help_heading = "Reading games")]
    letters: PieceLetters,
}

impl ReadingArgs {
    pub(super) fn options(self) -> ReadOptions {
        ReadOptions { letters: self.letters, ..ReadOptions::default() }
    }
}
