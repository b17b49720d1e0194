//! Encodes the moves of all games with another codec, in batches: whatever stops it, every game is stored in one of the
//! codecs, and the next call goes on.
//!
//! Ids of games, tags and the index stay as they are. Sections may get other numbers, and fingerprints become shorter. The
//! log still undoes changes: it knows rows by their hashes, which are updated. The rows that it restores keep their codec.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
    path::Path,
};

use plybook_chess::codec::CodecId;
use plybook_record::{GameId, GameRange, StoredGame};
use rayon::prelude::*;
use rusqlite::types::ValueRef;

use super::renumber_sections::renumber_sections;
use crate::archive::{
    ArchiveError, Result, WritableArchive, Writer,
    bounded::Bounded,
    changes::{log, stale},
    checksum::{Checked, has_changes, row_of},
    game_table::{self, SECTION},
    integers::integers,
    read::{bound_row, tag_value},
    row_hash,
    schema::{self, MODEL_VERSION},
};

/// The columns of a row of `game`, of `section` and of `tag_layout`, by their places.
const MOVES: usize = 7;
const LAYOUT: usize = 1;
const CODEC: usize = 1;

impl WritableArchive {
    /// Encodes the moves of all games with a codec, and makes the file smaller. Returns the number of games that had
    /// another codec. It commits every `commit_every` games; `watch` then receives the id of the last game that is done and
    /// the highest id, and may stop it.
    ///
    /// # Errors
    /// The archive is missing, or a game in it is damaged; it cannot be written; or `watch` stopped it. The games that are
    /// done stay in their new codec.
    pub fn recompress(
        path: impl AsRef<Path>,
        codec: CodecId,
        commit_every: u64,
        mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<u64> {
        let writer = WritableArchive::create_or_open(path)?.into_writer();
        let mut recompression = Recompression {
            writer,
            codec,
            commit_every,
            sections: HashMap::new(),
            recoded: HashMap::new(),
            version: 0,
        };
        match recompression.run(&mut watch) {
            Ok(games) => {
                let archive = recompression.writer.finish()?;
                archive.rebuild_file()?;
                archive.finish().map(|()| games)
            }
            Err(error) => {
                // The first error is the one to report.
                let _ = recompression.writer.discard();
                Err(error)
            }
        }
    }
}

/// A game to be encoded, and its row.
struct Source {
    id: GameId,
    row: Vec<u8>,
    game: StoredGame,
}

struct Recompression {
    writer: Writer,
    codec: CodecId,
    commit_every: u64,
    /// For each section, the section of games with the codec that is the same otherwise; `None` if it has the codec.
    sections: HashMap<i64, Option<i64>>,
    /// The sections with the codec, by the hash of their rows without the ids.
    recoded: HashMap<u64, i64>,
    /// SQLite's number that changes when another connection has written.
    version: i64,
}

impl Recompression {
    fn run(&mut self, watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<u64> {
        let (mut games, mut next) = (0, 0);
        loop {
            self.begin()?;
            let all = self.writer.archive.last_id()?.unsigned_abs();
            let following = "SELECT id FROM game WHERE id > ?1 ORDER BY id LIMIT ?2";
            let page = [next, self.commit_every.cast_signed()];
            let ids = self.attempt(|recompression| integers(recompression.db(), following, page))?;
            let Some(&last) = ids.last() else { break };
            games += self.batch(&ids)?;
            self.writer.commit()?;
            next = last;
            if watch(last.unsigned_abs(), all).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
        self.attempt(|recompression| {
            recompression.tidy_sections()?;
            recompression.writer.count_again()
        })?;
        // In two steps, because each rewrites all games in the log of SQLite.
        self.writer.commit()?;
        self.begin()?;
        let all = self.writer.archive.last_id()?.unsigned_abs();
        let mut go_on = || watch(all, all).is_continue();
        if !self.attempt(|recompression| game_table::pack(recompression.db(), &mut go_on))? {
            return Err(ArchiveError::Stopped);
        }
        self.attempt(|recompression| {
            let Writer { archive, registers, .. } = &mut recompression.writer;
            registers.keys.shorten(&archive.db)
        })?;
        Ok(games)
    }

    /// Begins a batch. Another program may have removed sections since the last one.
    fn begin(&mut self) -> Result<()> {
        self.writer.begin()?;
        let version = self.db().pragma("data_version")?;
        if std::mem::replace(&mut self.version, version) != version {
            self.sections.clear();
            self.recoded = self.attempt(|recompression| recompression.stored_sections())?;
        }
        Ok(())
    }

    /// The sections that have the codec already: see `recoded`.
    fn stored_sections(&self) -> rusqlite::Result<HashMap<u64, i64>> {
        let sql = "SELECT id FROM section WHERE layout IN (SELECT id FROM tag_layout WHERE codec = ?1)";
        let ids = integers(self.db(), sql, [self.codec.number()])?.into_iter();
        let hashed =
            ids.map(|id| Ok((contents(&row_of(self.db(), Checked::Section, id)?.unwrap_or_default()), id)));
        hashed.collect()
    }

    fn db(&self) -> &Bounded {
        &self.writer.archive.db
    }

    fn attempt<T>(&mut self, call: impl FnOnce(&mut Recompression) -> rusqlite::Result<T>) -> Result<T> {
        call(self).map_err(|error| self.db().error(error))
    }

    /// Encodes the games with these ids, in the caller's transaction. Returns the number of those that had another codec.
    fn batch(&mut self, ids: &[GameId]) -> Result<u64> {
        let mut sources = Vec::new();
        for &id in ids {
            sources.extend(self.source(id)?);
        }
        let codec = self.codec;
        let recoded = sources.par_iter().map(|Source { id, game, .. }| {
            game.recoded(codec).map_err(|error| ArchiveError::damaged(*id, error))
        });
        let recoded: Vec<Vec<u8>> = recoded.collect::<Result<_>>()?;
        let mut hashes = HashMap::new();
        for (Source { id, row, .. }, moves) in sources.iter().zip(&recoded) {
            let written = self.attempt(|recompression| recompression.write(*id, row, moves))?;
            hashes.insert(log::hash(Checked::Game, row), log::hash(Checked::Game, &written));
        }
        if let [first, .., last] | [first @ last] = ids
            && !hashes.is_empty()
        {
            self.attempt(|recompression| recompression.update_log((*first..=*last).into(), &hashes))?;
        }
        Ok(hashes.len() as u64)
    }

    /// A game, unless it has the codec already.
    fn source(&mut self, id: GameId) -> Result<Option<Source>> {
        let Some(row) = self.attempt(|recompression| row_of(recompression.db(), Checked::Game, id))? else {
            return Ok(None);
        };
        let section = row_hash::integer_at(&row, SECTION);
        if self.attempt(|recompression| recompression.section(section))?.is_none() {
            return Ok(None);
        }
        let bound = self.attempt(|recompression| bound_row(recompression.db(), &row))?;
        let game = bound.into_game(|id| tag_value(self.db(), id));
        let game = game.map_err(|error| ArchiveError::damaged(id, error))?;
        Ok(Some(Source { id, row, game }))
    }

    /// The section for games of a section in the new codec: see `sections`.
    fn section(&mut self, section: i64) -> rusqlite::Result<Option<i64>> {
        if let Some(known) = self.sections.get(&section) {
            return Ok(*known);
        }
        let row = row_of(self.db(), Checked::Section, section)?.unwrap_or_default();
        let layout = row_hash::integer_at(&row, LAYOUT);
        let recoded = match self.layout(layout)? {
            same if same == layout => None,
            other => {
                Some(self.recoded_section(&row_hash::with(&row, &[(LAYOUT, ValueRef::Integer(other))]))?)
            }
        };
        self.sections.insert(section, recoded);
        Ok(recoded)
    }

    /// The section with the contents of a row, which is added if there is none.
    fn recoded_section(&mut self, row: &[u8]) -> rusqlite::Result<i64> {
        if let Some(&known) = self.recoded.get(&contents(row)) {
            let stored = row_of(self.db(), Checked::Section, known)?.unwrap_or_default();
            if stored.get(row_hash::INTEGER..) == row.get(row_hash::INTEGER..) {
                return Ok(known);
            }
        }
        let id = self.add_row(Checked::Section, row, &[])?;
        self.recoded.insert(contents(row), id);
        Ok(id)
    }

    /// The layout with the new codec that is the same otherwise.
    fn layout(&mut self, layout: i64) -> rusqlite::Result<i64> {
        let codec = i64::from(self.codec.number());
        let same = "SELECT other.id FROM tag_layout AS other JOIN tag_layout AS own ON own.id = ?1
                    AND (own.variant, own.names, own.slots) = (other.variant, other.names, other.slots)
                    WHERE other.codec = ?2";
        if let Some(known) = integers(self.db(), same, [layout, codec])?.pop() {
            return Ok(known);
        }
        if self.codec == CodecId::Model {
            schema::raise_version(self.db(), MODEL_VERSION)?;
        }
        let row = row_of(self.db(), Checked::TagLayout, layout)?.unwrap_or_default();
        self.add_row(Checked::TagLayout, &row, &[(CODEC, ValueRef::Integer(codec))])
    }

    /// Adds a copy of a row with other values, and returns its id.
    fn add_row(
        &mut self,
        table: Checked,
        row: &[u8],
        changes: &[(usize, ValueRef<'_>)],
    ) -> rusqlite::Result<i64> {
        let next = format!("SELECT coalesce(max(id), 0) + 1 FROM {}", table.name());
        let id: i64 = self.db().query_row(&next, [], |row| row.get(0))?;
        let row = row_hash::with(&row_hash::with(row, &[(0, ValueRef::Integer(id))]), changes);
        self.replace(table, id, Some(&row))?;
        Ok(id)
    }

    /// Writes the row of a game with its moves in the new codec.
    fn write(&mut self, id: GameId, row: &[u8], moves: &[u8]) -> rusqlite::Result<Vec<u8>> {
        let section = self.section(row_hash::integer_at(row, SECTION))?.unwrap_or_default();
        let row =
            row_hash::with(row, &[(SECTION, ValueRef::Integer(section)), (MOVES, ValueRef::Blob(moves))]);
        self.replace(Checked::Game, id, Some(&row))?;
        Ok(row)
    }

    fn replace(&mut self, table: Checked, id: i64, row: Option<&[u8]>) -> rusqlite::Result<()> {
        let Writer { archive, registers, .. } = &mut self.writer;
        registers.checksums.replace_row(&archive.db, table, id, row).map(drop)
    }

    /// Updates the hashes by which the log knows the rows of games, given those of the rows before and now.
    fn update_log(&mut self, games: GameRange, hashes: &HashMap<u64, u64>) -> rusqlite::Result<()> {
        if !has_changes(self.db())? {
            return Ok(());
        }
        for mut row in log::rows_of_range(self.db(), games)? {
            if let Some(now) = row.replaces.and_then(|replaces| hashes.get(&replaces)) {
                row.replaces = Some(*now);
                row.write(&self.writer.archive.db, &mut self.writer.registers.checksums)?;
            }
        }
        Ok(())
    }

    /// Removes the sections and layouts in other codecs that no game, no change and no segment of the index needs any more,
    /// and numbers the other sections again.
    fn tidy_sections(&mut self) -> rusqlite::Result<()> {
        let others = "SELECT id FROM section WHERE layout IN (SELECT id FROM tag_layout WHERE codec <> ?1)
                      AND id NOT IN (SELECT section FROM game)";
        let codec = self.codec.number();
        let others = integers(self.db(), others, [codec])?;
        let needed = self.sections_of_images()?;
        let mut unused = others.into_iter().filter(|section| !needed.contains(section));
        unused.try_for_each(|section| self.replace(Checked::Section, section, None))?;
        let unused = "SELECT id FROM tag_layout WHERE codec <> ?1 AND id NOT IN (SELECT layout FROM section)";
        for layout in integers(self.db(), unused, [codec])? {
            self.replace(Checked::TagLayout, layout, None)?;
        }
        let Writer { archive, registers, .. } = &mut self.writer;
        renumber_sections(&archive.db, &mut registers.checksums, &needed)
    }

    /// The sections of the rows of games that the log of changes and the segments of the index have.
    fn sections_of_images(&self) -> rusqlite::Result<HashSet<i64>> {
        let mut sections = HashSet::new();
        if has_changes(self.db())? {
            for id in log::rows_of_games(self.db())? {
                sections.extend(
                    log::row(self.db(), id)?.image.map(|image| row_hash::integer_at(&image, SECTION)),
                );
            }
            sections
                .extend(stale::seen_rows(self.db())?.iter().map(|seen| row_hash::integer_at(seen, SECTION)));
        }
        Ok(sections)
    }
}

/// The hash of a row without its id.
fn contents(row: &[u8]) -> u64 {
    row_hash::hash(0, row.get(row_hash::INTEGER..).unwrap_or_default())
}
