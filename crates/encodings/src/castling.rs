//! Castling rights as four bits K, Q, k, q.
//!
//! As in X-FEN, K is the right to castle with the outermost rook on the king's right, which covers Chess960 except for
//! rights with an inner rook.

use super::board;
use plybook_chess::chess::{Bitboard, Board, Setup, Square};

/// The four bits, K the most significant; `None` if they cannot represent the rights.
pub(super) fn to_bits(setup: &Setup) -> Option<u8> {
    let rooks = outer_rooks(&setup.board);
    let has = |rook: Option<Square>| rook.is_some_and(|rook| setup.castling_rights.contains(rook));
    let bits = rooks.iter().fold(0, |bits, &rook| bits << 1 | u8::from(has(rook)));
    (from_bits(&setup.board, bits) == Some(setup.castling_rights)).then_some(bits)
}

/// The rights for four bits; `None` if a rook or king is missing.
pub(super) fn from_bits(board: &Board, bits: u8) -> Option<Bitboard> {
    let mut rights = Bitboard::EMPTY;
    for (place, rook) in outer_rooks(board).into_iter().enumerate() {
        if bits >> (3 - place) & 1 == 1 {
            rights.add(rook?);
        }
    }
    Some(rights)
}

/// The rooks for K, Q, k and q.
fn outer_rooks(board: &Board) -> [Option<Square>; 4] {
    let [left, right, black_left, black_right] = board::rooks_beside_kings(board);
    [right.last(), left.first(), black_right.last(), black_left.first()]
}
