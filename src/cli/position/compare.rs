//! `plybook position compare`

use std::io::{self, BufRead, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    super::{ArchiveArg, code, place, table},
    Done, Places, output,
};
use crate::{
    bits::Bits,
    chess::Setup,
    codec::{
        EncodeError,
        position::{POSITION_CODECS, PositionCodec},
    },
};

/// Show what a position costs in every encoding
///
/// The shortest comes first. An encoding that cannot hold the position comes last, with the reason; in JSON
/// its bits and hex are null.
#[derive(Debug, Args)]
#[command(after_help = format!("{}

Examples:
  plybook position compare '1. e4 c5'
  plybook position compare --format json 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
  plybook position compare 3:12w -a chess.db", place::HELP))]
pub(in crate::cli) struct Compare {
    /// The position; or - for one a line on standard input
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people, with a bar each
    Table,
    /// A list of objects: codec, bits, hex (for -, one list a line)
    Json,
}

/// A codec and what it makes of a position.
type Coded = (&'static dyn PositionCodec, Result<Bits, EncodeError>);

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let (text, places) = (self.position.join(" "), Places::new(self.archive));
        let mut out = output::stdout();
        if text != "-" {
            let coded = in_all_codecs(&places.read(&text)?);
            match self.format {
                Format::Table => print(&mut out, &coded)?,
                Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&to_json(&coded))?)?,
            }
            out.flush()?;
            return Ok(true);
        }
        let mut all_good = true;
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line?;
            match (places.read(&line), self.format) {
                (Ok(setup), Format::Table) => {
                    writeln!(out, "{line}")?;
                    print(&mut out, &in_all_codecs(&setup))?;
                    writeln!(out)?;
                }
                (Ok(setup), Format::Json) => writeln!(out, "{}", to_json(&in_all_codecs(&setup)))?,
                (Err(error), _) => {
                    out.flush()?;
                    output::tell(format_args!("line {number}: {error:#}"));
                    all_good = false;
                }
            }
        }
        out.flush()?;
        Ok(all_good)
    }
}

/// All encodings of a position, the shortest first.
fn in_all_codecs(setup: &Setup) -> Vec<Coded> {
    let mut coded: Vec<Coded> = POSITION_CODECS.iter().map(|codec| (*codec, codec.encode(setup))).collect();
    coded.sort_by_key(|(_, code)| code.as_ref().map_or(usize::MAX, Bits::len));
    coded
}

fn print(out: &mut dyn Write, coded: &[Coded]) -> io::Result<()> {
    const WIDTH: u64 = 50;
    let len = |bits: &Bits| bits.len() as u64;
    let most = coded.iter().filter_map(|(_, code)| code.as_ref().ok()).map(len).max().unwrap_or(0);
    let rows: Vec<Vec<String>> = coded
        .iter()
        .map(|(codec, code)| {
            let (bits, bar) = match code {
                Ok(bits) => (bits.len().to_string(), output::blocks(len(bits), most, WIDTH)),
                Err(error) => ("–".to_owned(), error.to_string()),
            };
            vec![codec.info().name.to_owned(), codec.info().fields.to_string(), bits, bar]
        })
        .collect();
    table::aligned(out, &["codec", "carries", "bits", ""], &[false, false, true, false], &rows)
}

fn to_json(coded: &[Coded]) -> Value {
    let object = |(codec, code): &Coded| match code {
        Ok(bits) => json!({"codec": codec.info().name, "bits": bits.len(), "hex": code::hex(bits)}),
        Err(error) => {
            json!({"codec": codec.info().name, "bits": null, "hex": null, "reason": error.to_string()})
        }
    };
    coded.iter().map(object).collect()
}
