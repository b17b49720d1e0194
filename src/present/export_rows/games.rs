//! A game as a row.

use std::{fmt::Write, ops::ControlFlow};

use shakmaty::uci::UciMove;

use super::{MovesForm, Rows};
use crate::{
    archive::Summary,
    chess::{Move, SanSuffix, VariantPosition},
    columns::{
        Cell, Column,
        ColumnType::{Bytes, Codes, Integer, Text},
    },
    position_index::MoveCode,
    record::{GameError, StoredMoves},
    rules::Rules,
};

/// The columns of all forms; the moves follow.
const COLUMNS: [Column; 15] = [
    Column { name: "id", holds: Integer },
    Column { name: "white", holds: Text },
    Column { name: "black", holds: Text },
    Column { name: "result", holds: Text },
    Column { name: "date", holds: Text },
    Column { name: "year", holds: Integer },
    Column { name: "event", holds: Text },
    Column { name: "site", holds: Text },
    Column { name: "round", holds: Text },
    Column { name: "white_elo", holds: Integer },
    Column { name: "black_elo", holds: Integer },
    Column { name: "eco", holds: Text },
    Column { name: "plies", holds: Integer },
    Column { name: "variant", holds: Text },
    Column { name: "fen", holds: Text },
];

pub(super) fn columns(form: MovesForm) -> Vec<Column> {
    let mut columns = COLUMNS.to_vec();
    let holds = match form {
        MovesForm::Stored => Bytes,
        MovesForm::San | MovesForm::Uci => Text,
        MovesForm::Codes => Codes,
    };
    columns.push(Column { name: "moves", holds });
    if form == MovesForm::Stored {
        columns.push(Column { name: "codec", holds: Text });
    }
    columns
}

/// A game as it is read; only games of chess have moves here.
type Game = (Summary, Option<StoredMoves>);

/// About how many bytes a game takes in memory.
pub(super) fn memory((_, moves): &Game) -> usize {
    moves.as_ref().map_or(0, |moves| moves.moves.len()) + size_of::<Game>()
}

/// The row of a game.
pub(super) fn rows((summary, moves): Game, form: MovesForm) -> Rows {
    // A date is stored whole or not at all; its year is the first four characters.
    let year = summary.date.as_ref().and_then(|date| date.get(..4)?.parse().ok());
    let (setup, codec) = match &moves {
        Some(moves) => (moves.setup.clone(), Cell::Text(moves.codec.info().name.to_owned())),
        None => (None, Cell::Null),
    };
    let mut row = vec![
        Cell::Integer(summary.id),
        Cell::text(summary.white),
        Cell::text(summary.black),
        Cell::Text(summary.result.to_owned()),
        Cell::text(summary.date),
        Cell::integer(year),
        Cell::text(summary.event),
        Cell::text(summary.site),
        Cell::text(summary.round),
        Cell::integer(summary.white_elo),
        Cell::integer(summary.black_elo),
        Cell::text(summary.eco),
        Cell::Integer(summary.plies),
        Cell::Text(summary.variant.to_owned()),
        Cell::text(setup),
    ];
    row.push(match moves {
        None => Cell::Null,
        Some(moves) if form == MovesForm::Stored => Cell::Bytes(moves.moves),
        Some(moves) => match moves.start()? {
            VariantPosition::Chess(start) => spelled(&moves, start, form)?,
            _ if form == MovesForm::Codes => Cell::Null,
            start => spelled(&moves, start, form)?,
        },
    });
    if form == MovesForm::Stored {
        row.push(codec);
    }
    Ok(vec![row])
}

/// The moves of a game, replayed.
fn spelled<P>(game: &StoredMoves, start: P, form: MovesForm) -> Result<Cell, GameError>
where
    P: Rules<Move = Move> + SanSuffix,
{
    let (mut text, mut codes) = (String::with_capacity(5 * game.plies.min(1024)), Vec::new());
    let (mut before, mode) = (start.clone(), start.castles().mode());
    let replayed = game.replay(start)?.run(|_, led| {
        if let Some(m) = led {
            if !text.is_empty() {
                text.push(' ');
            }
            // A string takes whatever is written.
            _ = match form {
                MovesForm::San => write!(text, "{}", before.play_san(m)),
                MovesForm::Uci => write!(text, "{}", UciMove::from_move(m, mode)),
                MovesForm::Codes | MovesForm::Stored => {
                    codes.push(MoveCode::of(m).number());
                    Ok(())
                }
            };
        }
        ControlFlow::Continue(())
    });
    replayed.map_err(|error| GameError::Moves { id: game.id, error })?;
    Ok(if form == MovesForm::Codes { Cell::Codes(codes) } else { Cell::Text(text) })
}
