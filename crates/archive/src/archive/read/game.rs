//! Reading games.

use std::sync::LazyLock;

use rusqlite::{
    Connection, OptionalExtension, Row, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};

use super::{Selected, filter::Filter, filter_sql::SOURCE};
use crate::archive::{
    Archive, ArchiveError, Result, changes::removed, checksum::Checked, row_hash, side_rows,
};
use plybook_chess::{chess::Variant, codec::CodecId, rules::Outcome};
use plybook_record::{GameId, GameRow, Round, StoredGame, StoredMoves, result_of};

/// The columns of [`read_or_damaged`], their number, and the tables they need in addition to those of a filter.
pub(in crate::archive) const COLUMNS: &str =
    "game.id, game.moves, game.plies, game.result, tag_layout.codec, tag_layout.variant, tag_layout.names, tag_layout.slots,
         white.name, black.name, event.name, site.name, section.tags,
         game.round, section.date, game.white_elo, game.black_elo, game.eco, game.tags, annotation.marks";
pub(super) const GAME_COLUMNS: usize = 20;
pub(in crate::archive) const TABLES: &str = "
    LEFT JOIN tag_layout ON tag_layout.id = section.layout
    LEFT JOIN player AS white ON white.id = game.white
    LEFT JOIN player AS black ON black.id = game.black
    LEFT JOIN event ON event.id = section.event
    LEFT JOIN site ON site.id = section.site
    LEFT JOIN annotation ON annotation.game = game.id";

/// The columns of a game.
fn read_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        moves: row.get(1)?,
        plies: row.get(2)?,
        result: row.get(3)?,
        codec: row.get(4)?,
        variant: row.get(5)?,
        names: row.get(6)?,
        slots: row.get(7)?,
        white: row.get(8)?,
        black: row.get(9)?,
        event: row.get(10)?,
        site: row.get(11)?,
        section_tags: row.get(12)?,
        round: round_of(row.get_ref(13)?),
        date: row.get(14)?,
        white_elo: row.get(15)?,
        black_elo: row.get(16)?,
        eco: row.get(17)?,
        tags: row.get(18)?,
        marks: row.get(19)?,
    })
}

/// The columns of a game whose row, encoded as for checksums, need not be in the table.
pub(in crate::archive) fn bound_row(db: &Connection, row: &[u8]) -> rusqlite::Result<GameRow> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let bound = "SELECT ? AS id, ? AS plies, ? AS result, ? AS section, ? AS white, ? AS black, ? AS round, \
                     ? AS moves, ? AS white_elo, ? AS black_elo, ? AS eco, ? AS tags";
        let source = SOURCE.replacen("game", &format!("({bound}) AS game"), 1);
        format!("SELECT {COLUMNS} FROM {source} {TABLES}")
    });
    let values = row_hash::values(row).map(ToSqlOutput::Borrowed);
    db.prepare_cached(&SQL)?.query_row(params_from_iter(values), read_row)
}

/// The text with an id in `tag_value`.
pub(in crate::archive) fn tag_value(db: &Connection, id: i64) -> Option<String> {
    let mut text = db.prepare_cached("SELECT text FROM tag_value WHERE id = ?1").ok()?;
    text.query_row([id], |row| row.get(0)).ok()
}

/// Converts a row to a game, or to what is wrong with the game.
pub(in crate::archive) fn read_or_damaged(
    archive: &Archive,
    row: &Row<'_>,
) -> rusqlite::Result<Result<StoredGame>> {
    let id = row.get(0)?;
    Ok(match read_row(row) {
        Ok(row) => row.into_game(|id| tag_value(&archive.db, id)).map_err(|e| ArchiveError::damaged(id, e)),
        Err(error) => Err(ArchiveError::damaged(id, error)),
    })
}

/// Reads a stored round.
pub(in crate::archive) fn round_of(value: ValueRef<'_>) -> Round {
    match value {
        ValueRef::Integer(number) => Round::Number(number),
        ValueRef::Text(text) => Round::Text(String::from_utf8_lossy(text).into_owned()),
        _ => Round::None,
    }
}

/// The columns of [`read_moves`].
pub(in crate::archive) const MOVES: &str = "game.id, game.moves, tag_layout.variant, instr(tag_layout.names, '\"FEN\"') > 0, tag_layout.codec, game.plies, game.result";

/// The table they need in addition to those of a filter.
pub(in crate::archive) const LAYOUT: &str = "JOIN tag_layout ON tag_layout.id = section.layout";

/// Converts a row to the moves of a game; `None` if its layout is invalid.
pub(in crate::archive) fn read_moves(
    archive: &Archive,
    row: &Row<'_>,
) -> rusqlite::Result<Option<StoredMoves>> {
    let id = row.get(0)?;
    let number = |column| row.get::<_, Option<i64>>(column);
    let variant = number(2)?.and_then(|number| Variant::from_id(u8::try_from(number).ok()?));
    let Some(variant) = variant else { return Ok(None) };
    let Some(codec) = number(4)?.and_then(CodecId::from_number) else { return Ok(None) };
    let setup = if row.get(3)? { archive.setup(id) } else { None };
    let plies = usize::try_from(row.get::<_, i64>(5)?).unwrap_or(0);
    let result = number(6)?.map_or(Outcome::Unknown, result_of);
    Ok(Some(StoredMoves { id, variant, codec, moves: row.get(1)?, plies, result, setup }))
}

