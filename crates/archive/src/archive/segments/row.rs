//! The row of a segment. Its parameters contain a checksum of the row: a segment with a wrong range of games, or
//! decoded with wrong parameters, would find too few games.

use rusqlite::Row;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::{Shape, StoredSegment};
use plybook_index::position_index::MOST_GAMES;
use plybook_record::GameId;

/// The column "parameters", as JSON.
#[derive(Serialize, Deserialize)]
struct Parameters<S> {
    #[serde(flatten)]
    shape: S,
    /// The lowest 32 bits of the xxh3 of the JSON array of id, kind, first game, last game and shape.
    proof: u32,
}

/// The parameters of a segment, as they are stored.
pub(super) fn parameters<S: Shape>(StoredSegment { id, first, last, shape, .. }: StoredSegment<S>) -> String {
    let proof = proof(id, first, last, &shape);
    text(&Parameters { shape, proof })
}

/// Reads a segment from its id, first and last game, number of games and parameters; `None` if they are invalid.
pub(super) fn read<S: Shape>(row: &Row<'_>) -> rusqlite::Result<Option<StoredSegment<S>>> {
    let (id, first, last, games): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let parameters = row.get_ref(4)?.as_bytes().ok().and_then(|text| serde_json::from_slice(text).ok());
    let Some(Parameters::<S> { shape, proof: stored }) = parameters else { return Ok(None) };
    let covered = last.checked_sub(first).and_then(|covered| covered.checked_add(1));
    let makes_sense = i64::from(shape.games()) == games
        && first >= 1
        && (1..1 << 31).contains(&id)
        && covered.is_some_and(|covered| covered >= games.max(1) && covered <= i64::from(MOST_GAMES))
        && shape.is_sane()
        && proof(id, first, last, &shape) == stored;
    Ok(Some(StoredSegment { part: 0, id, first, last, shape }).filter(|_| makes_sense))
}

fn proof<S: Shape>(id: i64, first: GameId, last: GameId, shape: &S) -> u32 {
    XxHash3_64::oneshot(text(&(id, S::KIND, first, last, shape)).as_bytes()) as u32
}

/// Numbers as JSON, which cannot fail.
fn text(numbers: &impl Serialize) -> String {
    serde_json::to_string(numbers).unwrap_or_default()
}
