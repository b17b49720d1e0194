//! Standard chess and Chess960 positions for replaying stored games. The rules are those of shakmaty, whose [`Chess`]
//! branches on the kind of each move; this code avoids branches that a processor cannot predict.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingSide, Chess, Color, Move, MoveList, Outcome, Piece,
    Position, Rank, RemainingChecks, Role, Square, attacks,
};

use crate::rules::{LegalMoves, Rules};

/// A position of standard chess or Chess960, reached by legal moves.
#[derive(Clone, Debug)]
// shakmaty's `Chess` branches on the kind of each move. A processor cannot predict that branch, and a misprediction
// costs more than the few instructions that it skips, so ordinary moves are played here without it.
pub struct QuickChess {
    board: Board,
    turn: Color,
    castles: Castles,
    /// The rooks that may castle, and their kings: a move from or to any other square loses no right.
    // Most moves touch none of these squares, so one test of a set replaces the questions whether a king or rook moved
    // and whether a rook was captured.
    watched: Bitboard,
    /// The square that a pawn has just passed.
    passed: Option<Square>,
    halfmoves: u32,
    fullmoves: NonZeroU32,
}

impl Default for QuickChess {
    /// The start of standard chess.
    fn default() -> QuickChess {
        QuickChess::from(&Chess::new())
    }
}

/// Equality by the rules of repetition, as in shakmaty: the same pieces with the same moves.
// The legal en passant square is compared last: it is the only part that has to look for legal moves.
impl PartialEq for QuickChess {
    fn eq(&self, other: &QuickChess) -> bool {
        self.board == other.board
            && self.turn == other.turn
            && self.castles.castling_rights() == other.castles.castling_rights()
            && self.legal_ep_square() == other.legal_ep_square()
    }
}

impl Eq for QuickChess {}

impl From<&Chess> for QuickChess {
    fn from(position: &Chess) -> QuickChess {
        let (board, castles) = (position.board().clone(), position.castles().clone());
        QuickChess {
            watched: watched(&board, &castles),
            board,
            turn: Position::turn(position),
            castles,
            passed: position.maybe_ep_square(),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves(),
        }
    }
}

fn watched(board: &Board, castles: &Castles) -> Bitboard {
    let king =
        |color| if castles.has_color(color) { board.by_piece(Role::King.of(color)) } else { Bitboard::EMPTY };
    castles.castling_rights() | king(Color::White) | king(Color::Black)
}

impl QuickChess {
    #[inline(always)]
    fn play_normal(&mut self, role: Role, from: Square, to: Square, becomes: Role) {
        let color = self.turn;
        // One test that is nearly always false replaces four: whether a king or rook moved, and whether a rook was
        // captured.
        if !self.watched.is_disjoint(Bitboard::from(from) | Bitboard::from(to)) {
            self.lose_rights(from, to);
        }
        self.board.discard_piece_at(from);
        self.board.set_piece_at(to, Piece { color, role: becomes });
        let is_double_step = role == Role::Pawn && i32::from(from).abs_diff(i32::from(to)) == 16;
        let passed = Square::from_coords(to.file(), color.fold_wb(Rank::Third, Rank::Sixth));
        // Computed for every move and then discarded, instead of a branch: whether a pawn makes a double step is hard
        // to predict.
        self.passed = is_double_step.then_some(passed);
    }

    // Happens at most a few times per game; out of line, the common path stays short.
    #[cold]
    // Castling rights change at most a few times per game, so this is kept out of the path of ordinary moves.
    fn lose_rights(&mut self, from: Square, to: Square) {
        if self.board.kings().contains(from) {
            self.castles.discard_color(self.turn);
        }
        self.castles.discard_rook(from);
        self.castles.discard_rook(to);
        self.watched = watched(&self.board, &self.castles);
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let (color, side) = (self.turn, CastlingSide::from_queen_side(rook < king));
        self.board.discard_piece_at(king);
        self.board.discard_piece_at(rook);
        self.board.set_piece_at(side.rook_to(color), color.rook());
        self.board.set_piece_at(side.king_to(color), color.king());
        self.castles.discard_color(color);
        self.watched = watched(&self.board, &self.castles);
    }
}

