//! The targets of a scan: positions, and the positions after each of their moves.

use crate::{
    chess::{Bitboard, Board, Color, Keyed, Move, Position, Rank, VariantMoves, VariantPosition, whole_key},
    position_index::MoveCode,
    rules::{LegalMoves, Rules},
};

/// A position and its successors.
pub(in crate::query) struct Successors {
    here: ComparedPosition,
    legal: VariantMoves,
    /// The positions after the legal moves, sorted by their keys, with the indices of the moves.
    successors: Vec<(ComparedPosition, u16)>,
    /// In chess: the fewest pieces in any of the positions. In other variants pieces can come back.
    men: Option<usize>,
}

/// A position in the form in which positions are compared.
struct ComparedPosition {
    key: u64,
    board: Board,
    /// The rooks with castling rights: in Chess960 the key does not distinguish two rooks on the same side of the king.
    castling: Bitboard,
}

impl ComparedPosition {
    fn new(position: &VariantPosition) -> ComparedPosition {
        let castling = position.castles().castling_rights();
        ComparedPosition { key: position.key(), board: position.board().clone(), castling }
    }

    fn keys(&self) -> (&Board, u64) {
        (&self.board, whole_key(self.key, self.castling))
    }

    /// The key includes the side to move and the en passant square; equal keys alone do not prove equal pieces.
    fn is<P: Position>(&self, position: &P, key: u64) -> bool {
        self.key == key
            && self.board == *position.board()
            && self.castling == position.castles().castling_rights()
    }
}

impl Successors {
    pub(super) fn new(position: &VariantPosition) -> Successors {
        let (here, legal) = (ComparedPosition::new(position), position.legal());
        let after = |index: u16| {
            let mut next = position.clone();
            next.make(legal.nth(u32::from(index))?);
            Some((ComparedPosition::new(&next), index))
        };
        let mut successors: Vec<_> = (0..).map_while(after).collect();
        // A binary search over some 30 keys (the mean number of legal moves is 30.9), in which equal keys lie next to
        // each other.
        successors.sort_unstable_by_key(|(place, _)| place.key);
        let mut targets = Successors { here, legal, successors, men: None };
        // With drops (Crazyhouse) a later position can have more pieces than an earlier one, so fewer pieces prove
        // nothing there.
        if matches!(position, VariantPosition::Chess(_)) {
            targets.men = targets.boards().map(|board| board.occupied().count()).min();
        }
        targets
    }

    /// The boards of the position and of its successors.
    pub(super) fn boards(&self) -> impl Iterator<Item = &Board> {
        self.successors.iter().map(|(place, _)| &place.board).chain([&self.here.board])
    }

    /// Its pieces, and its key in the index.
    pub fn here(&self) -> (&Board, u64) {
        self.here.keys()
    }

    /// The pieces and the key of the position after the legal move with an index.
    pub fn after(&self, index: u16) -> Option<(&Board, u64)> {
        self.successors.iter().find(|(_, of)| *of == index).map(|(place, _)| place.keys())
    }

    /// The index of the legal move that has a code.
    pub fn index_of_code(&self, code: MoveCode) -> Option<u16> {
        (0..u16::MAX)
            .map_while(|index| self.legal.nth(index.into()))
            .position(|m| MoveCode::of(m) == code)
            .map(|at| at as u16)
    }

    /// The number of legal moves.
    pub fn moves(&self) -> usize {
        self.successors.len()
    }

    /// Whether a position of a game, with its key, is the target.
    #[inline]
    pub(super) fn is_at<P: Position>(&self, position: &P, key: u64) -> bool {
        key == self.here.key && self.here.is(position, key)
    }

    /// The index of a move played in it.
    pub(super) fn index_of(&self, m: Move) -> Option<u16> {
        u16::try_from(self.legal.index_of(m)?).ok()
    }

    /// The moves from the target that lead to a position of a game, given its key.
    #[inline]
    pub(super) fn leading_to<P: Position>(&self, position: &P, key: u64) -> impl Iterator<Item = u16> {
        let first = self.successors.partition_point(|(place, _)| place.key < key);
        let equal = self.successors[first..].iter().take_while(move |(place, _)| place.key == key);
        equal.filter(move |(place, _)| place.is(position, key)).map(|(_, index)| *index)
    }

    /// Whether neither a position nor any later one can be a target.
    #[inline]
    pub(super) fn is_behind<P: Position>(&self, position: &P) -> bool {
        self.men.is_some_and(|men| {
            let board = position.board();
            // This ends most replays of an opening position early: once too few pieces, or too few pawns on their home
            // squares, are left, nothing later can match.
            board.occupied().count() < men
                // A move removes at most one pawn of each side from its home square, and pawns never come back.
                || Color::ALL.into_iter().any(|side| (home(&self.here.board, side) & !home(board, side)).count() > 1)
        })
    }
}

/// The pawns of a side that have not moved.
#[inline]
fn home(board: &Board, side: Color) -> Bitboard {
    board.pawns() & board.by_color(side) & Bitboard::from_rank(side.fold_wb(Rank::Second, Rank::Seventh))
}
