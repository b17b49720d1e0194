//! `plybook position encode` and `plybook position decode`

use clap::Args;

use super::{PositionReader, terminal};
use crate::{
    cli::{ArchiveArg, ExitStatus, code_format::code_formats, position_arg},
    present::encoded_position::{decode_position, encode_position},
    request::{CodeFormat, fen_of, position_codec},
};

/// Encode a position
#[derive(Debug, Args)]
#[command(after_help = format!("{}

Examples:
  plybook position encode --codec yoder '1. e4 c5'
  plybook position encode --codec ranked 3:12w -a chess.db
  plybook position encode --codec cfen - < positions.fen", position_arg::HELP))]
pub(in crate::cli) struct Encode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// Output notation; int is the bits as a number, most significant bit first
    #[arg(long, value_parser = code_formats(), default_value = "hex")]
    format: CodeFormat,
    /// Position; - reads one per line from standard input and prints one line for each, empty after an error
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    #[command(flatten)]
    archive: ArchiveArg,
}

/// Decode a position and print its FEN
///
/// Fields that the encoding does not preserve get their defaults: White to move, no castling rights, no en passant
/// square, clocks at 0 and 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook position decode --codec yoder 09e6a56f5a692449000203000366db69ceffbc80
  plybook position decode --codec ranked --format int --bits 18 253275
  plybook position encode --codec yoder '1. e4 c5' | plybook position decode --codec yoder -")]
pub(in crate::cli) struct Decode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// Input notation
    #[arg(long, value_parser = code_formats(), default_value = "hex")]
    format: CodeFormat,
    /// Number of bits, for --format int if the number alone is ambiguous
    #[arg(long, value_name = "N")]
    bits: Option<usize>,
    /// Code; - reads one per line from standard input and prints one line for each, empty after an error
    code: String,
}

impl Encode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let (codec, positions) = (position_codec(&self.codec)?, PositionReader::new(self.archive));
        one_or_lines(&self.position.join(" "), |text| {
            Ok(encode_position(codec, self.format, &positions.read(text)?)?)
        })
    }
}

impl Decode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let codec = position_codec(&self.codec)?;
        one_or_lines(&self.code, |text| {
            Ok(fen_of(decode_position(codec, self.format, text.trim(), self.bits)?)?)
        })
    }
}

/// Converts one text, or for `-` every line of standard input, with one line of output per line of input.
fn one_or_lines(text: &str, each: impl Fn(&str) -> anyhow::Result<String>) -> anyhow::Result<ExitStatus> {
    if text != "-" {
        terminal::print(each(text)?)?;
        return Ok(ExitStatus::Complete);
    }
    terminal::each_line(terminal::stdout(), "\n", |line| Ok(each(line)? + "\n"))
}
