//! `yoder`: the kings' squares, and every other square in a prefix code; castling and en passant are hidden in the
//! layout.
//!
//! ```text
//! | turn 1 | white king 6 | black king 6 | the other 62 squares, a1 to h8 |
//!   empty 0    pawn 1c0    N 1c100    B 1c101    R 1c110    Q 1c111        (c: 0 white, 1 black)
//! ```
//!
//! A rook that can castle is written as an enemy pawn, and a pawn that can be captured en passant is swapped with the
//! content of the square on its own first rank (the kings' squares are those after the swap). An en passant square is
//! therefore stored only if an enemy pawn is in position to capture.
//!
//! Cost: 13 + 32·1 + 20·3 + 10·5 = 155 bits for the initial position; at most 13 + 36·1 + 26·5 = 179, after 12
//! promotions.
//!
//! Source: the third source text (Yoder in net.chess, 7 March 1982). It gives 163 for the initial position, with its
//! four rooks in five bits; by its own castling trick they are pawns in three bits: 155.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::yoder::YODER;
//! let bits = YODER.encode(&Setup::initial()).unwrap();
//! assert!(bits.to_string().starts_with("0000100111100" /* White, e1, e8 */));
//! assert_eq!(bits.len(), 155);
//! ```
//!
//! # Stability
//! Frozen.

use super::{EnPassant, Fields, PositionCodec, board, pieces, tricks};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Color, Setup, Square},
    codec::DecodeError,
};

/// The fields of `yoder` and `duchess`.
pub(super) const FIELDS: Fields = Fields { en_passant: EnPassant::PseudoLegal, ..Fields::LTCE };

/// The codec `yoder`.
pub const YODER: PositionCodec = PositionCodec {
    name: "yoder",
    year: 1982,
    source: "Yoder, net.chess",
    fields: FIELDS,
    start_bits: 155,
    worst_bits: Some(179),
    summary: "kings' squares and a prefix code; castling and en passant hidden in the layout",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    board::no_pawn_on_edge(&setup.board)?;
    let mut board = tricks::hide_castling(setup)?;
    tricks::hide_en_passant(setup, &mut board);
    let (white, black) = board::kings(&board)?;
    bits.push_bit(setup.turn.is_black());
    bits.push(white.to_u32().into(), 6);
    bits.push(black.to_u32().into(), 6);
    for square in Square::ALL.into_iter().filter(|&square| square != white && square != black) {
        board::write_man(board.piece_at(square), false, bits);
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let mut board = Board::empty();
    let turn = Color::from_black(reader.bit()?);
    for color in Color::ALL {
        pieces::read_king(reader, color, &mut board)?;
    }
    for square in !board.occupied() {
        board::set(&mut board, square, board::read_man(reader, false)?);
    }
    let ep_square = tricks::reveal_en_passant(&mut board)?;
    let castling_rights = tricks::reveal_castling(&mut board);
    Ok(Setup { board, turn, castling_rights, ep_square, ..Setup::empty() })
}
