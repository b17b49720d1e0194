//! The input of an index of positions: the moves of games, and their columns.

use rusqlite::Row;

use super::Segments;
use crate::archive::{
    Archive, ArchiveError, Filter,
    read::{LAYOUT, Selected, moves, read_moves},
};
use plybook_index::position_index::GameColumns;
use plybook_record::{GameId, StoredMoves};

/// A game of chess for an index.
#[derive(Clone, Debug)]
pub struct IndexableGame {
    /// Its moves.
    pub moves: StoredMoves,
    /// The columns from its own row; the others come from its section.
    pub facts: GameColumns,
    /// Its section.
    pub section: i64,
}

/// The columns of [`read`].
const COLUMNS: &str =
    concat!(moves!(), ", game.white_elo, game.black_elo, section.date, game.white, game.black, game.section");

fn read(archive: &Archive, row: &Row<'_>) -> rusqlite::Result<Option<IndexableGame>> {
    let Some(moves) = read_moves(archive, row)? else { return Ok(None) };
    let number = |column: usize| -> rusqlite::Result<u32> {
        Ok(row.get::<_, Option<i64>>(column)?.and_then(|number| u32::try_from(number).ok()).unwrap_or(0))
    };
    let facts = GameColumns {
        result: number(6)?,
        white_elo: number(7)?,
        black_elo: number(8)?,
        date: number(9)?,
        white: number(10)?,
        black: number(11)?,
        ..GameColumns::default()
    };
    Ok(Some(IndexableGame { moves, facts, section: row.get(12)? }))
}

impl<'a> Segments<'a> {
    /// The games of chess in a range of ids, for an index.
    pub fn indexable_games(
        self,
        (first, last): (GameId, GameId),
    ) -> impl Iterator<Item = Result<IndexableGame, ArchiveError>> + use<'a> {
        let bytes = |game: &IndexableGame| size_of::<IndexableGame>() + game.moves.moves.len();
        let filter = Filter { ids: Some(first..=last), ..Filter::default() };
        self.archive.pages(&filter, Selected { columns: COLUMNS, tables: LAYOUT, read, bytes })
    }
}
