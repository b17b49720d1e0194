//! How surprising the moves of games are, as tables and as charts.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::{GAMES, PLIES, thousands},
    present::{
        Answer, chart,
        list::{ListFormat, ListOptions, Row, TextStyle, write},
    },
    stats::{Surprise, SurpriseGroup, SurpriseStats},
};

/// Plies and years that are together in a row of the text.
const PLIES_A_ROW: u32 = 10;
const YEARS_A_ROW: u32 = 10;

/// A chart shows a group if at least this many of 10,000 moves are in it: the mean of few moves says nothing.
const ENOUGH: u64 = 5;

/// A row of the list of all groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurpriseRow {
    /// How the moves are grouped: `ply`, `rating` or `year`.
    pub by: &'static str,
    /// The group; `None` for all moves.
    pub from: Option<u32>,
    /// Its moves.
    #[serde(flatten)]
    pub moves: Surprise,
}

impl Row for SurpriseRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("by", |row| row.by.into()),
        number("from", |row| row.from.map_or("all".into(), Cell::from)),
        number("plies", |row| row.moves.plies.into()),
        number("bits_per_ply", |row| Cell::rounded(row.moves.bits_per_ply, 3)),
    ];
}

impl SurpriseStats {
    /// The groups of each kind.
    fn kinds(&self) -> [(&'static str, &[SurpriseGroup]); 3] {
        [("ply", &self.by_ply), ("rating", &self.by_rating), ("year", &self.by_year)]
    }

    fn rows(&self) -> Vec<SurpriseRow> {
        let all = SurpriseRow { by: "all", from: None, moves: self.all };
        let groups = self.kinds().into_iter().flat_map(|(by, groups)| {
            groups.iter().map(move |group| SurpriseRow { by, from: Some(group.from), moves: group.moves })
        });
        std::iter::once(all).chain(groups).collect()
    }
}

impl Answer for SurpriseStats {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_text(&self, out: &mut dyn Write, _: TextStyle) -> io::Result<()> {
        let (games, plies) = (GAMES.count(self.games), PLIES.count(self.all.plies));
        writeln!(out, "{games}, {plies}: {:.3} bits per ply", self.all.bits_per_ply)?;
        writeln!(out, "the more bits, the more surprising: 1 bit if half of all players would make the")?;
        writeln!(out, "move, 3 bits if one in eight would, according to a model of how people play")?;
        if self.left_out > 0 {
            writeln!(out, "{} of variants skipped: there is no model for them", GAMES.count(self.left_out))?;
        }
        // The first ply is 1, so that rows are 1 to 10, 11 to 20.
        let plies = wider(&self.by_ply, |ply| (ply - 1) / PLIES_A_ROW * PLIES_A_ROW + 1);
        let years = wider(&self.by_year, |year| year / YEARS_A_ROW * YEARS_A_ROW);
        for (head, groups) in [("ply", &plies), ("rating", &self.by_rating), ("year", &years)] {
            if groups.is_empty() {
                continue;
            }
            let row = |SurpriseGroup { from, moves }: &SurpriseGroup| {
                vec![format!("{from}+"), thousands(moves.plies), format!("{:.3}", moves.bits_per_ply)]
            };
            writeln!(out)?;
            let rows: Vec<_> = groups.iter().map(row).collect();
            TextStyle::default().table(out, &[head, "plies", "bits per ply"], |_| true, &rows)?;
        }
        Ok(())
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        write(format, options, out, &self.rows())
    }

    /// A chart of each kind of group, below each other.
    fn picture(&self) -> Option<String> {
        let kinds = self.kinds().into_iter().filter(|(_, groups)| !groups.is_empty());
        let charts = kinds.map(|(name, groups)| {
            let all: u64 = groups.iter().map(|group| group.moves.plies).sum();
            let enough = groups.iter().filter(|group| group.moves.plies * 10_000 >= all * ENOUGH);
            let points = enough.map(|group| (f64::from(group.from), group.moves.bits_per_ply)).collect();
            let title = format!("Bits per ply by {name}, {}", GAMES.count(self.games));
            chart::lines(&title, name, "bits per ply", &[("", points)])
        });
        let charts: Vec<String> = charts.collect();
        let empty = || vec![chart::lines("Bits per ply, no games", "ply", "bits per ply", &[])];
        Some(chart::stacked(&if charts.is_empty() { empty() } else { charts }))
    }
}

/// The groups with the same first number together.
fn wider(groups: &[SurpriseGroup], first: impl Fn(u32) -> u32) -> Vec<SurpriseGroup> {
    groups
        .chunk_by(|one, other| first(one.from) == first(other.from))
        .filter_map(|same| {
            let plies: u64 = same.iter().map(|group| group.moves.plies).sum();
            let bits: f64 =
                same.iter().map(|group| group.moves.bits_per_ply * group.moves.plies as f64).sum();
            let moves = Surprise { plies, bits_per_ply: bits / plies as f64 };
            Some(SurpriseGroup { from: first(same.first()?.from), moves })
        })
        .collect()
}
