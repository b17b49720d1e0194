//! Lists of games.

use rusqlite::Row;
use serde::Serialize;

use crate::archive::{
    Archive, ArchiveError, Filter,
    read::game::{GAME_COLUMNS, TABLES, game_columns, moves, read_moves, read_or_damaged, round_of},
    read::{listed::Listed, paging::Selected},
};
use plybook_chess::chess::Date;
use plybook_chess::openings::eco_text;
use plybook_record::{GameId, GameKind, StoredGame, StoredMoves, result_of, title};

/// A game in a list. Missing tags are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The game's id.
    pub id: GameId,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result, as PGN writes it.
    pub result: &'static str,
    /// The date, as PGN writes it.
    pub date: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// White's rating.
    pub white_elo: Option<i64>,
    /// Black's rating.
    pub black_elo: Option<i64>,
    /// The ECO code.
    pub eco: Option<String>,
    /// The number of plies.
    pub plies: i64,
    /// The variant, or "Xelto".
    pub variant: &'static str,
    /// Its title on one line: see [`title`].
    pub title: String,
}

impl AsRef<Summary> for Summary {
    fn as_ref(&self) -> &Summary {
        self
    }
}

impl Summary {
    /// Estimates the bytes in memory.
    fn memory(&self) -> usize {
        let texts = [&self.white, &self.black, &self.date, &self.event, &self.site, &self.round, &self.eco];
        let texts = texts.into_iter().flatten().chain([&self.title]);
        size_of::<Summary>() + texts.map(String::len).sum::<usize>()
    }
}

/// The columns of [`read`].
macro_rules! summary {
    () => {
        "game.id, white.name, black.name, game.result, section.date, event.name,
         site.name || CASE WHEN game.tags IS NOT NULL AND instr(tag_layout.slots, '\"address\"') THEN json_extract(game.tags, '$[0]') ELSE '' END,
         game.round, game.white_elo, game.black_elo, game.eco, game.plies, tag_layout.variant"
    };
}

/// Converts a row to a summary; `from` is the index of its first column.
fn read(row: &Row<'_>, from: usize) -> rusqlite::Result<Summary> {
    let date: Option<u32> = row.get(from + 4)?;
    let kind = row.get::<_, Option<i64>>(from + 12)?.and_then(|number| u8::try_from(number).ok());
    let (white, black): (Option<String>, Option<String>) = (row.get(from + 1)?, row.get(from + 2)?);
    let (event, site): (Option<String>, Option<String>) = (row.get(from + 5)?, row.get(from + 6)?);
    Ok(Summary {
        id: row.get(from)?,
        title: title(white.as_deref(), black.as_deref(), event.as_deref(), site.as_deref()),
        white,
        black,
        result: result_of(row.get(from + 3)?).as_str(),
        date: date.and_then(Date::from_packed).map(|date| date.to_string()),
        event,
        site,
        round: round_of(row.get_ref(from + 7)?).text().map(String::from),
        white_elo: row.get(from + 8)?,
        black_elo: row.get(from + 9)?,
        eco: row.get::<_, Option<i64>>(from + 10)?.map(eco_text),
        plies: row.get(from + 11)?,
        variant: kind.and_then(GameKind::from_id).map_or("?", GameKind::name),
    })
}

impl Listed for GameId {
    const WANTED: Selected<GameId> =
        Selected { columns: "game.id", tables: "", read: |_, row| row.get(0).map(Some), bytes: |_| 0 };
}

impl Listed for Summary {
    const WANTED: Selected<Summary> = Selected {
        columns: summary!(),
        tables: TABLES,
        read: |_, row| read(row, 0).map(Some),
        bytes: Summary::memory,
    };
}

/// With the moves if the game is chess; without them if its layout is invalid.
impl Listed for (Summary, Option<StoredMoves>) {
    const WANTED: Selected<Self> = Selected {
        columns: concat!(moves!(), ", ", summary!()),
        tables: TABLES,
        read: |archive, row| Ok(Some((read(row, 7)?, read_moves(archive, row)?))),
        bytes: |(summary, moves)| summary.memory() + moves.as_ref().map_or(0, StoredMoves::memory),
    };
}

impl Archive {
    /// Every game that passes a filter with its summary, in the filter's order. A game that cannot be read is returned
    /// as [`ArchiveError::Damaged`], and the others follow.
    pub fn summaries_and_games(
        &self,
        filter: &Filter,
    ) -> impl Iterator<Item = Result<(Summary, StoredGame), ArchiveError>> + use<'_> {
        let wanted = Selected {
            columns: concat!(game_columns!(), ", ", summary!()),
            tables: TABLES,
            read: |archive: &Archive, row: &Row<'_>| {
                let game = read_or_damaged(archive, row)?;
                Ok(Some(game.and_then(|game| {
                    let summary = read(row, GAME_COLUMNS).map_err(|error| archive.db.error(error))?;
                    Ok((summary, game))
                })))
            },
            bytes: |game: &Result<(Summary, StoredGame), _>| {
                game.as_ref().map_or(0, |(summary, game)| summary.memory() + game.memory())
            },
        };
        self.pages(filter, wanted).map(Result::flatten)
    }
}
