//! `plybook position huffman`

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::terminal;
use crate::{
    archive::Filter,
    cli::{
        ArchiveArg, ExitStatus,
        filter::FilterArgs,
        format::{Format, lists_or},
    },
    present::list,
    stats::{HuffmanTable, PieceCounts, count_pieces},
};

/// Show the Huffman table of the source, and one trained on an archive
///
/// Without --train, the second table is built from the source's own weights, the pieces of the initial position.
/// With it, from the contents of all squares of every position of the archive's games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook position huffman
  plybook position huffman --train -a chess.db
  plybook position huffman --train --sample 1000 --player tal")]
pub(in crate::cli) struct Huffman {
    /// Count the pieces of the positions of an archive
    #[arg(long)]
    train: bool,
    /// How to print it
    #[arg(long, value_parser = lists_or::<OwnFormat>(), default_value = "table")]
    format: Format<OwnFormat>,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OwnFormat {
    /// For people
    Table,
    /// One JSON object
    Json,
}

impl Huffman {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        if !self.train && !self.filter.is_empty() {
            bail!("filters and --sample choose the games that are counted: add --train");
        }
        let counted = if self.train { Some(self.count()?) } else { None };
        let table = HuffmanTable::new(counted);
        let mut out = terminal::raw_stdout();
        match self.format {
            Format::Own(OwnFormat::Table) => table.write_text(&mut out)?,
            Format::Own(OwnFormat::Json) => terminal::json(&mut out, &table)?,
            Format::List(format) => list::write(format, terminal::list_options(), &mut out, &table.table)?,
        }
        out.flush()?;
        Ok(ExitStatus::complete_if(table.positions > 0))
    }

    fn count(&self) -> anyhow::Result<PieceCounts> {
        let archive = self.archive.open()?;
        let filter = Filter { chess: true, ..self.filter.before_sample(&archive)? };
        let filter = self.filter.sampled(&archive, filter)?;
        let bar = self.filter.bar(&archive)?;
        let pieces = count_pieces(&archive, &filter, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        Ok(pieces)
    }
}
