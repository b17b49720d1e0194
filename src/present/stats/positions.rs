//! The size in bits of the positions in an archive, in every encoding; and the Huffman tables.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::{GAMES, POSITIONS},
    present::{
        Answer, chart,
        list::{ListFormat, ListOptions, Row, TABLE, TextStyle, write},
    },
    stats::{BitSpread, CodecPositions, HuffmanSymbol, HuffmanTable, PositionStats},
};

/// The distance in plies between the columns of the table.
const STEP: usize = 20;

/// The maximum number of columns.
const COLUMNS: usize = 9;

/// The chart shows a ply if at least this many of 1,000 games have it.
const ENOUGH: u64 = 10;

impl CodecPositions {
    fn at(&self, ply: usize) -> Option<&BitSpread> {
        let found = self.by_ply.binary_search_by_key(&ply, |at| at.ply).ok()?;
        self.by_ply.get(found).map(|at| &at.at)
    }
}

/// A row of the list of all encodings and plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionsRow {
    /// The encoding.
    pub codec: &'static str,
    /// The ply; `None` for all together.
    pub ply: Option<usize>,
    /// The positions.
    #[serde(flatten)]
    pub at: BitSpread,
}

impl Row for PositionsRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.codec.into()),
        number("ply", |row| row.ply.map_or("all".into(), Cell::from)),
        number("positions", |row| row.at.positions.into()),
        number("average", |row| Cell::rounded(row.at.average, 2)),
        number("median", |row| row.at.median.into()),
        number("largest", |row| row.at.largest.into()),
    ];
}

impl PositionStats {
    /// Each encoding overall and at each ply, as a list.
    fn rows(&self) -> Vec<PositionsRow> {
        let rows = self.codecs.iter().flat_map(|codec| {
            let row = |ply, at: &BitSpread| PositionsRow { codec: codec.codec, ply, at: at.clone() };
            let plies = codec.by_ply.iter().map(move |at| row(Some(at.ply), &at.at));
            std::iter::once(row(None, &codec.all)).chain(plies)
        });
        rows.collect()
    }

    fn write_averages(&self, out: &mut dyn Write) -> io::Result<()> {
        let longest = self.codecs.iter().filter_map(|codec| codec.by_ply.last()).map(|at| at.ply + 1).max();
        let plies = (0..longest.unwrap_or(0)).step_by(STEP).take(COLUMNS);
        let mut head = vec!["codec".to_owned()];
        head.extend(plies.clone().map(|ply| ply.to_string()));
        let rows = self.codecs.iter().map(|codec| {
            let average = |ply| codec.at(ply).map_or("–".to_owned(), |at| format!("{:.1}", at.average));
            std::iter::once(codec.codec.to_owned()).chain(plies.clone().map(average)).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        TextStyle::default().table(out, &head, |at| at > 0, &rows)
    }
}

impl Answer for PositionStats {
    fn count(&self) -> u64 {
        self.games
    }

    /// Tables: the overall costs, and the averages by ply.
    fn write_text(&self, out: &mut dyn Write, _: TextStyle) -> io::Result<()> {
        let (games, positions) = (GAMES.count(self.games), POSITIONS.count(self.positions));
        writeln!(out, "{positions} of {games}; bits per position\n")?;
        let rows = self.codecs.iter().map(|codec| {
            let mut row = vec![codec.codec.to_owned(), codec.carries.clone()];
            let BitSpread { average, median, largest, .. } = &codec.all;
            row.extend([format!("{average:.2}"), median.to_string(), largest.to_string()]);
            row.push(codec.left_out.to_string());
            row
        });
        let head = ["codec", "carries", "average", "median", "largest", "left_out"];
        TextStyle::default().table(out, &head, |at| at > 1, &rows.collect::<Vec<_>>())?;
        writeln!(out, "\naverage by ply")?;
        self.write_averages(out)
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        write(format, options, out, &self.rows())
    }

    /// Cost by ply, as far as there are enough games for an average.
    fn picture(&self) -> Option<String> {
        let least = (self.games * ENOUGH / 1000).max(1);
        let lines = self.codecs.iter().map(|codec| {
            let enough = codec.by_ply.iter().filter(|at| at.at.positions >= least);
            (codec.codec, enough.map(|at| (at.ply as f64, at.at.average)).collect())
        });
        let title = format!("Average bits per position, {}", GAMES.count(self.games));
        Some(chart::lines(&title, "ply", "bits", &lines.collect::<Vec<_>>()))
    }
}

impl Answer for HuffmanTable {
    fn count(&self) -> u64 {
        self.positions
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        write(format, options, out, &self.table)
    }

    fn write_text(&self, out: &mut dyn Write, _: TextStyle) -> io::Result<()> {
        write(TABLE, ListOptions::default(), out, &self.table)?;
        writeln!(out, "\n{}", POSITIONS.count(self.positions))?;
        writeln!(out, "source   {:>8.2} bits per position", self.source_bits)?;
        let (trained, saved) = (self.trained_bits, self.saved_percent);
        writeln!(out, "trained  {trained:>8.2} bits per position, {saved:.2} % less")
    }
}

impl Row for HuffmanSymbol {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("square", |row| row.square.into()),
        number("count", |row| row.count.into()),
        text("source", |row| row.source.into()),
        text("trained", |row| row.trained.as_str().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("square", |row| row.square.into()),
        number("a position", |row| Cell::rounded(row.mean, 3)),
        text("source", |row| row.source.into()),
        text("trained", |row| row.trained.as_str().into()),
    ];
}
