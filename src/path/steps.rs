//! What one man can do in one move on a board that holds only the men that never move.
//!
//! A pawn on its home rank in the target has stood there all the time: pawns do not come back. It is in the
//! way of everybody, cannot be captured, and its two squares are closed to the other king for ever. The same
//! holds for king and rook with a castling right, and for a bishop that such pawns shut in at home.
//! Every other man may come, go or be captured at some time, so it is no obstacle here: every real path of a
//! man is a path on this board, and the distances measured on it are lower bounds.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::target::Target;

/// The men of the target, of both sides, that have not moved and will not move.
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

/// A set of places of men of one colour: for each role, in the order of [`Role::ALL`], a set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places(pub(super) [Bitboard; 6]);

impl Places {
    pub(super) fn of(role: Role, squares: impl Into<Bitboard>) -> Places {
        let mut places = Places::default();
        places.0[row(role)] = squares.into();
        places
    }

    pub(super) fn join(&mut self, other: &Places) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// The squares that both sets hold for the same role.
    pub(super) fn common(&self, other: &Places) -> Bitboard {
        self.0.iter().zip(other.0).fold(Bitboard::EMPTY, |all, (&mine, theirs)| all | mine & theirs)
    }

    pub(super) fn squares(&self) -> Bitboard {
        self.0.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares)
    }

    pub(super) fn contains(&self, role: Role, square: Square) -> bool {
        self.0[row(role)].contains(square)
    }
}

/// The index of a role in [`Places`].
pub(super) fn row(role: Role) -> usize {
    usize::from(role) - 1
}

/// The single moves of the men of one colour.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pieces: [[Bitboard; 64]; 6],
    pushes: [Bitboard; 64],
    strikes: [Bitboard; 64],
    last_rank: Bitboard,
}

/// The roles a pawn promotes to.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Steps {
    pub(super) fn new(target: &Target, color: Color, fixed: Bitboard) -> Steps {
        let guards = target.board.pawns() & target.board.by_color(!color) & fixed;
        let closed_to_king =
            guards.into_iter().fold(fixed, |all, pawn| all | attacks::pawn_attacks(!color, pawn));
        let pieces = std::array::from_fn(|row| {
            let role = Role::ALL[row];
            let closed = if role == Role::King { closed_to_king } else { fixed };
            table(|square| match role {
                Role::Pawn => Bitboard::EMPTY,
                _ => attacks::attacks(square, role.of(color), fixed) & !closed,
            })
        });
        Steps {
            pieces,
            pushes: table(|square| pushes(square, color, fixed)),
            strikes: table(|square| attacks::pawn_attacks(color, square) & !fixed),
            last_rank: Bitboard::from_rank(color.relative_rank(Rank::Eighth)),
        }
    }

    /// Where pieces (not pawns) of these places can go.
    pub(super) fn pieces(&self, from: &Places) -> Places {
        Places(std::array::from_fn(|row| gather(&self.pieces[row], from.0[row])))
    }

    /// Where pawns of these places can go without capturing, promotions included.
    pub(super) fn pushes(&self, from: &Places) -> Places {
        self.arrive(gather(&self.pushes, from.0[row(Role::Pawn)]))
    }

    /// Where pawns of these places can capture, promotions included.
    pub(super) fn strikes(&self, from: &Places) -> Places {
        self.arrive(gather(&self.strikes, from.0[row(Role::Pawn)]))
    }

    fn arrive(&self, pawns: Bitboard) -> Places {
        let mut places = Places::of(Role::Pawn, pawns & !self.last_rank);
        for role in PROMOTIONS {
            places.0[row(role)] = pawns & self.last_rank;
        }
        places
    }
}

fn table(f: impl Fn(Square) -> Bitboard) -> [Bitboard; 64] {
    std::array::from_fn(|index| Square::ALL.get(index).map_or(Bitboard::EMPTY, |&square| f(square)))
}

fn gather(table: &[Bitboard; 64], from: Bitboard) -> Bitboard {
    from.into_iter().fold(Bitboard::EMPTY, |all, square| all | table[usize::from(square)])
}

fn pushes(square: Square, color: Color, fixed: Bitboard) -> Bitboard {
    let step = color.fold_wb(8, -8);
    let free = |to: &Square| !fixed.contains(*to);
    let Some(one) = square.offset(step).filter(free) else { return Bitboard::EMPTY };
    let home = square.rank() == color.relative_rank(Rank::Second);
    let two = one.offset(step).filter(|to| home && free(to));
    two.map_or(Bitboard::from(one), |two| Bitboard::from(one).with(two))
}
