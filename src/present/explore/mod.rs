//! The moves played in a position, with their results.

mod table;
mod tree;

use super::{PositionText, PresentError, RequestError, list::Row, numbered::numbered_line};
use crate::{
    archive::Archive,
    chess::{Variant, VariantPosition, move_list},
    columns::{ColumnOf, number, text},
    openings::Openings,
    query::{ExploredMove, ExploredPosition, TargetPosition},
    record::{GameKind, fen},
};

pub(super) use table::{bar, coloured, percent, share, taken};
pub(super) use tree::{NAME, joined, other_orders};

pub use tree::{ShownTree, new_part};

/// The position that a text means (see [`PositionText`]): in the given variant, or in standard chess; a position of a
/// stored game has the variant of that game. Without a text it is the start position.
///
/// # Errors
/// The kind is not chess, the text is not a valid or reachable position, the archive has no such game, or it cannot be
/// read.
pub fn explored_position(
    text: Option<&str>,
    kind: Option<GameKind>,
    archive: &Archive,
) -> Result<ExploredPosition, PresentError> {
    let not_chess = |kind: GameKind| RequestError::NotChess(kind.name().to_owned());
    let variant = kind.map_or(Ok(Variant::Standard), |kind| kind.variant().ok_or_else(|| not_chess(kind)))?;
    let Some(text) = text else { return Ok(ExploredPosition::new(variant.start())) };
    match text.parse()? {
        PositionText::Stored { game, ply } => {
            let game = archive.game(game)?;
            let (plies, position, line) = (game.ply(ply)?, game.position_at(ply)?, game.line()?);
            Ok(ExploredPosition::after(position, line.start, line.moves.get(..plies).unwrap_or_default()))
        }
        PositionText::Setup(setup) => {
            let position = TargetPosition::position(variant, setup).map_err(RequestError::from)?;
            let opening = || move_list(Openings::standard().shortest(text).ok()?.moves).ok();
            Ok(match move_list(text).ok().or_else(opening) {
                Some((start, moves)) => {
                    ExploredPosition::after(position, VariantPosition::Chess(start), &moves)
                }
                None => ExploredPosition::new(position),
            })
        }
    }
}

/// How the position was reached, for a heading: empty for a start position, otherwise "after 1. e4 c5", or "from" and a
/// FEN if the moves are unknown.
pub(super) fn origin(explored: &ExploredPosition) -> String {
    let position = &explored.position;
    match &explored.line {
        Some((start, moves)) if !moves.is_empty() => {
            format!("after {}", numbered_line(start.clone(), moves))
        }
        _ if *position == Variant::of(position).start() => String::new(),
        _ => format!("from {}", fen(position)),
    }
}

impl Row for ExploredMove {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("uci", |row| row.uci.as_str().into()),
        text("san", |row| row.san.as_str().into()),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
        number("mean_rating", |row| row.mean_rating.into()),
        number("mean_opponent", |row| row.mean_opponent.into()),
        number("performance", |row| row.performance.into()),
        number("last_year", |row| row.last_year.into()),
        number("best_game", |row| row.best_game.into()),
        number("reached", |row| row.reached.into()),
    ];
}
