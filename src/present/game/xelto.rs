//! A game of Xelto, at a ply.

use std::io::{self, Write};

use serde::Serialize;

use super::{super::Result, Replay, ShownPly, tag};
use crate::chess::BoardStyle;
use crate::{
    codec::xelto::HASH34,
    printable,
    record::{GameKind, Ply, StoredGame},
    xelto::{
        Diagram, Position,
        notation::{Record, Written},
    },
};

/// A game of Xelto, replayed to a ply.
#[derive(Clone, Debug)]
pub(super) struct XeltoReplay {
    game: StoredGame,
    record: Record,
    ply: usize,
    /// The position shown.
    position: Position,
    /// The moves up to it, in notation.
    moves: Vec<String>,
}

/// A game of Xelto at a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct XeltoPly {
    /// How the game ended, according to its record.
    pub ending: Option<String>,
    /// The ply: 0 for the start position.
    pub ply: usize,
    /// The position, in 34 characters.
    pub hash: String,
    /// The move that led to it; `None` at the start.
    pub last_move: Option<String>,
    /// The moves up to it.
    pub moves: Vec<String>,
    /// Moves in the record after the end of the game.
    pub continuation: Option<String>,
}

impl XeltoReplay {
    pub(super) fn new(game: StoredGame, ply: Ply) -> Result<XeltoReplay> {
        let ply = game.ply(ply)?;
        let record = game.xelto()?;
        let (mut position, mut moves) = (record.start(), Vec::new());
        for &m in record.moves.iter().take(ply) {
            moves.push(Written::from_move(&position, m).to_string());
            position.play(m);
        }
        Ok(XeltoReplay { game, record, ply, position, moves })
    }

    fn write_ending(&self, out: &mut dyn Write) -> io::Result<()> {
        let ending = self.record.result.filter(|_| self.ply == self.game.plies);
        ending.map_or(Ok(()), |ending| writeln!(out, "{ending}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.record.headers.iter();
        headers.find(|header| header.name().eq_ignore_ascii_case(name)).map(|header| header.value())
    }
}

impl Replay for XeltoReplay {
    fn kind(&self) -> GameKind {
        self.game.kind
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn write_players(&self, out: &mut dyn Write) -> io::Result<()> {
        let player = |name| tag(&self.game, name).unwrap_or("?");
        let players = format!("{} – {}", player("White"), player("Black"));
        writeln!(out, "{}  {}", printable::line(&players), self.game.result)?;
        let about = ["event", "site", "date", "round"].into_iter().filter_map(|name| self.header(name));
        let about: Vec<&str> = ["Xelto"].into_iter().chain(about.filter(|value| !value.is_empty())).collect();
        writeln!(out, "{}\n", printable::line(&about.join(", ")))
    }

    fn write_moves(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_players(out)?;
        for (place, m) in self.moves.iter().enumerate() {
            writeln!(out, "{} {m}", place + 1)?;
        }
        self.write_ending(out)
    }

    fn write_text(&self, out: &mut dyn Write, _: BoardStyle) -> io::Result<()> {
        self.write_players(out)?;
        write_xelto_board(out, &self.record, self.ply)?;
        self.write_ending(out)
    }

    fn into_shown(self: Box<Self>) -> (StoredGame, ShownPly) {
        let shown = XeltoPly {
            ending: self.record.result.map(|ending| ending.to_string()),
            ply: self.ply,
            hash: HASH34.encode(&self.position),
            last_move: self.moves.last().cloned(),
            continuation: self.record.continuation_words(),
            moves: self.moves,
        };
        (self.game, ShownPly::Xelto(shown))
    }
}

/// Writes the board of a record at a ply, and which ply it is.
///
/// # Errors
/// It cannot be written.
pub fn write_xelto_board(out: &mut dyn Write, record: &Record, ply: usize) -> io::Result<()> {
    let (plies, mut position) = (record.moves.len(), record.start());
    let mut last = None;
    for &m in record.moves.iter().take(ply) {
        last = Some((m, Written::from_move(&position, m)));
        position.play(m);
    }
    match last {
        Some((m, written)) => {
            write!(out, "{}", Diagram::after(&position, m))?;
            writeln!(out, "\nply {ply} of {plies}, after {written}")
        }
        None => {
            write!(out, "{}", Diagram::new(&position))?;
            writeln!(out, "\nply 0 of {plies}, the start position")
        }
    }
}
