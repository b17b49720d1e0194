//! A position as needed by move generation: which pieces give check, which are pinned, and where the king and the
//! pawns of the side to move can go.

use std::hint::cold_path;

use fearless_simd::Simd;
use shakmaty::{Bitboard, Board, Castles, Color, File, Position, Role, Square, attacks};

use super::rays::{Lines, Rays, every_line, lines, union};

/// The data that determines the legal moves of standard chess, for any type of position. Generation takes this instead
/// of a type parameter, so that it is compiled and optimized once, in this crate, and not in each crate that calls it.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub(crate) board: &'a Board,
    pub(crate) turn: Color,
    pub(crate) castles: &'a Castles,
    /// The square that a pawn has just passed.
    pub(crate) passed: Option<Square>,
}

impl<'a> Placement<'a> {
    #[inline(always)]
    pub(crate) fn of(position: &'a impl Position) -> Placement<'a> {
        Placement {
            board: position.board(),
            turn: position.turn(),
            castles: position.castles(),
            passed: position.maybe_ep_square(),
        }
    }
}

/// Data that move generation uses repeatedly.
pub(super) struct PositionView<'a, S: Simd> {
    pub(super) simd: S,
    pub(super) board: &'a Board,
    pub(super) turn: Color,
    pub(super) us: Bitboard,
    pub(super) them: Bitboard,
    pub(super) king: Square,
    pub(super) empty: Lines<S>,
}

/// The enemy's threats to the side to move.
pub(super) struct Threats<S: Simd> {
    /// Enemy pieces that give check.
    pub(super) checkers: Bitboard,
    /// Pieces that are pinned to their king, by the line of the pin.
    pub(super) pinned: Lines<S>,
    /// Squares that the enemy attacks when the king of the side to move is removed.
    pub(super) guarded: Bitboard,
}

impl<'a, S: Simd> PositionView<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, Placement { board, turn, .. }: Placement<'a>) -> PositionView<'a, S> {
        PositionView {
            simd,
            board,
            turn,
            us: board.by_color(turn),
            them: board.by_color(!turn),
            // In standard chess both kings always exist; a1 would only make the sets wrong, but never panic.
            king: board.king_of(turn).unwrap_or(Square::A1),
            empty: every_line(simd, !board.occupied()),
        }
    }

    /// The sliders of a side, by the lines they move on.
    #[inline(always)]
    fn sliders(&self, side: Bitboard) -> Lines<S> {
        lines(self.simd, side & self.board.rooks_and_queens(), side & self.board.bishops_and_queens())
    }

    #[inline(always)]
    pub(super) fn threats(&self) -> Threats<S> {
        let (king, enemies) = (every_line(self.simd, Bitboard::from(self.king)), self.sliders(self.them));
        let around = Rays::of_sliders(self.simd, king, self.empty);
        let attacks = Rays::of_sliders(self.simd, enemies, self.empty | king);
        let knights = Rays::of_knights(self.simd, self.them & self.board.knights());
        // If both the king and an enemy slider see a piece from opposite ends of a line, it is the only one between
        // them.
        let between = (around.up & attacks.down) | (around.down & attacks.up);
        Threats {
            checkers: self.checking_steppers() | union((around.up | around.down) & enemies),
            pinned: between & every_line(self.simd, self.us),
            guarded: self.attacked_by_king_and_pawns() | attacks.or(knights).union(),
        }
    }

    /// Enemy pawns and knights that give check.
    #[inline(always)]
    fn checking_steppers(&self) -> Bitboard {
        let pawns = attacks::pawn_attacks(self.turn, self.king) & self.board.pawns();
        let knights = attacks::knight_attacks(self.king) & self.board.knights();
        (pawns | knights) & self.them
    }

    #[inline(always)]
    fn attacked_by_king_and_pawns(&self) -> Bitboard {
        let pawns = self.them & self.board.pawns();
        let attacked = match self.turn {
            Color::White => without(pawns, File::A).shift(-9) | without(pawns, File::H).shift(-7),
            Color::Black => without(pawns, File::A).shift(7) | without(pawns, File::H).shift(9),
        };
        let king = self.board.king_of(!self.turn).map_or(Bitboard::EMPTY, attacks::king_attacks);
        attacked | king
    }

    /// Whether an enemy slider attacks a square, given the occupied squares. For rare cases, because it reads large
    /// lookup tables that are usually not in the cache.
    #[cold]
    pub(super) fn slider_attacks(&self, square: Square, occupied: Bitboard) -> bool {
        let straight = attacks::rook_attacks(square, occupied) & self.board.rooks_and_queens();
        let diagonal = attacks::bishop_attacks(square, occupied) & self.board.bishops_and_queens();
        ((straight | diagonal) & self.them).any()
    }

    /// The squares that the king can move to without castling.
    #[inline(always)]
    pub(super) fn king_targets(&self, threats: &Threats<S>) -> Bitboard {
        attacks::king_attacks(self.king) & !self.us & !threats.guarded
    }

    /// The squares to which a piece other than the king must move in answer to a check: the checking piece's square,
    /// or one in between. No square answers a double check.
    #[inline(always)]
    pub(super) fn evasions(&self, threats: &Threats<S>) -> Bitboard {
        match threats.checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => {
                // A branch, so that counting can start before it is known whether there is a check; usually there is
                // none.
                cold_path();
                let single = attacks::between(self.king, checker).with(checker);
                if threats.checkers.more_than_one() { Bitboard::EMPTY } else { single }
            }
        }
    }

    /// Knights and sliders of the side to move that can move, the sliders by the lines on which they may move.
    #[inline(always)]
    pub(super) fn movable(&self, threats: &Threats<S>) -> (Bitboard, Lines<S>) {
        let (knights, sliders) = (self.us & self.board.knights(), self.sliders(self.us));
        let pinned = union(threats.pinned);
        if (pinned & !self.board.pawns()).is_empty() {
            return (knights, sliders);
        }
        // A branch, so that the other pieces need not wait for the pins.
        cold_path();
        (knights & !pinned, sliders & (every_line(self.simd, !pinned) | threats.pinned))
    }
}

/// A step up the board for White, down for Black.
pub(super) fn ahead(turn: Color, step: i32) -> i32 {
    turn.fold_wb(step, -step)
}

pub(super) fn without(set: Bitboard, file: File) -> Bitboard {
    set & !Bitboard::from_file(file)
}

/// The squares that the mover counts before the given one.
pub(super) fn before(turn: Color, square: Square) -> Bitboard {
    match turn {
        Color::White => Bitboard((1 << square.to_u32()) - 1),
        Color::Black => Bitboard(!1 << square.to_u32()),
    }
}

/// The number of squares in a set.
pub(super) fn size(set: Bitboard) -> u32 {
    set.0.count_ones()
}

/// The role of the piece on a square. It cannot be predicted, so the code avoids branches on it.
#[inline(always)]
pub(super) fn role_at(board: &Board, square: Square) -> Option<Role> {
    const NUMBERED: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        Some(Role::King),
        None,
    ];
    let roles = [
        board.pawns() | board.bishops() | board.queens(),
        board.knights() | board.bishops() | board.kings(),
        board.rooks() | board.queens() | board.kings(),
    ];
    let [ones, twos, fours] = roles.map(|pieces| usize::from(pieces.contains(square)));
    NUMBERED[ones + 2 * twos + 4 * fours]
}
