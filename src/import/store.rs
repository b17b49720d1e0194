//! The writing end of an import: numbers games, stores them in order, keeps the books.

use std::path::{Path, PathBuf};

use super::{
    ImportError, Options, Report, Trouble,
    parse::{Item, Rejected},
    rejects::RejectFile,
};
use crate::{
    archive::{Added, Archive, SourceCounts, Writer},
    pgn::{Place, Reason},
};

/// Games stored between commits.
const GAMES_A_COMMIT: u64 = 10_000;

/// Stores the games of one import.
pub(super) struct Store {
    path: PathBuf,
    writer: Option<Writer>,
    rejects: Option<RejectFile>,
    pub report: Report,
    /// The source being stored: its name, its row in the archive (once it has one), its counts.
    source: (String, Option<i64>, SourceCounts),
    since_commit: u64,
    /// The first source in which nothing looks like PGN.
    not_pgn: Option<String>,
    rejected_as_not_pgn: u64,
}

impl Store {
    /// Prepares to store. A missing archive is made when the first game comes.
    pub(super) fn new(path: &Path, options: &Options) -> Result<Store, ImportError> {
        let exists = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        let writer = if exists { Some(Archive::create_or_open(path)?.into_writer()?) } else { None };
        let rejects = options.rejects.as_deref().map(RejectFile::create).transpose()?;
        Ok(Store {
            path: path.to_owned(),
            writer,
            rejects,
            report: Report::default(),
            source: Default::default(),
            since_commit: 0,
            not_pgn: None,
            rejected_as_not_pgn: 0,
        })
    }

    /// Goes on to a source.
    pub(super) fn begin_source(&mut self, name: &str) {
        self.source = (name.to_owned(), None, SourceCounts::default());
    }

    /// Stores the games of a batch; `bytes` is how far the source has been read.
    pub(super) fn add_batch(&mut self, items: Vec<Item>, bytes: u64) -> Result<(), ImportError> {
        self.report.pgn_bytes += bytes - self.source.2.bytes;
        self.source.2.bytes = bytes;
        for item in items {
            self.report.seen += 1;
            self.source.2.seen += 1;
            self.report.notes += item.notes;
            let place = Place { game: self.source.2.seen, ..item.place };
            match item.game {
                Ok(record) => self.store(&record, place)?,
                Err(rejected) => self.reject(place, &rejected)?,
            }
        }
        if self.since_commit >= GAMES_A_COMMIT {
            self.commit()?;
        }
        Ok(())
    }

    fn store(&mut self, record: &crate::archive::Record, place: Place) -> Result<(), ImportError> {
        if self.writer.is_none() {
            self.writer = Some(Archive::create_or_open(&self.path)?.into_writer()?);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let (name, id, counts) = &mut self.source;
        let source = match id {
            Some(id) => *id,
            None => *id.insert(writer.add_source(name)?),
        };
        match writer.add(record, source, place)? {
            Added::Stored(_) => {
                counts.stored += 1;
                self.report.stored += 1;
                self.report.plies += record.plies() as u64;
                self.report.bits += record.bits();
                self.report.annotation_bytes += record.annotation_bytes();
                self.since_commit += 1;
            }
            Added::Duplicate => {
                counts.duplicate += 1;
                self.report.duplicate += 1;
            }
        }
        Ok(())
    }

    fn reject(&mut self, place: Place, rejected: &Rejected) -> Result<(), ImportError> {
        self.report.rejected += 1;
        self.source.2.rejected += 1;
        if rejected.reason == Reason::NotPgn {
            self.rejected_as_not_pgn += 1;
            self.not_pgn.get_or_insert_with(|| self.source.0.clone());
        }
        let Place { line, byte, .. } = rejected.trouble;
        let (source, reason) = (self.source.0.clone(), rejected.reason.to_string());
        self.report.tell_reject(Trouble { source, game: place.game, line, byte, reason });
        match &mut self.rejects {
            Some(file) => file.write(&self.source.0, place, rejected),
            None => Ok(()),
        }
    }

    /// Ends a source, perhaps with what kept it from being read on.
    pub(super) fn end_source(&mut self, failure: Option<(u64, String)>) -> Result<(), ImportError> {
        if let Some((byte, reason)) = failure {
            let source = self.source.0.clone();
            self.report.failures.push(Trouble { source, game: 0, line: 0, byte, reason });
        }
        self.count_source()
    }

    fn count_source(&mut self) -> Result<(), ImportError> {
        if let (Some(writer), (_, Some(id), counts)) = (&self.writer, &self.source) {
            writer.count_source(*id, counts)?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), ImportError> {
        self.count_source()?;
        self.since_commit = 0;
        if let Some(writer) = &mut self.writer {
            writer.commit()?;
        }
        self.rejects.as_mut().map_or(Ok(()), RejectFile::flush)
    }

    /// Ends the import.
    pub(super) fn finish(mut self, seconds: impl Fn() -> f64) -> Result<Report, ImportError> {
        self.commit()?;
        if let Some(name) = self.not_pgn
            && self.report.seen == self.rejected_as_not_pgn
        {
            return Err(ImportError::NotPgn(name));
        }
        let (mut bytes, mut games) = (0, 0);
        if let Some(writer) = self.writer {
            let archive = writer.finish()?;
            games = archive.count()?;
            archive.finish()?;
            bytes = self.path.metadata().map_or(0, |metadata| metadata.len());
        }
        self.report.finish(seconds(), bytes, games);
        Ok(self.report)
    }
}
