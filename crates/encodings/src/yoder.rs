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
//! use plybook_encodings::{PositionCodec, yoder::Yoder};
//! let bits = Yoder.encode(&Setup::initial()).unwrap();
//! assert!(bits.to_string().starts_with("0000100111100" /* White, e1, e8 */));
//! assert_eq!(bits.len(), 155);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    EnPassant, Fields, PositionCodec, PositionCodecInfo, board, cannot_hold, invalid, only_form, pieces::put,
    tricks,
};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Color, Piece, Role, Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// The fields of `yoder` and `duchess`.
pub(super) const FIELDS: Fields = Fields { en_passant: EnPassant::PseudoLegal, ..Fields::LTCE };

/// The codec `yoder`.
pub struct Yoder;

impl PositionCodec for Yoder {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "yoder",
            year: 1982,
            source: "Yoder, net.chess",
            fields: FIELDS,
            start_bits: 155,
            worst_bits: Some(179),
            summary: "kings' squares and a prefix code; castling and en passant hidden in the layout",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        if board::has_pawn_on_edge(&setup.board) {
            return Err(cannot_hold(self, "a pawn on the first or the eighth rank"));
        }
        let mut board = tricks::hide_castling(setup).map_err(|what| cannot_hold(self, what))?;
        tricks::hide_en_passant(setup, &mut board);
        let kings =
            board::kings(&board).ok_or(cannot_hold(self, "a position without exactly one king per side"))?;
        let mut bits = Bits::default();
        bits.push_bit(setup.turn.is_black());
        bits.push(kings.0.to_u32().into(), 6);
        bits.push(kings.1.to_u32().into(), 6);
        for square in Square::ALL.into_iter().filter(|&square| square != kings.0 && square != kings.1) {
            write_man(board.piece_at(square), &mut bits);
        }
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let (mut reader, mut board) = (BitReader::new(bytes), Board::empty());
        let turn = Color::from_black(reader.bit()?);
        for color in Color::ALL {
            put(&mut board, Square::try_from(reader.take_u8(6)?).ok(), color.king())?;
        }
        for square in Square::ALL {
            if board.piece_at(square).is_none()
                && let Some(piece) = read_man(&mut reader)?
            {
                board.set_piece_at(square, piece);
            }
        }
        reader.finish()?;
        let ep_square = tricks::reveal_en_passant(&mut board)?;
        let castling_rights = tricks::reveal_castling(&mut board);
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
        // Kings are not written here.
        Role::Queen | Role::King => bits.push(0b111, 3),
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
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let role = roles.get(usize::from(reader.take_u8(2)?)).ok_or(invalid("invalid piece"))?;
    Ok(Some(role.of(color)))
}
