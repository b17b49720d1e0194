//! Decodes all games of an archive to verify them, and records them for the check of the index.

use rayon::prelude::*;

use super::{
    Maintenance,
    verify_report::{MAX_REPORTED, VerifyReport},
};
use crate::archive::{
    ArchiveError, FormerFingerprint, Result, SectionReader,
    batches::one_ahead,
    changes::{former, removed},
    keys::FingerprintList,
    read::{CHANGED, fingerprint_with},
    segments::{GameRecorder, OrderedTrails, RecordedGames, RecordedSegment},
    snapshot::snapshot,
    write::{Compared, IdentityCheck},
};
use plybook_index::position_index::GameColumns;
use plybook_record::{GameId, GameRange, StoredGame};

/// Games that one thread checks at a time.
const SHARE: usize = 256;

/// What the games are compared with, as far as it is requested and readable, and what they are recorded for.
struct GameChecks {
    /// The last game when the check began.
    last: GameId,
    identities: Option<IdentityCheck>,
    recorder: Option<GameRecorder>,
}

/// Consecutive games, and their columns in the index if they are recorded for it.
struct ReadGames {
    games: Vec<Result<StoredGame>>,
    columns: Option<Vec<(GameId, GameColumns)>>,
}

/// What one thread has found in some of them.
struct Share {
    games: Vec<Result<CheckedGame>>,
    identities: Compared,
    /// `None` if recording them failed.
    recorded: Option<RecordedGames>,
}

/// A game that could be read.
struct CheckedGame {
    id: GameId,
    plies: usize,
    /// Its fingerprint, or what is wrong with the game.
    fingerprint: Result<u64, String>,
}

/// What was found in the games so far.
struct Found {
    fingerprints: Option<FingerprintList>,
    identities: Compared,
    /// `None` if recording failed: what is not recorded is replayed.
    recorded: Option<OrderedTrails>,
    /// The id that comes next.
    next: GameId,
    are_all_read: bool,
    has_unreadable_ids: bool,
}

