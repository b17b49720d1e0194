//! Layouts as they occur in games: piece counts, then weighted combinations of squares for each kind.
//!
//! ```text
//! | how many of each kind | white pawns | black pawns | K | k | Q | q | R | r | B | b | N | n |
//! ```
//!
//! A set of pieces of one kind is one digit, its number among all weighted combinations (`combine`). The weights of
//! the squares depend on what is already known:
//! * pawns: on the number of pieces (six phases); black ones also on the white pawns of their file;
//! * other pieces: on the number of pieces and of pawns on their home squares (eight stages from opening to endgame),
//!   and on the pawns around a square: attacked by an enemy pawn, otherwise protected by an own pawn, otherwise
//!   neither.
//!
//! Black's pieces share White's weights, seen from the other side. The weight is 0 on occupied squares and where the
//! black king would be next to the white one.

use super::{coder::Coder, combine::Weights, table};
use plybook_chess::chess::{Bitboard, Board, ByColor, ByRole, Color, Piece, Rank, Role, Square};

pub use super::{material::Counts, table::Question};

/// The kinds in the order in which they are placed.
pub const ORDER: [Role; 6] = [Role::Pawn, Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Processes a layout. `goal` is used only when writing.
pub(super) fn layout(coder: &mut Coder, goal: &Board) -> Option<Board> {
    let counts = super::material::counts(coder, &count(goal))?;
    let pieces = counts.iter().flat_map(ByRole::iter).sum();
    let mut board = Board::empty();
    for role in ORDER {
        for color in Color::ALL {
            let piece = role.of(color);
            let count = counts[color][role];
            if count > 0 {
                let weights = weights(&board, pieces, piece);
                let squares = coder.squares(&weights, count, goal.by_piece(piece))?;
                squares.into_iter().for_each(|square| board.set_piece_at(square, piece));
            }
        }
    }
    Some(board)
}

/// The pieces of a board.
pub fn count(board: &Board) -> Counts {
    let of = |piece: Piece| board.by_piece(piece).count();
    ByColor::new_with(|color| ByRole::new_with(|role| of(role.of(color))))
}

/// The weights of the squares for the pieces of a kind, on a board with the pieces placed so far.
fn weights(board: &Board, pieces: usize, piece: Piece) -> Weights {
    let mut weights = Weights { squares: [0; 64], pawns: piece.role == Role::Pawn };
    let (rows, groups) =
        ([0, 1, 2, 3].map(|n| table::row(question(board, pieces, piece, n))), Groups::new(board, piece));
    for (square, weight) in Square::ALL.into_iter().zip(&mut weights.squares) {
        if let Some(group) = groups.of(square) {
            let row = rows.get(group).copied().unwrap_or_default();
            *weight = row.get(own_view(piece.color, square)).copied().unwrap_or(1);
        }
    }
    weights
}

/// The row of the table for a kind of pieces and a group of squares.
pub fn question(board: &Board, pieces: usize, piece: Piece, group: usize) -> Question {
    match piece.role {
        Role::Pawn => (piece.char(), phase(pieces), group),
        _ => (piece.role.upper_char(), stage(board, pieces), group),
    }
}

/// The groups of squares for the pieces of a kind: which row contains a square's weight.
pub struct Groups {
    piece: Piece,
    /// Where a piece is not allowed.
    barred: Bitboard,
    white_pawns: Bitboard,
    attacked: Bitboard,
    guarded: Bitboard,
}

impl Groups {
    /// The groups on a board with the pieces placed so far.
    pub fn new(board: &Board, piece: Piece) -> Groups {
        let barred = match piece.role {
            Role::Pawn => Bitboard::BACKRANKS,
            Role::King => attacks_of(board, board.kings()),
            _ => Bitboard::EMPTY,
        };
        Groups {
            piece,
            barred: barred | board.occupied(),
            white_pawns: board.by_piece(Color::White.pawn()),
            attacked: attacks_of(board, board.by_piece((!piece.color).pawn())),
            guarded: attacks_of(board, board.by_piece(piece.color.pawn())),
        }
    }

    /// The group of a square; `None` if a piece is not allowed there.
    pub fn of(&self, square: Square) -> Option<usize> {
        match self.piece.role {
            _ if self.barred.contains(square) => None,
            Role::Pawn if self.piece.color.is_white() => Some(0),
            Role::Pawn => Some(self.file_ahead(square)),
            _ if self.attacked.contains(square) => Some(0),
            _ if self.guarded.contains(square) => Some(2),
            _ => Some(1),
        }
    }

    /// The white pawns on a black pawn's file: 0 none, 1 directly in front, 2 further ahead, 3 only behind.
    fn file_ahead(&self, square: Square) -> usize {
        let pawns = self.white_pawns & square.file();
        match pawns.into_iter().rfind(|&pawn| pawn < square) {
            _ if pawns.is_empty() => 0,
            Some(pawn) if pawn.rank().offset(1) == Some(square.rank()) => 1,
            Some(_) => 2,
            None => 3,
        }
    }
}

/// The squares that some pieces attack (pawns and kings, which cannot be blocked).
fn attacks_of(board: &Board, pieces: Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |attacks, square| attacks | board.attacks_from(square))
}

/// The index of a square as seen by a side.
pub fn own_view(color: Color, square: Square) -> usize {
    color.fold_wb(square, square.flip_vertical()).to_usize()
}

/// Six phases by the number of pieces.
fn phase(pieces: usize) -> usize {
    [8, 13, 20, 26, 30].iter().filter(|&&most| pieces > most).count()
}

/// Eight stages by the number of pieces and of unmoved pawns.
fn stage(board: &Board, pieces: usize) -> usize {
    let at_home = |color: Color| board.by_piece(color.pawn()) & color.relative_rank(Rank::Second);
    let measure = pieces + at_home(Color::White).count() + at_home(Color::Black).count();
    [9, 14, 20, 27, 34, 40, 44].iter().filter(|&&most| measure > most).count()
}
