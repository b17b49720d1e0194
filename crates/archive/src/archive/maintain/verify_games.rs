//! Decodes all games of an archive to verify them, and records them for the check of the index.

use rayon::prelude::*;

use super::{
    Maintenance,
    verify_report::{MAX_REPORTED, VerifyReport},
};
use crate::archive::{
    ArchiveError, FormerFingerprint,
    changes::{former, removed},
    keys::FingerprintList,
    read::{CHANGED, fingerprint_with},
    segments::{GameRecorder, RecordedGames},
    snapshot::snapshot,
};
use plybook_chess::limits::READ_MEMORY;
use plybook_record::{GameId, StoredGame};

/// Most games decoded at a time; fewer if they are large.
const BATCH: usize = 8192;

/// Games that one thread checks at a time.
const SHARE: usize = 256;

impl Maintenance<'_> {
    /// Decodes every readable game, and reports the others. Returns the recorder, unless it failed.
    pub(super) fn check_games<'a>(
        self,
        report: &mut VerifyReport,
        with_fingerprints: bool,
        recorder: Option<GameRecorder<'a>>,
        progress: &mut dyn FnMut(u64),
    ) -> Option<GameRecorder<'a>> {
        let (last, expected) = self.last_and_fingerprints(report, with_fingerprints);
        let mut checks = GameChecks { expected, recorder };
        let (mut batch, mut bytes) = (Vec::with_capacity(BATCH), 0);
        let (mut next, mut is_complete) = (1, true);
        self.walk(|game| {
            let (id, end) = match &game {
                Ok(game) => (game.id, game.id),
                Err(ArchiveError::Damaged { id, .. }) => (*id, *id),
                Err(ArchiveError::Unreadable { first, last: end, .. }) => (*first, end.unwrap_or(last)),
                Err(_) => (next, next),
            };
            if id > last {
                // Added since the check began.
                return false;
            }
            self.check_gap(next, id - 1, report);
            next = end.saturating_add(1).max(next);
            is_complete &= !matches!(game, Err(ArchiveError::Unreadable { .. }));
            match game {
                Ok(game) => {
                    bytes += game.memory();
                    batch.push(game);
                }
                Err(ArchiveError::Damaged { id, what }) => report.problem(Some(id), what),
                Err(error) => report.problem(None, error.to_string()),
            }
            if batch.len() == BATCH || bytes >= READ_MEMORY {
                checks.check(&batch, report);
                progress(report.games);
                (batch, bytes) = (Vec::with_capacity(BATCH), 0);
            }
            true
        });
        checks.check(&batch, report);
        progress(report.games);
        if is_complete {
            self.check_gap(next, last, report);
        }
        let left = checks.expected.map_or(0, |expected| expected.left());
        if left > 0 {
            report.problem(None, format!("fingerprints without a game: {left}"));
        }
        checks.recorder
    }

    /// The last game, and the fingerprints of all games up to it, if they are requested and readable.
    fn last_and_fingerprints(
        self,
        report: &mut VerifyReport,
        with_fingerprints: bool,
    ) -> (GameId, Option<FingerprintList>) {
        // Both from the same snapshot.
        let _snapshot = snapshot(&self.archive.db);
        let last = removed::last_id(&self.archive.db);
        let mut keys: Option<FingerprintList> = None;
        report.check("the fingerprints", |_| {
            if with_fingerprints {
                keys = Some(FingerprintList::read(&self.archive.db)?);
            }
            Ok(())
        });
        report.check("the former fingerprints", |report| {
            for FormerFingerprint { fingerprint, game, .. } in former::all(&self.archive.db)? {
                if keys.as_mut().is_some_and(|keys| !keys.meet(fingerprint)) {
                    report.problem(None, format!("a former fingerprint of game {game} is not stored"));
                }
            }
            Ok(())
        });
        (last.unwrap_or(GameId::MAX), keys)
    }

    /// Ids are assigned consecutively, so a gap must consist of removed games.
    fn check_gap(self, first: GameId, last: GameId, report: &mut VerifyReport) {
        report.check("the list of removed games", |report| {
            let are_removed = |first, last| removed::are_all_removed(&self.archive.db, first, last);
            if !are_removed(first, last)? {
                let is_missing = |id: &GameId| !are_removed(*id, *id).unwrap_or(false);
                for missing in (first..=last).filter(is_missing).take(MAX_REPORTED) {
                    report.problem(Some(missing), "it is missing".to_owned());
                }
            }
            Ok(())
        });
    }
}

/// What games are compared with, and what their positions are recorded for.
struct GameChecks<'a> {
    expected: Option<FingerprintList>,
    recorder: Option<GameRecorder<'a>>,
}

impl GameChecks<'_> {
    /// Checks some games on all cores.
    fn check(&mut self, games: &[StoredGame], report: &mut VerifyReport) {
        let segment = self.recorder.as_ref().map(|recorder| recorder.segment);
        let check = |games: &[StoredGame]| {
            let mut recorded = RecordedGames::default();
            let fingerprint = |game: &StoredGame| {
                fingerprint_with(game, |variant, start, moves| {
                    if segment.is_some_and(|ids| ids.contains(&game.id)) {
                        recorded.add(game.id, variant, start, moves);
                    }
                })
            };
            (games.iter().map(fingerprint).collect::<Vec<_>>(), recorded)
        };
        let (checked, recorded): (Vec<_>, Vec<_>) = games.par_chunks(SHARE).map(check).unzip();
        for (game, checked) in games.iter().zip(checked.into_iter().flatten()) {
            report.games += 1;
            match checked {
                Ok(hash) => {
                    report.plies += game.plies as u64;
                    if self.expected.as_mut().is_some_and(|expected| !expected.meet(hash)) {
                        report.problem(Some(game.id), CHANGED.to_owned());
                    }
                }
                Err(what) => report.problem(Some(game.id), what),
            }
        }
        // What is not recorded is replayed.
        self.recorder.take_if(|recorder| recorder.add(recorded).is_err());
    }
}