impl Archive {
    /// Reads a game by its id.
    ///
    /// # Errors
    /// There is no such game, or the file is damaged.
    pub fn game(&self, id: GameId) -> Result<StoredGame> {
        if let Some(game) = self.files().ask_part_with(id, Archive::game) {
            return game;
        }
        if !self.is_one() {
            return Err(self.no_such_game(id));
        }
        self.db
            .attempt(|db| {
                let sql = format!("SELECT {COLUMNS} FROM {SOURCE} {TABLES} WHERE game.id = ?1");
                db.prepare_cached(&sql)?.query_row([id], |row| read_or_damaged(self, row)).optional()
            })?
            .unwrap_or_else(|| Err(self.no_such_game(id)))
    }

    fn no_such_game(&self, id: GameId) -> ArchiveError {
        if let Some(last) = self.files().parts().last().map(|part| part.before + part.last) {
            return if last > 0 {
                ArchiveError::NoSuchGame { id, first: 1, last }
            } else {
                ArchiveError::Empty(id)
            };
        }
        if removed::are_all_removed(&self.db, id, id).unwrap_or(false) {
            return ArchiveError::Removed(id);
        }
        let range =
            self.db.query_row("SELECT min(id), max(id) FROM game", [], |row| Ok((row.get(0)?, row.get(1)?)));
        match range {
            Ok((Some(first), Some(last))) => ArchiveError::NoSuchGame { id, first, last },
            Ok(_) => ArchiveError::Empty(id),
            Err(error) => self.db.error(error),
        }
    }

    /// The games that pass a filter, in the filter's order. A game that cannot be read is returned as
    /// [`ArchiveError::Damaged`], and the others follow; after any other error the iterator ends.
    ///
    /// Reading never blocks writers, however slow it is; games that are added meanwhile are not included.
    ///
    /// ```
    /// # std::env::set_current_dir("../..")?;
    /// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// for game in archive.games(&Filter { limit: Some(3), ..Filter::default() }) {
    ///     let game = game?;
    ///     println!("{}: {} plies in {} bits", game.id, game.plies, game.bits());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn games(&self, filter: &Filter) -> impl Iterator<Item = Result<StoredGame>> + use<'_> {
        let read = |archive: &Archive, row: &Row<'_>| read_or_damaged(archive, row).map(Some);
        let bytes = |game: &Result<StoredGame, _>| game.as_ref().map_or(0, StoredGame::memory);
        self.pages(filter, Selected { columns: &[COLUMNS], tables: TABLES, read, bytes }).map(Result::flatten)
    }

    /// The moves of the games of chess that pass a filter: everything that a replay needs, and fast to read. Games with
    /// an invalid layout are skipped.
    pub fn moves(&self, filter: &Filter) -> impl Iterator<Item = Result<StoredMoves>> + use<'_> {
        let bytes = StoredMoves::memory;
        self.pages(filter, Selected { columns: &[MOVES], tables: LAYOUT, read: read_moves, bytes })
    }

    /// The moves of a game of chess by its id; `None` if there is no such game.
    ///
    /// Each call locks the archive and checks whether it has changed, which takes as long as everything else. To read
    /// many games, keep a [snapshot](Archive::snapshot) meanwhile, so that this happens only once:
    ///
    /// ```
    /// # std::env::set_current_dir("../..")?;
    /// # use plybook::{archive::Archive, import::{Options, import_paths}, record::{Ply, fen}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// let snapshot = archive.snapshot()?;
    /// for id in [3, 1, 2] {
    ///     let moves = archive.moves_of(id)?.expect("there is such a game, and it is of chess");
    ///     println!("{}", fen(&moves.position_at(Ply::After(10))?));
    /// }
    /// drop(snapshot);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves_of(&self, id: GameId) -> Result<Option<StoredMoves>> {
        if !self.is_one() {
            return self.files().ask_part_with(id, Archive::moves_of).unwrap_or(Ok(None));
        }
        let read = || {
            self.db.keep_more_pages()?;
            static SQL: LazyLock<String> = LazyLock::new(|| {
                format!(
                    "SELECT {MOVES} FROM game CROSS JOIN section ON section.id = game.section
                     JOIN tag_layout ON tag_layout.id = section.layout WHERE game.id = ?1"
                )
            });
            self.db.prepare_cached(&SQL)?.query_row([id], |row| read_moves(self, row)).optional()
        };
        read().map(Option::flatten).map_err(|error| self.db.error(error))
    }

    /// The start position of a game that has its own; an empty string if the game is damaged.
    fn setup(&self, id: GameId) -> Option<String> {
        self.game(id).map_or_else(|_| Some(String::new()), |game| game.setup)
    }

    /// The original bytes of a game in its source, if they were kept.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>> {
        if !self.is_one() {
            return self.files().ask_part_with(id, Archive::original).unwrap_or(Ok(None));
        }
        let value = self.db.attempt(|db| side_rows::value(db, Checked::Original, id))?;
        let text = value.zip(Checked::Original.side()).map(|(value, side)| side.read(&value)).transpose();
        text.map_err(|what| ArchiveError::damaged(id, what))
    }
}
