//! The two players.

use std::{fmt, ops::Not};

use plybook_chess::rules::{Color, KnownOutcome, Outcome};

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// アルシェ: moves first and starts at the bottom of the board.
    Arxe,
    /// ソーン: starts at the top.
    Sorn,
}

impl Side {
    /// Both sides, the first to move first.
    pub const ALL: [Side; 2] = [Side::Arxe, Side::Sorn];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Arxe => "arxe",
            Side::Sorn => "sorn",
        }
    }

    /// The side with the given name.
    pub fn from_name(name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.name() == name)
    }

    /// The outcome of a game that this side won.
    pub fn wins(self) -> Outcome {
        Outcome::Known(KnownOutcome::Decisive { winner: self.into() })
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Arxe => Side::Sorn,
            Side::Sorn => Side::Arxe,
        }
    }
}

/// Arxe, which moves first, corresponds to White in chess.
impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Arxe => Color::White,
            Side::Sorn => Color::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
