//! Keys of 64 bits for positions and for the men of one side, kept up to date move by move.
//!
//! Two different positions share a key with a probability of 2^-64; a table of keys as large as memory allows
//! then holds a false one with a probability far below that of a broken machine. This is the one place where
//! the search trusts chance.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// A pseudo-random number for every index (splitmix64).
pub(super) const fn mix(index: u64) -> u64 {
    let z = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The key of a man in its place.
pub(super) fn man(color: Color, role: Role, square: Square) -> u64 {
    let side = color.fold_wb(0, 8);
    KEYS[side + usize::from(role)][usize::from(square)]
}

/// The key of a rook's right to castle.
pub(super) fn right(rook: Square) -> u64 {
    KEYS[0][usize::from(rook)]
}

/// The key of a square that a pawn has just passed.
pub(super) fn passed(square: Square) -> u64 {
    KEYS[7][usize::from(square)]
}

const KEYS: [[u64; 64]; 16] = {
    let mut keys = [[0; 64]; 16];
    let mut i = 0;
    while i < 16 * 64 {
        keys[i / 64][i % 64] = mix(i as u64);
        i += 1;
    }
    keys
};

/// The key of one side's men and castling rights.
pub(super) fn side(board: &Board, color: Color, rights: Bitboard) -> u64 {
    let men = board
        .by_color(color)
        .into_iter()
        .filter_map(|square| Some(man(color, board.role_at(square)?, square)));
    let rooks = (rights & color.backrank()).into_iter().map(right);
    men.chain(rooks).fold(0, |key, part| key ^ part)
}
