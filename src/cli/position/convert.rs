//! `plybook position encode` and `plybook position decode`

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use clap::Args;

use super::{
    super::{
        ArchiveArg,
        code::{Code, Form},
        place,
    },
    Done, Places, codec, output,
};
use crate::{
    bits::{BitReader, Bits, Integer, bit_length},
    chess::Setup,
    codec::position::PositionCodec,
};

/// Write a position in an encoding
#[derive(Debug, Args)]
#[command(after_help = format!("{}

Examples:
  plybook position encode --codec yoder '1. e4 c5'
  plybook position encode --codec ranked 3:12w -a chess.db
  plybook position encode --codec cfen - < positions.fen", place::HELP))]
pub(in crate::cli) struct Encode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// How to write it; int is the number that the bits are, the most significant first
    #[arg(long, value_enum, default_value_t = Form::Hex)]
    format: Form,
    /// The position; or - for one a line on standard input: each gives one line, empty if there is an error
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    #[command(flatten)]
    archive: ArchiveArg,
}

/// Read a position in an encoding, print its FEN
///
/// What the encoding does not carry has its default: White to move, no castling rights, no en passant square,
/// clocks at 0 and 1.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook position encode --codec yoder '1. e4 c5' | plybook position decode --codec yoder -")]
pub(in crate::cli) struct Decode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME")]
    codec: String,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Form::Hex)]
    format: Form,
    /// The number of bits, for --format int where the number alone could mean several positions
    #[arg(long, value_name = "N")]
    bits: Option<usize>,
    /// The code; or - for one a line on standard input: each gives one line, empty if there is an error
    code: String,
}

impl Encode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let (codec, places) = (codec(&self.codec)?, Places::new(self.archive));
        one_or_lines(&self.position.join(" "), |text| {
            let bits = codec.encode(&places.read(text)?)?;
            Ok(self.format.write(&bits, number))
        })
    }
}

impl Decode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let codec = codec(&self.codec)?;
        one_or_lines(&self.code, |text| {
            let setup = match self.format.read(text.trim())? {
                Code::Bytes(bytes) => codec.decode(&bytes)?,
                Code::Number(number) => of_number(codec, &number, self.bits)?,
            };
            place::fen(setup)
        })
    }
}

/// Does one text, or for `-` every line of standard input: one line out for each line in.
fn one_or_lines(text: &str, each: impl Fn(&str) -> anyhow::Result<String>) -> anyhow::Result<Done> {
    let mut out = output::stdout();
    if text != "-" {
        writeln!(out, "{}", each(text)?)?;
        out.flush()?;
        return Ok(true);
    }
    let mut all_good = true;
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        match each(&line?) {
            Ok(text) => writeln!(out, "{text}")?,
            Err(error) => {
                writeln!(out)?;
                out.flush()?;
                output::tell(format_args!("line {number}: {error:#}"));
                all_good = false;
            }
        }
    }
    out.flush()?;
    Ok(all_good)
}

/// The number that bits are, the most significant first.
fn number(bits: &Bits) -> Integer {
    let whole = BitReader::new(bits.bytes()).take_integer(bits.len());
    whole.unwrap_or_default() // there are as many bits
}

/// More zero bits in front than any position of an encoding has.
const MOST_ZEROS: usize = 512;

/// The position with this number. If it is not known how many bits it has, only one number may fit.
fn of_number(codec: &dyn PositionCodec, number: &Integer, bits: Option<usize>) -> anyhow::Result<Setup> {
    let least = bit_length(number);
    let widths = bits.map_or(least..=least + MOST_ZEROS, |bits| bits..=bits);
    let mut fitting = widths.filter_map(|width| Some((width, exactly(codec, number, width)?)));
    let first = fitting.next().context("no position of this encoding has this number")?;
    match fitting.next() {
        Some((other, _)) => {
            bail!("this number fits {} and {other} bits: give the number with --bits", first.0)
        }
        None => Ok(first.1),
    }
}

/// The position whose code is a number of exactly so many bits.
fn exactly(codec: &dyn PositionCodec, number: &Integer, width: usize) -> Option<Setup> {
    let mut bits = Bits::default();
    bits.push_integer(number, width);
    let setup = codec.decode(bits.bytes()).ok()?;
    (codec.encode(&setup).ok()?.len() == width).then_some(setup)
}
