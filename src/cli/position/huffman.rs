//! `plybook position huffman`

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    super::{ArchiveArg, filter::FilterArgs, output::thousands, table},
    Done, output,
};
use crate::{
    codec::position::huffman::{SOURCE_COUNTS, SOURCE_TABLE, Trained, source_cost},
    stats::{Men, count_men},
};

/// Show the Huffman table of the source, and one trained on an archive
///
/// Without --train, the second table is built from the source's own weights, the men of the initial position.
/// With it, from the contents of all squares of every position of the archive's games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook position huffman
  plybook position huffman --train -a chess.db
  plybook position huffman --train --sample 1000 --player tal")]
pub(in crate::cli) struct Huffman {
    /// Count the men of the positions of an archive
    #[arg(long)]
    train: bool,
    /// Count only so many games, evenly spread
    #[arg(long, value_name = "N", requires = "train")]
    sample: Option<u64>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON object
    Json,
}

/// The symbols in the order of the tables.
const SYMBOLS: [&str; 13] = ["empty", "P", "N", "B", "R", "Q", "K", "p", "n", "b", "r", "q", "k"];

/// What was counted, and the table made of it.
struct Training {
    men: Men,
    trained: Trained,
}

impl Huffman {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let men = if self.train { self.count()? } else { Men { positions: 1, counts: SOURCE_COUNTS } };
        let training = Training { men, trained: Trained::from_counts(&men.counts) };
        match self.format {
            Format::Table => training.print()?,
            Format::Json => output::json(&training.to_json())?,
        }
        Ok(men.positions > 0)
    }

    fn count(&self) -> anyhow::Result<Men> {
        let (archive, filter) = (self.archive.open()?, self.filter.filter()?);
        let bar = output::games_bar(self.sample.unwrap_or(archive.count()?));
        let men = count_men(&archive, &filter, self.sample, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        Ok(men)
    }
}

impl Training {
    /// Bits a position with the source's table and with the trained one, and what that saves in per cent.
    fn bits(&self) -> [f64; 3] {
        let positions = self.men.positions.max(1) as f64;
        let [source, trained] = [source_cost(&self.men.counts), self.trained.cost(&self.men.counts)];
        let saved = 100.0 * (1.0 - trained as f64 / source.max(1) as f64);
        [source as f64 / positions, trained as f64 / positions, if source == 0 { 0.0 } else { saved }]
    }

    /// For each symbol: its name, mean number a position, the source's code and the trained one.
    fn symbols(&self) -> impl Iterator<Item = (&'static str, f64, &'static str, String)> {
        let positions = self.men.positions.max(1) as f64;
        let means = self.men.counts.map(|count| count as f64 / positions);
        let codes = SOURCE_TABLE.into_iter().zip(self.trained.table());
        let named = SYMBOLS.into_iter().zip(means);
        named.zip(codes).map(|((name, mean), (source, trained))| (name, mean, source, trained))
    }

    fn print(&self) -> anyhow::Result<()> {
        let mut out = output::stdout();
        let rows: Vec<Vec<String>> = self
            .symbols()
            .map(|(name, mean, source, trained)| {
                vec![name.to_owned(), format!("{mean:.3}"), source.to_owned(), trained]
            })
            .collect();
        table::aligned(
            &mut out,
            &["square", "a position", "source", "trained"],
            &[false, true, false, false],
            &rows,
        )?;
        let [source, trained, saved] = self.bits();
        writeln!(out, "\n{} positions", thousands(self.men.positions))?;
        writeln!(out, "source   {source:>8.2} bits a position")?;
        writeln!(out, "trained  {trained:>8.2} bits a position, {saved:.2} % less")?;
        Ok(out.flush()?)
    }

    fn to_json(&self) -> Value {
        let [source, trained, saved] = self.bits();
        let table: Vec<Value> = self
            .symbols()
            .zip(self.men.counts)
            .map(|((name, _, source, trained), count)| {
                json!({"square": name, "count": count, "source": source, "trained": trained})
            })
            .collect();
        json!({
            "positions": self.men.positions, "source_bits": source, "trained_bits": trained,
            "saved_percent": saved, "table": table,
        })
    }
}
