//! What `verify` accepts after changes: ids of removed games, and fingerprints that no game has any more.

use std::collections::HashSet;

use super::{Maintenance, VerifyReport, verify::MAX_REPORTED};
use crate::archive::{FormerFingerprint, changes::removed};
use plybook_record::GameId;

impl Maintenance<'_> {
    /// Ids are assigned consecutively, so a gap must consist of removed games.
    pub(super) fn check_gap(self, first: GameId, last: GameId, report: &mut VerifyReport) {
        match removed::are_all_removed(&self.archive.db, first, last) {
            Ok(true) => {}
            Ok(false) => {
                let is_removed = |id| removed::are_all_removed(&self.archive.db, id, id).unwrap_or(false);
                for missing in (first..=last).filter(|id| !is_removed(*id)).take(MAX_REPORTED) {
                    report.problem(Some(missing), "it is missing".to_owned());
                }
            }
            Err(error) => report.unread("the list of removed games", &error),
        }
    }

    /// Leaves out the fingerprints that no game has any more.
    pub(super) fn leave_out_former(
        self,
        former: &[FormerFingerprint],
        mut keys: Option<&mut HashSet<u64>>,
        report: &mut VerifyReport,
    ) {
        for FormerFingerprint { fingerprint, game, .. } in former {
            if keys.as_mut().is_some_and(|keys| !keys.remove(fingerprint)) {
                report.problem(None, format!("a former fingerprint of game {game} is not stored"));
            }
        }
    }
}
