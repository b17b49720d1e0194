//! The Huffman table of the source, and one trained on positions.

use serde::Serialize;

use super::PieceCounts;
use crate::codec::position::huffman::{SOURCE_COUNTS, SOURCE_TABLE, Trained, source_cost};

/// The symbols in the order of the tables.
const SYMBOLS: [&str; 13] = ["empty", "P", "N", "B", "R", "Q", "K", "p", "n", "b", "r", "q", "k"];

/// Two Huffman tables for the contents of squares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HuffmanTable {
    /// The positions that the second table was trained on.
    pub positions: u64,
    /// Bits per position with the table of the source.
    pub source_bits: f64,
    /// Bits per position with the trained table.
    pub trained_bits: f64,
    /// The saving of the trained table, in per cent.
    pub saved_percent: f64,
    /// The codes.
    pub table: Vec<HuffmanSymbol>,
}

/// The contents of a square, and its codes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HuffmanSymbol {
    /// `empty`, or the letter of a piece as in FEN.
    pub square: &'static str,
    /// The squares counted.
    pub count: u64,
    /// The code of the source.
    pub source: &'static str,
    /// The trained code.
    pub trained: String,
    /// The average number of such squares in a position.
    #[serde(skip)]
    pub mean: f64,
}

impl HuffmanTable {
    /// Trains a table on counts; without counts, on the weights of the source, the initial position.
    pub fn new(counted: Option<PieceCounts>) -> HuffmanTable {
        let PieceCounts { positions, counts } =
            counted.unwrap_or(PieceCounts { positions: 1, counts: SOURCE_COUNTS });
        let each = positions.max(1) as f64;
        let code = Trained::from_counts(&counts);
        let [source, trained] = [source_cost(&counts), code.cost(&counts)];
        let saved = 100.0 * (1.0 - trained as f64 / source.max(1) as f64);
        let codes = SOURCE_TABLE.into_iter().zip(code.table());
        let table = SYMBOLS.into_iter().zip(counts).zip(codes).map(|((square, count), (source, trained))| {
            HuffmanSymbol { square, count, source, trained, mean: count as f64 / each }
        });
        HuffmanTable {
            positions,
            source_bits: source as f64 / each,
            trained_bits: trained as f64 / each,
            saved_percent: if source == 0 { 0.0 } else { saved },
            table: table.collect(),
        }
    }
}
