//! What lists read of each game: summaries, and what statistics and reports need.

use rusqlite::Row;
use serde::{Serialize, Serializer};

use super::{
    filter::Sort,
    game::{COLUMNS, GAME_COLUMNS, LAYOUT, MOVES, TABLES, read_moves, read_or_damaged, round_of},
    paging::Selected,
};
use crate::archive::{Archive, ArchiveError, Filter, parts::PartView};
use plybook_chess::{chess::Date, openings::eco_text, rules::Outcome};
use plybook_record::{
    GameId, GameKind, GameMetadata, StoredGame, StoredMoves, as_optional_text, as_text, result_of, title,
};

/// A value that can be read for each game of a list: see [`Archive::list`].
pub trait Listed: PartView {
    /// Its columns, and how to convert a row.
    #[doc(hidden)]
    const WANTED: Selected<Self>;
}

impl Archive {
    /// Every game that passes a filter, in the filter's order: as its id, a [`Summary`](crate::archive::Summary), or
    /// the data for statistics or reports, with or without its moves. Games of another kind are skipped. After an error
    /// the iterator ends.
    ///
    /// ```
    /// # std::env::set_current_dir("../..")?;
    /// # use plybook::{archive::{Archive, Filter, Summary}, import::{Options, import_paths}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// for game in archive.list::<Summary>(&Filter { limit: Some(3), ..Filter::default() }) {
    ///     println!("{}", game?.title);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list<T: Listed>(
        &self,
        filter: &Filter,
    ) -> impl Iterator<Item = Result<T, ArchiveError>> + use<'_, T> {
        self.pages(filter, T::WANTED)
    }
}

/// A game in a list. Missing tags are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The game's id.
    pub id: GameId,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result.
    #[serde(serialize_with = "as_text")]
    pub result: Outcome,
    /// The date.
    #[serde(serialize_with = "as_optional_text")]
    pub date: Option<Date>,
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
    /// The game that is played; `None` for one of a newer version.
    #[serde(rename = "variant", serialize_with = "variant_text")]
    pub kind: Option<GameKind>,
    /// Its title on one line: see [`title`].
    pub title: String,
}

impl AsRef<Summary> for Summary {
    fn as_ref(&self) -> &Summary {
        self
    }
}

/// The JSON of [`Summary::kind`].
fn variant_text<S: Serializer>(kind: &Option<GameKind>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(GameKind::name_or_unknown(*kind))
}

impl Summary {
    /// Estimates the bytes in memory.
    fn memory(&self) -> usize {
        let texts = [&self.white, &self.black, &self.event, &self.site, &self.round, &self.eco];
        let texts = texts.into_iter().flatten().chain([&self.title]);
        size_of::<Summary>() + texts.map(String::len).sum::<usize>()
    }
}

/// The date in a column, which has it packed; `None` if it is missing or invalid.
fn date_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Date>> {
    Ok(row.get::<_, Option<u32>>(column)?.and_then(Date::from_packed))
}

/// The columns of [`read_summary`].
const SUMMARY: &str = "game.id, white.name, black.name, game.result, section.date, event.name,
         site.name || CASE WHEN game.tags IS NOT NULL AND instr(tag_layout.slots, '\"address\"') THEN json_extract(game.tags, '$[0]') ELSE '' END,
         game.round, game.white_elo, game.black_elo, game.eco, game.plies, tag_layout.variant";

/// Converts a row to a summary; `from` is the index of its first column.
fn read_summary(row: &Row<'_>, from: usize) -> rusqlite::Result<Summary> {
    let kind = row.get::<_, Option<i64>>(from + 12)?.and_then(|number| u8::try_from(number).ok());
    let (white, black): (Option<String>, Option<String>) = (row.get(from + 1)?, row.get(from + 2)?);
    let (event, site): (Option<String>, Option<String>) = (row.get(from + 5)?, row.get(from + 6)?);
    Ok(Summary {
        id: row.get(from)?,
        title: title(white.as_deref(), black.as_deref(), event.as_deref(), site.as_deref()),
        white,
        black,
        result: result_of(row.get(from + 3)?),
        date: date_of(row, from + 4)?,
        event,
        site,
        round: round_of(row.get_ref(from + 7)?).text().map(String::from),
        white_elo: row.get(from + 8)?,
        black_elo: row.get(from + 9)?,
        eco: row.get::<_, Option<i64>>(from + 10)?.map(eco_text),
        plies: row.get(from + 11)?,
        kind: kind.and_then(GameKind::from_id),
    })
}

