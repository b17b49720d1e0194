//! Rejected games that an archive keeps on request, each text once, with its place and the reason. The id of a row is the
//! hash of its text, so it is the same in every archive.
//!
//! Imports keep them in the transaction of their batch. Undoing an import removes those that it kept; a text that another
//! import had kept before is that one's. A retry is an import that logs the rows it removes, so undoing it restores them.

use plybook_chess::limits::{MAX_REJECT_BYTES, MAX_REJECTS_BYTES};
use plybook_pgn::Location;
use plybook_record::packed;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use twox_hash::XxHash3_64;

use super::{
    Archive, ArchiveError, Editor, Result, Writer,
    changes::Change,
    checksum::{self, Checked},
    integers::integers,
    write::names::Registers,
};

/// A rejected game that an archive keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReject {
    /// The xxh3 of its text.
    pub id: i64,
    /// The name of its source.
    pub source: String,
    /// Its number in the source, and where its fault is.
    pub location: Location,
    /// Why it was rejected.
    pub reason: String,
    /// Its bytes in the source, without white space around them.
    pub text: Vec<u8>,
}

/// How many rejected games an archive keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KeptRejects {
    /// Their number.
    pub games: u64,
    /// The bytes of their compressed texts.
    pub bytes: u64,
}

fn count(db: &Connection) -> rusqlite::Result<KeptRejects> {
    if !Checked::Reject.exists(db)? {
        return Ok(KeptRejects::default());
    }
    let read = |row: &Row<'_>| {
        let number = |column| row.get(column).map(i64::cast_unsigned);
        Ok(KeptRejects { games: number(0)?, bytes: number(1)? })
    };
    db.query_row("SELECT count(*), coalesce(sum(length(text)), 0) FROM plybook_reject", [], read)
}

impl Archive {
    /// How many rejected games it keeps.
    pub fn kept_rejects(&self) -> Result<KeptRejects> {
        let mut all = KeptRejects::default();
        for archive in self.files().each() {
            let own = archive.db.attempt(|db| count(db))?;
            (all.games, all.bytes) = (all.games + own.games, all.bytes + own.bytes);
        }
        Ok(all)
    }

    /// The ids of the rejected games it keeps, in the order in which they were rejected.
    pub fn reject_ids(&self) -> Result<Vec<i64>> {
        self.db.attempt(|db| match Checked::Reject.exists(db)? {
            true => integers(db, "SELECT id FROM plybook_reject ORDER BY source, name, number, byte", []),
            false => Ok(Vec::new()),
        })
    }

    /// A rejected game; `None` if it is not kept any more.
    ///
    /// # Errors
    /// Its row is damaged.
    pub fn reject(&self, id: i64) -> Result<Option<KeptReject>> {
        let read = |row: &Row<'_>| {
            let number = |column| row.get(column).map(i64::cast_unsigned);
            let location = Location { game: number(2)?, line: number(3)?, byte: number(4)?, file: "" };
            let (source, reason, text) = (row.get(1)?, row.get(5)?, row.get(0)?);
            Ok(KeptReject { id, source, location, reason, text })
        };
        let sql = "SELECT text, name, number, line, byte, reason FROM plybook_reject WHERE id = ?1";
        let (found, changed) = self.db.attempt(|db| {
            let found = db.prepare_cached(sql)?.query_row([id], read).optional()?;
            Ok((found, checksum::change(db, Checked::Reject, id)?))
        })?;
        let damaged = |what: String| {
            let what = format!("row {id} of {}: {what}", Checked::Reject.name());
            ArchiveError::Changed(self.path().to_owned(), what)
        };
        if let Some(changed) = changed {
            return Err(damaged(changed.what.to_owned()));
        }
        let Some((found, side)) = found.zip(Checked::Reject.side()) else { return Ok(None) };
        let text = side.read(&found.text).map_err(damaged)?;
        Ok(Some(KeptReject { text, ..found }))
    }
}

impl Writer {
    /// Keeps a rejected game of a source, unless its text is kept already; part of the batch. Returns false if the text is
    /// empty or too long, or the archive keeps too much.
    pub fn keep_reject(&mut self, source: i64, reject: &KeptReject) -> Result<bool> {
        let KeptReject { source: name, location, reason, text, .. } = reject;
        if text.is_empty() || text.len() > MAX_REJECT_BYTES {
            return Ok(false);
        }
        self.begin()?;
        let Writer { archive, registers: Registers { checksums, totals, .. }, .. } = self;
        archive.db.attempt(|db| {
            Checked::Reject.make(db)?;
            let id = XxHash3_64::oneshot(text).cast_signed();
            if db.prepare_cached("SELECT 1 FROM plybook_reject WHERE id = ?1")?.exists([id])? {
                return Ok(true);
            }
            let frame = packed(text);
            let bytes = totals.reject_bytes.map_or_else(|| count(db).map(|kept| kept.bytes), Ok)?;
            let bytes = bytes.saturating_add(frame.len() as u64);
            if bytes > MAX_REJECTS_BYTES {
                return Ok(false);
            }
            totals.reject_bytes = Some(bytes);
            let [number, line, byte] = [location.game, location.line, location.byte].map(u64::cast_signed);
            let columns = params![frame, name, number, line, byte, reason, source];
            checksums.replace(db, Checked::Reject, id, columns).map(|()| true)
        })
    }

    /// Removes a rejected game that the present import has stored, as a part of it.
    pub fn release_reject(&mut self, id: i64) -> Result<()> {
        self.in_import(|change| change.remove_reject(id))
    }
}

impl Change<'_> {
    fn remove_reject(&mut self, id: i64) -> Result<()> {
        self.set_row(Checked::Reject, id, None).map_err(|error| self.error(error))
    }

    /// Removes the rejected games that an import kept of a source, after a number in it.
    pub(super) fn take_back_rejects(&mut self, source: i64, after: u64) -> Result<()> {
        let sql = "SELECT id FROM plybook_reject WHERE source = ?1 AND number > ?2";
        let kept = self.writer.archive.db.attempt(|db| match Checked::Reject.exists(db)? {
            true => integers(db, sql, (source, after.cast_signed())),
            false => Ok(Vec::new()),
        })?;
        kept.into_iter().try_for_each(|id| self.remove_reject(id))
    }
}

/// The sources of the rejected games that an archive keeps.
pub(super) fn sources(db: &Connection) -> rusqlite::Result<Vec<i64>> {
    match Checked::Reject.exists(db)? {
        true => integers(db, "SELECT DISTINCT source FROM plybook_reject", []),
        false => Ok(Vec::new()),
    }
}

impl Editor {
    /// Deletes the rejected games that the archive keeps; part of a transaction. Those in the log stay there.
    pub(super) fn delete_rejects(&mut self) -> Result<()> {
        self.archive().db.attempt(|db| {
            if Checked::Reject.exists(db)? {
                db.execute_batch("DELETE FROM plybook_reject")?;
                db.execute("DELETE FROM checksum WHERE subject = ?1", [Checked::Reject as i64])?;
            }
            Ok(())
        })
    }
}
