//! Lists of near duplicates: the two games of each pair, side by side.

use std::{collections::HashMap, io::Write};

use serde::Serialize;

use super::{
    Result,
    list::{Head, ListFormat, ListOptions, Row, TABLE},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    chess::Date,
    columns::{Cell, ColumnOf, number, spare, text, word},
    counts::{Noun, PAIRS},
    query::{Difference, NearDuplicate},
    record::GameId,
};

/// Pairs whose games are in memory at the same time.
const PAIRS_IN_MEMORY: usize = 1 << 12;

/// Two games that are probably the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DuplicateRow {
    /// How they differ.
    pub differences: Vec<Difference>,
    /// The ply up to which they reach the same positions.
    pub shared_plies: usize,
    /// See [`NearDuplicate::certainty`].
    pub certainty: i32,
    /// The games.
    pub games: [Summary; 2],
}

/// Writes a list of pairs. The text table has a line for each game.
///
/// # Errors
/// The archive cannot be read, or the list cannot be written.
pub fn write(
    archive: &Archive,
    pairs: &[NearDuplicate],
    format: &ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<()> {
    let has_lines = format.name == TABLE.name && !pairs.is_empty();
    let head = if has_lines { Head::of::<PairLine>() } else { Head::of::<DuplicateRow>() };
    let mut list = format.begin(out, head, options);
    for pairs in pairs.chunks(PAIRS_IN_MEMORY) {
        for row in rows(archive, pairs)? {
            match has_lines {
                true => PairLine::of(&row).iter().try_for_each(|line| list.row(line))?,
                false => list.row(&row)?,
            }
        }
    }
    list.end()?;
    if has_lines {
        writeln!(out, "{}", PAIRS.count(pairs.len() as u64))?;
    }
    Ok(())
}

/// Reads the games of some pairs; without the pairs of which a game does not exist.
///
/// # Errors
/// The archive cannot be read.
pub fn rows(archive: &Archive, pairs: &[NearDuplicate]) -> Result<Vec<DuplicateRow>, ArchiveError> {
    let among = pairs.iter().flat_map(|pair| pair.games).collect();
    let games = archive.list::<Summary>(&Filter { among: Some(among), ..Filter::default() });
    let games = games.map(|game| game.map(|game| (game.id, game)));
    let games: HashMap<GameId, Summary> = games.collect::<Result<_, _>>()?;
    let row = |pair: &NearDuplicate| {
        let [one, two] = pair.games;
        let games = [games.get(&one)?.clone(), games.get(&two)?.clone()];
        let NearDuplicate { differences, shared_plies, certainty, .. } = pair.clone();
        Some(DuplicateRow { differences, shared_plies, certainty, games })
    };
    Ok(pairs.iter().filter_map(row).collect())
}

impl DuplicateRow {
    /// The ids of the games.
    pub fn ids(&self) -> [GameId; 2] {
        self.games.each_ref().map(|game| game.id)
    }

    fn one(&self) -> &Summary {
        &self.games[0]
    }

    fn two(&self) -> &Summary {
        &self.games[1]
    }

    fn differences(&self) -> Cell {
        Cell::joined(self.differences.iter().map(|difference| difference.word()), " ")
    }
}

/// A game of a pair in the text table, below the other one of which it leaves out what is the same.
#[derive(Serialize)]
struct PairLine {
    game: Summary,
    above: Option<Summary>,
    differences: String,
}

impl PairLine {
    fn of(row: &DuplicateRow) -> [PairLine; 2] {
        let [one, two] = &row.games;
        let differences = row.differences().into_text();
        [
            PairLine { game: one.clone(), above: None, differences },
            PairLine { game: two.clone(), above: Some(one.clone()), differences: String::new() },
        ]
    }

    fn cell(&self, get: fn(&Summary) -> Cell) -> Cell {
        let cell = get(&self.game);
        if self.above.as_ref().is_some_and(|above| get(above) == cell) { Cell::Null } else { cell }
    }
}

impl Row for PairLine {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("id", |line| line.game.id.into()),
        text("white", |line| line.cell(|game| game.white.clone().into())),
        text("black", |line| line.cell(|game| game.black.clone().into())),
        word("result", |line| line.cell(|game| game.result.as_str().into())),
        word("date", |line| line.cell(|game| game.date.map(Date::known).into())),
        number("plies", |line| line.cell(|game| game.plies.into())),
        spare("event", |line| line.cell(|game| game.event.clone().into())),
        word("differences", |line| line.differences.as_str().into()),
    ];
}

impl Row for DuplicateRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.one().id.into()),
        number("other_id", |row| row.two().id.into()),
        text("differences", DuplicateRow::differences),
        number("shared_plies", |row| row.shared_plies.into()),
        number("certainty", |row| i64::from(row.certainty).into()),
        text("white", |row| row.one().white.clone().into()),
        text("other_white", |row| row.two().white.clone().into()),
        text("black", |row| row.one().black.clone().into()),
        text("other_black", |row| row.two().black.clone().into()),
        text("result", |row| row.one().result.as_str().into()),
        text("other_result", |row| row.two().result.as_str().into()),
        text("date", |row| row.one().date.map(|date| date.to_string()).into()),
        text("other_date", |row| row.two().date.map(|date| date.to_string()).into()),
        number("plies", |row| row.one().plies.into()),
        number("other_plies", |row| row.two().plies.into()),
        text("event", |row| row.one().event.clone().into()),
        text("other_event", |row| row.two().event.clone().into()),
        text("site", |row| row.one().site.clone().into()),
        text("other_site", |row| row.two().site.clone().into()),
        text("round", |row| row.one().round.clone().into()),
        text("other_round", |row| row.two().round.clone().into()),
    ];
    const NOUN: Option<Noun> = Some(PAIRS);
    const ONE_LINE: bool = true;
}