impl Listed for GameId {
    const WANTED: Selected<GameId> =
        Selected { columns: &["game.id"], tables: "", read: |_, row| row.get(0).map(Some), bytes: |_| 0 };
}

impl Listed for Summary {
    const WANTED: Selected<Summary> = Selected {
        columns: &[SUMMARY],
        tables: TABLES,
        read: |_, row| read_summary(row, 0).map(Some),
        bytes: Summary::memory,
    };
}

/// A game in a list, with the size of its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SizedGame {
    /// The game.
    #[serde(flatten)]
    pub summary: Summary,
    /// The bytes of its moves, by which [`Sort::Bytes`](crate::archive::Sort::Bytes) sorts.
    pub bytes: i64,
}

impl AsRef<Summary> for SizedGame {
    fn as_ref(&self) -> &Summary {
        &self.summary
    }
}

impl Listed for SizedGame {
    const WANTED: Selected<SizedGame> = Selected {
        columns: &[SUMMARY, Sort::Bytes.sql()],
        tables: TABLES,
        read: |_, row| Ok(Some(SizedGame { summary: read_summary(row, 0)?, bytes: row.get(13)? })),
        bytes: |game| game.summary.memory(),
    };
}

/// With the moves if the game is chess; without them if its layout is invalid.
impl Listed for (Summary, Option<StoredMoves>) {
    const WANTED: Selected<Self> = Selected {
        columns: &[MOVES, SUMMARY],
        tables: TABLES,
        read: |archive, row| Ok(Some((read_summary(row, 7)?, read_moves(archive, row)?))),
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
            columns: &[COLUMNS, SUMMARY],
            tables: TABLES,
            read: |archive: &Archive, row: &Row<'_>| {
                let game = read_or_damaged(archive, row)?;
                Ok(Some(game.and_then(|game| {
                    let summary = read_summary(row, GAME_COLUMNS).map_err(|error| archive.db.error(error))?;
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

/// The columns of [`read_metadata`].
const METADATA: &str = "game.white_elo, game.black_elo, section.date";

/// The metadata of a game with a result, from the other columns.
fn read_metadata(row: &Row<'_>, from: usize, result: Outcome) -> rusqlite::Result<GameMetadata> {
    let elo = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<u32>>(column)?.filter(|elo| *elo > 0));
    let date = date_of(row, from + 2)?.unwrap_or_default();
    Ok(GameMetadata { id: row.get(0)?, result, white_elo: elo(from)?, black_elo: elo(from + 1)?, date })
}

/// With the metadata that statistics need.
impl Listed for (StoredMoves, GameMetadata) {
    const WANTED: Selected<Self> = Selected {
        columns: &[MOVES, METADATA],
        tables: LAYOUT,
        read: |archive, row| {
            let Some(moves) = read_moves(archive, row)? else { return Ok(None) };
            let facts = read_metadata(row, 7, moves.result)?;
            Ok(Some((moves, facts)))
        },
        bytes: |(moves, _)| size_of::<GameMetadata>() + moves.memory(),
    };
}

/// A game for reports. Names are row ids, to be [resolved](crate::archive::Names::of) once; `None` if the tag is
/// missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Number, result, ratings, date.
    pub facts: GameMetadata,
    /// White.
    pub white: Option<i64>,
    /// Black.
    pub black: Option<i64>,
    /// The event.
    pub event: Option<i64>,
    /// The site; for a URL without its last segment.
    pub site: Option<i64>,
    /// The number of plies.
    pub plies: u32,
}

/// The columns of [`read_played`].
const PLAYED: &str = "game.result, game.white_elo, game.black_elo, section.date, game.white, game.black, section.event, section.site, game.plies";

/// Converts a row to a game; its columns begin at `from`.
fn read_played(row: &Row<'_>, from: usize) -> rusqlite::Result<PlayedGame> {
    Ok(PlayedGame {
        facts: read_metadata(row, from + 1, result_of(row.get(from)?))?,
        white: row.get(from + 4)?,
        black: row.get(from + 5)?,
        event: row.get(from + 6)?,
        site: row.get(from + 7)?,
        plies: u32::try_from(row.get::<_, i64>(from + 8)?).unwrap_or(0),
    })
}

impl Listed for PlayedGame {
    const WANTED: Selected<PlayedGame> = Selected {
        columns: &["game.id", PLAYED],
        tables: "",
        read: |_, row| read_played(row, 1).map(Some),
        bytes: |_| 0,
    };
}

/// The number of games that one statement counts: SQLite sorts them in memory.
const GAMES: usize = 1 << 20;

/// The event and the site of a game, and its year. It takes half the time of a [`PlayedGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameEvent {
    /// The event, as a row id like those of [`PlayedGame`].
    pub event: Option<i64>,
    /// The site.
    pub site: Option<i64>,
    /// The year, if known.
    pub year: Option<u16>,
}

impl Listed for GameEvent {
    const WANTED: Selected<GameEvent> = Selected {
        columns: &["game.id, section.event, section.site, section.date"],
        tables: "",
        read: |_, row| GameEvent::read(row).map(Some),
        bytes: |_| 0,
    };
}

impl GameEvent {
    fn read(row: &Row<'_>) -> rusqlite::Result<GameEvent> {
        let year = date_of(row, 3)?.and_then(Date::year);
        Ok(GameEvent { event: row.get(1)?, site: row.get(2)?, year })
    }
}

impl Archive {
    /// Calls a function with the events of all games, and with how many of them: in any order, and several times for the
    /// same event.
    pub fn each_event(&self, mut each: impl FnMut(GameEvent, u64)) -> Result<(), ArchiveError> {
        // Looking up the section of every game would take twice as long.
        const SQL: &str = "SELECT NULL, section.event, section.site, section.date, used.games
             FROM (SELECT section, count(*) AS games FROM game WHERE id BETWEEN ?1 AND ?2 GROUP BY section) AS used
             CROSS JOIN section ON section.id = used.section";
        if !self.is_one() {
            return self.list(&Filter::default()).try_for_each(|event| event.map(|event| each(event, 1)));
        }
        for first in (1..=self.last_id()?).step_by(GAMES) {
            self.db.attempt(|db| {
                let mut events = db.prepare_cached(SQL)?;
                let mut rows = events.query([first, first + GAMES as GameId - 1])?;
                while let Some(row) = rows.next()? {
                    each(GameEvent::read(row)?, row.get::<_, i64>(4)?.unsigned_abs());
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The length of a game, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePlies {
    /// Its id.
    pub id: GameId,
    /// The number of plies.
    pub plies: u32,
    /// The result.
    pub result: Outcome,
}

impl Listed for GamePlies {
    const WANTED: Selected<GamePlies> = Selected {
        columns: &["game.id, game.plies, game.result"],
        tables: "",
        read: |_, row| {
            Ok(Some(GamePlies { id: row.get(0)?, plies: row.get(1)?, result: result_of(row.get(2)?) }))
        },
        bytes: |_| 0,
    };
}

/// With the moves if the game is chess.
impl Listed for (PlayedGame, Option<StoredMoves>) {
    const WANTED: Selected<Self> = Selected {
        columns: &[MOVES, PLAYED],
        tables: LAYOUT,
        read: |archive, row| Ok(Some((read_played(row, 7)?, read_moves(archive, row)?))),
        bytes: |(_, moves)| moves.as_ref().map_or(0, StoredMoves::memory),
    };
}
