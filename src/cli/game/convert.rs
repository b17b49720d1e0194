//! `plybook game encode` and `plybook game decode`

use std::io::Write;

use clap::Args;

use super::{input::Input, terminal};
use crate::{
    cli::{ExitStatus, code_format::game_code_formats},
    present::encoded_game::{GameStart, decode_game, encode_game},
    request::{CodeFormat, game_codec},
};

/// Encode games as integers, one game per line
///
/// Give the id of a game of the archive, or PGN on standard input. The integer consists of the bytes of the encoding,
/// least significant byte first. index-bare does not encode where the game ends, so the number of plies follows the
/// integer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game encode        prints 8712609247
  plybook game encode 5 --codec index-bare -a chess.db     prints the number and the plies
  plybook game encode --format hex < games.pgn")]
pub(in crate::cli) struct Encode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// Output notation: the integer, or its bytes
    #[arg(long, value_parser = game_code_formats(), default_value = "int")]
    format: CodeFormat,
    #[command(flatten)]
    input: Input,
}

/// Decode games from standard input, one per line, and print PGN
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo 8712609247 | plybook game decode
  echo 225833 4 | plybook game decode --codec index-bare
  plybook game encode 5 --format hex | plybook game decode --format hex")]
pub(in crate::cli) struct Decode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// Input notation: the integer, or its bytes
    #[arg(long, value_parser = game_code_formats(), default_value = "int")]
    format: CodeFormat,
    /// Number of plies for index-bare, if it does not follow the code
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Variant, such as Chess960
    #[arg(long, default_value = "Standard")]
    variant: String,
    /// Start position as FEN, if it is not the usual one
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
