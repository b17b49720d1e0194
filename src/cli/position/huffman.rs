//! `plybook position huffman`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::terminal;
use crate::{
    archive::Filter,
    cli::{
        ArchiveArg, ExitStatus, answer,
        filter::FilterArgs,
        format::{CommandFormat, Form, Format, lists_or},
    },
    present::list::TextStyle,
    stats::{HuffmanTable, PieceCounts, count_pieces},
};

/// Show the original Huffman table, and one trained on an archive
///
/// Without --train, the second table is built from the weights of the original proposal, the pieces of the initial
/// position. With --train, it is built from the squares of every position of the archive's games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook position huffman
  plybook position huffman --train -a chess.db
  plybook position huffman --train --sample 1000 --player tal")]
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

const FORMS: [CommandFormat<Form>; 2] =
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
