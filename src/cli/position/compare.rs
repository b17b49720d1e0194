//! `plybook position compare`

use std::io::Write;

use clap::Args;

use super::{PositionReader, terminal};
use crate::{
    chess::Setup,
    cli::{ArchiveArg, ExitStatus, format, position_arg},
    present::{
        codecs::compare_position,
        list::{self, ListFormat},
    },
    printable,
};

/// Compare the size of a position in every encoding
///
/// The encodings are listed from shortest to longest. An encoding that cannot represent the position comes last, with
/// the reason; in JSON its bits and hex are null.
#[derive(Debug, Args)]
#[command(after_help = format!("{}

Examples:
  plybook position compare '1. e4 c5'
  plybook position compare --format json 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
  plybook position compare 3:12w -a chess.db", position_arg::HELP))]
pub(in crate::cli) struct Compare {
    /// Position; - reads one per line from standard input
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Output format; for standard input, json prints one list per line, and the others an empty line after each
    /// list
    #[arg(long, value_parser = format::lists(), default_value = "table")]
    format: &'static dyn ListFormat,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let (text, positions) = (self.position.join(" "), PositionReader::new(self.archive));
        let mut out = terminal::raw_stdout();
        if text != "-" {
            list::write(
                self.format,
                terminal::list_options(),
                &mut out,
                &compare_position(&positions.read(&text)?),
            )?;
            out.flush()?;
            return Ok(ExitStatus::Complete);
        }
        terminal::each_line(out, "", |line| one_of_many(self.format, line, &positions.read(line)?))
    }
}

/// Prints the list of one of several positions.
fn one_of_many(format: &dyn ListFormat, line: &str, setup: &Setup) -> anyhow::Result<String> {
    let costs = compare_position(setup);
    if format.name() == "json" {
        return Ok(serde_json::to_string(&costs)? + "\n");
    }
    let mut out = Vec::new();
    if format.name() == "table" {
        writeln!(out, "{}", printable::line(line))?;
    }
    list::write(format, terminal::list_options(), &mut out, &costs)?;
    Ok(String::from_utf8(out)? + "\n")
}
