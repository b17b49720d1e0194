//! The row of a game.

use std::{fmt::Write, ops::ControlFlow};

use serde_json::{Map, Value};
use shakmaty::uci::UciMove;

use super::{MovesForm, Rows};
use crate::{
    archive::{Archive, ArchiveError, Summary},
    chess::{Date, Move, QuickChess, SanSuffix, Tags, VariantPosition},
    columns::{
        Cell, Column,
        ColumnType::{self, Bytes, Codes, Integer, Text},
    },
    export::ExportError,
    functions::moves_for_functions,
    position_index::MoveCode,
    record::{GameError, GameKind, StoredGame, StoredMoves},
    rules::Rules,
};

/// A column before the moves: its name, its type, the name of its tag, if any, and its value, which may be taken out of
/// the game.
type GameColumn = (&'static str, ColumnType, &'static str, fn(&mut ExportedRow) -> Cell);

const COLUMNS: [GameColumn; 15] = [
    ("id", Integer, "", |game| game.summary.id.into()),
    ("white", Text, "White", |game| game.summary.white.take().into()),
    ("black", Text, "Black", |game| game.summary.black.take().into()),
    ("result", Text, "Result", |game| game.summary.result.as_str().into()),
    ("date", Text, "Date", |game| game.summary.date.map(|date| date.to_string()).into()),
    ("year", Integer, "", |game| game.summary.date.and_then(Date::year).into()),
    ("event", Text, "Event", |game| game.summary.event.take().into()),
    ("site", Text, "Site", |game| game.summary.site.take().into()),
    ("round", Text, "Round", |game| game.summary.round.take().into()),
    ("white_elo", Integer, "WhiteElo", |game| game.summary.white_elo.into()),
    ("black_elo", Integer, "BlackElo", |game| game.summary.black_elo.into()),
    ("eco", Text, "ECO", |game| game.summary.eco.take().into()),
    ("plies", Integer, "", |game| game.summary.plies.into()),
    ("variant", Text, "Variant", |game| GameKind::name_or_unknown(game.summary.kind).into()),
    ("fen", Text, "FEN", |game| game.moves.as_ref().and_then(|moves| moves.setup.clone()).into()),
];

/// The index of the year among the columns.
const YEAR: usize = 5;

pub(super) fn columns(form: MovesForm, tags: bool, year: bool) -> Vec<Column> {
    let mut columns = COLUMNS.map(|(name, holds, ..)| Column { name, holds }).to_vec();
    if !year {
        columns.remove(YEAR);
    }
    let holds = match form {
        MovesForm::Stored => Bytes,
        MovesForm::San | MovesForm::Uci => Text,
        MovesForm::Codes => Codes,
    };
    columns.push(Column { name: "moves", holds });
    if form == MovesForm::Stored {
        columns.push(Column { name: "codec", holds: Text });
    }
    columns.extend(tags.then_some(Column { name: "tags", holds: Text }));
    columns
}

/// A game with what its row needs; only games of chess have moves. The tags are read only if the table has a column for
/// them.
pub(super) struct ExportedRow {
    summary: Summary,
    moves: Option<StoredMoves>,
    tags: Option<Tags>,
}

impl ExportedRow {
    /// A game that was read completely; its tags are kept if the table has a column for them.
    pub(super) fn whole(summary: Summary, game: StoredGame, tags: bool) -> ExportedRow {
        ExportedRow { summary, moves: game.stored_moves().ok(), tags: tags.then_some(game.tags) }
    }

    /// Its approximate size in memory.
    pub(super) fn memory(&self) -> usize {
        let moves = self.moves.as_ref().map_or(0, |moves| moves.moves.len());
        size_of::<ExportedRow>() + moves + self.tags.as_ref().map_or(0, Tags::memory)
    }
}

/// A game of a table without a column of tags. It has a row if it is chess, with a valid layout of moves and a valid
/// start position. Only the moves were read, so the complete game is read to get the reason why it has none.
pub(super) fn without_tags(
    archive: &Archive,
    summary: Summary,
    moves: Option<StoredMoves>,
) -> Result<ExportedRow, ExportError> {
    let is_sound = match &moves {
        Some(moves) => moves.setup.is_none() || moves.start().is_ok(),
        None => summary.kind.is_some_and(|kind| kind.variant().is_none()),
    };
    if is_sound {
        return Ok(ExportedRow { summary, moves, tags: None });
    }
    let id = summary.id;
    archive.game(id)?.start()?;
    Err(ArchiveError::damaged(id, "its moves have an invalid layout").into())
}

/// The row of a game.
pub(super) fn rows(mut game: ExportedRow, form: MovesForm, year: bool) -> Rows {
    let mut row: Vec<Cell> = COLUMNS.iter().map(|(.., take)| take(&mut game)).collect();
    let codec = game.moves.as_ref().map(|moves| moves.codec.info().name);
    row.push(match game.moves {
        None => Cell::Null,
        Some(StoredMoves { moves, codec, variant, setup, .. }) if form == MovesForm::Stored => {
            Cell::Bytes(moves_for_functions(moves, codec, variant, setup.is_some()))
        }
        Some(moves) => match moves.start()? {
            VariantPosition::Chess(start) => spelled(&moves, QuickChess::from(&start), form)?,
            _ if form == MovesForm::Codes => Cell::Null,
            start => spelled(&moves, start, form)?,
        },
    });
    if form == MovesForm::Stored {
        row.push(codec.into());
    }
    if let Some(tags) = game.tags {
        let tags = other_tags(&tags, &row);
        row.push(tags);
    }
    if !year {
        row.remove(YEAR);
    }
    Ok(vec![row])
}

/// The tag pairs without a column, as JSON. If a name occurs several times, the last one counts.
fn other_tags(tags: &Tags, row: &[Cell]) -> Cell {
    let mut others = Map::new();
    for (name, value) in tags.iter() {
        let place = COLUMNS.iter().position(|(_, _, tag, _)| *tag == name);
        let is_said = match place.and_then(|place| row.get(place)) {
            Some(Cell::Text(text)) => text == value,
            Some(Cell::Integer(number)) => number.to_string() == value,
            // The characters of an unknown value.
            Some(_) => value.chars().all(|sign| matches!(sign, '?' | '.' | '-')),
            None => (name, value) == ("SetUp", "1"),
        };
        if !is_said {
            others.insert(name.to_owned(), value.into());
        }
    }
    if others.is_empty() { Cell::Null } else { Cell::Text(Value::Object(others).to_string()) }
}

/// The moves of a game in a notation.
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
            // Writing to a string cannot fail.
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
    replayed.map_err(|error| GameError::Moves(game.id, error))?;
    Ok(if form == MovesForm::Codes { Cell::Codes(codes) } else { Cell::Text(text) })
}
