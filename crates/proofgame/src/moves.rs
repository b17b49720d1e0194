//! How the pieces of one colour move on a board of obstacles, with entire sets of squares.
//!
//! An obstacle is a piece, of either side, that will neither move nor be captured any more. Every other piece may move
//! or be captured at some time, so it is not an obstacle: every real path of a piece is a path on this board, and the
//! distances on it are lower bounds.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::target::Target;

/// The pieces of the target, of both sides, that never move.
///
/// A pawn on its initial square in the target has never moved, because pawns never return. The same is true of a king
/// and rook with a castling right, and of a bishop on its initial square that is shut in by such pawns.
pub(super) fn fixed(target: &Target) -> Bitboard {
    let board = &target.board;
    let home = |color: Color| Bitboard::from_rank(color.relative_rank(Rank::Second)) & board.by_color(color);
    let pawns = board.pawns() & (home(Color::White) | home(Color::Black));
    let mut fixed = pawns;
    for rook in target.castling.unwrap_or_default() {
        fixed |= Bitboard::from(rook).with(if rook < Square::A2 { Square::E1 } else { Square::E8 });
    }
    for (square, color) in [(Square::C1, Color::White), (Square::F1, Color::White)]
        .into_iter()
        .chain([(Square::C8, Color::Black), (Square::F8, Color::Black)])
    {
        let shut = attacks::bishop_attacks(square, Bitboard::FULL).is_subset(pawns & board.by_color(color));
        if shut && board.piece_at(square) == Some(color.bishop()) {
            fixed.add(square);
        }
    }
    fixed
}

/// The squares that these pieces guard regardless of other pieces: those attacked by pawns, knights and the king. If
/// the pieces never move, the enemy king can never enter these squares.
pub(super) fn guarded(color: Color, pawns: Bitboard, knights: Bitboard, kings: Bitboard) -> Bitboard {
    strikes(color, pawns) | leaps(knights, &KNIGHT) | leaps(kings, &RAYS)
}

/// A direction: how far to rotate the board to the left, and the valid destination squares.
type Ray = (u32, Bitboard);

/// The direction that leads this many files to the east and ranks to the north.
const fn ray(east: i32, north: i32) -> Ray {
    let (mut squares, mut square) = (0, 0);
    while square < 64 {
        let (file, rank) = (square % 8 - east, square / 8 - north);
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            squares |= 1 << square;
        }
        square += 1;
    }
    ((east + 8 * north).rem_euclid(64) as u32, Bitboard(squares))
}

/// North, south, east, west, then the diagonals; each next to its opposite.
const RAYS: [Ray; 8] =
    [ray(0, 1), ray(0, -1), ray(1, 0), ray(-1, 0), ray(1, 1), ray(-1, -1), ray(-1, 1), ray(1, -1)];

const KNIGHT: [Ray; 8] =
    [ray(1, 2), ray(-1, -2), ray(-1, 2), ray(1, -2), ray(2, 1), ray(-2, -1), ray(-2, 1), ray(2, -1)];

fn leap(from: Bitboard, ray: &Ray) -> Bitboard {
    Bitboard(from.0.rotate_left(ray.0)) & ray.1
}

fn leaps(from: Bitboard, rays: &[Ray]) -> Bitboard {
    rays.iter().fold(Bitboard::EMPTY, |all, ray| all | leap(from, ray))
}

fn slide(from: Bitboard, ray: &Ray, free: Bitboard) -> Bitboard {
    let mut all = leap(from, ray) & free;
    for _ in 0..6 {
        all |= leap(all, ray) & free;
    }
    all
}

fn strikes(color: Color, pawns: Bitboard) -> Bitboard {
    leap(pawns, &RAYS[color.fold_wb(4, 5)]) | leap(pawns, &RAYS[color.fold_wb(6, 7)])
}

/// The directions of a sliding role.
fn rays(role: Role) -> &'static [Ray] {
    match role {
        Role::Bishop => &RAYS[4..],
        Role::Rook => &RAYS[..4],
        Role::Queen => &RAYS,
        _ => &[],
    }
}

/// A board of obstacles, from the point of view of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ground {
    pub(super) color: Color,
    /// The obstacles.
    pub(super) blocked: Bitboard,
    /// Additional squares closed to the king: those guarded by enemy obstacles.
    pub(super) closed: Bitboard,
}

impl Ground {
    /// The squares that a role may enter.
    pub(super) fn free(&self, role: Role) -> Bitboard {
        if role == Role::King { !(self.blocked | self.closed) } else { !self.blocked }
    }

    /// The squares that a piece (not a pawn) can reach in one move.
    pub(super) fn step(&self, role: Role, from: Bitboard) -> Bitboard {
        self.moves(role, from) & self.free(role)
    }

    /// The squares from which a piece (not a pawn) can have come in one move. A king in check is on a square it could
    /// not have entered: the squares closed to the king are closed only as destinations.
    pub(super) fn came(&self, role: Role, to: Bitboard) -> Bitboard {
        self.moves(role, to & self.free(role)) & !self.blocked
    }

    fn moves(&self, role: Role, from: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => Bitboard::EMPTY,
            Role::Knight => leaps(from, &KNIGHT),
            Role::King => leaps(from, &RAYS),
            _ => rays(role).iter().fold(Bitboard::EMPTY, |all, ray| all | slide(from, ray, !self.blocked)),
        }
    }

    /// The squares that pawns can reach without a capture.
    pub(super) fn pushes(&self, from: Bitboard) -> Bitboard {
        let one = self.forward(from) & !self.blocked;
        one | self.forward(one & self.rank(Rank::Third)) & !self.blocked
    }

    /// The squares from which pawns can have come without a capture.
    pub(super) fn pushed(&self, to: Bitboard) -> Bitboard {
        let one = self.backward(to & !self.blocked) & !self.blocked;
        let two = self.backward(one & self.rank(Rank::Third)) & !self.blocked;
        (one | two) & !self.rank(Rank::First)
    }

    /// The squares that pawns can reach by a capture.
    pub(super) fn strikes(&self, from: Bitboard) -> Bitboard {
        strikes(self.color, from) & !self.blocked
    }

    /// The squares from which pawns can have come by a capture.
    pub(super) fn struck(&self, to: Bitboard) -> Bitboard {
        strikes(!self.color, to & !self.blocked) & !self.blocked & !self.rank(Rank::First)
    }

    /// A rank as numbered by this colour.
    pub(super) fn rank(&self, rank: Rank) -> Bitboard {
        Bitboard::from_rank(self.color.relative_rank(rank))
    }

    fn forward(&self, from: Bitboard) -> Bitboard {
        leap(from, &RAYS[self.color.fold_wb(0, 1)])
    }

    fn backward(&self, to: Bitboard) -> Bitboard {
        leap(to, &RAYS[self.color.fold_wb(1, 0)])
    }

    /// The squares that a role passes between any two of these stops.
    pub(super) fn passed(&self, role: Role, stops: Bitboard) -> Bitboard {
        if role == Role::Pawn {
            return self.backward(stops & self.rank(Rank::Fourth));
        }
        let free = self.free(role);
        rays(role).chunks_exact(2).fold(Bitboard::EMPTY, |all, pair| {
            all | slide(stops, &pair[0], free) & slide(stops, &pair[1], free)
        })
    }
}
