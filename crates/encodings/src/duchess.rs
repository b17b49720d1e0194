//! `duchess`: every square in a prefix code, en passant hidden in the layout, then side to move and castling.
//!
//! ```text
//! | 64 squares, a1 to h8 | turn 1 | KQkq 4 |
//!   empty 0    pawn 1c0    N 1c100    B 1c101    R 1c110    Q 1c1110    K 1c1111    (c: 0 white, 1 black)
//! ```
//!
//! A pawn that can be captured en passant is swapped with the content of the square on its own first rank, so an en
//! passant square is stored only if an enemy pawn is in position to capture.
//!
//! Cost: 32·1 + 16·3 + 12·5 + 4·6 + 5 = 169 bits for the initial position; at most 36·1 + 12·5 + 16·6 + 5 = 197, when
//! all 12 pawns that four captures let through have become queens.
//!
//! Source: the scheme of Tom Truscott (of the chess program Duchess), as reported and corrected in the third source
//! text (Yoder in net.chess, 1982). It gives 199 for the worst case, calculated from a total of 171 for the initial
//! position; the correct total is 164 + 5 = 169, hence 197.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::duchess::DUCHESS;
//! let bits = DUCHESS.encode(&Setup::initial()).unwrap();
//! assert!(bits.to_string().ends_with("01111" /* White to move, all rights */));
//! assert_eq!(bits.len(), 169);
//! ```
//!
//! # Stability
//! Frozen.

use super::{PositionCodec, board, castling, invalid, tricks, yoder};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Color, Setup, Square},
    codec::DecodeError,
};

/// The codec `duchess`.
pub const DUCHESS: PositionCodec = PositionCodec {
    name: "duchess",
    year: 1982,
    source: "Tom Truscott, in net.chess",
    fields: yoder::FIELDS,
    start_bits: 169,
    worst_bits: Some(197),
    summary: "a prefix code with kings, en passant hidden in the layout, 5 bits of state",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    board::no_pawn_on_edge(&setup.board)?;
    let rights = castling::to_bits(setup).ok_or("these castling rights")?;
    let mut board = setup.board.clone();
    tricks::hide_en_passant(setup, &mut board);
    for square in Square::ALL {
        board::write_man(board.piece_at(square), true, bits);
    }
    bits.push_bit(setup.turn.is_black());
    bits.push(rights.into(), 4);
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let mut board = Board::empty();
    for square in Square::ALL {
        board::set(&mut board, square, board::read_man(reader, true)?);
    }
    let turn = Color::from_black(reader.bit()?);
    let rights = reader.take_u8(4)?;
    let ep_square = tricks::reveal_en_passant(&mut board)?;
    let rights = castling::from_bits(&board, rights);
    let castling_rights = rights.ok_or(invalid("castling right without its king or rook"))?;
    Ok(Setup { board, turn, castling_rights, ep_square, ..Setup::empty() })
}
