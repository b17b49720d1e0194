//! The games that reach a position.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    PresentError, Result,
    game::replay,
    games::{game_columns, page_game_columns, shown_game_columns},
    list::{AnyRow, Head, HeadColumn, ListFormat, ListOptions, ListWriter, Row, write_json},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    columns::{Cell, ColumnOf, ColumnType, joined, number, word},
    counts::Noun,
    query::{
        Context, Hit, HitSummary, Hits, Search, TargetPosition, by_replay, count_reaching, hit_summaries,
        hits,
    },
    record::{GameId, Ply},
};

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundGame {
    /// The game.
    #[serde(flatten)]
    pub game: Summary,
    /// The ply at which it first reaches the position.
    pub ply: usize,
    /// The move before it: `12w` or `12b`; `None` at the start of the game.
    #[serde(rename = "move")]
    pub played: Option<String>,
}

/// The same if several positions are searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct FoundFor {
    /// The position as given in the request.
    position: String,
    #[serde(flatten)]
    found: FoundGame,
}

/// The output format of games that reach a position.
#[derive(Clone, Copy, Debug)]
pub enum FoundFormat<'a> {
    /// As a list.
    List(&'a ListFormat, ListOptions),
    /// `GAME:PLY`, one per line.
    Places,
    /// The ids, one per line.
    Ids,
    /// As PGN; `to_position` leaves out what follows the position.
    Pgn {
        /// Whether the games end with the position.
        to_position: bool,
    },
    /// Only their number.
    Count,
}

impl AsRef<Summary> for FoundGame {
    fn as_ref(&self) -> &Summary {
        &self.game
    }
}

impl Row for FoundGame {
    const COLUMNS: &'static [ColumnOf<Self>] = &joined::<_, 15>(&game_columns(), &PLACE);
    const SHOWN: &'static [ColumnOf<Self>] = &joined::<_, 12>(&shown_game_columns(), &PLACE);
    const PAGE: &'static [ColumnOf<Self>] =
        &joined::<_, 10>(&page_game_columns(), &[word("After move", FoundGame::after_move)]);
    const ONE_LINE: bool = true;
}

impl FoundGame {
    /// The number of the move before the position: `12.` or `12…`.
    fn after_move(&self) -> Cell {
        self.played.as_ref().map(|played| played.replace('w', ".").replace('b', "…")).into()
    }
}

/// The columns of the place in the game.
const PLACE: [ColumnOf<FoundGame>; 2] =
    [number("ply", |row| row.ply.into()), word("move", |row| row.played.clone().into())];

impl AnyRow for FoundFor {
    fn cells(&self) -> Vec<String> {
        [vec![self.position.clone()], self.found.cells()].concat()
    }

    fn shown_cells(&self) -> Vec<String> {
        [vec![self.position.clone()], self.found.shown_cells()].concat()
    }

    fn page_cells(&self) -> Vec<String> {
        [vec![self.position.clone()], self.found.page_cells()].concat()
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        write_json(self, out, indented)
    }
}

/// Searches for the games that reach one position, or several in turn, and writes them: for several, each row names its
/// own.
pub struct FoundWriter<'a> {
    context: Context<'a>,
    filter: &'a Filter,
    to: SearchOutput<'a>,
    /// Whether rows name their position.
    is_named: bool,
    /// The number of games found.
    pub games: u64,
    /// The number of games skipped.
    pub damaged: u64,
}

/// The destination.
enum SearchOutput<'a> {
    List(Box<dyn ListWriter + 'a>),
    Text(FoundFormat<'a>, &'a mut dyn Write),
}

