//! A game as a row.

use std::{fmt::Write, ops::ControlFlow};

use serde_json::{Map, Value};
use shakmaty::uci::UciMove;

use super::{MovesForm, Rows};
use crate::{
    archive::{Archive, ArchiveError, Summary},
    chess::{Move, QuickChess, SanSuffix, Tags, VariantPosition},
    columns::{
        Cell, Column,
        ColumnType::{Bytes, Codes, Integer, Text},
    },
    export::ExportError,
    functions::moves_for_functions,
    position_index::MoveCode,
    record::{GameError, GameId, GameKind, StoredGame, StoredMoves},
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

pub(super) fn columns(form: MovesForm, tags: bool) -> Vec<Column> {
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
    columns.extend(tags.then_some(Column { name: "tags", holds: Text }));
    columns
}

/// A game as it is read; only games of chess have moves here. Tags where there is a column of them.
pub(super) struct Game {
    summary: Summary,
    moves: Option<StoredMoves>,
    tags: Option<Tags>,
}

/// A game, or why it has no row; or why no other game can be read.
type Read = Result<Result<Game, ExportError>, ExportError>;

/// What was read for a table without a column of tags.
pub(super) fn without_tags(
    archive: &Archive,
    read: Result<(Summary, Option<StoredMoves>), ArchiveError>,
) -> Read {
    let (summary, moves) = read?;
    Ok(checked(Game { summary, moves, tags: None }, |id| archive.game(id)))
}

impl Game {
    /// A game that was read as a whole; its tags are wanted where the table has a column of them.
    pub(super) fn whole(summary: Summary, game: StoredGame, tags: bool) -> Game {
        Game { summary, moves: game.stored_moves().ok(), tags: tags.then_some(game.tags) }
    }
}

/// Why a game has no row: it has no moves here and is no game of another family, or the position that it begins at is
/// none. As only its moves were read, `whole` reads all of it, which tells the reason.
fn checked(
    game: Game,
    whole: impl Fn(GameId) -> Result<StoredGame, ArchiveError>,
) -> Result<Game, ExportError> {
    let is_sound = match &game.moves {
        Some(moves) => moves.setup.is_none() || moves.start().is_ok(),
        None => GameKind::from_name(game.summary.variant).is_some_and(|kind| kind.variant().is_none()),
    };
    if is_sound {
        return Ok(game);
    }
    let id = game.summary.id;
    whole(id)?.start()?;
    Err(ArchiveError::Damaged { id, what: "how its moves are stored makes no sense".to_owned() }.into())
}

/// About how many bytes a game takes in memory.
pub(super) fn memory(game: &Result<Game, ExportError>) -> usize {
    let Ok(Game { moves, tags, .. }) = game else { return 0 };
    let moves = moves.as_ref().map_or(0, |moves| moves.moves.len());
    size_of::<Game>() + moves + tags.as_ref().map_or(0, Tags::memory)
}

/// The row of a game.
pub(super) fn rows(Game { summary, moves, tags }: Game, form: MovesForm) -> Rows {
    // A date is stored whole or not at all; its year is the first four characters.
    let year: Option<i64> = summary.date.as_ref().and_then(|date| date.get(..4)?.parse().ok());
    let (setup, codec) = match &moves {
        Some(moves) => (moves.setup.clone(), Cell::Text(moves.codec.info().name.to_owned())),
        None => (None, Cell::Null),
    };
    let mut row = vec![
        Cell::Integer(summary.id),
        summary.white.into(),
        summary.black.into(),
        Cell::Text(summary.result.to_owned()),
        summary.date.into(),
        year.into(),
        summary.event.into(),
        summary.site.into(),
        summary.round.into(),
        summary.white_elo.into(),
        summary.black_elo.into(),
        summary.eco.into(),
        Cell::Integer(summary.plies),
        Cell::Text(summary.variant.to_owned()),
        setup.into(),
    ];
    row.push(match moves {
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
        row.push(codec);
    }
    if let Some(tags) = tags {
        let tags = other_tags(&tags, &row);
        row.push(tags);
    }
    Ok(vec![row])
}

/// The tags that columns are made of, with the names of these.
const TAG_COLUMNS: [(&str, &str); 12] = [
    ("White", "white"),
    ("Black", "black"),
    ("Result", "result"),
    ("Date", "date"),
    ("Event", "event"),
    ("Site", "site"),
    ("Round", "round"),
    ("WhiteElo", "white_elo"),
    ("BlackElo", "black_elo"),
    ("ECO", "eco"),
    ("Variant", "variant"),
    ("FEN", "fen"),
];

/// The tag pairs that the columns do not have, as JSON. Of several with one name the first counts.
fn other_tags(tags: &Tags, row: &[Cell]) -> Cell {
    let mut others = Map::new();
    for (name, value) in tags.iter() {
        let column = TAG_COLUMNS.iter().find(|(tag, _)| *tag == name).map(|(_, column)| *column);
        let place = column.and_then(|column| COLUMNS.iter().position(|of| of.name == column));
        let is_said = match place.and_then(|place| row.get(place)) {
            Some(Cell::Text(text)) => text == value,
            Some(Cell::Integer(number)) => number.to_string() == value,
            // A sign for what is not known.
            Some(_) => value.chars().all(|sign| matches!(sign, '?' | '.' | '-')),
            None => (name, value) == ("SetUp", "1"),
        };
        if !is_said && !others.contains_key(name) {
            others.insert(name.to_owned(), value.into());
        }
    }
    if others.is_empty() { Cell::Null } else { Cell::Text(Value::Object(others).to_string()) }
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
