//! The Huffman tables for people.

use std::io::{self, Write};

use super::super::{
    Answer, ListStyle,
    list::{ListHead, ListOptions, Row, TABLE, TextStyle, number, text, write},
};
use crate::{
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
        writeln!(out, "source   {:>8.2} bits a position", self.source_bits)?;
        let (trained, saved) = (self.trained_bits, self.saved_percent);
        writeln!(out, "trained  {trained:>8.2} bits a position, {saved:.2} % less")
    }
}

impl Row for HuffmanSymbol {
    const HEAD: ListHead = ListHead {
        columns: &[text("square"), number("count"), text("source"), text("trained")],
        shown: &[text("square"), number("a position"), text("source"), text("trained")],
        ..ListHead::new(&[])
    };

    fn cells(&self) -> Vec<String> {
        let [square, source] = [self.square, self.source].map(str::to_owned);
        vec![square, self.count.to_string(), source, self.trained.clone()]
    }

    fn shown_cells(&self) -> Vec<String> {
        let [square, source] = [self.square, self.source].map(str::to_owned);
        vec![square, format!("{:.3}", self.mean), source, self.trained.clone()]
    }
}
