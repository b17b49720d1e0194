//! The routes that clients of opening explorers ask. What each takes and answers, and where it differs from the public
//! ones on purpose, stands in `docs/serve.md`.

mod lichess;
mod masters;
mod pgn;
mod player;

pub(super) use lichess::{history, lichess};
pub(super) use masters::masters;
pub(super) use pgn::pgn;
pub(super) use player::player;

use super::{Answer, Asked, Failure};
use crate::{
    chess::Variant,
    present::{
        self,
        book::{BookAnswer, BookRequest, Dialect},
    },
    record::GameKind,
};

/// What is told of a position.
fn told(asked: &Asked<'_>, request: &BookRequest, dialect: Dialect) -> Result<BookAnswer, Failure> {
    let mut watch = |_| asked.watch();
    let told = present::book::book_answer(asked.archive, asked.index.if_any(), request, dialect, &mut watch)?;
    told.ok_or(Failure::Unwanted)
}

/// The kind of games to look through: of standard chess, games of Chess960 are among them.
fn kind(variant: Variant) -> Option<GameKind> {
    Some(GameKind::Chess(variant)).filter(|_| variant != Variant::Standard)
}

/// A line of JSON.
fn json_line(told: &BookAnswer) -> Result<Answer, Failure> {
    let mut line = serde_json::to_vec(told).map_err(|error| Failure::Internal(error.to_string()))?;
    line.push(b'\n');
    Ok(Answer::new(super::reply::JSON_LINES, line))
}