impl<'a> FoundWriter<'a> {
    /// The columns of the list.
    pub fn head(is_named: bool) -> Head<'static> {
        let mut head = Head::of::<FoundGame>();
        if is_named {
            let position = HeadColumn::new("position", ColumnType::Text);
            head.columns.insert(0, position);
            head.shown.insert(0, position);
            head.page.insert(0, HeadColumn { name: "Position", ..position });
        }
        head
    }

    /// Begins. The games match a filter and are in its order; a table ends with their number and `noun`.
    pub fn new(
        context: Context<'a>,
        filter: &'a Filter,
        format: FoundFormat<'a>,
        noun: Noun,
        is_named: bool,
        out: &'a mut dyn Write,
    ) -> FoundWriter<'a> {
        let to = match format {
            FoundFormat::List(format, options) => {
                let head = Head { noun: Some(noun), ..FoundWriter::head(is_named) };
                SearchOutput::List(format.begin(out, head, options))
            }
            format => SearchOutput::Text(format, out),
        };
        FoundWriter { context, filter, to, is_named, games: 0, damaged: 0 }
    }

    /// Searches for a position, and writes the games as they are found. `text` is the position as given.
    ///
    /// # Errors
    /// The archive cannot be read, or the games cannot be written.
    pub fn position(&mut self, text: &str, sought: &TargetPosition) -> Result<()> {
        let SearchOutput::Text(FoundFormat::Count, out) = &mut self.to else {
            return self.write(text, hits(self.context, sought, self.filter)?);
        };
        let counted = count_reaching(self.context, sought, self.filter)?;
        let games = counted.hits.saturating_sub(self.filter.offset);
        let games = games.min(self.filter.limit.unwrap_or(u64::MAX));
        writeln!(out, "{games}")?;
        (self.games, self.damaged) = (self.games + games, self.damaged + counted.damaged);
        Ok(())
    }

    /// Writes the games that match the filter and contain the conditions.
    ///
    /// # Errors
    /// The archive cannot be read, or the games cannot be written.
    pub fn conditions(&mut self, conditions: &Search) -> Result<()> {
        let SearchOutput::Text(FoundFormat::Count, out) = &mut self.to else {
            return self.write("", by_replay(self.context, conditions, self.filter));
        };
        for id in self.context.archive.list::<GameId>(self.filter) {
            id?;
            self.games += 1;
        }
        Ok(writeln!(out, "{}", self.games)?)
    }

    /// Writes the answer for a text that is not a valid position.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn invalid(&mut self) -> io::Result<()> {
        if let SearchOutput::Text(FoundFormat::Count, out) = &mut self.to { writeln!(out) } else { Ok(()) }
    }

    fn write(&mut self, text: &str, mut found: Hits<'_>) -> Result<()> {
        for batch in &mut found {
            self.damaged += self.batch(text, &batch?)?;
        }
        let progress = found.progress();
        (self.games, self.damaged) = (self.games + progress.hits, self.damaged + progress.damaged);
        Ok(())
    }

    /// Ends.
    ///
    /// # Errors
    /// The end cannot be written.
    pub fn end(self) -> io::Result<()> {
        match self.to {
            SearchOutput::List(list) => list.end(),
            SearchOutput::Text(_, out) => out.flush(),
        }
    }

    /// Writes some of the games. Returns the number of games that are damaged and could not be written.
    fn batch(&mut self, text: &str, hits: &[Hit]) -> Result<u64> {
        let name = if self.is_named { format!("{text}\t") } else { String::new() };
        let mut damaged = 0;
        match &mut self.to {
            SearchOutput::List(list) => {
                for HitSummary { game, ply, played } in
                    hit_summaries(self.context.archive, self.filter, hits)?
                {
                    let found = FoundGame { game, ply, played: played.map(|m| m.to_string()) };
                    match self.is_named {
                        true => list.row(&FoundFor { position: text.to_owned(), found })?,
                        false => list.row(&found)?,
                    }
                }
            }
            SearchOutput::Text(FoundFormat::Places, out) => {
                hits.iter().try_for_each(|hit| writeln!(out, "{name}{}:{}", hit.game, hit.ply))?
            }
            SearchOutput::Text(FoundFormat::Ids, out) => {
                hits.iter().try_for_each(|hit| writeln!(out, "{name}{}", hit.game))?
            }
            SearchOutput::Text(FoundFormat::Pgn { to_position }, out) => {
                for hit in hits {
                    let last = to_position.then_some(Ply::After(hit.ply));
                    match pgn(self.context.archive, hit.game, last) {
                        Ok(pgn) => write!(out, "{pgn}")?,
                        Err(PresentError::Game(_) | PresentError::Archive(ArchiveError::Damaged { .. })) => {
                            damaged += 1;
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
            SearchOutput::Text(FoundFormat::Count | FoundFormat::List(..), _) => {}
        }
        Ok(damaged)
    }
}

/// A game, up to a ply if one is given.
fn pgn(archive: &Archive, id: GameId, last: Option<Ply>) -> Result<String> {
    let replayed = replay(archive, id, last)?;
    Ok(replayed.chess().map(|game| game.pgn()).unwrap_or_default())
}
