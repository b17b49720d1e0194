//! The fast path of a merge: if the checksums prove all rows of an archive unchanged and none of its games is in the
//! target, rows are copied without replaying any game. Either all games are copied this way or none.

use std::{hash::Hasher, sync::mpsc::channel};

use twox_hash::XxHash3_64;

use super::{Donor, location_of};
use crate::{
    archive::PreparedGames,
    import::sink::{Batch, Closed, Event, Flow, ResumePoint, Sink},
    record::GameId,
};

/// Most fingerprints of an archive that are held in memory, twice.
const MOST_HELD: u64 = 32 << 20;

impl Donor<'_> {
    /// Copies all games as rows. Returns false if they must be imported one by one.
    // Copying rows is about six times as fast as importing game by game (docs/parts.md), and merging the parts of a
    // collection is the usual case: they have no games in common.
    pub(super) fn copy_rows(&self, sink: &mut dyn Sink) -> Flow<bool> {
        let last = self.proof.last;
        let is_one_each = last > 0 && u64::try_from(last).is_ok_and(|last| last == self.proof.count);
        if !is_one_each || self.proof.count > MOST_HELD {
            return Ok(false);
        }
        let (Ok(fingerprints), Ok(Some(mut rows))) =
            (self.archive.maintenance().fingerprints(), self.archive.maintenance().raw_games(last))
        else {
            return Ok(false);
        };
        let mut hash = XxHash3_64::with_seed(0);
        let (reply, answer) = channel();
        let game_bytes = self.archive.bytes() / last.unsigned_abs();
        // The games follow as rows, unless the reply says that they must be imported one by one.
        sink.send(Event::BeginRows { fingerprints, game_bytes, reply })?;
        if !answer.recv().map_err(|_| Closed)? {
            return Ok(false);
        }
        let mut first = 1;
        let whole = loop {
            match rows.next_batch() {
                Ok(None) => break true,
                Err(_) => break false,
                Ok(Some(games)) => {
                    games.hash_into(&mut hash);
                    sink.input().has_read(games.len() as u64, last.unsigned_abs());
                    first = pass_rows(first, games, sink)?;
                }
            }
        };
        let done = last.unsigned_abs();
        let resume_point = whole.then_some(ResumePoint { byte: done, lines: done, hash: hash.finish() });
        sink.send(Event::EndRows(resume_point))?;
        Ok(whole)
    }
}

/// Passes on a batch. Returns the id of the first game after it.
fn pass_rows(first: GameId, rows: PreparedGames, sink: &mut dyn Sink) -> Flow<GameId> {
    let count = rows.len();
    sink.batch(Batch {
        bytes: 256 * count,
        games: 0,
        largest: 0,
        plies: 0,
        position: 0,
        resume_point: None,
        work: Box::new(move |games| games.rows(rows, |number| location_of(first + number as GameId))),
    })?;
    Ok(first + count as GameId)
}
