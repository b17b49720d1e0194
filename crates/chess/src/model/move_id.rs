//! A number for each move that a piece can make on an otherwise empty board.

use super::squares::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROLES, ROOK, bit};

/// The number of moves.
pub(super) const MOVES: usize = TABLE.count;

/// The number of a move; `becomes` is the role of the piece after it.
#[inline(always)]
pub(super) fn move_id(role: usize, from: usize, to: usize, becomes: usize) -> usize {
    let earlier = (TABLE.targets[role][from & 63] & (bit(to) - 1)).count_ones() as usize;
    let first = usize::from(TABLE.first[role][from & 63]);
    // Promotions are numbered from the queen down.
    match (role == PAWN, from >> 3) {
        (true, 6) => first + 4 * earlier + QUEEN - becomes.min(QUEEN),
        _ => first + earlier,
    }
}

/// The targets of each piece from each square of an empty board, and the number of the first of these moves.
struct Table {
    targets: [[u64; 64]; ROLES],
    first: [[u16; 64]; ROLES],
    count: usize,
}

static TABLE: Table = table();

const fn table() -> Table {
    let (mut targets, mut first, mut count) = ([[0; 64]; ROLES], [[0; 64]; ROLES], 0);
    let mut index = 0;
    while index < ROLES * 64 {
        let (role, from) = (index / 64, index % 64);
        first[role][from] = count as u16;
        let mut to = 0;
        while to < 64 {
            if is_possible(role, from, to) {
                targets[role][from] |= 1 << to;
                count += if role == PAWN && to >= 56 { 4 } else { 1 };
            }
            to += 1;
        }
        index += 1;
    }
    Table { targets, first, count }
}

const fn is_possible(role: usize, from: usize, to: usize) -> bool {
    let (rank, file) = (from / 8, from % 8);
    let (up, across) = (to as i32 / 8 - rank as i32, (to % 8).abs_diff(file));
    let along = up.unsigned_abs() as usize;
    if from == to {
        return false;
    }
    match role {
        PAWN => rank > 0 && rank < 7 && (up == 1 && across <= 1 || rank == 1 && up == 2 && across == 0),
        KNIGHT => along == 1 && across == 2 || along == 2 && across == 1,
        BISHOP => along == across,
        ROOK => along == 0 || across == 0,
        QUEEN => along == across || along == 0 || across == 0,
        // Castling in Chess960 may start on any square of the first rank.
        KING => along <= 1 && across <= 1 || rank == 0 && along == 0 && (to == 2 || to == 6),
        _ => false,
    }
}
