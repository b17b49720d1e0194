//! `plybook codecs`

use std::io::Write;

use clap::Args;

use super::{answer::lists, terminal};
use crate::present::{
    codecs,
    list::{self, ListFormat},
};

/// List all encodings of games and positions
///
/// Sizes are in bits; n is the number of legal moves in a position. The fields that a position codec preserves: L piece
/// layout, T side to move, C castling rights, E en passant square, K half-move clock and full-move number. The fields
/// that a game codec preserves: M moves, R result.
///
/// Examples:
/// * plybook codecs
/// * plybook codecs --format csv
/// * plybook codecs --format json | jq -r '.[] | select(.of == "positions").codec'
#[derive(Debug, Args)]
pub(super) struct Codecs {
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table")]
    format: &'static ListFormat,
}

impl Codecs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = terminal::raw_stdout();
        list::write(self.format, terminal::list_options(), &mut out, &codecs::all())?;
        Ok(out.flush()?)
    }
}
