//! Games and positions as rows of a table, for programs that analyse data.

mod games;
mod positions;

use std::ops::ControlFlow;

use games::Game;

use super::{ExportCounts, ExportError};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameCheck, Summary, in_batches_in_order},
    columns::{Cell, Column, RowWriter},
    record::{StoredGame, StoredMoves},
};

/// How the moves of a game are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovesForm {
    /// As the archive has them, [with what functions must know](crate::functions::moves_for_functions), and the name of the codec.
    #[default]
    Stored,
    /// In SAN, with blanks between.
    San,
    /// In UCI notation, with blanks between.
    Uci,
    /// As [codes](crate::position_index::MoveCode) of 16 bits; those of standard chess and Chess960 only.
    Codes,
}

/// How a position is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionForm {
    /// As FEN.
    #[default]
    Fen,
    /// In 33 bytes, as [`nibble_state`](crate::codec::position::nibble_state); those of standard chess and Chess960 only.
    Packed,
}

/// What is a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// A game.
    Games {
        /// How its moves are written.
        moves: MovesForm,
        /// Whether there is a column of the tag pairs that no other has.
        tags: bool,
    },
    /// A position of a game; games that are no chess have none.
    Positions {
        /// How it is written.
        form: PositionForm,
        /// Whether there is a column of its key.
        keys: bool,
    },
}

impl RowsOf {
    /// The columns.
    pub fn columns(self) -> Vec<Column> {
        match self {
            RowsOf::Games { moves, tags } => games::columns(moves, tags),
            RowsOf::Positions { form, keys } => positions::columns(form, keys),
        }
    }
}

/// The rows of a game, or why it has none.
type Rows = Result<Vec<Vec<Cell>>, ExportError>;

/// Writes the games that pass a filter, or their positions, in the filter's order; all cores take part. A game whose moves
/// cannot be read is handed to `damaged` and left out; with a `check`, one that is not as it was stored too. The table is not
/// ended.
///
/// # Errors
/// The archive cannot be read on, or the rows cannot be written.
pub fn export_rows(
    archive: &Archive,
    filter: &Filter,
    rows: RowsOf,
    check: Option<&GameCheck>,
    out: &mut dyn RowWriter,
    mut damaged: impl FnMut(ExportError),
) -> Result<ExportCounts, ExportError> {
    let (mut counts, mut failed) = (ExportCounts::default(), None);
    let mut join = |games: Vec<Rows>| {
        for rows in games {
            match rows {
                Ok(rows) if rows.is_empty() => counts.left_out += 1,
                Ok(rows) => {
                    counts.written += 1;
                    failed = out.game(rows).err();
                }
                Err(error) => {
                    counts.damaged += 1;
                    damaged(error);
                }
            }
            if failed.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    match rows {
        RowsOf::Games { moves, tags } if tags || check.is_some() => {
            let found = archive.summaries_and_games(filter).map(or_damaged);
            let memory = |read: &Result<(_, StoredGame), ExportError>| {
                read.as_ref().map_or(0, |(_, game)| game.memory())
            };
            let of_game = |read: Result<_, ExportError>| {
                let (summary, game) = read?;
                games::rows(Game::whole(summary, checked(check, game)?, tags), moves)
            };
            let work = |batch: Vec<_>| batch.into_iter().map(of_game).collect();
            in_batches_in_order(found, memory, work, &mut join)?;
        }
        RowsOf::Games { moves, .. } => {
            let found = archive
                .list::<(Summary, Option<StoredMoves>)>(filter)
                .map(|game| games::without_tags(archive, game));
            let work = |batch: Vec<_>| batch.into_iter().map(|game| games::rows(game?, moves)).collect();
            in_batches_in_order(found, games::memory, work, &mut join)?;
        }
        RowsOf::Positions { form, keys } => {
            let found = archive.games(filter).map(or_damaged);
            let memory = |game: &Result<_, ExportError>| game.as_ref().map_or(0, StoredGame::memory);
            let of_game = |game: Result<_, ExportError>| positions::rows(&checked(check, game?)?, form, keys);
            let work = |batch: Vec<_>| batch.into_iter().map(of_game).collect();
            in_batches_in_order(found, memory, work, &mut join)?;
        }
    }
    failed.map_or(Ok(counts), |error| Err(error.into()))
}

/// Makes sure that a game is as it was stored, if that is asked for.
fn checked(check: Option<&GameCheck>, game: StoredGame) -> Result<StoredGame, ArchiveError> {
    check.map_or(Ok(()), |check| check.check(&game))?;
    Ok(game)
}

/// A game that is damaged is one that has no rows; after any other error there is nothing more.
fn or_damaged<T>(game: Result<T, ArchiveError>) -> Result<Result<T, ExportError>, ExportError> {
    match game {
        Err(error @ ArchiveError::Damaged { .. }) => Ok(Err(error.into())),
        game => game.map(Ok).map_err(ExportError::from),
    }
}
