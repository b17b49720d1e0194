//! `plybook position`: single positions in every encoding.

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ArchiveArg, ExitStatus,
    answer::{self, CODE_FORMATS, Choice, Form, Format, choice, lists, lists_or},
    filter::FilterArgs,
    position_arg::{self, PositionReader},
    terminal,
};
use crate::{
    archive::Filter,
    chess::Setup,
    present::{
        codecs::compare_position,
        encoded::{decode_position, encode_position},
        list::{self, ListFormat, TextStyle},
    },
    printable,
    request::{CodeFormat, fen_of, position_codec},
    stats::{HuffmanTable, PieceCounts, count_pieces},
};

commands! {
    /// Encode, decode and compare positions
    enum Position {
        Encode(Encode),
        Decode(Decode),
        Compare(Compare),
        Huffman(Box<Huffman>),
    }
}

/// Encode a position
///
/// Examples:
/// * plybook position encode --codec yoder '1. e4 c5'
/// * plybook position encode --codec ranked 3:12w -a chess.db
/// * plybook position encode --codec cfen - < positions.fen
#[derive(Debug, Args)]
#[command(after_help = position_arg::HELP)]
pub(in crate::cli) struct Encode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// Output notation; int is the bits as a number, most significant bit first
    #[arg(long, value_parser = choice(CODE_FORMATS), default_value = "hex")]
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
///
/// Examples:
/// * plybook position decode --codec yoder 09e6a56f5a692449000203000366db69ceffbc80
/// * plybook position decode --codec ranked --format int --bits 18 253275
/// * plybook position encode --codec yoder '1. e4 c5' | plybook position decode --codec yoder -
#[derive(Debug, Args)]
pub(in crate::cli) struct Decode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// Input notation
    #[arg(long, value_parser = choice(CODE_FORMATS), default_value = "hex")]
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

/// Compare the size of a position in every encoding
///
/// The encodings are listed from shortest to longest. An encoding that cannot represent the position comes last, with
/// the reason; in JSON its bits and hex are null.
///
/// Examples:
/// * plybook position compare '1. e4 c5'
/// * plybook position compare --format json 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
/// * plybook position compare 3:12w -a chess.db
#[derive(Debug, Args)]
#[command(after_help = position_arg::HELP)]
pub(in crate::cli) struct Compare {
    /// Position; - reads one per line from standard input
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Output format; for standard input, json prints one list per line, and the others an empty line after each
    /// list
    #[arg(long, value_parser = lists(), default_value = "table")]
    format: &'static ListFormat,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let (text, positions) = (self.position.join(" "), PositionReader::new(self.archive));
        let mut out = terminal::raw_stdout();
        if text != "-" {
            let costs = compare_position(&positions.read(&text)?);
            list::write(self.format, terminal::list_options(), &mut out, &costs)?;
            out.flush()?;
            return Ok(ExitStatus::Complete);
        }
        terminal::each_line(out, "", |line| one_of_many(self.format, line, &positions.read(line)?))
    }
}

/// Prints the list of one of several positions.
fn one_of_many(format: &ListFormat, line: &str, setup: &Setup) -> anyhow::Result<String> {
    let costs = compare_position(setup);
    if format.name == "json" {
        return Ok(serde_json::to_string(&costs)? + "\n");
    }
    let mut out = Vec::new();
    if format.name == "table" {
        writeln!(out, "{}", printable::line(line))?;
    }
    list::write(format, terminal::list_options(), &mut out, &costs)?;
    Ok(String::from_utf8(out)? + "\n")
}

/// Show the original Huffman table, and one trained on an archive
///
/// Without --train, the second table is built from the weights of the original proposal, the pieces of the initial
/// position. With --train, it is built from the squares of every position of the archive's games.
///
/// Examples:
/// * plybook position huffman
/// * plybook position huffman --train -a chess.db
/// * plybook position huffman --train --sample 1000 --player tal
#[derive(Debug, Args)]
pub(in crate::cli) struct Huffman {
    /// Train on the positions of an archive
    #[arg(long)]
    train: bool,
    /// Output format
    #[arg(long, value_parser = lists_or(FORMS), default_value = "table")]
    format: Format<Form>,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

const FORMS: [Choice<Form>; 2] =
    [("table", "Plain text", Form::Text), ("json", "One JSON object", Form::Json)];

impl Huffman {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        if !self.train && !self.filter.is_empty() {
            bail!("filters and --sample require --train");
        }
        let counted = if self.train { Some(self.count()?) } else { None };
        let table = HuffmanTable::new(counted);
        let mut out = terminal::raw_stdout();
        let style = TextStyle { width: terminal::list_options().width, ..TextStyle::default() };
        let done = answer::write(&mut out, self.format, style, &table)?;
        out.flush()?;
        Ok(done)
    }

    fn count(&self) -> anyhow::Result<PieceCounts> {
        let archive = self.archive.open()?;
        let filter = Filter { chess: true, ..self.filter.before_sample(&archive)? };
        let filter = self.filter.sampled(&archive, filter)?;
        let bar = self.filter.bar(&archive)?;
        Ok(count_pieces(&archive, &filter, move |games| bar.set_position(games))?)
    }
}
