//! Verifies that every game can be restored as it was stored.

use super::{
    PageFaults,
    rows::tell_of_identities,
    verify_report::{Unproved, VerifyReport},
};
use crate::archive::{
    Maintenance, Result,
    changes::removed,
    checksum::{self, Checked, Owner},
    order::UnreadTable,
    schema,
    schema_check::own_tables,
    segments::{INDEX_TABLES, RecordedSegment},
};

/// Queries that count inconsistent rows.
const CONSISTENCY_QUERIES: [(&str, &str); 7] = [
    (
        // Games can be left out from version 6 on.
        "SELECT count(*) FROM source WHERE seen < stored + duplicate + rejected OR min(bytes, lines, stored, \
         duplicate, rejected) < 0 OR ended NOT IN (0, 1) \
         OR seen > stored + duplicate + rejected AND (SELECT user_version < 6 FROM pragma_user_version)",
        "sources with inconsistent game counts",
    ),
    (
        "SELECT count(*) FROM source WHERE ended AND hash IS NULL AND stamp IS NOT NULL AND seen > 0",
        "completed sources without a hash",
    ),
    (
        "SELECT count(*) FROM source_span WHERE source NOT IN (SELECT id FROM source) OR number < 1 OR byte < 0 OR line < 0 \
         OR first_game NOT BETWEEN 1 AND ?1",
        "runs of games without a source or without games",
    ),
    (
        // A run ends where the next one begins. It may also have games after the position up to which the source is read.
        "WITH run AS (SELECT source, lead(first_game, 1, ?1 + 1) OVER (ORDER BY first_game) - first_game AS ids \
         FROM source_span) SELECT count(*) FROM source \
         WHERE stored > (SELECT coalesce(sum(ids), 0) FROM run WHERE run.source = source.id)",
        "sources with more games than their runs",
    ),
    (
        "SELECT coalesce((SELECT min(id) FROM game) < (SELECT min(first_game) FROM source_span), 0)",
        "games that belong to no run of a source",
    ),
    (
        "SELECT count(*) FROM key_run WHERE keys <> (SELECT coalesce(sum(count), 0) FROM key_block \
         WHERE id BETWEEN first_block AND first_block + blocks - 1)",
        "key runs with a wrong number of keys",
    ),
    (
        "SELECT count(*) FROM key_block WHERE (SELECT count(*) FROM key_run \
         WHERE key_block.id BETWEEN first_block AND first_block + blocks - 1) <> 1",
        "key blocks that do not belong to exactly one run",
    ),
];

