//! `san`: the moves in standard algebraic notation, as text.
//!
//! ```text
//! e4␠e5␠Nf3␠f6␠
//! ```
//!
//! Every move is written as in PGN, with check and mate suffixes, and followed by one space as terminator. There are
//! no move numbers.
//!
//! Cost: 8·(length + 1) bits per ply, about 30 on average.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), which assumes 6 bytes per move in the
//! worst case; moves like `Qa1xb2+` need 8 with the terminator. It does not say which byte terminates a move.
//!
//! ```
//! use plybook_chess::chess::{Outcome, Variant, move_list};
//! use plybook_chess::codec::game::{GameCodec, GameMoves, san::SanText};
//!
//! let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
//! assert_eq!(SanText.encode(&game)?.bits.bytes(), b"e4 e5 Nf3 f6 ");
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen: only the spelling that the encoder writes is accepted.

use super::{GameCode, GameCodec, GameCodecInfo, GameEncoder, GameMoves, Played, board_outcome};
use crate::{
    bits::Bits,
    chess::{San, SanPlus, SanSuffix, VariantPosition},
    codec::{DecodeError, EncodeError},
    limits::MAX_PLIES,
    rules::{FinalPosition, Outcome},
};

/// The byte after every move.
const TERMINATOR: u8 = b' ';

/// The codec `san`.
pub struct SanText;

impl GameCodec for SanText {
    fn info(&self) -> &'static GameCodecInfo {
        &GameCodecInfo {
            name: "san",
            year: 2009,
            source: "William Shields, Stack Overflow",
            outcome: false,
            cost: "8·(length + 1) per ply",
            worst: "64 per ply",
            summary: "SAN text, with a space after every move",
        }
    }

    fn encoder(&self) -> Box<dyn GameEncoder> {
        Box::new(Encoder::default())
    }

    fn decode(
        &self,
        start: &VariantPosition,
        bytes: &[u8],
        _plies: Option<usize>,
    ) -> Result<GameMoves<VariantPosition>, DecodeError> {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for word in bytes.split_inclusive(|&byte| byte == TERMINATOR) {
            let ply = moves.len();
            if ply >= MAX_PLIES {
                return Err(DecodeError::TooLong);
            }
            let word = word.strip_suffix(&[TERMINATOR]).ok_or(DecodeError::CutShort { ply })?;
            let no_move = DecodeError::NoSuchMove { ply };
            let san = SanPlus::from_ascii(word).map_err(|_| no_move.clone())?;
            let m = san.san.to_move(&position).map_err(|_| no_move)?;
            let written = position.play_san(m);
            if written.to_string().as_bytes() != word {
                return Err(DecodeError::NotCanonical);
            }
            moves.push(m);
        }
        let outcome = board_outcome(&position);
        Ok(GameMoves { start: start.clone(), moves, outcome })
    }
}

/// Encodes a game.
#[derive(Default)]
struct Encoder(String);

impl GameEncoder for Encoder {
    fn write(&mut self, Played { before, m, after, .. }: Played<'_>) -> Result<(), EncodeError> {
        let san = SanPlus { san: San::from_move(before, m), suffix: after.suffix() };
        san.append_to_string(&mut self.0);
        self.0.push(TERMINATOR.into());
        Ok(())
    }

    fn finish(self: Box<Self>, _: Outcome, _: FinalPosition) -> Result<GameCode, EncodeError> {
        Ok(GameCode { bits: Bits::from_bytes(self.0.into_bytes()), plies: None })
    }
}
