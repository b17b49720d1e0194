//! Side to move, castling rights and en passant square, each with a cost that depends on the layout.
//!
//! ```text
//! | turn | kind of castling rights | rights | en passant |
//! ```
//!
//! *Castling.* There are three kinds, and the first that can represent the rights is used. Usual: for each king on e1
//! or e8 and each of its rooks in the corner, yes or no. Chess960: for each king on its first rank and each side, no
//! right or that of one of the rooks there. Unusual: any set of squares on ranks 1 and 8.
//!
//! *En passant.* None, or one of the files where a pawn could just have made a double step: it is on its fourth rank,
//! with two empty squares behind it, and it is the other side's turn. Or unusual: any square.

use super::{Prices, board, coder::Coder, table};
use plybook_chess::chess::{Bitboard, Board, Color, File, Setup, Square};

/// Processes the state. `goal` is used only when writing; `board` is already known.
pub(super) fn state(coder: &mut Coder, prices: &Prices, board: Board, goal: &Setup) -> Option<Setup> {
    let turn = Color::from_black(coder.even(2, usize::from(goal.turn.is_black()))? == 1);
    let castling_rights = castling(coder, prices, &board, goal.castling_rights)?;
    let ep_square = en_passant(coder, prices, &board, turn, goal.ep_square)?;
    Some(Setup { board, turn, castling_rights, ep_square, ..Setup::empty() })
}

fn castling(coder: &mut Coder, prices: &Prices, board: &Board, goal: Bitboard) -> Option<Bitboard> {
    let (corners, sides) = (home_corners(board), board::rooks_beside_kings(board));
    let chess960 = || {
        let all: Bitboard = sides.into_iter().fold(Bitboard::EMPTY, |all, rooks| all | rooks);
        (goal & !all).is_empty() && sides.iter().all(|&rooks| !(goal & rooks).more_than_one())
    };
    let kind = match () {
        () if (goal & !corners).is_empty() => 0,
        () if chess960() => 1,
        () => 2,
    };
    match coder.of(&prices.castling_kinds, kind)? {
        0 => subset(corners, goal, |is_in| coder.of(&prices.right, is_in)),
        1 => sides.into_iter().try_fold(Bitboard::EMPTY, |rights, rooks| {
            Some(rights | one_or_none(coder, rooks, goal & rooks)?)
        }),
        _ => subset(Bitboard::BACKRANKS, goal, |is_in| coder.even(2, is_in)),
    }
}

fn one_or_none(coder: &mut Coder, rooks: Bitboard, goal: Bitboard) -> Option<Bitboard> {
    let place = rooks.into_iter().position(|rook| goal.contains(rook));
    let choice = coder.even(rooks.count() + 1, place.map_or(0, |place| place + 1))?;
    let rook = choice.checked_sub(1).and_then(|place| rooks.into_iter().nth(place));
    Some(rook.map_or(Bitboard::EMPTY, Bitboard::from))
}

/// Some of the squares; `is_in` processes whether a square is one of them, as 0 or 1.
fn subset(
    squares: Bitboard,
    goal: Bitboard,
    mut is_in: impl FnMut(usize) -> Option<usize>,
) -> Option<Bitboard> {
    let add = |rights: Bitboard, square| match is_in(usize::from(goal.contains(square)))? {
        1 => Some(rights.with(square)),
        _ => Some(rights),
    };
    squares.into_iter().try_fold(Bitboard::EMPTY, add)
}

/// The rooks in the corners for kings on e1 and e8.
fn home_corners(board: &Board) -> Bitboard {
    let side = |color: Color| {
        let king = Square::from_coords(File::E, color.backrank());
        let at_home = board.king_of(color) == Some(king);
        let corners = Bitboard::CORNERS & color.backrank() & board.by_piece(color.rook());
        if at_home { corners } else { Bitboard::EMPTY }
    };
    side(Color::White) | side(Color::Black)
}

fn en_passant(
    coder: &mut Coder,
    prices: &Prices,
    board: &Board,
    turn: Color,
    goal: Option<Square>,
) -> Option<Option<Square>> {
    let passed = passed_squares(board, !turn);
    let count = u32::try_from(passed.count()).ok()?;
    let none = (prices.no_en_passant)(board, count);
    let weights: Vec<u32> =
        [none].into_iter().chain(passed.into_iter().map(|_| prices.en_passant)).chain([1]).collect();
    let odd = passed.count() + 1;
    let value =
        goal.map_or(0, |goal| passed.into_iter().position(|square| square == goal).map_or(odd, |n| n + 1));
    match coder.of(&weights, value)? {
        0 => Some(None),
        value if value == odd => {
            let square = coder.even(64, goal.map_or(0, Square::to_usize))?;
            Some(Some(Square::try_from(u32::try_from(square).ok()?).ok()?))
        }
        value => Some(passed.into_iter().nth(value - 1)),
    }
}

/// The squares that a side's pawns could have passed in a double step just made.
fn passed_squares(board: &Board, color: Color) -> Bitboard {
    let could = |passed: &Square| {
        let (from, to) = board::double_step(color, passed.file());
        let empty = board.occupied().is_disjoint(Bitboard::from(*passed).with(from));
        empty && board.piece_at(to) == Some(color.pawn())
    };
    File::ALL.into_iter().map(|file| board::passed(color, file)).filter(could).collect()
}

/// The weight of no en passant square in games, by the stage of the game.
pub(super) fn seldom(board: &Board, _count: u32) -> u32 {
    let stage = super::played::question(board, board.occupied().count(), Color::White.king(), 0).1;
    table::row(('E', stage, 0)).first().copied().unwrap_or(1) * 16
}
