//! The games that come to a position.

use std::{io::Write, ops::ControlFlow};

use serde::Serialize;

use super::{
    PresentError,
    game::replay,
    list::{Column, ListFormat, ListHead, ListOptions, ListWriter, Row, number, text},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    counts::Noun,
    query::{FindProgress, Hit, Hits, hit_summaries},
    record::Ply,
};

/// A game that comes to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundGame {
    /// The game.
    #[serde(flatten)]
    pub game: Summary,
    /// The number of moves before the position stands on its board for the first time.
    pub ply: usize,
}

/// The same where several positions are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct FoundFor<'a> {
    /// The position, as it was asked for.
    position: &'a str,
    #[serde(flatten)]
    found: FoundGame,
}

/// How games that come to a position are written.
#[derive(Clone, Copy, Debug)]
pub enum FoundFormat<'a> {
    /// As a list.
    List(&'a dyn ListFormat, ListOptions),
    /// `GAME:PLY`, one a line.
    Places,
    /// The ids, one a line.
    Ids,
    /// As PGN up to the position.
    Pgn,
}

const SUMMARY: ListHead = Summary::HEAD;
const COLUMNS: [Column; SUMMARY.columns.len() + 1] = with(SUMMARY.columns, None, Some(number("ply")));
const SHOWN: [Column; SUMMARY.shown.len() + 1] = with(SUMMARY.shown, None, Some(number("ply")));
const COLUMNS_FOR: [Column; COLUMNS.len() + 1] = with(&COLUMNS, Some(text("position")), None);
const SHOWN_FOR: [Column; SHOWN.len() + 1] = with(&SHOWN, Some(text("position")), None);

/// Columns with one more before or after them.
const fn with<const N: usize>(
    columns: &[Column],
    before: Option<Column>,
    after: Option<Column>,
) -> [Column; N] {
    let blank = text("");
    let mut all = [blank; N];
    let mut place = 0;
    if let Some(before) = before {
        all[0] = before;
        place = 1;
    }
    let mut of = 0;
    while of < columns.len() {
        all[place] = columns[of];
        (place, of) = (place + 1, of + 1);
    }
    if let Some(after) = after {
        all[place] = after;
    }
    all
}

impl Row for FoundGame {
    const HEAD: ListHead = ListHead { columns: &COLUMNS, shown: &SHOWN, ..SUMMARY };

    fn cells(&self) -> Vec<String> {
        let mut cells = Row::cells(&self.game);
        cells.push(self.ply.to_string());
        cells
    }

    fn shown_cells(&self) -> Vec<String> {
        let mut cells = Row::shown_cells(&self.game);
        cells.push(self.ply.to_string());
        cells
    }
}

impl Row for FoundFor<'_> {
    const HEAD: ListHead = ListHead { columns: &COLUMNS_FOR, shown: &SHOWN_FOR, ..SUMMARY };

    fn cells(&self) -> Vec<String> {
        [vec![self.position.to_owned()], Row::cells(&self.found)].concat()
    }

    fn shown_cells(&self) -> Vec<String> {
        [vec![self.position.to_owned()], Row::shown_cells(&self.found)].concat()
    }
}

/// Writes the games that come to one position, or to several one after the other: then each row names its own.
pub struct FoundWriter<'a> {
    archive: &'a Archive,
    filter: &'a Filter,
    to: To<'a>,
    /// Whether rows name their position.
    is_named: bool,
}

/// What is written to.
enum To<'a> {
    List(Box<dyn ListWriter + 'a>),
    Places(&'a mut dyn Write),
    Ids(&'a mut dyn Write),
    Pgn(&'a mut dyn Write),
}

impl<'a> FoundWriter<'a> {
    /// The columns of the list.
    pub fn head(is_named: bool) -> ListHead {
        if is_named { FoundFor::HEAD } else { FoundGame::HEAD }
    }

    /// Begins. The games are those that pass a filter, in its order; a table ends with their number and `noun`.
    pub fn new(
        archive: &'a Archive,
        filter: &'a Filter,
        (format, noun): (FoundFormat<'a>, Noun),
        is_named: bool,
        out: &'a mut dyn Write,
    ) -> FoundWriter<'a> {
        let to = match format {
            FoundFormat::List(format, options) => {
                let head = ListHead { noun: Some(noun), ..FoundWriter::head(is_named) };
                To::List(format.begin(out, head, options))
            }
            FoundFormat::Places => To::Places(out),
            FoundFormat::Ids => To::Ids(out),
            FoundFormat::Pgn => To::Pgn(out),
        };
        FoundWriter { archive, filter, to, is_named }
    }

    /// Writes games that pass the filter, while they are found. `text` is what was asked for. Gives how far the search came.
    ///
    /// # Errors
    /// The archive cannot be read, or they cannot be written.
    pub fn write<W: FnMut(FindProgress) -> ControlFlow<()>>(
        &mut self,
        text: &str,
        mut found: Hits<'_, W>,
    ) -> Result<FindProgress, PresentError> {
        let mut damaged = 0;
        for batch in &mut found {
            damaged += self.batch(text, &batch?)?;
        }
        let progress = found.progress();
        Ok(FindProgress { damaged: progress.damaged + damaged, ..progress })
    }

    /// Ends.
    ///
    /// # Errors
    /// The end cannot be written.
    pub fn end(self) -> Result<(), PresentError> {
        match self.to {
            To::List(list) => Ok(list.end()?),
            To::Places(out) | To::Ids(out) | To::Pgn(out) => Ok(out.flush()?),
        }
    }

    /// Writes some of the games. Gives the number of those that cannot be written because they are damaged.
    fn batch(&mut self, text: &str, hits: &[Hit]) -> Result<u64, PresentError> {
        let name = if self.is_named { format!("{text}\t") } else { String::new() };
        let mut damaged = 0;
        match &mut self.to {
            To::List(list) => {
                for (game, ply) in hit_summaries(self.archive, self.filter, hits)? {
                    let found = FoundGame { game, ply };
                    match self.is_named {
                        true => list.row(&FoundFor { position: text, found })?,
                        false => list.row(&found)?,
                    }
                }
            }
            To::Places(out) => {
                hits.iter().try_for_each(|hit| writeln!(out, "{name}{}:{}", hit.game, hit.ply))?
            }
            To::Ids(out) => hits.iter().try_for_each(|hit| writeln!(out, "{name}{}", hit.game))?,
            To::Pgn(out) => {
                for hit in hits {
                    match pgn(self.archive, hit) {
                        Ok(pgn) => write!(out, "{pgn}")?,
                        Err(PresentError::Game(_) | PresentError::Archive(ArchiveError::Damaged { .. })) => {
                            damaged += 1;
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(damaged)
    }
}

/// A game up to the position.
fn pgn(archive: &Archive, hit: &Hit) -> Result<String, PresentError> {
    let replayed = replay(archive, hit.game, Some(Ply::After(hit.ply)))?;
    Ok(replayed.chess().map(|game| game.pgn()).unwrap_or_default())
}
