//! The opening of a stored game: its last named position, by any move order.

use std::ops::ControlFlow::{Break, Continue};

use super::{GameError, StoredMoves};
use plybook_chess::{
    chess::{Chess, RunningKey, Variant, VariantPosition},
    codec::{AnyReplay, DecodeError},
    openings::{OpeningId, Openings},
};

/// The opening of a game of standard chess or Chess960, with any start position, in the table of
/// [`Openings::standard`]; `None` if none of its positions has a name, and for other variants. The game is replayed
/// only as far as a named position is possible.
///
/// ```
/// use plybook_chess::{chess::Variant, codec::CodecId, openings::Openings, rules::Outcome};
/// use plybook_record::{StoredMoves, opening_of};
///
/// // 1. e4 e5 2. Nf3 f6
/// let game = StoredMoves { id: 1, codec: CodecId::Index, variant: Variant::Standard, plies: 4,
///     result: Outcome::Unknown, setup: None, moves: 8_712_609_247_u64.to_le_bytes()[..5].to_vec() };
/// let opening = opening_of(&game)?.and_then(|id| Openings::standard().get(id));
/// assert_eq!(opening.map(|opening| opening.name), Some("King's Pawn Game: Damiano Defense"));
/// # Ok::<(), plybook_record::GameError>(())
/// ```
///
/// # Errors
/// The game is damaged within the replayed part.
pub fn opening_of(game: &StoredMoves) -> Result<Option<OpeningId>, GameError> {
    if !matches!(game.variant, Variant::Standard | Variant::Chess960) {
        return Ok(None);
    }
    let VariantPosition::Chess(start) = game.start()? else { return Ok(None) };
    opening_of_replay(game.replay(start)?).map_err(|error| GameError::Moves(game.id, error))
}

/// The same for a replay.
///
/// # Errors
/// As for [`opening_of`].
pub fn opening_of_replay(replay: AnyReplay<Chess>) -> Result<Option<OpeningId>, DecodeError> {
    let openings = Openings::standard();
    let (mut key, mut last) = (RunningKey::of(replay.position()), None);
    replay.run(|position, m| {
        m.into_iter().for_each(|m| key.advance(m, position));
        last = openings.at(key.get()).or(last);
        if openings.may_follow(position) { Continue(()) } else { Break(()) }
    })?;
    Ok(last)
}
