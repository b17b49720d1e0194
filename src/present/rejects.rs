//! The list of rejected games that an archive keeps.

use serde::Serialize;

use super::list::Row;
use crate::{
    archive::KeptReject,
    columns::{ColumnOf, number, spare, text},
    counts::{GAMES, Noun},
    pgn::Location,
};

/// Characters of its beginning that are shown of a game.
const SHOWN: usize = 60;

/// A rejected game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RejectRow {
    /// Its source.
    pub source: String,
    /// 1-based number of the game in the source.
    pub game: u64,
    /// 1-based line of the fault.
    pub line: u64,
    /// 0-based byte of the fault.
    pub byte: u64,
    /// Why it was rejected.
    pub reason: String,
    /// How its text begins.
    pub beginning: String,
}

impl From<KeptReject> for RejectRow {
    fn from(KeptReject { source, location, reason, text, .. }: KeptReject) -> RejectRow {
        let Location { game, line, byte, .. } = location;
        let bytes = text.get(..4 * SHOWN).unwrap_or(&text);
        let beginning = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
        let beginning = beginning.chars().take(SHOWN).collect();
        RejectRow { source, game, line, byte, reason, beginning }
    }
}

impl Row for RejectRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("source", |row| row.source.as_str().into()),
        number("game", |row| row.game.into()),
        number("line", |row| row.line.into()),
        number("byte", |row| row.byte.into()),
        text("reason", |row| row.reason.as_str().into()),
        spare("beginning", |row| row.beginning.as_str().into()),
    ];
    const NOUN: Option<Noun> = Some(GAMES);
}
