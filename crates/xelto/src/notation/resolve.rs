//! Converts moves in notation to moves in a position, and back.

use super::{MoveTarget, Written};
use crate::{Direction, Motion, Move, Piece, PieceLocation, Position, Square};

impl Written {
    /// The notation of a legal move: the leader of a pair comes first.
    pub fn from_move(position: &Position, m: Move) -> Written {
        match (m.motion, m.company) {
            (Motion::To(square), None) => Written::Step(MoveTarget { square, piece: m.piece }),
            (Motion::To(square), Some(beside)) => {
                let leader = MoveTarget { square, piece: m.piece };
                follower_of(position, leader, beside)
                    .map_or(Written::Step(leader), |follower| Written::Pair(leader, follower))
            }
            (Motion::Turn, _) => Written::Turn(m.piece),
            (Motion::Mount, _) => Written::Mount(m.piece),
            (Motion::Unmount, _) => Written::Unmount,
        }
    }

    /// The legal move in its canonical form.
    ///
    /// # Errors
    /// No legal move has this notation in the position; the error says why.
    pub fn to_move(self, position: &Position) -> Result<Move, IllegalMove> {
        let m = match self {
            Written::Step(target) => Some(Move::step(target.piece, target.square)),
            Written::Pair(one, other) => as_pair(position, one, other),
            Written::OldPair(one, other) => {
                let second = second_target(position, one, other);
                second.and_then(|second| as_pair(position, one, second))
            }
            Written::Turn(piece) => Some(Move::turn(piece)),
            Written::Mount(piece) => Some(Move::mount(piece)),
            Written::Unmount => position.mount(position.mover()).map(Move::unmount),
        };
        m.and_then(|m| position.canonical(m)).ok_or_else(|| self.fault(position))
    }

    /// Why a move is illegal.
    fn fault(self, position: &Position) -> IllegalMove {
        if position.ending().is_some() {
            return IllegalMove::GameOver;
        }
        let own = |piece| own_fault(position, piece);
        match self {
            Written::Step(MoveTarget { square, piece }) => {
                own(piece).unwrap_or(IllegalMove::CannotReach(piece, square))
            }
            Written::Pair(MoveTarget { piece: one, .. }, MoveTarget { piece: other, .. })
            | Written::OldPair(MoveTarget { piece: one, .. }, other) => {
                own(one).or_else(|| own(other)).unwrap_or(IllegalMove::CannotGoTogether(one, other))
            }
            Written::Turn(piece) => own(piece).unwrap_or(IllegalMove::CannotTurn(piece)),
            Written::Mount(piece) => IllegalMove::NotInHand(piece),
            Written::Unmount => IllegalMove::NothingMounted,
        }
    }
}

/// The follower of a pair, with its target square.
fn follower_of(position: &Position, leader: MoveTarget, beside: Direction) -> Option<MoveTarget> {
    let next = position.square(leader.piece)?.offset(beside.vector())?;
    Some(MoveTarget { square: leader.square.offset(beside.vector())?, piece: position.at(next)? })
}

/// Two targets as one move, led by whichever piece can lead.
fn as_pair(position: &Position, one: MoveTarget, other: MoveTarget) -> Option<Move> {
    let beside = |a: Square, b: Square| Direction::of(a.way_to(b));
    let company = beside(position.square(one.piece)?, position.square(other.piece)?)?;
    if beside(one.square, other.square) != Some(company) {
        return None;
    }
    position
        .canonical(Move::pair(one.piece, one.square, company))
        .or_else(|| position.canonical(Move::pair(other.piece, other.square, company.opposite())))
}

/// The target of the piece that the older notation names second.
fn second_target(position: &Position, one: MoveTarget, other: Piece) -> Option<MoveTarget> {
    let way = position.square(one.piece)?.way_to(one.square);
    Some(MoveTarget { square: position.square(other)?.offset(way)?, piece: other })
}

/// Why the mover cannot move a piece at all.
fn own_fault(position: &Position, piece: Piece) -> Option<IllegalMove> {
    match (piece.owner(), position.place(piece)) {
        (Some(owner), _) if owner != position.mover() => Some(IllegalMove::NotYours(piece)),
        (_, PieceLocation::On(_)) => None,
        _ => Some(IllegalMove::NotOnBoard(piece)),
    }
}

/// Why a move in notation is illegal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The board has ended the game.
    #[error("the game is over")]
    GameOver,
    /// The piece belongs to the other side.
    #[error("{0} belongs to the other side")]
    NotYours(Piece),
    /// The piece is off the board.
    #[error("{0} is not on the board")]
    NotOnBoard(Piece),
    /// The piece cannot move to that square.
    #[error("{0} cannot go to {1}")]
    CannotReach(Piece, Square),
    /// The two pieces cannot make that move together.
    #[error("{0} and {1} cannot go there together")]
    CannotGoTogether(Piece, Piece),
    /// The piece cannot be turned: it is not a front guard, or it is Teems without a mounted front guard.
    #[error("{0} cannot be turned")]
    CannotTurn(Piece),
    /// The piece is not in the mover's hand.
    #[error("{0} is not in hand")]
    NotInHand(Piece),
    /// There is no mounted piece to unmount.
    #[error("no piece is mounted")]
    NothingMounted,
}