impl Position for QuickChess {
    fn board(&self) -> &Board {
        &self.board
    }

    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        None
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn castles(&self) -> &Castles {
        &self.castles
    }

    fn maybe_ep_square(&self) -> Option<Square> {
        self.passed
    }

    fn remaining_checks(&self) -> Option<&ByColor<RemainingChecks>> {
        None
    }

    fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    fn fullmoves(&self) -> NonZeroU32 {
        self.fullmoves
    }

    fn legal_moves(&self) -> MoveList {
        let legal = self.legal();
        (0..legal.count()).filter_map(|index| legal.nth(index)).collect()
    }

    fn san_candidates(&self, role: Role, to: Square) -> MoveList {
        self.legal().moves_to(role, to)
    }

    fn en_passant_moves(&self) -> MoveList {
        self.legal().en_passant().collect()
    }

    // The lookup of attacks by occupied squares reads large tables, which are rarely in the cache; few sliders are in line.
    fn king_attackers(&self, square: Square, attacker: Color, occupied: Bitboard) -> Bitboard {
        let (board, them) = (&self.board, self.board.by_color(attacker));
        let steppers = attacks::knight_attacks(square) & board.knights()
            | attacks::pawn_attacks(!attacker, square) & board.pawns()
            | attacks::king_attacks(square) & board.kings();
        let in_line = attacks::rook_attacks(square, Bitboard::EMPTY) & board.rooks_and_queens()
            | attacks::bishop_attacks(square, Bitboard::EMPTY) & board.bishops_and_queens();
        let has_way = |from: &Square| attacks::between(square, *from).is_disjoint(occupied);
        steppers & them | (in_line & them).into_iter().filter(has_way).collect::<Bitboard>()
    }

    fn is_variant_end(&self) -> bool {
        false
    }

    fn has_insufficient_material(&self, color: Color) -> bool {
        let (us, them) = (self.board.by_color(color), self.board.by_color(!color));
        let (bishops, knights) = (self.board.bishops(), self.board.knights());
        if us.intersects(self.board.pawns() | self.board.rooks_and_queens()) {
            false
        } else if us.intersects(knights) {
            us.count() <= 2 && (them & !self.board.kings() & !self.board.queens()).is_empty()
        } else if us.intersects(bishops) {
            let alike =
                bishops.is_disjoint(Bitboard::DARK_SQUARES) || bishops.is_disjoint(Bitboard::LIGHT_SQUARES);
            alike && (knights | self.board.pawns()).is_empty()
        } else {
            true
        }
    }

