//! Updates the columns of games that releases up to 0.2 stored, and the index, in one transaction: their tags are read
//! again, by the current rules. Ids, tags and fingerprints stay the same. Changes can still be undone, because the rows in
//! the log are updated too.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
    path::Path,
};

use rusqlite::{Row, types::Value};

use super::migrate::refuse_damage;
use crate::archive::{
    Archive, ArchiveError, ArchiveFile, PreparedGames, Result, WritableArchive, Writer,
    changes::log,
    checksum::{Checked, has_changes, row_of},
    game_table::SECTION,
    purpose::Purpose,
    read::{all_sections, bound_row, tag_value},
    row_hash,
    {bounded::Bounded, integers::integers},
};
use plybook_record::{Record, TagLayoutCache};

/// The layouts of games whose columns follow former rules: see [`ValueRules`](plybook_record::ValueRules).
const FORMER: &str = "SELECT id FROM tag_layout WHERE slots NOT LIKE ' %'";

/// Games between two reports of progress.
const REPORTED: u64 = 1024;

impl Archive {
    /// Whether values of some games follow the rules of releases up to 0.2; [`WritableArchive::renew_values`] renews
    /// them.
    pub fn has_former_values(&self) -> Result<bool> {
        let is_former =
            |file: ArchiveFile<'_>| file.lock().db.attempt(|db| db.prepare_cached(FORMER)?.exists([]));
        self.files().all().try_fold(false, |is_any, file| Ok(is_any || is_former(file)?))
    }
}

