//! Moves and their canonical order.

use super::{Direction, Piece, Square};

/// One of the five kinds of move: a piece, what it does, and the piece that accompanies it.
///
/// # The canonical order
///
/// Moves are ordered by piece, then by motion, then by company, each in the order of its type. This is the order of
/// the numbers in [`move14`](crate::codec::move14), and a file format: stored games are indices into it, so it never
/// changes.
///
/// If both pieces of a pair could lead, the smaller of the two moves is canonical, and only it is among the legal
/// moves: see [`Position::canonical`](super::Position::canonical).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The piece that moves (the leader of a pair), is turned, is mounted or is unmounted.
    pub piece: Piece,
    /// What it does.
    pub motion: Motion,
    /// The direction from the leader to the piece that accompanies it.
    pub company: Option<Direction>,
}

/// What a piece does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    /// Moves to a square (`leim`, or `okke` in a pair).
    To(Square),
    /// Is turned (`kor`).
    Turn,
    /// Goes from the hand onto Teems (`ev`).
    Mount,
    /// Goes from Teems back into the hand (`sed`).
    Unmount,
}

impl Move {
    /// `leim`: a piece moves to a square.
    pub const fn step(piece: Piece, to: Square) -> Move {
        Move { piece, motion: Motion::To(to), company: None }
    }

    /// `okke`: a leader moves to a square and takes its neighbour along.
    pub const fn pair(leader: Piece, to: Square, follower: Direction) -> Move {
        Move { piece: leader, motion: Motion::To(to), company: Some(follower) }
    }

    /// `kor`: a piece is turned.
    pub const fn turn(piece: Piece) -> Move {
        Move { piece, motion: Motion::Turn, company: None }
    }

    /// `ev`: a captured piece is mounted on Teems.
    pub const fn mount(piece: Piece) -> Move {
        Move { piece, motion: Motion::Mount, company: None }
    }

    /// `sed`: the mounted piece is unmounted.
    pub const fn unmount(piece: Piece) -> Move {
        Move { piece, motion: Motion::Unmount, company: None }
    }

    /// The target squares of the piece and its company. Empty for moves other than to a square.
    pub fn arrivals(self) -> impl Iterator<Item = Square> {
        let to = match self.motion {
            Motion::To(square) => Some(square),
            Motion::Turn | Motion::Mount | Motion::Unmount => None,
        };
        let follower = to.zip(self.company).and_then(|(to, company)| to.offset(company.vector()));
        to.into_iter().chain(follower)
    }
}
