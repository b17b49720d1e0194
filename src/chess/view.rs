//! One position as move generation looks at it: whose king is checked by whom, which men are pinned, where
//! the king and the pawns of the side to move can go.

use shakmaty::{Bitboard, Board, Castles, CastlingSide, Chess, Color, File, Position, Rank, Square, attacks};

use super::sliders::{crossing, diagonals};

/// From-squares of the pawns that have each kind of move, in the order of `sets.rs`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PawnSets {
    pub(super) sets: [Bitboard; 4],
    /// The target of a legal en passant capture (already counted among the captures).
    pub(super) en_passant: Option<Square>,
}

/// What the generation of moves keeps at hand.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) turn: Color,
    pub(super) us: Bitboard,
    them: Bitboard,
    pub(super) king: Square,
    /// Enemy bishops and queens.
    diagonal: Bitboard,
    /// Enemy rooks and queens.
    straight: Bitboard,
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
    fn snipers(&self, square: Square) -> Bitboard {
        let lines = crossing(square);
        (lines.straight & self.straight) | (lines.diagonal & self.diagonal)
    }

    /// Whether an enemy slider attacks a square when the given squares are occupied.
    fn attacked_by_slider(&self, square: Square, occupied: Bitboard) -> bool {
        let mut snipers = self.snipers(square).into_iter();
        snipers.any(|sniper| (attacks::between(square, sniper) & occupied).is_empty())
    }

    /// Enemy pieces that give check, and our pieces that are pinned to the king.
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

    /// Pawn moves. A pinned pawn moves only along its pin: on the king's file, or on one of its diagonals.
    pub(super) fn pawn_sets(&self, pinned: Bitboard, evasions: Bitboard) -> PawnSets {
        let pawns = self.us & self.board.pawns();
        let pinned = pinned & pawns;
        let [diagonal, anti_diagonal] = diagonals(self.king);
        let free = |line: Bitboard| pawns & (!pinned | line);
        let (west, straight, east) = if pinned.is_empty() {
            (pawns, pawns, pawns)
        } else {
            (free(anti_diagonal), free(Bitboard::from_file(self.king.file())), free(diagonal))
        };
        let empty = !self.board.occupied();
        let sets = match self.turn {
            Color::White => {
                let pushed = straight.shift(8) & empty;
                let doubled = (pushed & Bitboard::from_rank(Rank::Third)).shift(8) & empty;
                [
                    (without(west, File::A).shift(7) & self.them & evasions).shift(-7),
                    (pushed & evasions).shift(-8),
                    (without(east, File::H).shift(9) & self.them & evasions).shift(-9),
                    (doubled & evasions).shift(-16),
                ]
            }
            Color::Black => {
                let pushed = straight.shift(-8) & empty;
                let doubled = (pushed & Bitboard::from_rank(Rank::Sixth)).shift(-8) & empty;
                [
                    (without(west, File::H).shift(-7) & self.them & evasions).shift(7),
                    (pushed & evasions).shift(8),
                    (without(east, File::A).shift(-9) & self.them & evasions).shift(9),
                    (doubled & evasions).shift(16),
                ]
            }
        };
        PawnSets { sets, en_passant: None }
    }

    /// En passant removes two men from one rank, so its safety is tested on the board as it would be.
    pub(super) fn add_en_passant(&self, sets: &mut PawnSets, checkers: Bitboard, to: Square) {
        let Some(captured) = to.offset(-ahead(self.turn, 8)) else { return };
        let other_checkers = checkers.without(captured) & !(self.diagonal | self.straight);
        for from in attacks::pawn_attacks(!self.turn, to) & self.us & self.board.pawns() {
            let occupied = self.board.occupied().without(from).without(captured).with(to);
            if other_checkers.any() || self.attacked_by_slider(self.king, occupied) {
                continue;
            }
            sets.en_passant = Some(to);
            let east = (from.file() < to.file()) == self.turn.is_white();
            sets.sets[if east { 2 } else { 0 }].add(from);
        }
    }

    /// The rooks that the king may castle with: the way is free, and the king leaves, crosses and reaches no
    /// attacked square. `guarded` are the squares that enemy steppers attack.
    pub(super) fn castling(&self, castles: &Castles, guarded: Bitboard) -> [Option<Square>; 2] {
        let mut rooks = [None; 2];
        let occupied = self.board.occupied();
        for side in CastlingSide::ALL {
            let Some(rook) = castles.rook(self.turn, side) else { continue };
            let king_to = side.king_to(self.turn);
            let way = attacks::between(self.king, king_to).with(king_to);
            if (castles.path(self.turn, side) & occupied).any() || (way & guarded).any() {
                continue;
            }
            let castled = occupied
                ^ Bitboard::from(self.king)
                ^ Bitboard::from(rook)
                ^ Bitboard::from(side.rook_to(self.turn));
            let without_king = occupied.without(self.king);
            let safe = |square| !self.attacked_by_slider(square, without_king);
            if !self.attacked_by_slider(king_to, castled) && way.without(king_to).into_iter().all(safe) {
                rooks[side_index(side)] = Some(rook);
            }
        }
        rooks
    }
}

pub(super) fn side_index(side: CastlingSide) -> usize {
    usize::from(side.is_queen_side())
}

/// A step up the board for White, down for Black.
pub(super) fn ahead(turn: Color, step: i32) -> i32 {
    turn.fold_wb(step, -step)
}

fn without(set: Bitboard, file: File) -> Bitboard {
    set & !Bitboard::from_file(file)
}
