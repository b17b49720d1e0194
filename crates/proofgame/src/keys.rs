//! 64-bit keys for positions and for the pieces of one side, updated move by move.
//!
//! Two different states have the same key with a probability of 2^-64, so a search of a billion positions confuses two
//! of them with a probability of about one in a billion. Only here does the proof that no shorter game exists depend
//! on chance. (A game that is found is replayed on the board and is always correct.)

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// Maps every number to a pseudo-random number (splitmix64).
const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Rows 1 to 6 are White's pieces, 9 to 14 Black's, 0 castling rights, 7 passed squares.
const KEYS: [[u64; 64]; 16] = {
    let mut keys = [[0; 64]; 16];
    let mut i = 0;
    while i < 16 * 64 {
        keys[i / 64][i % 64] = mix(i as u64);
        i += 1;
    }
    keys
};

/// The key of a piece on a square.
pub(super) fn man(color: Color, role: Role, square: Square) -> u64 {
    KEYS[color.fold_wb(0, 8) + usize::from(role)][usize::from(square)]
}

/// The key of castling rights, given by their rooks.
pub(super) fn rights(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ KEYS[0][usize::from(rook)])
}

/// The key of a square that a pawn has just passed.
pub(super) fn passed(square: Square) -> u64 {
    KEYS[7][usize::from(square)]
}

/// The key of one side's pieces and castling rights.
pub(super) fn side(board: &Board, color: Color, rooks: Bitboard) -> u64 {
    let men = board.by_color(color).into_iter();
    let keys = men.filter_map(|square| Some(man(color, board.role_at(square)?, square)));
    keys.fold(rights(rooks & color.backrank()), |key, man| key ^ man)
}

/// The key of the number of moves a side has left, and of its captures among them.
pub(super) fn budget(moves: usize, captures: usize) -> u64 {
    mix((1 << 32) | ((moves as u64) << 8) | captures as u64)
}

/// The key of the number of plies left and of the side to move.
pub(super) fn left(plies: usize, turn: Color) -> u64 {
    mix((1 << 33) | ((plies as u64) << 1) | turn.fold_wb(0, 1))
}

/// The key of obstacles and of squares closed to the king.
pub(super) fn obstacles(blocked: Bitboard, closed: Bitboard) -> u64 {
    mix(mix(blocked.0).wrapping_add(closed.0))
}
