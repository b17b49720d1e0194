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
//! use plybook_chess::codec::game::{GameMoves, san::SAN};
//!
//! let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
//! assert_eq!(SAN.encode(&game)?.bits.bytes(), b"e4 e5 Nf3 f6 ");
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen: only the spelling that the encoder writes is accepted.

use super::{GameCode, GameCodec, GameMoves, PlayedGame, board_outcome};
use crate::{
    bits::Bits,
    chess::{San, SanPlus, SanSuffix, VariantPosition},
    codec::{DecodeError, EncodeError},
    limits::MAX_PLIES,
};

/// The byte after every move.
const TERMINATOR: u8 = b' ';

/// The codec `san`.
pub const SAN: GameCodec = GameCodec {
    name: "san",
    year: 2009,
    source: "William Shields, Stack Overflow",
    holds_end: true,
    outcome: false,
    cost: "8·(length + 1) per ply",
    worst: "64 per ply",
    summary: "SAN text, with a space after every move",
    encode,
    decode: |start, bytes, _| decode(start, bytes),
};

fn encode(game: &PlayedGame<'_>) -> Result<GameCode, EncodeError> {
    let mut text = String::new();
    for ((before, after), &m) in game.positions.iter().zip(game.positions.iter().skip(1)).zip(game.moves) {
        let san = SanPlus { san: San::from_move(before, m), suffix: after.suffix() };
        san.append_to_string(&mut text);
        text.push(TERMINATOR.into());
    }
    Ok(GameCode { bits: Bits::from_bytes(text.into_bytes()), plies: None })
}

fn decode(start: &VariantPosition, bytes: &[u8]) -> Result<GameMoves<VariantPosition>, DecodeError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in bytes.split_inclusive(|&byte| byte == TERMINATOR) {
        let ply = moves.len();
        if ply >= MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        let word = word.strip_suffix(&[TERMINATOR]).ok_or(DecodeError::CutShort(ply))?;
        let no_move = DecodeError::NoSuchMove(ply);
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
