//! What a writer does for games that change, or that the archive no longer has as they were.

use super::{
    names::{NAME_TABLES, Names, Registers},
    sections::Sections,
    writer::{Added, Writer},
};
use crate::archive::{
    FormerFingerprint, Result, WhyFormer,
    changes::{former, make_tables},
    checksum::{Checked, Checksums},
    totals::{self, RunningTotals},
};

impl Writer {
    /// Adds games that were removed or edited in the archive, instead of counting them as duplicates.
    #[must_use]
    pub fn adding_again(self, again: bool) -> Writer {
        Writer { again, ..self }
    }

    /// Why a game with a stored fingerprint is not added; `None` if no game has this fingerprint any more.
    pub(super) fn known(&mut self, fingerprint: u64) -> rusqlite::Result<Option<Added>> {
        let why = if self.has_changes { former::why(&self.archive.db, fingerprint)? } else { None };
        Ok(match why {
            None => Some(Added::Duplicate),
            Some(why) if !why.lets_in(self.again) => Some(Added::Former(why)),
            Some(_) => {
                let checksums = &mut self.registers.checksums;
                checksums.replace_row(&self.archive.db, Checked::Former, fingerprint.cast_signed(), None)?;
                None
            }
        })
    }

    /// Whether a game of the archive has a fingerprint.
    pub fn has_game(&mut self, fingerprint: u64) -> Result<bool> {
        self.begin()?;
        let keys = &mut self.registers.keys;
        self.archive.db.attempt(|db| {
            Ok(keys.has_fingerprint(db, fingerprint)? && former::why(db, fingerprint)?.is_none())
        })
    }

    /// Whether a game of the archive has a fingerprint, or had it.
    pub(in crate::archive) fn has_fingerprint(&mut self, fingerprint: u64) -> Result<bool> {
        let keys = &mut self.registers.keys;
        self.archive.db.attempt(|db| keys.has_fingerprint(db, fingerprint))
    }

    /// Adds the fingerprint of a game, unless it is stored already.
    pub(in crate::archive) fn keep_fingerprint(&mut self, fingerprint: u64) -> rusqlite::Result<()> {
        let (db, keys) = (&self.archive.db, &mut self.registers.keys);
        if keys.has_fingerprint(db, fingerprint)? { Ok(()) } else { keys.add_fingerprint(db, fingerprint) }
    }

    /// Records fingerprints that no game has any more, from another archive, unless a game here has them. Those that
    /// were undone are left out, because an import may bring them back.
    pub fn keep_former(&mut self, former: &[FormerFingerprint]) -> Result<()> {
        let kept: Vec<_> = former.iter().filter(|former| former.why != WhyFormer::Undone).collect();
        if kept.is_empty() {
            return Ok(());
        }
        self.begin()?;
        let mut keep = || -> rusqlite::Result<()> {
            make_tables(&self.archive.db)?;
            (self.has_changes, self.registers.totals) = (true, RunningTotals::open(&self.archive.db)?);
            for &&FormerFingerprint { fingerprint, why, .. } in &kept {
                let (db, Registers { keys, checksums, .. }) = (&self.archive.db, &mut self.registers);
                if !keys.has_fingerprint(db, fingerprint)? {
                    let row = former::row(fingerprint, 0, why);
                    checksums.replace_row(db, Checked::Former, fingerprint.cast_signed(), Some(&row))?;
                    keys.add_fingerprint(db, fingerprint)?;
                }
            }
            Ok(())
        };
        keep().map_err(|error| self.archive.db.error(error))
    }

    /// Commits a change. Unlike a batch of an import, it is not followed by a pause.
    pub(in crate::archive) fn commit_change(&mut self) -> Result<()> {
        self.flush()?;
        self.archive.db.run("COMMIT")?;
        self.begun = false;
        Ok(())
    }

    /// Counts games and dates again, because sections have changed; part of a batch.
    pub(in crate::archive) fn count_again(&mut self) -> rusqlite::Result<()> {
        let db = &self.archive.db;
        totals::drop_row(db)?;
        self.registers.totals = RunningTotals::open(db)?;
        Ok(())
    }

    /// Discards the batch, and everything cached during it.
    pub(in crate::archive) fn discard(&mut self) -> Result<()> {
        // After some errors, such as a full disk, SQLite has already done that.
        let rolled_back =
            if self.archive.db.is_autocommit() { Ok(()) } else { self.archive.db.run("ROLLBACK") };
        self.registers.checksums = Checksums::default();
        (self.names, self.sections) = (NAME_TABLES.map(Names::new), Sections::new());
        (self.begun, self.version) = (false, None);
        rolled_back
    }
}