impl Maintenance<'_> {
    /// Decodes every game, recomputes and compares its fingerprint, rebuilds the index of positions and the trails if
    /// they exist, and runs SQLite's own checks. If pages of the file are corrupt, everything that can still be read is
    /// checked. `progress` receives the number of games checked so far, and then counts again while the index is
    /// checked.
    ///
    /// # Errors
    /// SQLite cannot read the list of tables. Everything else is a problem in the report.
    pub fn verify(self, mut progress: impl FnMut(u64)) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        let unread = self.archive.unread_tables()?;
        unread.iter().for_each(|unread| report.problem_of_table(Some(&unread.table), unread.what()));
        let endless: Vec<&str> =
            unread.iter().filter(|unread| unread.is_endless()).map(|unread| unread.table.as_str()).collect();
        report.check("the list of tables", |report| self.check_pages(report, &endless));
        report.check("the list of tables", |report| self.check_references(report, &unread));
        report.check("the views", |report| self.check_views(report));
        // Queries on a table that may be endless are skipped. The scan of the games always ends.
        let is_whole = endless.iter().all(|table| INDEX_TABLES.contains(table));
        let recorder = if endless.is_empty() { self.archive.segments().recorder() } else { None };
        let (recorded, are_identities_right) =
            self.check_games(&mut report, is_whole, recorder, &mut progress);
        if is_whole {
            report.check("the side tables", |report| self.check_sides(report));
            self.archive.check_own_indexes(&mut |game, what| report.problem(game, what));
            // What is found wrong is looked at again in one snapshot: games can be changed during the check.
            if !are_identities_right {
                let flaw = self.archive.identity_flaw();
                tell_of_identities(flaw, &mut |game, what| report.problem(game, what));
            }
            if endless.is_empty() {
                self.check_segments(&mut report, recorded, &mut progress);
            }
            report.check("the sources", |report| self.check_books(report));
            report.check("the totals", |report| {
                let fault = self.archive.totals_fault()?;
                fault.into_iter().for_each(|fault| report.problem(None, fault.to_owned()));
                Ok(())
            });
            report.check("the checksums", |report| self.check_all_rows(report));
        }
        Ok(report)
    }

    /// SQLite's own check of the pages.
    fn check_pages(self, report: &mut VerifyReport, endless: &[&str]) -> rusqlite::Result<()> {
        let found = PageFaults::find(&self.archive.db, "integrity_check", endless)?;
        for fault in found.faults {
            report.problem_of_table(fault.table.as_deref(), fault.what);
        }
        if found.has_unused {
            // They remain if dropping a corrupt index was interrupted; dropping it again frees them.
            report.has_bad_index_pages = true;
            report.index_problem("some pages of the file belong to no table".to_owned());
        }
        Ok(())
    }

    fn check_references(self, report: &mut VerifyReport, unread: &[UnreadTable]) -> rusqlite::Result<()> {
        let is_read = |table: &String| unread.iter().all(|unread| unread.table != *table);
        for (table, _) in own_tables(&self.archive.db)?.into_iter().filter(|(table, _)| is_read(table)) {
            report.check(&format!("table {table}"), |report| {
                let sql = format!("PRAGMA foreign_key_check('{table}')");
                let mut statement = self.archive.db.prepare(&sql)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let (id, parent): (Option<i64>, String) = (row.get(1)?, row.get(2)?);
                    let game = id.filter(|_| table == "game");
                    report.problem(game, format!("a row of {table} refers to a missing row in {parent}"));
                }
                Ok(())
            });
        }
        Ok(())
    }

    /// Checks the definitions of the views. The copy through which an older archive is read has none.
    fn check_views(self, report: &mut VerifyReport) -> rusqlite::Result<()> {
        if self.archive.older_version().is_none() {
            let faults = schema::view_faults(&self.archive.db)?;
            faults.into_iter().for_each(|fault| report.view_problem(fault));
        }
        Ok(())
    }

    /// Decodes every value of a side table that is not read with its game.
    fn check_sides(self, report: &mut VerifyReport) -> rusqlite::Result<()> {
        let sides = Checked::sides(&self.archive.db)?.into_iter();
        for (table, side) in sides.filter(|(_, side)| side.owner != Owner::Moves) {
            report.check(&format!("the {}", side.plural), |report| {
                let mut statement = self.archive.db.prepare(&format!("SELECT * FROM {}", table.name()))?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    if let Err(what) = side.read(row.get_ref(1)?.as_blob()?) {
                        let id: i64 = row.get(0)?;
                        match side.is_by_game() {
                            true => report.problem(Some(id), what),
                            false => report.problem(None, format!("row {id} of {}: {what}", table.name())),
                        }
                    }
                }
                Ok(())
            });
        }
        Ok(())
    }

    /// Checks the index of positions, if there is one: a wrong row would make searches miss games.
    fn check_segments(
        self,
        report: &mut VerifyReport,
        mut recorded: RecordedSegment,
        progress: &mut dyn FnMut(u64),
    ) {
        let mut flaw = |_, flaw| report.index_problem(format!("the index of positions is damaged: {flaw}"));
        if let Err(error) = self.archive.segments().check_positions(&mut recorded, &mut flaw, progress) {
            report.not_compared("the index of positions", &error);
        }
        let mut flaw = |_, flaw| report.index_problem(format!("the trails are damaged: {flaw}"));
        if let Err(error) = self.archive.segments().check_trails(&recorded, &mut flaw, progress) {
            report.not_compared("the trails", &error);
        }
    }

    /// Checks the counts of each source and the games of each run of a source.
    fn check_books(self, report: &mut VerifyReport) -> rusqlite::Result<()> {
        for (sql, what) in CONSISTENCY_QUERIES {
            let mut count = self.archive.db.prepare(sql)?;
            let wrong: i64 = match count.parameter_count() {
                0 => count.query_row([], |row| row.get(0))?,
                _ => count.query_row([removed::last_id(&self.archive.db)?], |row| row.get(0))?,
            };
            if wrong > 0 {
                report.problem(None, format!("{what}: {wrong}"));
            }
        }
        Ok(())
    }

    /// Checks that every row is unchanged.
    fn check_all_rows(self, report: &mut VerifyReport) -> rusqlite::Result<()> {
        let without_checksums = !checksum::has_checksums(&self.archive.db)?;
        let count = |table| checksum::unproved(&self.archive.db, table).map(i64::unsigned_abs);
        let (originals, sources) = (count(Checked::Original)?, count(Checked::Source)?);
        report.unproved = Unproved { without_checksums, originals, sources };
        if without_checksums {
            return Ok(());
        }
        self.archive.check_checksums(&mut |game, what| report.problem(game, what));
        Ok(())
    }
}