impl WritableArchive {
    /// Renews the columns of games that releases up to 0.2 stored, and the index if that makes a difference, completely
    /// or not at all. Returns the number of games that have changed; `None` if all games follow the current rules already.
    /// `watch` receives the number of games processed and their total, first for the columns, then for each segment of
    /// the index, and may stop it.
    ///
    /// # Errors
    /// The archive is missing or damaged, cannot be written, or another program imports into it or builds its index.
    /// Nothing has changed then.
    pub fn renew_values(
        path: impl AsRef<Path>,
        watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<u64>> {
        let archive = Archive::open(&path)?;
        if !archive.has_former_values()? {
            return Ok(None);
        }
        // Renewing a damaged archive would make it appear valid.
        refuse_damage(&archive)?;
        drop(archive);
        refuse_other_programs(path.as_ref())?;
        let mut renewal = Renewal {
            writer: WritableArchive::create_or_open(path)?.into_writer(),
            layouts: TagLayoutCache::default(),
            sections: HashSet::new(),
            left: HashSet::new(),
            renewed: HashMap::new(),
            has_log: false,
        };
        match renewal.run(watch) {
            Ok(changed) => renewal.writer.finish()?.finish().map(|()| Some(changed)),
            Err(error) => {
                // The first error is the one to report.
                let _ = renewal.writer.discard();
                Err(error)
            }
        }
    }
}

/// Refuses an archive with a write-ahead log that another program uses. An import by release 0.2 would go on to add games
/// to the sections that it knows, some of which a renewal removes.
fn refuse_other_programs(path: &Path) -> Result<()> {
    let archive = Archive::connect(path, Purpose::Write)?;
    if archive.has_log() {
        archive.end_log()?;
    }
    if archive.has_log() { Err(ArchiveError::InUse(path.to_owned())) } else { Ok(()) }
}

/// What is needed to renew the games of an archive.
struct Renewal {
    writer: Writer,
    layouts: TagLayoutCache,
    /// The sections whose games follow former rules.
    sections: HashSet<i64>,
    /// The sections of games that were renewed, which may be empty now.
    left: HashSet<i64>,
    /// The hashes of rows that were renewed, and of what they became, if there is a log that may refer to them.
    renewed: HashMap<u64, u64>,
    has_log: bool,
}

impl Renewal {
    /// Renews everything, in a transaction that is not committed yet. Returns the number of games that have changed.
    fn run(&mut self, mut watch: impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<u64> {
        self.writer.begin()?;
        let before = self.attempt(|renewal| {
            renewal.has_log = has_changes(renewal.db())?;
            let sections = format!("SELECT id FROM section WHERE layout IN ({FORMER})");
            renewal.sections = integers(renewal.db(), &sections, [])?.into_iter().collect();
            let before = all_sections(renewal.db())?;
            renewal.mark_layouts()?;
            Ok(before)
        })?;
        let changed = self.renew_games(&mut watch)?;
        self.renew_log()?;
        let after = self.attempt(|renewal| {
            renewal.drop_empty_sections()?;
            renewal.writer.count_again()?;
            all_sections(renewal.db())
        })?;
        self.writer.flush()?;
        if changed > 0 || before != after {
            self.writer.archive.segments().rebuild_all(&mut watch)?;
        }
        Ok(changed)
    }

    fn db(&self) -> &Bounded {
        &self.writer.archive.db
    }

    fn attempt<T>(&mut self, call: impl FnOnce(&mut Renewal) -> rusqlite::Result<T>) -> Result<T> {
        call(self).map_err(|error| self.db().error(error))
    }

    /// Marks the layouts: their games follow the current rules once the next steps are done.
    fn mark_layouts(&mut self) -> rusqlite::Result<()> {
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        for id in integers(db, FORMER, [])? {
            let sql = "SELECT codec, variant, names, ' ' || slots FROM tag_layout WHERE id = ?1";
            let read = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
            let [codec, variant, names, slots]: &[Value; 4] = &db.query_row(sql, [id], read)?;
            checksums.replace(db, Checked::TagLayout, id, &[codec, variant, names, slots])?;
        }
        Ok(())
    }

    fn renew_games(&mut self, watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<u64> {
        let all = self.writer.archive.last_id()?.unsigned_abs();
        let (mut changed, mut next) = (0, 0);
        let following = "SELECT id FROM game WHERE id > ?1 ORDER BY id LIMIT 1";
        loop {
            let id = self.attempt(|renewal| Ok(integers(renewal.db(), following, [next])?.pop()))?;
            let Some(id) = id else { return Ok(changed) };
            next = id;
            if let Some(row) = self.attempt(|renewal| row_of(renewal.db(), Checked::Game, id))?
                && let Some(renewed) = self.renewed_row(&row)?
            {
                changed += 1;
                self.attempt(|Renewal { writer, .. }| {
                    let checksums = &mut writer.registers.checksums;
                    checksums.replace_row(&writer.archive.db, Checked::Game, id, Some(&renewed))
                })?;
            }
            if id.unsigned_abs() % REPORTED == 0 && watch(id.unsigned_abs(), all).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
    }

    /// A row of `game` by the current rules; `None` if that makes no difference.
    fn renewed_row(&mut self, row: &[u8]) -> Result<Option<Vec<u8>>> {
        let section = row_hash::integer_at(row, SECTION);
        if !self.sections.contains(&section) {
            return Ok(None);
        }
        let game = self.attempt(|renewal| bound_row(renewal.db(), row))?;
        let id = game.id;
        let Renewal { writer, layouts, .. } = self;
        let record = Record::renewed(game, |id| tag_value(&writer.archive.db, id), layouts);
        let Some(record) = record.map_err(|error| ArchiveError::damaged(id, error))? else { return Ok(None) };
        let mut games = PreparedGames::of(&record);
        self.attempt(|renewal| renewal.writer.name_ids(&mut games, 0, id).map(drop))?;
        let renewed = games.rows().next().map(|rows| rows.row.into_owned()).unwrap_or_default();
        self.left.insert(section);
        if self.has_log {
            self.renewed.insert(log::hash(Checked::Game, row), log::hash(Checked::Game, &renewed));
        }
        Ok(Some(renewed))
    }

    /// Renews the rows of games in the log, and the hashes by which it knows the rows that follow them.
    fn renew_log(&mut self) -> Result<()> {
        let logged = self.attempt(|renewal| log::rows_of_games(renewal.db()))?;
        for id in &logged {
            let mut row = self.attempt(|renewal| log::row(renewal.db(), *id))?;
            let Some(image) = &row.image else { continue };
            if let Some(renewed) = self.renewed_row(image)? {
                row.image = Some(renewed);
                self.write_log(&row)?;
            }
        }
        for id in &logged {
            let mut row = self.attempt(|renewal| log::row(renewal.db(), *id))?;
            if let Some(renewed) = row.replaces.and_then(|replaces| self.renewed.get(&replaces)) {
                row.replaces = Some(*renewed);
                self.write_log(&row)?;
            }
            self.left.remove(&row.image.as_deref().map_or(0, |image| row_hash::integer_at(image, SECTION)));
        }
        Ok(())
    }

    fn write_log(&mut self, row: &log::Replaced) -> Result<()> {
        self.attempt(|Renewal { writer, .. }| row.write(&writer.archive.db, &mut writer.registers.checksums))
    }

    /// Removes the sections that no game and no change has any more.
    fn drop_empty_sections(&mut self) -> rusqlite::Result<()> {
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        for section in integers(db, "SELECT DISTINCT section FROM game", [])? {
            self.left.remove(&section);
        }
        for section in self.left.drain() {
            checksums.replace_row(db, Checked::Section, section, None)?;
        }
        Ok(())
    }
}
