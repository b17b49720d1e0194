//! Simple proofs that no game can reach a target: material, kings, castling rights and en passant. A target that
//! passes these checks may still be unreachable, which only the search can show.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square};

/// Why no game can reach a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Impossible {
    /// A side has no king, or more than one.
    #[error("{} does not have exactly one king", name(*.0))]
    Kings(Color),
    /// A side has more than 16 pieces.
    #[error("{} has more than 16 pieces", name(*.0))]
    TooManyMen(Color),
    /// A side has more promoted pieces than missing pawns, or more than eight pawns.
    #[error("{} has more than eight pawns and promoted pieces in total", name(*.0))]
    TooManyPawns(Color),
    /// There is a pawn on the first or the eighth rank.
    #[error("there is a pawn on the first or the eighth rank")]
    PawnOnBackRank,
    /// Both kings are in check, or the king of the side that has just moved is.
    #[error("the side that has just moved left its king in check")]
    LeftInCheck,
    /// A king is in check from more than two pieces.
    #[error("the king is in check from more than two pieces")]
    TooManyCheckers,
    /// A castling right without king and rook on their initial squares.
    #[error("a castling right requires king and rook on their initial squares")]
    Castling,
    /// An en passant square without a preceding double step.
    #[error("the en passant square does not follow a double pawn step")]
    EnPassant,
}

/// The name of a side in a message.
fn name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

/// Checks the known parts of a target and returns its side to move; a check determines it if it is not given.
pub(super) fn check(
    board: &Board,
    turn: Option<Color>,
    rooks: Option<Bitboard>,
    passed: Option<Option<Square>>,
) -> Result<Option<Color>, Impossible> {
    Color::ALL.into_iter().try_for_each(|color| material(board, color))?;
    let turn = side_to_move(board, turn)?;
    castling(board, rooks.unwrap_or_default())?;
    en_passant(board, turn, passed.flatten())?;
    Ok(turn)
}

fn material(board: &Board, color: Color) -> Result<(), Impossible> {
    let men = board.by_color(color);
    let count = |role: Role| (men & board.by_role(role)).count();
    let above = |role: Role, start: usize| count(role).saturating_sub(start);
    // Two bishops on squares of one colour require a promotion even if there are no more than two.
    let bishops = |squares: Bitboard| (men & board.bishops() & squares).count().saturating_sub(1);
    let promoted = above(Role::Knight, 2)
        + above(Role::Rook, 2)
        + above(Role::Queen, 1)
        + bishops(Bitboard::DARK_SQUARES)
        + bishops(Bitboard::LIGHT_SQUARES);
    if count(Role::King) != 1 {
        Err(Impossible::Kings(color))
    } else if men.count() > 16 {
        Err(Impossible::TooManyMen(color))
    } else if count(Role::Pawn) + promoted > 8 {
        Err(Impossible::TooManyPawns(color))
    } else if board.pawns().intersects(Bitboard::BACKRANKS) {
        Err(Impossible::PawnOnBackRank)
    } else {
        Ok(())
    }
}

fn checkers(board: &Board, color: Color) -> usize {
    let king = board.king_of(color);
    king.map_or(0, |king| board.attacks_to(king, !color, board.occupied()).count())
}

fn side_to_move(board: &Board, mut turn: Option<Color>) -> Result<Option<Color>, Impossible> {
    let in_check = Color::ALL.into_iter().filter(|&color| checkers(board, color) > 0);
    for color in in_check {
        if turn.is_some_and(|turn| turn != color) {
            return Err(Impossible::LeftInCheck);
        }
        if checkers(board, color) > 2 {
            return Err(Impossible::TooManyCheckers);
        }
        turn = Some(color);
    }
    Ok(turn)
}

fn castling(board: &Board, rooks: Bitboard) -> Result<(), Impossible> {
    let holds = |square: Square, role: Role, color| board.piece_at(square) == Some(Piece { color, role });
    for rook in rooks {
        let color = Color::from_white(rook.rank() == Rank::First);
        let king = color.fold_wb(Square::E1, Square::E8);
        if !holds(rook, Role::Rook, color) || !holds(king, Role::King, color) {
            return Err(Impossible::Castling);
        }
    }
    Ok(())
}

fn en_passant(board: &Board, turn: Option<Color>, passed: Option<Square>) -> Result<(), Impossible> {
    let Some(square) = passed else { return Ok(()) };
    let mover = match square.rank() {
        Rank::Third => Color::White,
        Rank::Sixth => Color::Black,
        _ => return Err(Impossible::EnPassant),
    };
    let forward = mover.fold_wb(8, -8);
    let empty = |square: Option<Square>| square.is_some_and(|at| !board.occupied().contains(at));
    let pawn = square.offset(forward).is_some_and(|at| board.piece_at(at) == Some(mover.pawn()));
    if turn == Some(!mover) && pawn && empty(Some(square)) && empty(square.offset(-forward)) {
        Ok(())
    } else {
        Err(Impossible::EnPassant)
    }
}
