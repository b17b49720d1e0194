//! The Huffman tables as text.

use std::io::{self, Write};

use super::super::{
    Answer, ListStyle,
    list::{ListOptions, Row, TABLE, TextStyle, write},
};
use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::POSITIONS,
    stats::{HuffmanSymbol, HuffmanTable},
};

impl Answer for HuffmanTable {
    fn count(&self) -> u64 {
        self.positions
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &self.table)
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
