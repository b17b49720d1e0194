//! Movetexts with ambiguous moves: every combination is tried, and the game is accepted if exactly one can be played
//! to the end.

use shakmaty::Position;

use super::{
    movetext::{Movetext, ReadMovetext},
    piece_letters::PieceLetters,
    read_full::{ReadFailure, read_full},
    reject::Reject,
    resolve::Resolve,
};
use plybook_chess::{
    chess::NullMove,
    limits::{MAX_READINGS, MAX_REREAD_BYTES},
};

/// Reads a movetext from a start position.
///
/// # Errors
/// What is wrong with it, and where. For an ambiguous move: no choice can be played to the end, several can, or there
/// are too many combinations to decide.
pub(super) fn read_any<P: Resolve + Position + NullMove>(
    movetext: &Movetext<'_>,
    start: &P,
    letters: PieceLetters,
) -> Result<ReadMovetext, Reject> {
    let ReadFailure { reject, ways } = match read_full(movetext, start.clone(), letters, &[]) {
        Ok(read) => return Ok(read),
        Err(failed) => failed,
    };
    // Each attempt reads the complete movetext again, so their number shrinks with its size: trying all combinations
    // of a long game could otherwise take exponential time.
    let mut left = (MAX_REREAD_BYTES / movetext.text.len().max(1)).min(MAX_READINGS);
    let mut untried: Vec<Vec<usize>> = (0..ways).map(|way| vec![way]).collect();
    let mut found = None;
    while let Some(choices) = untried.pop() {
        if left == 0 {
            return Err(reject);
        }
        left -= 1;
        match read_full(movetext, start.clone(), letters, &choices) {
            // The second complete reading proves that the game is ambiguous. It is rejected rather than stored with
            // one of the two.
            Ok(_) if found.is_some() => return Err(reject),
            Ok(read) => found = Some(read),
            Err(ReadFailure { ways, .. }) => {
                untried.extend((0..ways).map(|way| [choices.as_slice(), &[way]].concat()));
            }
        }
    }
    found.ok_or(reject)
}
