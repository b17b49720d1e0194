//! Lists of near duplicates: the two games of each pair, side by side.

use std::{collections::HashMap, io::Write};

use serde::Serialize;

use super::{
    Result,
    list::{Head, ListFormat, ListOptions, Row},
};
use crate::{
    archive::{Archive, Filter, Summary},
    chess::Date,
    columns::{Cell, ColumnOf, number, text, word},
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

/// Writes a list of pairs.
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
    let mut list = format.begin(out, Head::of::<DuplicateRow>(), options);
    for pairs in pairs.chunks(PAIRS_IN_MEMORY) {
        let among = pairs.iter().flat_map(|pair| pair.games).collect();
        let games = archive.list::<Summary>(&Filter { among: Some(among), ..Filter::default() });
        let games: HashMap<GameId, Summary> =
            games.map(|game| game.map(|game| (game.id, game))).collect::<Result<_, _>>()?;
        for NearDuplicate { games: ids, differences, shared_plies, certainty } in pairs {
            if let [Some(one), Some(two)] = ids.map(|id| games.get(&id)) {
                list.row(&DuplicateRow {
                    differences: differences.clone(),
                    shared_plies: *shared_plies,
                    certainty: *certainty,
                    games: [one.clone(), two.clone()],
                })?;
            }
        }
    }
    Ok(list.end()?)
}

impl DuplicateRow {
    fn one(&self) -> &Summary {
        &self.games[0]
    }

    fn two(&self) -> &Summary {
        &self.games[1]
    }

    fn differences(&self) -> impl Iterator<Item = &'static str> {
        self.differences.iter().map(|difference| difference.word())
    }

    /// The values that differ: `white Tal / Tal, Mikhail` and `plies 62 / 60`.
    fn values(&self) -> impl Iterator<Item = String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
        let date = |date: Option<Date>| date.map_or_else(|| "?".to_owned(), |date| date.to_string());
        let value = |name: &str, of: &dyn Fn(&Summary) -> String| {
            let (one, two) = (of(self.one()), of(self.two()));
            (one != two).then(|| format!("{name} {one} / {two}"))
        };
        let values = [
            value("white", &|game| text(&game.white)),
            value("black", &|game| text(&game.black)),
            value("result", &|game| game.result.to_string()),
            value("date", &|game| date(game.date)),
            value("plies", &|game| game.plies.to_string()),
            value("event", &|game| text(&game.event)),
            value("site", &|game| text(&game.site)),
            value("round", &|game| text(&game.round)),
        ];
        values.into_iter().flatten()
    }
}

impl Row for DuplicateRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.one().id.into()),
        number("other_id", |row| row.two().id.into()),
        text("differences", |row| Cell::joined(row.differences(), " ")),
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
    const SHOWN: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.one().id.into()),
        number("other", |row| row.two().id.into()),
        text("white", |row| row.one().white.clone().into()),
        text("black", |row| row.one().black.clone().into()),
        word("date", |row| row.one().date.map(Date::known).into()),
        number("shared", |row| row.shared_plies.into()),
        text("differences", |row| {
            // The values show the other differences.
            let words = row.differences().filter(|word| ["ending", "transposed", "other"].contains(word));
            Cell::joined(words.map(str::to_owned).chain(row.values()), "; ")
        }),
    ];
    const NOUN: Option<Noun> = Some(PAIRS);
    const ONE_LINE: bool = true;
}