    fn variant_outcome(&self) -> Outcome {
        Outcome::Unknown
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        self.halfmoves = if m.is_zeroing() { 0 } else { self.halfmoves.saturating_add(1) };
        self.fullmoves = self.fullmoves.saturating_add(u32::from(self.turn.is_black()));
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.play_normal(role, from, to, promotion.unwrap_or(role));
            }
            Move::Castle { king, rook } => {
                self.castle(king, rook);
                self.passed = None;
            }
            Move::EnPassant { from, to } => {
                self.board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
                self.board.discard_piece_at(from);
                self.board.set_piece_at(to, self.turn.pawn());
                self.passed = None;
            }
            // Drops occur only in other variants.
            Move::Put { .. } => {}
        }
        self.turn = !self.turn;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, EnPassantMode, fen::Fen};

    use super::{
        super::{Keyed, NullMove, RunningKey, SanSuffix},
        *,
    };

    /// Castling on both sides, also with the king in unusual places; promotions; en passant captures, including ones
    /// that would expose the king along a rank; endings with little material.
    const STARTS: [&str; 10] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppq1ppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQ1PPP/R3K2R w KQkq - 4 9",
        "1r3k1r/8/8/8/8/8/8/1R3K1R b HBhb - 99 60",
        "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1",
        "8/PPPP1PPP/4k3/8/8/4K3/pppp1ppp/8 w - - 0 1",
        "8/8/8/K1pP1k1r/8/8/8/8 w - c6 0 2",
        "8/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/K6k w - - 0 1",
        "4k1n1/8/8/8/8/8/8/1N2K3 w - - 0 1",
        "4kb2/8/8/8/8/8/8/2B1K3 b - - 0 1",
        "4kb2/8/8/8/8/8/1Q6/4KB2 b - - 7 4294967295",
    ];

    fn sorted(moves: MoveList) -> Vec<String> {
        let mut moves: Vec<String> = moves.iter().map(|m| format!("{m:?}")).collect();
        moves.sort_unstable();
        moves
    }

    fn setup(position: &impl Position) -> shakmaty::Setup {
        position.to_setup(EnPassantMode::Always)
    }

    /// Compares both implementations in a position that `m` led to.
    fn compare(quick: &QuickChess, chess: &Chess, to_play: Option<Move>) {
        assert_eq!(setup(quick), setup(chess));
        assert_eq!(quick, &QuickChess::from(chess));
        for (color, side) in
            Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
        {
            assert_eq!(quick.castles().rook(color, side), chess.castles().rook(color, side));
        }
        assert_eq!(sorted(quick.legal_moves()), sorted(chess.legal_moves()));
        assert_eq!(sorted(quick.en_passant_moves()), sorted(chess.en_passant_moves()));
        if let Some(m) = to_play {
            let candidates = |position: &dyn Position| sorted(position.san_candidates(m.role(), m.to()));
            assert_eq!(candidates(quick), candidates(chess));
        }
        for color in Color::ALL {
            assert_eq!(quick.has_insufficient_material(color), chess.has_insufficient_material(color));
            for square in Square::ALL {
                let attackers = |position: &dyn Position| {
                    let occupied = position.board().occupied().without(square);
                    position.king_attackers(square, color, occupied)
                };
                assert_eq!(attackers(quick), attackers(chess), "{square}");
            }
        }
        assert_eq!((quick.outcome(), quick.suffix()), (chess.outcome(), chess.suffix()));
        assert_eq!(quick.null_move().as_ref().map(setup), chess.null_move().as_ref().map(setup));
    }

    proptest! {
        #[test]
        fn quick_positions_equal_those_of_shakmaty(
            start in prop::sample::select(&STARTS),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..150),
        ) {
            let start: Fen = start.parse().unwrap();
            let mut chess: Chess = start.into_position(CastlingMode::Chess960).unwrap();
            let mut quick = QuickChess::from(&chess);
            let mut key = RunningKey::of(&quick);
            for choice in choices {
                let moves = chess.legal_moves();
                let m = (!moves.is_empty()).then(|| moves[choice.index(moves.len())]);
                compare(&quick, &chess, m);
                let Some(m) = m else { break };
                chess.play_unchecked(m);
                quick.make(m);
                key.advance(m, &quick);
                prop_assert_eq!((key.get(), quick.key()), (chess.key(), chess.key()));
            }
        }
    }

    #[test]
    fn positions_are_equal_by_the_rules_of_repetition() {
        let of = |fen: &str| {
            let fen: Fen = fen.parse().unwrap();
            fen.into_position::<Chess>(CastlingMode::Standard).unwrap()
        };
        let fens = [
            "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1",
            "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/4Pp2/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/4Pp2/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/8/4Pp2/8/8/R3K2R w KQkq - 7 9",
            // The en passant capture would expose the king.
            "8/8/8/8/k3Pp1Q/8/8/4K3 b - e3 0 1",
            "8/8/8/8/k3Pp1Q/8/8/4K3 b - - 0 1",
        ];
        for (one, other) in fens.iter().flat_map(|one| fens.map(|other| (of(one), of(other)))) {
            assert_eq!(QuickChess::from(&one) == QuickChess::from(&other), one == other);
        }
        assert_eq!(of(fens[2]), of(fens[4]));
        assert_eq!(of(fens[5]), of(fens[6]));
        assert_ne!(of(fens[0]), of(fens[1]));
    }
}
