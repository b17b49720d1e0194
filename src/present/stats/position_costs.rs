//! How many bits the positions of an archive's games take in every encoding.

use std::io::{self, Write};

use serde::Serialize;

use super::super::{
    PresentError, chart,
    list::{ListHead, Row, aligned, number, text},
};
use crate::{
    archive::{Archive, Filter},
    codec::position::{POSITION_CODECS, PositionCodecInfo},
    counts::{GAMES, POSITIONS},
    stats::{Costs, Spread, measure_positions},
};

/// Plies between the columns of the table.
const STEP: usize = 20;

/// Columns of the table.
const COLUMNS: usize = 9;

/// A ply belongs to the picture while at least so many of a thousand games have it.
const ENOUGH: u64 = 10;

/// How many bits positions take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionStats {
    /// The games measured.
    pub games: u64,
    /// Their positions: of a game of n plies, n + 1.
    pub positions: u64,
    /// Each encoding.
    pub codecs: Vec<CodecPositions>,
}

/// How many bits positions take in an encoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecPositions {
    /// The encoding.
    pub codec: &'static str,
    /// What it carries, a letter each.
    pub carries: String,
    /// All positions that it holds.
    #[serde(flatten)]
    pub all: BitSpread,
    /// Positions that it cannot hold.
    pub left_out: u64,
    /// The positions at each ply.
    pub by_ply: Vec<PlyPositions>,
}

/// How many bits the positions at a ply take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyPositions {
    /// The ply: 0 for start positions.
    pub ply: usize,
    /// The positions.
    #[serde(flatten)]
    pub at: BitSpread,
}

/// How many bits some positions take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BitSpread {
    /// The positions.
    pub positions: u64,
    /// The mean.
    pub average: f64,
    /// The median.
    pub median: u32,
    /// The most.
    pub largest: u32,
}

/// Measures every position of the games of chess that pass a filter, in every encoding. `progress` is called with the number of games done.
///
/// # Errors
/// The archive cannot be read, or a game of it is damaged.
pub fn position_stats(
    archive: &Archive,
    filter: &Filter,
    progress: impl FnMut(u64),
) -> Result<PositionStats, PresentError> {
    let costs = measure_positions(archive, filter, progress)?;
    let codecs = POSITION_CODECS.iter().zip(&costs.codecs);
    Ok(PositionStats {
        games: costs.games,
        positions: costs.positions,
        codecs: codecs.map(|(codec, costs)| CodecPositions::new(codec.info(), costs)).collect(),
    })
}

impl CodecPositions {
    fn new(about: &PositionCodecInfo, costs: &Costs) -> CodecPositions {
        let plies = costs.by_ply.iter().enumerate().filter(|(_, spread)| spread.count() > 0);
        CodecPositions {
            codec: about.name,
            carries: about.fields.to_string(),
            all: BitSpread::new(&costs.all()),
            left_out: costs.left_out,
            by_ply: plies.map(|(ply, spread)| PlyPositions { ply, at: BitSpread::new(spread) }).collect(),
        }
    }

    fn at(&self, ply: usize) -> Option<&BitSpread> {
        let found = self.by_ply.binary_search_by_key(&ply, |at| at.ply).ok()?;
        self.by_ply.get(found).map(|at| &at.at)
    }
}

impl BitSpread {
    fn new(spread: &Spread) -> BitSpread {
        BitSpread {
            positions: spread.count(),
            average: spread.average(),
            median: spread.median(),
            largest: spread.largest(),
        }
    }

    /// Average, median, largest.
    fn figures(&self) -> [String; 3] {
        [format!("{:.2}", self.average), self.median.to_string(), self.largest.to_string()]
    }
}

/// A row of the list of all encodings and plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionsRow<'a> {
    /// The encoding.
    pub codec: &'static str,
    /// The ply; `None` for all of them.
    pub ply: Option<usize>,
    /// The positions.
    #[serde(flatten)]
    pub at: &'a BitSpread,
}

impl Row for PositionsRow<'_> {
    const HEAD: ListHead = ListHead::new(&[
        text("codec"),
        number("ply"),
        number("positions"),
        number("average"),
        number("median"),
        number("largest"),
    ]);

    fn cells(&self) -> Vec<String> {
        let [average, median, largest] = self.at.figures();
        let ply = self.ply.map_or("all".to_owned(), |ply| ply.to_string());
        vec![self.codec.to_owned(), ply, self.at.positions.to_string(), average, median, largest]
    }
}

impl PositionStats {
    /// Each encoding over all and at each ply, as a list.
    pub fn rows(&self) -> Vec<PositionsRow<'_>> {
        let rows = self.codecs.iter().flat_map(|codec| {
            let row = |ply, at| PositionsRow { codec: codec.codec, ply, at };
            let plies = codec.by_ply.iter().map(move |at| row(Some(at.ply), &at.at));
            std::iter::once(row(None, &codec.all)).chain(plies)
        });
        rows.collect()
    }

    /// Writes tables for people: over all, and the averages by ply.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (games, positions) = (GAMES.count(self.games), POSITIONS.count(self.positions));
        writeln!(out, "{positions} of {games}; bits a position\n")?;
        let rows = self.codecs.iter().map(|codec| {
            let mut row = vec![codec.codec.to_owned(), codec.carries.clone()];
            row.extend(codec.all.figures());
            row.push(codec.left_out.to_string());
            row
        });
        let head = ["codec", "carries", "average", "median", "largest", "left_out"];
        aligned(out, &head, &[false, false, true, true, true, true], &rows.collect::<Vec<_>>())?;
        writeln!(out, "\naverage by ply")?;
        self.write_averages(out)
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
        let right: Vec<bool> = (0..head.len()).map(|column| column > 0).collect();
        aligned(out, &head, &right, &rows)
    }

    /// Cost against ply as a picture, as far as there are enough games to average over.
    pub fn svg(&self) -> String {
        let least = (self.games * ENOUGH / 1000).max(1);
        let lines = self.codecs.iter().map(|codec| {
            let enough = codec.by_ply.iter().filter(|at| at.at.positions >= least);
            chart::Series {
                name: codec.codec.to_owned(),
                points: enough.map(|at| (at.ply as f64, at.at.average)).collect(),
            }
        });
        let title = format!("Average bits a position, {}", GAMES.count(self.games));
        chart::lines(&title, "ply", "bits", &lines.collect::<Vec<_>>())
    }
}
