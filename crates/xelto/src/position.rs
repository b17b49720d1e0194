//! Positions: where every piece is, which pieces are turned, and the side to move; and the effect of moves on them.

use super::{Direction, Motion, Move, Moves, Piece, PieceLocation, Pieces, Side, Square};
use plybook_chess::rules::{Color, EvenWeights, Outcome, Rules};

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
                return Err(SetupError::SquareTaken(piece));
            }
            let stands = self.square(piece).is_some();
            let turns = piece.kind().is_front() || piece == Piece::Tem;
            if self.is_turned(piece) && !(stands && turns) {
                return Err(SetupError::CannotBeTurned(piece));
            }
            let second = |side: Side| self.mount(!side) != Some(piece);
            if self.place(piece) == PieceLocation::Mounted && piece.owner().is_some_and(second) {
                return Err(SetupError::TwoMounts(piece));
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

    const fn put(&mut self, piece: Piece, place: PieceLocation) {
        self.places[piece.id() as usize] = place;
    }

    /// Plays a legal move. The result of an illegal move is unspecified.
    pub fn play(&mut self, m: Move) {
        match (m.motion, m.company) {
            (Motion::To(to), None) => self.step(m.piece, to),
            (Motion::To(to), Some(beside)) => self.step_together(m.piece, to, beside),
            (Motion::Turn, _) => self.turned.toggle(m.piece),
            (Motion::Mount, _) => self.mount_instead(m.piece),
            (Motion::Unmount, _) => self.put(m.piece, PieceLocation::Hand),
        }
        self.mover = !self.mover;
    }

    fn step(&mut self, piece: Piece, to: Square) {
        match self.at(to) {
            Some(Piece::Tem) => self.swap_with_tem(piece),
            Some(victim) => self.capture(piece, victim),
            None => {}
        }
        self.put(piece, PieceLocation::On(to));
    }

    /// Both pieces move by the same offset, so the follower is next to the leader again.
    fn step_together(&mut self, leader: Piece, to: Square, beside: Direction) {
        let next = self.square(leader).and_then(|from| from.offset(beside.vector()));
        let follower = next.and_then(|next| self.at(next));
        self.put(leader, PieceLocation::On(to));
        if let (Some(follower), Some(goal)) = (follower, to.offset(beside.vector())) {
            self.put(follower, PieceLocation::On(goal));
        }
    }

    /// Teems cannot be captured. It moves to the square that the capturer came from, and the opponent loses the
    /// mounted piece, which goes to the box. *Forced*; that this is allowed when nobody has a mounted piece is
    /// *inferred*.
    fn swap_with_tem(&mut self, capturer: Piece) {
        self.put(Piece::Tem, self.place(capturer));
        if let Some(mount) = self.mount(!self.mover()) {
            self.put(mount, PieceLocation::Boxed);
        }
    }

    /// A captured piece goes to the capturer's hand and is no longer turned. If Teems captures, the mounted piece goes
    /// to the box (*forced*), unless the captured piece belongs to the mover's own side.
    ///
    /// That Teems may capture a piece of its mover's own side (not the moon) is the one doubtful rule. It occurs in a
    /// single ply of the first record (44, `s6tem`), which might be a mistake in writing; but the 25 plies after it are
    /// only possible if the captured piece is gone and the mounted piece is still there. That the piece goes to the box,
    /// and that the moon cannot be captured, is *chosen*.
    fn capture(&mut self, capturer: Piece, victim: Piece) {
        self.turned.remove(victim);
        if victim.owner() == Some(self.mover()) {
            self.put(victim, PieceLocation::Boxed);
            return;
        }
        if let (Piece::Tem, Some(mount)) = (capturer, self.mount(self.mover())) {
            self.put(mount, PieceLocation::Boxed);
        }
        self.put(victim, PieceLocation::Hand);
    }

    /// Mounts a piece; a piece that is already mounted returns to the hand (張り替え). *Stated*.
    fn mount_instead(&mut self, piece: Piece) {
        if let Some(mount) = self.mount(self.mover()) {
            self.put(mount, PieceLocation::Hand);
        }
        self.put(piece, PieceLocation::Mounted);
    }
}

impl Rules for Position {
    type Move = Move;
    type Legal = Moves;
    type Weigher = EvenWeights;

    fn legal(&self) -> Moves {
        self.legal_moves()
    }

    fn make(&mut self, m: Move) {
        self.play(m);
    }

    /// Arxe is White.
    fn turn(&self) -> Color {
        self.mover().into()
    }

    /// The winner, once the board has ended the game. Until then there is always a legal move. Suppose there were
    /// none: front guards can turn, so none is on the board. A rear guard of any kind reaches the next row and the
    /// next column on every side, so own pieces occupy all seven rows and columns: that takes all seven rear guards,
    /// no two in one row or column. But then no own piece is next to a colour.
    fn board_outcome(&self) -> Outcome {
        self.ending().map_or(Outcome::Unknown, |ending| ending.outcome())
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
    /// Another piece is already on the square of this one.
    #[error("{0} is on an occupied square")]
    SquareTaken(Piece),
    /// A rear guard, or a piece off the board, is marked as turned.
    #[error("{0} cannot be turned there")]
    CannotBeTurned(Piece),
    /// A side has mounted two pieces, of which this is the second.
    #[error("{0} cannot be mounted: only one piece per side can")]
    TwoMounts(Piece),
}
