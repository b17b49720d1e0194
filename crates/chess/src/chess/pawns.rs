//! The moves of all pawns of one side as sets of squares.
//!
//! Each set is stored shifted back to the pawns' origin squares, so the moves of the pawns before a square take only a
//! few population counts. From one square the targets are, in order, west capture, push, east capture, double push
//! (west and east as seen by the mover).

use fearless_simd::Simd;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks::pawn_attacks};

use super::{
    position_view::{PositionView, Threats, ahead, size, without},
    rays::union,
};

/// The promotion roles in canonical order.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Pawn steps in the mover's direction, in the order of the sets.
const STEPS: [i32; 4] = [7, 8, 9, 16];

/// The origin squares of the pawns that have each kind of move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnSets {
    turn: Color,
    /// West capture, push, east capture, double push.
    // Stored at the origin squares because the order sorts by origin first: "the moves of all pawns before this
    // square" is then a mask and a count. Sets of targets would have to be shifted back for every question.
    sets: [Bitboard; 4],
    /// The target of a legal en passant capture (already counted among the captures).
    pub(super) en_passant: Option<Square>,
}

impl PawnSets {
    /// No pawn can move.
    pub(super) fn none(turn: Color) -> PawnSets {
        PawnSets { turn, sets: [Bitboard::EMPTY; 4], en_passant: None }
    }

    /// The squares of pawns that can move.
    pub(super) fn movers(&self) -> Bitboard {
        let [west, push, east, double] = self.sets;
        west | push | east | double
    }

    /// The number of moves of the pawns on the given squares.
    #[inline(always)]
    pub(super) fn moves(&self, from: Bitboard) -> u32 {
        let [west, push, east, double] = self.sets.map(|set| set & from);
        let moves = size(west) + size(push) + size(east) + size(double);
        // Usually no pawn promotes.
        let promoting = self.promoting();
        if promoting.is_empty() {
            return moves;
        }
        moves + 3 * (size(west & promoting) + size(push & promoting) + size(east & promoting))
    }

    /// The number of moves of the pawn on a square.
    #[inline(always)]
    pub(super) fn moves_from(&self, from: Square) -> u32 {
        let steps = self.steps_of(from).iter().sum();
        if self.before_last_rank().contains(from) { 4 * steps } else { steps }
    }

    /// The squares of pawns that can promote.
    fn promoting(&self) -> Bitboard {
        self.movers() & self.before_last_rank()
    }

    /// The rank from which pawns promote.
    fn before_last_rank(&self) -> Bitboard {
        Bitboard::from_rank(self.turn.fold_wb(Rank::Seventh, Rank::Second))
    }

    /// The squares of pawns that can move to a square.
    #[inline(always)]
    pub(super) fn coming_to(&self, to: Square) -> Bitboard {
        let back = |set: Bitboard, step| Bitboard::from(to).shift(-ahead(self.turn, step)) & set;
        let [west, push, east, double] = self.sets;
        back(west, 7) | back(push, 8) | back(east, 9) | back(double, 16)
    }

    /// Whether the pawn on a square has each kind of step, as 0 or 1.
    #[inline(always)]
    fn steps_of(&self, from: Square) -> [u32; 4] {
        self.sets.map(|set| u32::from(set.contains(from)))
    }

    /// The index of a move among those of its pawn; `None` if it is not legal.
    #[inline(always)]
    pub(super) fn place_of_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        let [west, push, east, double] = self.steps_of(from);
        let (step, place) = match ahead(self.turn, i32::from(to) - i32::from(from)) {
            7 => (west, 0),
            8 => (push, west),
            9 => (east, west + push),
            16 => (double, west + push + east),
            _ => (0, 0),
        };
        match (self.before_last_rank().contains(from), promotion) {
            _ if step == 0 => None,
            (false, None) => Some(place),
            (true, Some(role)) => {
                let choice = PROMOTIONS.iter().position(|&other| other == role)?;
                Some(4 * place + u32::try_from(choice).ok()?)
            }
            _ => None,
        }
    }

    /// The n-th move of the pawn on a square: its target and its promotion.
    #[inline(always)]
    pub(super) fn nth_move(&self, from: Square, index: u32) -> Option<(Square, Option<Role>)> {
        let promotes = self.before_last_rank().contains(from);
        let (place, promotion) = if promotes {
            (index / 4, Some(*PROMOTIONS.get(usize::try_from(index % 4).ok()?)?))
        } else {
            (index, None)
        };
        // The step cannot be predicted, so the code avoids branches on it.
        let [west, push, east, _] = self.steps_of(from);
        let is_after = |steps: u32| usize::from(steps <= place);
        let step = STEPS.get(is_after(west) + is_after(west + push) + is_after(west + push + east))?;
        Some((from.offset(ahead(self.turn, *step))?, promotion))
    }
}

impl<S: Simd> PositionView<'_, S> {
    /// Pawn moves. A pinned pawn moves only along its pin: on the king's file, or on one of the king's diagonals.
    #[inline(always)]
    pub(super) fn pawns(
        &self,
        threats: &Threats<S>,
        evasions: Bitboard,
        en_passant: Option<Square>,
    ) -> PawnSets {
        let mut pawns = self.plain_pawns(threats, evasions);
        if let Some(to) = en_passant
            && !threats.checkers.more_than_one()
        {
            self.add_en_passant(&mut pawns, threats.checkers, to);
        }
        pawns
    }

    #[inline(always)]
    fn plain_pawns(&self, threats: &Threats<S>, evasions: Bitboard) -> PawnSets {
        let pawns = self.us & self.board.pawns();
        let free = pawns & !union(threats.pinned);
        let [_, file, diagonal, anti_diagonal] = threats.pinned.into();
        let [straight, east, west] =
            [file, diagonal, anti_diagonal].map(|line| free | pawns & Bitboard(line));
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
        PawnSets { sets, ..PawnSets::none(self.turn) }
    }

    /// En passant removes two pieces from one rank, so its legality is tested on the resulting board.
    fn add_en_passant(&self, sets: &mut PawnSets, checkers: Bitboard, to: Square) {
        let Some(captured) = to.offset(-ahead(self.turn, 8)) else { return };
        let other_checkers = checkers.without(captured) & (self.board.pawns() | self.board.knights());
        for from in pawn_attacks(!self.turn, to) & self.us & self.board.pawns() {
            let occupied = self.board.occupied().without(from).without(captured).with(to);
            if other_checkers.any() || self.slider_attacks(self.king, occupied) {
                continue;
            }
            sets.en_passant = Some(to);
            let east = (from.file() < to.file()) == self.turn.is_white();
            sets.sets[if east { 2 } else { 0 }].add(from);
        }
    }
}
