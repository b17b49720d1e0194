//! `coords`: every move as its from and to squares, twelve bits, with two more for a promotion.
//!
//! ```text
//! | from file 3 | from rank 3 | to file 3 | to rank 3 | N B R Q 2, only when a pawn reaches the last rank |
//! | 000000000000 (a1 to a1) ends |
//! ```
//!
//! Castling is the king's move to its destination. In Chess960 that could also be a plain king move, or no move at
//! all, so there (and only there) castling is the king capturing its own rook. Drops and promotions to a king cannot
//! be stored.
//!
//! Cost: 12 bits per ply, 2 per promotion, 12 for the end.
//!
//! Source: the first source text, "attempt 1" (an answer on Code Golf Stack Exchange to a puzzle of 2014), and the
//! second (William Shields on Stack Overflow, 2009). Neither stores the promotion piece or the end of the game; both
//! are added here. The first gives 1. e4 as `100001 100010`, a typo for `100001 100011` (e2 to e4):
//!
//! ```
//! use plybook_chess::chess::{Outcome, Variant, move_list};
//! use plybook_chess::codec::game::{GameMoves, coords::COORDS};
//!
//! let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
//! let code = COORDS.encode(&game)?;
//! assert!(code.bits.to_string().starts_with("100001100011" /* e2e4 */));
//! assert_eq!(code.bits.len(), 4 * 12 + 12);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen.

use super::{GameCode, GameCodec, GameMoves, PlayedGame, board_outcome};
use crate::{
    bits::{BitReader, Bits},
    chess::{CastlingSide, Color, Move, Position, Role, Square, VariantPosition},
    codec::{DecodeError, EncodeError},
    limits::MAX_PLIES,
    rules::{LegalMoves, Rules},
};

/// The codec `coords`.
pub const COORDS: GameCodec = GameCodec {
    name: "coords",
    year: 2009,
    source: "William Shields, Stack Overflow; also Code Golf, 2014",
    holds_end: true,
    outcome: false,
    cost: "12 per ply",
    worst: "14 per ply",
    summary: "from and to squares, 6 bits each",
    encode,
    decode: |start, bytes, _| decode(start, bytes),
};

/// The promotion piece for each value of the two bits.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

fn encode(game: &PlayedGame<'_>) -> Result<GameCode, EncodeError> {
    let cannot_hold = |what| EncodeError::CannotHold("coords", what);
    let mut bits = Bits::default();
    for (before, &m) in game.positions.iter().zip(game.moves) {
        let (from, to) = squares(before, m).ok_or(cannot_hold("a drop"))?;
        bits.push(number(from) << 6 | number(to), 12);
        if let Some(role) = m.promotion() {
            let place = (0..).zip(PROMOTIONS).find(|&(_, other)| other == role);
            bits.push(place.ok_or(cannot_hold("a promotion to a king"))?.0, 2);
        }
    }
    bits.push(0, 12);
    Ok(GameCode { bits, plies: None })
}

fn decode(start: &VariantPosition, bytes: &[u8]) -> Result<GameMoves<VariantPosition>, DecodeError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    let mut reader = BitReader::new(bytes);
    loop {
        let (from, to) = (take_square(&mut reader)?, take_square(&mut reader)?);
        if (from, to) == (Square::A1, Square::A1) {
            reader.finish()?;
            let outcome = board_outcome(&position);
            return Ok(GameMoves { start: start.clone(), moves, outcome });
        }
        if moves.len() >= MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        let role = match promotes(&position, from, to) {
            true => PROMOTIONS.get(usize::from(reader.take_u8(2)?)).copied(),
            false => None,
        };
        let m = find(&position, from, to, role).ok_or(DecodeError::NoSuchMove(moves.len()))?;
        position.make(m);
        moves.push(m);
    }
}

/// The squares of a move in this encoding; `None` for a drop.
fn squares(position: &VariantPosition, m: Move) -> Option<(Square, Square)> {
    match m {
        Move::Castle { king, rook } if !position.castles().mode().is_chess960() => {
            let side = CastlingSide::from_king_side(king < rook);
            Some((king, side.king_to(Position::turn(position))))
        }
        _ => Some((m.from()?, m.to())),
    }
}

/// Whether there is a pawn on `from` and `to` is on its last rank.
fn promotes(position: &VariantPosition, from: Square, to: Square) -> bool {
    let last = Position::turn(position).fold_wb(Color::Black, Color::White).backrank();
    position.board().role_at(from) == Some(Role::Pawn) && to.rank() == last
}

/// The legal move with these squares and this promotion.
fn find(position: &VariantPosition, from: Square, to: Square, role: Option<Role>) -> Option<Move> {
    let legal = position.legal();
    let mut moves = (0..legal.count()).filter_map(|index| legal.nth(index));
    moves.find(|&m| squares(position, m) == Some((from, to)) && m.promotion() == role)
}

/// A square as a six-bit number.
fn number(square: Square) -> u64 {
    (square.file().to_u32() << 3 | square.rank().to_u32()).into()
}

fn take_square(reader: &mut BitReader<'_>) -> Result<Square, DecodeError> {
    let (file, rank) = (reader.take_u8(3)?, reader.take_u8(3)?);
    // Three bits each, so the number is always a valid square.
    Square::try_from(file + 8 * rank).map_err(|_| DecodeError::Invalid("invalid square"))
}
