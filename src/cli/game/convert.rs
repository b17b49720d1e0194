//! `plybook game encode` and `plybook game decode`

use std::io::Write;

use clap::Args;

use super::{input::Input, terminal};
use crate::{
    cli::{ExitStatus, code_format::game_code_formats},
    present::encoded_game::{GameStart, decode_game, encode_game},
    request::{CodeFormat, game_codec},
};

/// Write games as integers, one line a game
///
/// A game of the archive by its id, or PGN on standard input. The integer has the bytes of the encoding, the
/// least significant first. index-bare does not say where the game ends: its number of plies stands after it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game encode        prints 8712609247
  plybook game encode 5 --codec index-bare -a chess.db     prints the number and the plies
  plybook game encode --format hex < games.pgn")]
pub(in crate::cli) struct Encode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// How to write it: the integer, or its bytes
    #[arg(long, value_parser = game_code_formats(), default_value = "int")]
    format: CodeFormat,
    #[command(flatten)]
    input: Input,
}

/// Read one encoded game a line on standard input, print PGN
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo 8712609247 | plybook game decode
  echo 225833 4 | plybook game decode --codec index-bare
  plybook game encode 5 --format hex | plybook game decode --format hex")]
pub(in crate::cli) struct Decode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// How it is written: the integer, or its bytes
    #[arg(long, value_parser = game_code_formats(), default_value = "int")]
    format: CodeFormat,
    /// The number of plies for index-bare, where it does not stand after the code
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// The variant, such as Chess960
    #[arg(long, default_value = "Standard")]
    variant: String,
    /// The start position, if it is not the usual one
    #[arg(long)]
    fen: Option<String>,
}

impl Encode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let codec = game_codec(&self.codec)?;
        let mut out = terminal::stdout();
        let done = self.input.for_each(|game| {
            let code = encode_game(codec, self.format, game)?;
            Ok(writeln!(out, "{code}")?)
        })?;
        out.flush()?;
        Ok(done)
    }
}

impl Decode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let codec = game_codec(&self.codec)?;
        let start = GameStart::new(&self.variant, self.fen.as_deref())?;
        terminal::each_line(terminal::stdout(), "", |line| match line.trim() {
            "" => Ok(String::new()),
            _ => Ok(decode_game(codec, self.format, &start, line, self.plies)? + "\n"),
        })
    }
}
