//! Plausible moves: simple weights by what a move captures, risks and improves. There is no search, so it is fast and
//! weak, but pieces are developed, exchanged and lost about as in real games.

use arrayvec::ArrayVec;

use super::random::Random;
use crate::chess::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square};

/// The centre squares: c3 to f6.
const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;

/// The ply after which pieces are no longer developed.
const OPENING: usize = 30;

/// The number of pieces at which the endgame begins.
const ENDGAME: usize = 14;

/// Chooses a legal move; `None` if there is none.
pub(super) fn choose(position: &Chess, ply: usize, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    let view = View::new(position, ply);
    let weights: ArrayVec<u32, 256> = moves.iter().take(256).map(|m| view.weight(m).max(1)).collect();
    let mut drawn = random.below(weights.iter().map(|&weight| u64::from(weight)).sum());
    for (m, &weight) in moves.iter().zip(&weights) {
        match drawn.checked_sub(u64::from(weight)) {
            Some(rest) => drawn = rest,
            None => return Some(*m),
        }
    }
    None
}

/// The value of a piece, in pawns.
pub(super) fn value(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 20,
    }
}

/// The value of a side's pieces, without the king.
pub(super) fn material(board: &Board, side: Color) -> u32 {
    let count = |role| (board.by_role(role) & board.by_color(side)).count() as u32 * value(role);
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(count).sum()
}

/// A position from the point of view of the side to move.
struct View {
    turn: Color,
    endgame: bool,
    /// All squares during development, then none.
    opening: Bitboard,
    /// The home squares during development.
    undeveloped: Bitboard,
    /// Squares attacked by enemy pawns, by any enemy pieces, and by our pieces.
    pawns: Bitboard,
    theirs: Bitboard,
    ours: Bitboard,
    /// Our pieces that are attacked and unprotected.
    hanging: Bitboard,
    /// Squares around the enemy king.
    attack: Bitboard,
}

impl View {
    fn new(position: &Chess, ply: usize) -> View {
        let (board, turn) = (position.board(), position.turn());
        let attacked = |pieces: Bitboard| {
            pieces.into_iter().fold(Bitboard::EMPTY, |squares, from| squares | board.attacks_from(from))
        };
        let (us, them) = (board.by_color(turn), board.by_color(!turn));
        let pawns = attacked(them & board.pawns());
        let theirs = pawns | attacked(them & !board.pawns());
        let ours = attacked(us);
        let opening = if ply < OPENING { Bitboard::FULL } else { Bitboard::EMPTY };
        View {
            turn,
            endgame: board.occupied().count() <= ENDGAME,
            opening,
            undeveloped: opening & Bitboard::from_rank(turn.fold_wb(Rank::First, Rank::Eighth)),
            pawns,
            theirs,
            ours,
            hanging: us & theirs & !ours,
            attack: board.king_of(!turn).map_or(Bitboard::EMPTY, |king| board.attacks_from(king)),
        }
    }

    /// The weight of a move, relative to others.
    fn weight(&self, m: &Move) -> u32 {
        let Move::Normal { role, from, capture, to, promotion } = *m else {
            return if m.is_castle() { 1_500 } else { 200 };
        };
        match promotion {
            Some(Role::Queen) => return 4_000,
            Some(_) => return 2,
            None => {}
        }
        let (taken, worth) = (capture.map_or(0, value), value(role));
        let mut weight = self.base(role, from, to);
        if !self.theirs.contains(to) {
            weight += 1_000 * taken;
        } else if taken >= worth {
            weight += 250 * taken;
        } else if role != Role::Pawn && (self.pawns.contains(to) || taken + 2 < worth) {
            weight >>= caution(role);
        } else if role != Role::Pawn || !self.ours.contains(to) {
            weight >>= 1;
        }
        if role != Role::Pawn && self.pawns.contains(from) {
            weight << 3
        } else if self.hanging.contains(from) {
            weight << 2
        } else {
            weight
        }
    }

    /// The weight of a move on an empty board.
    fn base(&self, role: Role, from: Square, to: Square) -> u32 {
        let near = |squares: Bitboard| u32::from(squares.contains(to));
        let weight = match role {
            Role::Pawn if self.endgame => 90 + 30 * self.advance(to),
            Role::Pawn => 90 << near(self.opening & Bitboard(CENTRE)),
            Role::Knight | Role::Bishop => 130 << (2 * u32::from(self.undeveloped.contains(from))),
            Role::Rook | Role::Queen => 100 >> u32::from(self.opening.any()),
            Role::King if self.endgame => 160,
            Role::King => 25,
        };
        weight + (weight >> 1) * (near(Bitboard(CENTRE)) + near(self.attack))
    }

    /// The number of ranks from the home rank.
    fn advance(&self, to: Square) -> u32 {
        to.rank().distance(self.turn.fold_wb(Rank::First, Rank::Eighth))
    }
}

/// By how many bits the weight is reduced if the piece could be captured.
fn caution(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 4,
        Role::Rook => 5,
        Role::Queen | Role::King => 6,
    }
}
