//! `plybook game compare`

use std::io::Write;

use clap::Args;

use super::{ExitStatus, input::Input, terminal};
use crate::{
    cli::format,
    counts::PLIES,
    present::{
        codecs::compare_game,
        list::{self, ListFormat, TABLE},
    },
};

/// Compare the size of a game in every encoding
///
/// Give the id of a game of the archive, or PGN on standard input. The encodings are listed from shortest to longest.
/// An encoding that cannot represent the game comes last, with the reason; in JSON its bits and hex are null. Several
/// games give one list each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook game compare 5
  plybook game compare - < games.pgn
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game compare --format json")]
pub(in crate::cli) struct Compare {
    /// Output format
    #[arg(long, value_parser = format::lists(), default_value = "table")]
    format: &'static dyn ListFormat,
    #[command(flatten)]
    input: Input,
}

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut out = terminal::raw_stdout();
        let done = self.input.for_each(|game| {
            if self.format.name() == TABLE.name() {
                writeln!(out, "{}, {}", PLIES.count(game.moves.len() as u64), game.outcome)?;
            }
            Ok(list::write(self.format, terminal::list_options(), &mut out, &compare_game(game))?)
        })?;
        out.flush()?;
        Ok(done)
    }
}
