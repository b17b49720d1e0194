//! `plybook codecs`

use std::io::Write;

use clap::Args;

use super::{ExitStatus, format, terminal};
use crate::present::{
    codecs,
    list::{self, ListFormat},
};

/// List all encodings of games and positions
///
/// Costs are in bits; n is the number of legal moves of a position. What a position codec carries: L piece
/// layout, T side to move, C castling rights, E en passant square, K half-move clock and full-move number.
/// A game codec carries M the moves, R the result.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook codecs
  plybook codecs --format csv
  plybook codecs --format json | jq -r '.[] | select(.of == \"positions\").codec'")]
pub(super) struct Codecs {
    /// How to print it
    #[arg(long, value_parser = format::lists(), default_value = "table")]
    format: &'static dyn ListFormat,
}

impl Codecs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut out = terminal::raw_stdout();
        list::write(self.format, terminal::list_options(), &mut out, &codecs::all())?;
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}
