//! Positions: where every piece is, which pieces are turned, and the side to move.

use super::{Piece, PieceLocation, Pieces, Side, Square};

/// The pieces of the start position, row by row from v1; dots are empty squares. *Stated*.
const START: &str = "rav nen pin mir ket lin len \
                     din rez kun mat lax jil tan \
                      .   .   .   .   .   .   .  \
                      .   .   .  tem  .   .   .  \
                      .   .   .   .   .   .   .  \
                     pal ful mik fav zan gil ruj \
                     dyu lis mel ser dia vio ral";

/// Optional rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// Whether Teems may capture a piece of its mover's own side (not the moon). The piece goes to the box, and the
    /// mounted piece stays.
    ///
    /// This is the one doubtful rule. It occurs in a single ply of the first record (44, `s6tem`), which might be a
    /// mistake in writing; but the 25 plies after it are only possible if the captured piece is gone and the mounted
    /// piece is still there. That the piece goes to the box, and that the moon cannot be captured, is *chosen*. On by
    /// default.
    pub tem_takes_own: bool,
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset { tem_takes_own: true }
    }
}

/// A position of the game, with its rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mover: Side,
    /// By piece id. This is the only record of locations: squares, hands, mounts and box are derived from it.
    places: [PieceLocation; Piece::COUNT],
    turned: Pieces,
    ruleset: Ruleset,
}

impl Position {
    /// The start position with the default rules.
    pub fn start() -> Position {
        let mut places = [PieceLocation::Boxed; Piece::COUNT];
        for (number, name) in (0..).zip(START.split_whitespace()) {
            if let (Some(square), Ok(piece)) = (Square::from_number(number), name.parse::<Piece>()) {
                places[usize::from(piece.id())] = PieceLocation::On(square);
            }
        }
        Position { mover: Side::Arxe, places, turned: Pieces::NONE, ruleset: Ruleset::default() }
    }

    /// A custom position with the default rules; `places` by piece id.
    ///
    /// # Errors
    /// No game can reach it: see [`SetupError`].
    pub fn set_up(
        mover: Side,
        places: [PieceLocation; Piece::COUNT],
        turned: Pieces,
    ) -> Result<Position, SetupError> {
        let position = Position { mover, places, turned, ruleset: Ruleset::default() };
        position.check().map(|()| position)
    }

    fn check(&self) -> Result<(), SetupError> {
        if self.square(Piece::Tem).is_none() {
            return Err(SetupError::TemOffBoard);
        }
        for piece in Piece::ALL {
            if self.square(piece).is_some_and(|square| self.at(square) != Some(piece)) {
                return Err(SetupError::SquareTaken { piece });
            }
            let stands = self.square(piece).is_some();
            let turns = piece.kind().is_front() || piece == Piece::Tem;
            if self.is_turned(piece) && !(stands && turns) {
                return Err(SetupError::CannotBeTurned { piece });
            }
            let second = |side: Side| self.mount(!side) != Some(piece);
            if self.place(piece) == PieceLocation::Mounted && piece.owner().is_some_and(second) {
                return Err(SetupError::TwoMounts { piece });
            }
        }
        Ok(())
    }

    /// The same position with other rules.
    #[must_use]
    pub const fn under(mut self, ruleset: Ruleset) -> Position {
        self.ruleset = ruleset;
        self
    }

    /// The rules in use.
    pub const fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// The side to move.
    pub const fn mover(&self) -> Side {
        self.mover
    }

    /// Where a piece is.
    pub const fn place(&self, piece: Piece) -> PieceLocation {
        self.places[piece.id() as usize]
    }

    /// The square of a piece.
    pub const fn square(&self, piece: Piece) -> Option<Square> {
        self.place(piece).square()
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.place(piece) == PieceLocation::On(square))
    }

    /// Whether a piece is turned.
    pub const fn is_turned(&self, piece: Piece) -> bool {
        self.turned.contains(piece)
    }

    /// The turned pieces.
    pub const fn turned(&self) -> Pieces {
        self.turned
    }

    /// The pieces in a side's hand (originally the opponent's), in order.
    pub fn hand(&self, side: Side) -> impl Iterator<Item = Piece> {
        Piece::of(!side).filter(|&piece| self.place(piece) == PieceLocation::Hand)
    }

    /// The piece a side has mounted on Teems. *Stated*: at most one each.
    pub fn mount(&self, side: Side) -> Option<Piece> {
        Piece::of(!side).find(|&piece| self.place(piece) == PieceLocation::Mounted)
    }

    /// The pieces that are out of the game, in order.
    pub fn boxed(&self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(|&piece| self.place(piece) == PieceLocation::Boxed)
    }

    pub(super) const fn put(&mut self, piece: Piece, place: PieceLocation) {
        self.places[piece.id() as usize] = place;
    }

    pub(super) const fn turned_mut(&mut self) -> &mut Pieces {
        &mut self.turned
    }

    pub(super) fn pass_turn(&mut self) {
        self.mover = !self.mover;
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// Why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Teems never leaves the board.
    #[error("tem is not on the board")]
    TemOffBoard,
    /// Another piece is already on this piece's square.
    #[error("{piece} is on an occupied square")]
    SquareTaken {
        /// The second of the two pieces.
        piece: Piece,
    },
    /// A rear guard, or a piece off the board, is marked as turned.
    #[error("{piece} cannot be turned there")]
    CannotBeTurned {
        /// The piece.
        piece: Piece,
    },
    /// A side has mounted two pieces.
    #[error("{piece} cannot be mounted: only one piece per side can")]
    TwoMounts {
        /// The second of the two pieces.
        piece: Piece,
    },
}
