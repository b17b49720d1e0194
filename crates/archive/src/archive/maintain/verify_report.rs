//! What verifying an archive has found.

use rusqlite::ErrorCode;

use crate::archive::{ArchiveError, error::said, segments::INDEX_TABLES};
use plybook_record::GameId;

/// Most problems that are reported one by one.
pub(super) const MAX_REPORTED: usize = 100;

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The game; `None` if the problem concerns the file.
    pub game: Option<GameId>,
    /// What is wrong.
    pub what: String,
}

/// What [`Maintenance::verify`](crate::archive::Maintenance::verify) found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct VerifyReport {
    /// Games decoded.
    pub games: u64,
    /// Plies replayed.
    pub plies: u64,
    /// Total number of faults.
    pub faults: u64,
    /// Number of faults in the index.
    pub index_faults: u64,
    /// Whether the pages of the index cannot be used, so that it must be dropped before it is built again.
    #[serde(skip)]
    pub has_bad_index_pages: bool,
    /// Number of faults in the views, which the next change of the archive restores.
    #[serde(skip)]
    pub view_faults: u64,
    /// The first problems.
    pub first: Vec<Problem>,
    /// What nothing in the archive can prove.
    pub unproved: Unproved,
}

/// What the fingerprints do not prove, in an archive created before version 3, which introduced checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Unproved {
    /// Whether the archive still has no checksums, so that changes to the following cannot be detected. Otherwise only
    /// changes before the checksums were added cannot.
    pub without_checksums: bool,
    /// Original texts.
    pub originals: u64,
    /// Sources: their names, numbers of games, and which games came from them.
    pub sources: u64,
}

impl VerifyReport {
    /// Whether there is no problem, and every change to printed data would have been detected.
    pub fn is_sound(&self) -> bool {
        self.faults == 0 && !self.unproved.without_checksums
    }

    /// Whether all faults are in the index, which can be rebuilt.
    pub fn is_of_index(&self) -> bool {
        self.faults > 0 && self.faults == self.index_faults
    }

    /// Whether all faults are in the views.
    pub fn is_of_views(&self) -> bool {
        self.faults > 0 && self.faults == self.view_faults
    }

    /// The first problem as one text.
    pub(in crate::archive) fn first_problem(&self) -> Option<String> {
        self.first.first().map(|Problem { game, what }| match game {
            Some(id) => format!("game {id}: {what}"),
            None => what.clone(),
        })
    }

    pub(super) fn problem(&mut self, game: Option<GameId>, what: String) {
        self.faults += 1;
        if self.first.len() < MAX_REPORTED {
            self.first.push(Problem { game, what });
        }
    }

    pub(super) fn index_problem(&mut self, what: String) {
        self.index_faults += 1;
        self.problem(None, what);
    }

    pub(super) fn view_problem(&mut self, what: String) {
        self.view_faults += 1;
        self.problem(None, what);
    }

    pub(super) fn problem_of_table(&mut self, table: Option<&str>, what: String) {
        match table.is_some_and(|table| INDEX_TABLES.contains(&table)) {
            true => {
                self.has_bad_index_pages = true;
                self.index_problem(what);
            }
            false => self.problem(None, what),
        }
    }

    /// Makes a check. Reports if something cannot be read, unless the cause is a malformed page, which is already
    /// reported.
    pub(super) fn check(
        &mut self,
        what: &str,
        check: impl FnOnce(&mut VerifyReport) -> rusqlite::Result<()>,
    ) {
        if let Err(error) = check(self)
            && (self.faults == 0 || error.sqlite_error_code() != Some(ErrorCode::DatabaseCorrupt))
        {
            self.problem(None, format!("cannot read {what}: {}", said(&error)));
        }
    }

    /// Reports an index that cannot be compared with the games, with the same exception.
    pub(super) fn not_compared(&mut self, what: &str, error: &ArchiveError) {
        if self.faults == 0 || !matches!(error, ArchiveError::Malformed(..)) {
            self.has_bad_index_pages = true;
            self.index_problem(format!("cannot compare {what} with the games: {error}"));
        }
    }
}
