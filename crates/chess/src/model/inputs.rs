//! The input rows of the network that are active in a position: its pieces with their states, the last moves, and a few
//! facts about the position.

use shakmaty::{CastlingSide, Square};

use super::{
    history::History,
    squares::{ROLES, each},
    view::{STATES, View},
};
use crate::chess::Placement;

/// The number of combinations of a side's piece and a square.
const PIECES_TO: usize = 64 * ROLES;

// The groups of rows, each after the one before.
const LAST: usize = 2 * PIECES_TO * STATES;
const OWN_LAST: usize = LAST + 3 * PIECES_TO;
const LAST_BUT_ONE: usize = OWN_LAST + 2 * PIECES_TO;
const OWN_LAST_BUT_ONE: usize = LAST_BUT_ONE + 2 * PIECES_TO;
const CASTLING: usize = OWN_LAST_BUT_ONE + 2 * PIECES_TO;
const EN_PASSANT: usize = CASTLING + 16;
const PLY: usize = EN_PASSANT + 9;
pub(super) const TURN: usize = PLY + PLIES;
const IN_CHECK: usize = TURN + 2;
const NON_PAWN_MATERIAL: usize = IN_CHECK + 2;
const QUIET: usize = NON_PAWN_MATERIAL + 32;
/// The number of rows.
pub(super) const ROWS: usize = QUIET + 8;

/// The number of classes of plies.
const PLIES: usize = 40;

/// The class of a ply: one class per ply up to 20, one per 4 plies up to 60, then one per 16.
pub(super) fn class_of_ply(ply: usize) -> usize {
    match ply {
        0..20 => ply,
        20..60 => 20 + (ply - 20) / 4,
        _ => (30 + (ply - 60) / 16).min(PLIES - 1),
    }
}

/// The row of a piece (0 to 5 own, 6 to 11 the enemy's) on a square in a state.
#[inline(always)]
pub(super) fn piece_row(piece: usize, square: usize, state: usize) -> usize {
    (piece * 64 + square) * STATES + state
}

/// The same row as the opponent sees it.
#[inline(always)]
pub(super) fn opposite_row(row: usize) -> usize {
    let (piece_and_square, state) = (row / STATES, row % STATES);
    let (piece, square) = (piece_and_square / 64, piece_and_square % 64);
    piece_row(if piece < ROLES { piece + ROLES } else { piece - ROLES }, square ^ 56, state)
}

/// Calls a function with each piece's square and row, as the mover sees them.
#[inline(always)]
pub(super) fn piece_rows(view: &View, mut f: impl FnMut(usize, usize)) {
    for square in each(view.occupied) {
        f(square, piece_row(usize::from(view.piece[square]), square, view.state(square)));
    }
}

/// Calls a function with each row that is not a piece's; `en_passant` is the square of a legal en passant capture.
#[inline(always)]
pub(super) fn other_rows(
    view: &View,
    history: &History,
    placement: Placement<'_>,
    en_passant: Option<Square>,
    mut f: impl FnMut(usize),
) {
    for (back, group) in [(1, LAST), (2, OWN_LAST), (3, LAST_BUT_ONE), (4, OWN_LAST_BUT_ONE)] {
        if let Some(played) = history.last(back, view.flip) {
            f(group + played.piece_to());
            f(group + PIECES_TO + played.role * 64 + played.from);
            if back == 1 && played.captured > 0 {
                f(group + 2 * PIECES_TO + (played.captured - 1) * 64 + played.to);
            }
        }
    }
    let Placement { castles, turn, .. } = placement;
    let right = |color, side| usize::from(castles.has(color, side));
    let rights = right(turn, CastlingSide::KingSide)
        + 2 * right(turn, CastlingSide::QueenSide)
        + 4 * right(!turn, CastlingSide::KingSide)
        + 8 * right(!turn, CastlingSide::QueenSide);
    f(CASTLING + rights);
    f(EN_PASSANT + en_passant.map_or(8, |square| usize::from(square.file())));
    f(PLY + class_of_ply(history.ply()));
    f(TURN + usize::from(turn.is_white()));
    f(IN_CHECK + view.in_check);
    f(NON_PAWN_MATERIAL + (view.non_pawn_material / 3).min(31));
    f(QUIET + (history.quiet_plies / 4).min(7));
}
