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
//! use plybook_encodings::{PositionCodec, duchess::Duchess};
//! let bits = Duchess.encode(&Setup::initial()).unwrap();
//! assert!(bits.to_string().ends_with("01111" /* White to move, all rights */));
//! assert_eq!(bits.len(), 169);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    PositionCodec, PositionCodecInfo, board, cannot_hold, castling, invalid, only_form, tricks, yoder,
};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Color, Piece, Role, Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// The codec `duchess`.
pub struct Duchess;

impl PositionCodec for Duchess {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "duchess",
            year: 1982,
            source: "Tom Truscott, in net.chess",
            fields: yoder::FIELDS,
            start_bits: 169,
            worst_bits: Some(197),
            summary: "a prefix code with kings, en passant hidden in the layout, 5 bits of state",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        if board::has_pawn_on_edge(&setup.board) {
            return Err(cannot_hold(self, "a pawn on the first or the eighth rank"));
        }
        let rights = castling::to_bits(setup).ok_or(cannot_hold(self, "these castling rights"))?;
        let (mut board, mut bits) = (setup.board.clone(), Bits::default());
        tricks::hide_en_passant(setup, &mut board);
        for square in Square::ALL {
            write_man(board.piece_at(square), &mut bits);
        }
        bits.push_bit(setup.turn.is_black());
        bits.push(rights.into(), 4);
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let (mut reader, mut board) = (BitReader::new(bytes), Board::empty());
        for square in Square::ALL {
            if let Some(piece) = read_man(&mut reader)? {
                board.set_piece_at(square, piece);
            }
        }
        let turn = Color::from_black(reader.bit()?);
        let rights = reader.take_u8(4)?;
        reader.finish()?;
        let ep_square = tricks::reveal_en_passant(&mut board)?;
        let rights = castling::from_bits(&board, rights);
        let castling_rights = rights.ok_or(invalid("castling right without its king or rook"))?;
        only_form(self, Setup { board, turn, castling_rights, ep_square, ..Setup::empty() }, bytes)
    }
}

fn write_man(piece: Option<Piece>, bits: &mut Bits) {
    bits.push_bit(piece.is_some());
    let Some(Piece { color, role }) = piece else { return };
    bits.push_bit(color.is_black());
    match role {
        Role::Pawn => bits.push(0b0, 1),
        Role::Knight => bits.push(0b100, 3),
        Role::Bishop => bits.push(0b101, 3),
        Role::Rook => bits.push(0b110, 3),
        Role::Queen => bits.push(0b1110, 4),
        Role::King => bits.push(0b1111, 4),
    }
}

fn read_man(reader: &mut BitReader<'_>) -> Result<Option<Piece>, DecodeError> {
    if !reader.bit()? {
        return Ok(None);
    }
    let color = Color::from_black(reader.bit()?);
    if !reader.bit()? {
        return Ok(Some(color.pawn()));
    }
    let role = match reader.take(2)? {
        0b00 => Role::Knight,
        0b01 => Role::Bishop,
        0b10 => Role::Rook,
        _ if reader.bit()? => Role::King,
        _ => Role::Queen,
    };
    Ok(Some(role.of(color)))
}
