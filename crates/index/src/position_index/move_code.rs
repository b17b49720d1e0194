//! A move of a game in 16 bits, unique among the moves of its position.

use shakmaty::{Move, Role};

use plybook_chess::bits::{BitError, BitReader, Bits};

/// What a game did in a position: the squares of a move (for castling those of king and rook) and the promotion; or the
/// game ended there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveCode(pub(super) u16);

impl MoveCode {
    /// The game ended. No move leads from a square to itself.
    // A move must not be identified by a truncated key of the next position. A prototype did that with 16 bits: 1. e4
    // Nf6 has the Polyglot key d9d2afa550eb0000, so 34 games seemed to have ended there.
    pub const ENDED: MoveCode = MoveCode(0);

    /// The code of a move of standard chess.
    #[inline]
    pub fn of(m: Move) -> MoveCode {
        let from = m.from().map_or(0, |square| square as u16);
        let promotion = match m.promotion() {
            None => 0,
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(_) => 4,
        };
        MoveCode(promotion << 12 | from << 6 | m.to() as u16)
    }

    /// The code as a number: the target square in the lowest 6 bits, the source square in the next 6, and the promotion
    /// above (0 none, 1 knight, 2 bishop, 3 rook, 4 queen); a square is its file plus 8 times its rank, both starting
    /// at 0.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// A number that distinguishes most moves, for sorting games.
    pub(super) fn byte(self) -> u8 {
        (self.0.wrapping_mul(0x9e35) >> 8) as u8
    }

    pub(super) fn write(self, bits: &mut Bits) {
        let promotion = self.0 >> 12;
        bits.push((self.0 & 0xfff).into(), 12);
        bits.push_bit(promotion > 0);
        if promotion > 0 {
            bits.push(u64::from(promotion) - 1, 2);
        }
    }

    pub(super) fn read(bits: &mut BitReader<'_>) -> Result<MoveCode, BitError> {
        let squares = bits.take(12)? as u16;
        let promotion = if bits.bit()? { bits.take(2)? as u16 + 1 } else { 0 };
        Ok(MoveCode(promotion << 12 | squares))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{
        Bitboard, CastlingMode, Chess, Position, Square,
        attacks::{knight_attacks, queen_attacks},
        fen::Fen,
    };

    use super::*;

    /// Games are sorted by these bytes, and after the last move of a game there are only zeros. Queries rely on the
    /// fact that moves with the byte 0 never return to a position: a piece that made one cannot make another.
    #[test]
    fn moves_with_byte_0_never_chain() {
        let leads = |from: Square, to: Square| {
            let m = Move::Normal { role: Role::Queen, from, capture: None, to, promotion: None };
            let reaches = queen_attacks(from, Bitboard::EMPTY) | knight_attacks(from);
            MoveCode::of(m).byte() == 0 && reaches.contains(to)
        };
        let ends = |to: &Square| Square::ALL.iter().any(|from| leads(*from, *to));
        let begins = |from: &Square| Square::ALL.iter().any(|to| leads(*from, *to));
        assert!(!Square::ALL.iter().any(|square| ends(square) && begins(square)));
    }

    proptest! {
        #[test]
        fn move_codes_are_distinct_and_round_trip(choices in prop::collection::vec(0usize..200, 0..120), start in 0usize..4) {
            let start = [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/pP4Pp/8/8/8/8/Pp4pP/R3K2R w KQkq - 0 1",
                "rk2r3/p6p/8/8/8/8/P6P/RK2R3 w EAea - 0 1",
                "8/PPP1PPPP/8/7k/K7/8/pppp1ppp/8 w - - 0 1",
            ][start];
            let fen: Fen = start.parse().unwrap();
            let mut position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
            for choice in choices {
                let moves = position.legal_moves();
                let mut codes: Vec<MoveCode> = moves.iter().map(|m| MoveCode::of(*m)).collect();
                for &code in &codes {
                    let mut bits = Bits::default();
                    code.write(&mut bits);
                    prop_assert_eq!(MoveCode::read(&mut BitReader::new(bits.bytes())), Ok(code));
                    prop_assert!(code != MoveCode::ENDED);
                }
                codes.sort_unstable();
                codes.dedup();
                prop_assert_eq!(codes.len(), moves.len());
                let Some(&m) = moves.get(choice % moves.len().max(1)) else { break };
                position.play_unchecked(m);
            }
        }
    }
}