impl Maintenance<'_> {
    /// Decodes every readable game, and reports the others. Returns what was recorded for the check of the index, and
    /// whether the index of identities is certainly right.
    pub(super) fn check_games(
        self,
        report: &mut VerifyReport,
        with_own_indexes: bool,
        recorder: Option<GameRecorder>,
        progress: &mut dyn FnMut(u64),
    ) -> (RecordedSegment, bool) {
        let (checks, mut found) = self.begin_check(report, with_own_indexes, recorder);
        let mut sections = SectionReader::default();
        let read = self.scan_after(GameId::MIN).map(|games| self.read(&checks, games, &mut sections));
        one_ahead(
            read.take_while(|read| !read.games.is_empty()),
            |read| checks.check(read),
            |shares: Vec<Share>| {
                shares.into_iter().for_each(|share| self.take(share, checks.last, &mut found, report));
                progress(report.games);
            },
        );
        if !found.has_unreadable_ids {
            self.check_gap(found.next, checks.last, report);
        }
        let left = found.fingerprints.map_or(0, |stored| stored.left());
        if left > 0 {
            report.problem(None, format!("fingerprints without a game: {left}"));
        }
        let flaw = checks.identities.map(|check| check.flaw(found.identities, found.are_all_read));
        let recorded = checks.recorder.zip(found.recorded).map(|(recorder, trails)| recorder.finish(trails));
        (recorded.unwrap_or_default(), flaw == Some(None))
    }

    fn begin_check(
        self,
        report: &mut VerifyReport,
        with_own_indexes: bool,
        recorder: Option<GameRecorder>,
    ) -> (GameChecks, Found) {
        // All from the same snapshot.
        let _snapshot = snapshot(&self.archive.db);
        let last = removed::last_id(&self.archive.db).unwrap_or(GameId::MAX);
        let mut keys: Option<FingerprintList> = None;
        report.check("the fingerprints", |_| {
            if with_own_indexes {
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
        let identities =
            with_own_indexes.then(|| IdentityCheck::begin(self.archive).ok().flatten()).flatten();
        let found = Found {
            fingerprints: keys,
            identities: Compared::default(),
            recorded: Some(OrderedTrails::default()),
            next: 1,
            are_all_read: true,
            has_unreadable_ids: false,
        };
        (GameChecks { last, identities, recorder }, found)
    }

    /// Games without those that were added since the check began, and their columns.
    fn read(
        self,
        checks: &GameChecks,
        mut games: Vec<Result<StoredGame>>,
        sections: &mut SectionReader,
    ) -> ReadGames {
        let id_of = |game: &StoredGame| game.id;
        games.retain(|game| first_id(game, id_of).is_none_or(|id| id <= checks.last));
        let ids = || games.iter().flatten().map(|game| game.id);
        let range = ids().next().zip(ids().next_back()).filter(|_| checks.recorder.is_some());
        let columns = range.and_then(|(start, last)| {
            self.archive.segments().columns_in(GameRange { start, last }, sections).ok()
        });
        ReadGames { games, columns }
    }

    /// Takes in what was found in the next games, up to the last one.
    fn take(self, share: Share, last: GameId, found: &mut Found, report: &mut VerifyReport) {
        for game in share.games {
            let first = first_id(&game, |game| game.id).unwrap_or(found.next);
            let end = match &game {
                Err(ArchiveError::Unreadable { last: end, .. }) => end.unwrap_or(last),
                _ => first,
            };
            self.check_gap(found.next, first - 1, report);
            found.next = end.saturating_add(1).max(found.next);
            found.are_all_read &= game.is_ok();
            found.has_unreadable_ids |= matches!(game, Err(ArchiveError::Unreadable { .. }));
            match game {
                Ok(game) => found.meet(game, report),
                Err(ArchiveError::Damaged { id, what }) => report.problem(Some(id), what),
                Err(error) => report.problem(None, error.to_string()),
            }
        }
        found.identities += share.identities;
        found.recorded = found.recorded.take().zip(share.recorded).map(|(mut all, recorded)| {
            all.add(recorded);
            all
        });
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

impl GameChecks {
    /// Checks some games on all cores.
    fn check(&self, ReadGames { games, columns }: ReadGames) -> Vec<Share> {
        let shares = games.into_par_iter().chunks(SHARE);
        shares.map(|games| self.check_share(games, columns.as_deref())).collect()
    }

    fn check_share(
        &self,
        games: Vec<Result<StoredGame>>,
        columns: Option<&[(GameId, GameColumns)]>,
    ) -> Share {
        let recorder = self.recorder.as_ref().zip(columns);
        let (mut identities, mut recorded) = (Compared::default(), RecordedGames::default());
        let mut check = |game: StoredGame| {
            let fingerprint = fingerprint_with(&game, |variant, start, moves| {
                if recorder.is_some_and(|(recorder, _)| recorder.segment.contains(&game.id)) {
                    recorded.add(game.id, variant, &start, moves);
                }
            });
            identities += self.identities.as_ref().map(|check| check.compare(&game)).unwrap_or_default();
            CheckedGame { id: game.id, plies: game.plies, fingerprint }
        };
        let games = games.into_iter().map(|game| game.map(&mut check)).collect();
        let is_taken = recorder.is_some_and(|(recorder, columns)| {
            recorded.move_positions_to(&recorder.builder, columns).is_ok()
        });
        Share { games, identities, recorded: is_taken.then_some(recorded) }
    }
}

impl Found {
    /// Compares the fingerprint of a game.
    fn meet(&mut self, game: CheckedGame, report: &mut VerifyReport) {
        report.games += 1;
        match game.fingerprint {
            Ok(fingerprint) => {
                report.plies += game.plies as u64;
                if self.fingerprints.as_mut().is_some_and(|stored| !stored.meet(fingerprint)) {
                    report.problem(Some(game.id), CHANGED.to_owned());
                }
            }
            Err(what) => report.problem(Some(game.id), what),
        }
    }
}

/// The first id of a game, or of a range that cannot be read, if it is known.
fn first_id<G>(game: &Result<G>, id: impl Fn(&G) -> GameId) -> Option<GameId> {
    match game {
        Ok(game) => Some(id(game)),
        Err(ArchiveError::Damaged { id, .. }) => Some(*id),
        Err(ArchiveError::Unreadable { first, .. }) => Some(*first),
        Err(_) => None,
    }
}
