//! One position as move generation looks at it: whose king is checked by whom, which men are pinned, where
//! the king and the pawns of the side to move can go.

use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Role, Square, attacks};

use super::{
    pawns::PawnSets,
    sliders::{bishop_attacks, crossing, rook_attacks},
};

/// What the generation of moves keeps at hand.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) turn: Color,
    pub(super) us: Bitboard,
    pub(super) them: Bitboard,
    pub(super) king: Square,
    /// Enemy bishops and queens.
    pub(super) diagonal: Bitboard,
    /// Enemy rooks and queens.
    pub(super) straight: Bitboard,
}

impl View<'_> {
    pub(super) fn new(position: &Chess) -> View<'_> {
        let (board, turn) = (position.board(), position.turn());
        let them = board.by_color(!turn);
        View {
            board,
            turn,
            us: board.by_color(turn),
            them,
            // Standard chess always has both kings; a1 would only make the sets wrong, never panic.
            king: board.king_of(turn).unwrap_or(Square::A1),
            diagonal: them & board.bishops_and_queens(),
            straight: them & board.rooks_and_queens(),
        }
    }

    /// Enemy sliders that would attack a square on an empty board.
    #[inline(always)]
    fn snipers(&self, square: Square) -> Bitboard {
        let lines = crossing(square);
        (lines.straight & self.straight) | (lines.diagonal & self.diagonal)
    }

    /// Whether an enemy slider attacks a square when the given squares are occupied.
    #[inline(always)]
    pub(super) fn attacked_by_slider(&self, square: Square, occupied: Bitboard) -> bool {
        let mut snipers = self.snipers(square).into_iter();
        snipers.any(|sniper| (attacks::between(square, sniper) & occupied).is_empty())
    }

    /// Enemy pieces that give check, and our pieces that are pinned to the king.
    #[inline(always)]
    pub(super) fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let mut checkers = (attacks::pawn_attacks(self.turn, self.king) & self.them & self.board.pawns())
            | (attacks::knight_attacks(self.king) & self.them & self.board.knights());
        let mut alone = Bitboard::EMPTY;
        for sniper in self.snipers(self.king) {
            let between = attacks::between(self.king, sniper) & self.board.occupied();
            if between.is_empty() {
                checkers.add(sniper);
            } else if !between.more_than_one() {
                alone |= between;
            }
        }
        (checkers, alone & self.us)
    }

    /// Squares that enemy pawns, knights and the enemy king attack.
    #[inline(always)]
    pub(super) fn attacked_by_steppers(&self) -> Bitboard {
        let pawns = self.them & self.board.pawns();
        let mut attacked = match self.turn {
            Color::White => without(pawns, File::A).shift(-9) | without(pawns, File::H).shift(-7),
            Color::Black => without(pawns, File::A).shift(7) | without(pawns, File::H).shift(9),
        };
        for knight in self.them & self.board.knights() {
            attacked |= attacks::knight_attacks(knight);
        }
        for king in self.them & self.board.kings() {
            attacked |= attacks::king_attacks(king);
        }
        attacked
    }

    /// Where the king can go; `guarded` are the squares that enemy steppers attack.
    #[inline(always)]
    pub(super) fn king_targets(&self, guarded: Bitboard) -> Bitboard {
        let mut targets = attacks::king_attacks(self.king) & !self.us & !guarded;
        let occupied = self.board.occupied().without(self.king);
        for to in targets {
            // A slider that is taken attacks nothing; one behind it still does.
            if self.attacked_by_slider(to, occupied) {
                targets.discard(to);
            }
        }
        targets
    }

    /// Where a man other than the king must go to answer a check: to the man that gives it, or in between. No
    /// square answers two.
    #[inline(always)]
    pub(super) fn evasions(&self, checkers: Bitboard) -> Bitboard {
        match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king, checker).with(checker),
        }
    }

    /// Hands the targets of every knight, bishop, rook and queen to `each`, also where there are none.
    #[inline(always)]
    pub(super) fn officers(
        &self,
        pinned: Bitboard,
        evasions: Bitboard,
        mut each: impl FnMut(Square, Role, Bitboard),
    ) {
        let (allowed, occupied, board) = (evasions & !self.us, self.board.occupied(), self.board);
        for from in self.us & board.knights() & !pinned {
            each(from, Role::Knight, attacks::knight_attacks(from) & allowed);
        }
        let line = |from| if pinned.contains(from) { attacks::ray(self.king, from) } else { Bitboard::FULL };
        for from in self.us & board.bishops() {
            each(from, Role::Bishop, bishop_attacks(from, occupied) & allowed & line(from));
        }
        for from in self.us & board.rooks() {
            each(from, Role::Rook, rook_attacks(from, occupied) & allowed & line(from));
        }
        for from in self.us & board.queens() {
            let targets = bishop_attacks(from, occupied) | rook_attacks(from, occupied);
            each(from, Role::Queen, targets & allowed & line(from));
        }
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

/// The move of a man from square to square, which must be one of its legal moves.
#[inline(always)]
pub(super) fn board_move(
    board: &Board,
    pawns: &PawnSets,
    role: Role,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Move {
    if role == Role::Pawn && pawns.en_passant == Some(to) && from.file() != to.file() {
        return Move::EnPassant { from, to };
    }
    let capture = if board.occupied().contains(to) { board.role_at(to) } else { None };
    Move::Normal { role, from, capture, to, promotion }
}
