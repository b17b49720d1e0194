//! Exports games and positions as rows of a table, for data analysis.

mod games;
mod positions;

use games::ExportedRow;

use super::{ExportCounts, ExportError, Read, or_damaged};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameCheck, Summary, in_batches_in_order},
    columns::{Cell, Column, RowWriter},
    record::StoredGame,
};

/// The notation of the moves of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovesForm {
    /// As in the archive, [in the form that SQL functions need](crate::functions::moves_for_functions), with the name
    /// of the codec.
    #[default]
    Stored,
    /// SAN, separated by spaces.
    San,
    /// UCI notation, separated by spaces.
    Uci,
    /// 16-bit [codes](crate::position_index::MoveCode), only for standard chess and Chess960.
    Codes,
}

/// The notation of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionForm {
    /// FEN.
    #[default]
    Fen,
    /// 33 bytes, as [`nibble_state`](crate::codec::position::nibble_state), only for standard chess and Chess960.
    Packed,
}

/// What each row contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// A game.
    Games {
        /// The notation of its moves.
        moves: MovesForm,
        /// Whether there is a column for tag pairs without their own column.
        tags: bool,
        /// Whether there is a column for the year.
        year: bool,
    },
    /// A position of a game of chess.
    Positions {
        /// The notation of the position.
        form: PositionForm,
        /// Whether there is a column for its key.
        keys: bool,
    },
}

impl RowsOf {
    /// The columns.
    pub fn columns(self) -> Vec<Column> {
        match self {
            RowsOf::Games { moves, tags, year } => games::columns(moves, tags, year),
            RowsOf::Positions { form, keys } => positions::columns(form, keys),
        }
    }
}

/// The rows of a game, or the reason why it has none.
type Rows = Result<Vec<Vec<Cell>>, ExportError>;

/// Writes the games that pass a filter, or their positions, in the order of the filter. A game whose moves cannot be
/// read, or that `check` finds to be changed, is passed to `damaged` and skipped. Does not finish the table. Uses all
/// cores.
///
/// # Errors
/// The archive cannot be read, or the rows cannot be written.
pub fn export_rows(
    archive: &Archive,
    filter: &Filter,
    rows: RowsOf,
    check: Option<&GameCheck>,
    out: &mut dyn RowWriter,
    mut damaged: impl FnMut(ExportError),
) -> Result<ExportCounts, ExportError> {
    let mut counts = ExportCounts::default();
    let mut join = |games: Vec<Rows>| {
        for rows in games {
            match rows {
                Ok(rows) if rows.is_empty() => counts.left_out += 1,
                Ok(rows) => {
                    counts.written += 1;
                    out.game(rows)?;
                }
                Err(error) => {
                    counts.damaged += 1;
                    damaged(error);
                }
            }
        }
        Ok(())
    };
    match rows {
        RowsOf::Games { moves, tags, year } if tags || check.is_some() => {
            let found = archive.summaries_and_games(filter).map(or_damaged);
            let memory = |(_, game): &(Summary, StoredGame)| game.memory();
            let rows = |(summary, game)| {
                games::rows(ExportedRow::whole(summary, checked(check, game)?, tags), moves, year)
            };
            in_order(found, memory, rows, &mut join)?;
        }
        // Without tags and checks, the summary and the moves are enough: comments are not read or decompressed.
        RowsOf::Games { moves, year, .. } => {
            let row = |(summary, moves)| games::without_tags(archive, summary, moves);
            let found = archive.list(filter).map(|game| Ok(game.map(row)?));
            in_order(found, ExportedRow::memory, |game| games::rows(game, moves, year), &mut join)?;
        }
        RowsOf::Positions { form, keys } => {
            let found = archive.games(filter).map(or_damaged);
            let rows = |game| positions::rows(&checked(check, game)?, form, keys);
            in_order(found, StoredGame::memory, rows, &mut join)?;
        }
    }
    Ok(counts)
}

/// Passes the rows of games to `join`, in order and from all cores.
fn in_order<T: Send>(
    games: impl Iterator<Item = Read<T>>,
    memory: impl Fn(&T) -> usize,
    rows: impl Fn(T) -> Rows + Sync,
    join: impl FnMut(Vec<Rows>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let memory = |game: &Result<T, ExportError>| game.as_ref().map_or(0, &memory);
    let work = |games: Vec<Result<T, ExportError>>| games.into_iter().map(|game| rows(game?)).collect();
    in_batches_in_order(games, memory, work, join)
}

/// Checks that a game has not changed since it was stored, if requested.
fn checked(check: Option<&GameCheck>, game: StoredGame) -> Result<StoredGame, ArchiveError> {
    check.map_or(Ok(()), |check| check.check(&game))?;
    Ok(game)
}
