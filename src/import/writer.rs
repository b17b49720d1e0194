//! The writing end of an import: numbers games, stores them in order, and counts them.

mod index_full;
mod parts;
mod rejected;
mod rows;
mod source;
mod unconfirmed;
mod versions;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    ImportError, ImportProblem, Note, Options, PartSink, Report,
    condition::sealed,
    games::{Item, ParsedBatch},
    recorder::Recorder,
    rejects::RejectFile,
    report::Tally,
    sink::{Event, ResumePoint},
};
use crate::{
    archive::{
        Added, ArchiveError, BusyTimeout, GameSize, KnownSource, OnUpdate, PreparedGames, SourceCounts,
        SourceState, WhyFormer, WritableArchive, Writer,
    },
    files::Protected,
    pgn::Location,
    record::GameId,
    recording::{IndexParts, Places, Recording},
};
use parts::{configured, existing};
use rows::Before;
use unconfirmed::Mark;

/// Default number of games between commits.
// Measured with 297,158 games: 2,000 games per commit need 4 % more CPU time, 50,000 save 2 %, which is within the
// variation. A larger number only increases what a crash costs, and the log (docs/growth.md).
const GAMES_A_COMMIT: u64 = 10_000;

/// The source being stored.
#[derive(Clone, Default)]
struct Current {
    name: String,
    /// Its row in the archive, once it has one.
    id: Option<i64>,
    stamp: Option<u64>,
    /// Whether it can be read a second time.
    lasting: bool,
    /// If it is an archive whose games have been changed: the former fingerprints of its games, by id.
    former: Option<HashMap<GameId, Vec<u64>>>,
    /// How far it has been read.
    position: u64,
    /// The games up to there.
    counts: SourceCounts,
    /// Those of them that were seen while other archives were filled.
    seen_before: u64,
    /// How far it has been processed: the last resume point, and the games up to there.
    state: SourceState,
    /// The counts of the report there.
    tally: Tally,
    /// The place in the log after what the import had updated there.
    updates: u32,
    /// Whether it is at that point.
    at_resume_point: bool,
    /// The last resume point that checksums have confirmed, if it is compressed.
    confirmed: Mark,
    is_compressed: bool,
}

/// Stores the games of one import.
#[derive(Default)]
pub(super) struct ImportWriter<'a> {
    /// Provides archives that are filled one after another; `None` if there is only one.
    sink: Option<&'a mut dyn PartSink>,
    /// Games in the archive that is being filled.
    in_part: u64,
    /// The state before the archive that is being merged as rows.
    rows: Option<Before>,
    path: PathBuf,
    /// Bytes of all sources, if known.
    source_bytes: Option<u64>,
    /// Whether to add games that were removed or edited in the archive.
    again: bool,
    on_update: OnUpdate,
    /// The key of the condition of the import; 0 if there is none.
    condition_key: u64,
    /// Whether the archive keeps rejected games.
    keep_rejects: bool,
    writer: Option<Writer>,
    /// Records games for the index.
    pub recorder: Recorder,
    rejects: Option<RejectFile>,
    pub report: Report,
    source: Current,
    since_commit: u64,
    commit_every: u64,
    /// The first source that does not look like PGN.
    not_pgn: Option<String>,
    rejected_as_not_pgn: u64,
}

impl<'a> ImportWriter<'a> {
    /// Prepares to store games. A missing archive is created when the first game arrives.
    pub(super) fn new(
        path: &Path,
        sink: Option<&'a mut dyn PartSink>,
        source_bytes: Option<u64>,
        options: &Options,
        protected: &Protected,
    ) -> Result<ImportWriter<'a>, ImportError> {
        let rejects = options.rejects.as_deref();
        let rejects = rejects.map(|path| RejectFile::open(path, protected, &options.cancel)).transpose()?;
        let mut report = Report::default();
        let writer = existing(path)?;
        report.migrated_from = writer.as_ref().and_then(|writer| writer.archive().migrated_from);
        let games = |writer: &Writer| writer.archive().count_checked();
        Ok(ImportWriter {
            in_part: if sink.is_some() { writer.as_ref().map(games).transpose()?.unwrap_or(0) } else { 0 },
            path: path.to_owned(),
            source_bytes,
            again: options.again,
            on_update: options.on_update,
            condition_key: options.condition_key(),
            keep_rejects: options.keep_rejects && sink.is_none(),
            writer: writer.map(|writer| configured(writer, options.again, options.on_update, sink.is_none())),
            sink,
            rejects,
            report,
            commit_every: if options.commit_every == 0 { GAMES_A_COMMIT } else { options.commit_every },
            ..ImportWriter::default()
        })
    }

    /// The sources that have been imported before.
    pub(super) fn known_sources(&self) -> Result<HashMap<String, KnownSource>, ImportError> {
        let mut known = self.sink.as_ref().map_or_else(HashMap::new, |sink| sink.known_sources());
        // The archive's own record is the latest.
        let archive = self.writer.as_ref().map(Writer::archive);
        known.extend(archive.map(|archive| archive.known_sources()).transpose()?.unwrap_or_default());
        known.values_mut().for_each(|known| known.state = sealed(known.state, self.condition_key));
        Ok(known)
    }

    /// What an import of this size, if known, records for the index: everything, or what the archive already has.
    pub(super) fn records(&self, bytes: Option<u64>, all: bool) -> Result<IndexParts, ImportError> {
        match &self.writer {
            _ if self.sink.is_some() || !Recorder::is_worth_it(bytes) => Ok(IndexParts::default()),
            Some(writer) => Ok(writer.archive().segments().parts(all)?),
            None => Ok(IndexParts { positions: all, trails: all }),
        }
    }

    /// The name of the source being stored.
    pub(super) fn source_name(&self) -> &str {
        &self.source.name
    }

    /// What the source reader or a parser has sent, in order.
    pub(super) fn handle(&mut self, event: Event) -> Result<(), ImportError> {
        match event {
            Event::Begin(begin, outcome) => self.begin_source(begin, outcome),
            Event::Batch { games, position, resume_point, confirmed } => {
                self.add_batch(*games, position, resume_point, confirmed)
            }
            Event::Former(former) => self.keep_former(&former),
            Event::Shared(values) => {
                let source = self.source.id.unwrap_or(0);
                Ok(self.writer(0)?.add_shared(&values, source)?)
            }
            Event::BeginRows { fingerprints, game_bytes, reply } => {
                self.begin_rows(fingerprints, game_bytes, &reply)
            }
            Event::EndRows(resume_point) => self.end_rows(resume_point),
            Event::End { end, confirmed } => self.end_source(end, confirmed),
        }
    }

    /// Stores the games of a batch. `position` is how far the source has been split, `resume_point` where an import can
    /// resume, `confirmed` how far checksums have confirmed it.
    fn add_batch(
        &mut self,
        batch: ParsedBatch,
        position: u64,
        resume_point: Option<ResumePoint>,
        confirmed: u64,
    ) -> Result<(), ImportError> {
        self.source.confirm(confirmed);
        let ParsedBatch { items, mut games, omitted, recording, failure } = batch;
        if let Some(failure) = failure {
            return Err(ImportError::Condition(failure));
        }
        // Wait for other programs before anything is counted.
        if let Some(game_bytes) = games.mean_bytes() {
            let writer = self.writer(game_bytes)?;
            writer.begin()?;
            writer.expect(&games);
        }
        self.report.pgn_bytes += position.saturating_sub(self.source.position);
        self.source.position = position;
        for (note, location) in omitted {
            self.report.omitted += 1;
            self.report.add_note(note, &self.source.name, location);
        }
        for item in items {
            self.add(item, &mut games, &recording)?;
        }
        let rows = self.writer.as_mut().map(|writer| writer.write(&games)).transpose()?;
        self.recorder.go_on(recording, &rows.unwrap_or_default());
        self.source.advance(resume_point);
        if self.source.at_resume_point && self.source.is_compressed {
            self.source.tally = self.report.tally();
            self.source.updates = self.place_of_updates();
            self.source.confirm(confirmed);
        }
        if self.since_commit >= self.commit_every && self.source.at_resume_point {
            self.commit()?;
        }
        self.flush_rows()?;
        self.go_on_if_full()
    }

    /// Stores a game, or notes why it cannot be stored.
    fn add(
        &mut self,
        item: Item,
        games: &mut PreparedGames,
        recording: &Recording,
    ) -> Result<(), ImportError> {
        self.report.seen += 1;
        self.source.counts.seen += 1;
        if item.is_left_out {
            self.report.unmatched += 1;
            return Ok(());
        }
        // Some sources have numbers of their own, of which some may be missing.
        let game = match item.location.game {
            0 => self.source.counts.seen,
            own => own,
        };
        let location = Location { game, ..item.location };
        let stored = match item.game {
            Ok(game) => self.store(games, game, item.places, recording, location)?,
            Err(rejected) => self.reject(location, &rejected).map(|()| None)?,
        };
        for note in item.notes {
            self.report.add_note(note, &self.source.name, location);
        }
        for warning in item.warnings.without_place() {
            self.report.add_warning(&item.warnings, warning, &self.source.name, location, stored);
        }
        for (warning, at) in item.warning_locations {
            let at = Location { game: location.game, ..at };
            self.report.add_warning(&item.warnings, warning, &self.source.name, at, stored);
        }
        self.report.warning_counts += item.warnings;
        Ok(())
    }

    /// The writer. The first call creates the archive, for games of about this size.
    fn writer(&mut self, game_bytes: u64) -> Result<&mut Writer, ImportError> {
        let ImportWriter { writer, path, source_bytes, again, on_update, sink, .. } = self;
        Ok(match writer {
            Some(writer) => writer,
            None => {
                let archive = WritableArchive::create_or_open_for(path, *source_bytes, game_bytes)?;
                writer.insert(configured(archive.into_writer(), *again, *on_update, sink.is_none()))
            }
        })
    }

    /// Stores a game unless it is a duplicate. Returns its id in a single archive.
    fn store(
        &mut self,
        games: &mut PreparedGames,
        game: usize,
        places: Places,
        recording: &Recording,
        location: Location,
    ) -> Result<Option<GameId>, ImportError> {
        let is_in_parts = match &mut self.sink {
            Some(sink) => sink.has(games.fingerprint(game))?,
            None => false,
        };
        if is_in_parts || self.has_former(location.game)? {
            self.source.counts.duplicate += 1;
            self.report.duplicate += 1;
            return Ok(None);
        }
        let Some(writer) = &mut self.writer else { return Ok(None) };
        let source = self.source.row(writer)?;
        let counts = &mut self.source.counts;
        let GameSize { plies, bits, annotation_bytes, .. } = games.size(game);
        match writer.accept(games, game, source, location)? {
            Added::Version(version) => Ok(self.count_version(version, location)),
            Added::Stored(game) => {
                let id = game.id;
                self.recorder.add(writer.archive(), game, places, recording)?;
                counts.stored += 1;
                self.report.stored += 1;
                self.in_part += 1;
                self.report.plies += plies;
                self.report.bits += bits;
                self.report.annotation_bytes += annotation_bytes;
                self.since_commit += 1;
                if let Some(beside) = game.beside {
                    self.note_beside(beside, location);
                }
                Ok(self.sink.is_none().then_some(id))
            }
            added @ (Added::Duplicate | Added::Former(_)) => {
                counts.duplicate += 1;
                self.report.duplicate += 1;
                let is_former = !matches!(added, Added::Duplicate | Added::Former(WhyFormer::Updated));
                self.report.former += u64::from(is_former);
                Ok(None)
            }
        }
    }

    fn commit(&mut self) -> Result<(), ImportError> {
        self.save_source_state()?;
        self.since_commit = 0;
        self.rejects.as_mut().map_or(Ok(()), RejectFile::save)?;
        if let Some(writer) = &mut self.writer {
            writer.commit()?;
        }
        Ok(())
    }

    /// Called when nothing arrives for a while: commits, and lets other programs write.
    pub(super) fn rest(&mut self) -> Result<(), ImportError> {
        let has_begun = self.writer.as_ref().is_some_and(Writer::has_begun);
        if has_begun && self.source.at_resume_point { self.commit() } else { Ok(()) }
    }

    /// Ends the import.
    pub(super) fn finish(mut self, seconds: impl Fn() -> f64) -> Result<Report, ImportError> {
        // Rows that were not merged completely are rolled back.
        self.end_rows(None)?;
        match self.commit() {
            // Nothing was written, so everything that is reported is stored.
            Err(error) if self.report.cancelled && error.is_patience() => self.writer = None,
            done => done?,
        }
        if let Some(name) = &self.not_pgn
            && self.report.seen == self.rejected_as_not_pgn
            && self.report.failures.is_empty()
        {
            return Err(ImportError::NotPgn(name.clone()));
        }
        if self.sink.is_some() && !self.report.cancelled {
            self.end_part()?;
        }
        let filled = self.sink.as_ref().map(|sink| sink.filled()).transpose()?;
        let (mut bytes, mut games) = filled.unwrap_or_default();
        if let Some(writer) = self.writer {
            // If another program is writing, it does this when it ends.
            let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
            games += match writer.finish() {
                Ok(archive) => {
                    let games = archive.count_checked()?;
                    archive.finish()?;
                    games
                }
                // Everything has been committed; only the keys are less compact than they could be.
                Err(ArchiveError::Busy(_)) => self.report.stored,
                Err(error) => return Err(error.into()),
            };
            bytes += self.path.metadata().map_or(0, |metadata| metadata.len());
        }
        self.report.finish(seconds() - self.report.index_seconds(), bytes, games);
        Ok(self.report)
    }
}

impl Current {
    /// Records that games have been processed, up to a resume point if there is one.
    fn advance(&mut self, resume_point: Option<ResumePoint>) {
        let SourceState { ended, stamp, lines: before, .. } = self.state;
        let (bytes, lines, hash) = match resume_point {
            Some(ResumePoint { byte, lines, hash }) => (byte, lines, self.lasting.then_some(hash)),
            // A pipe cannot be resumed, so any position will do.
            None if !self.lasting => (self.position, before, None),
            None => {
                self.at_resume_point = false;
                return;
            }
        };
        self.at_resume_point = true;
        self.state = SourceState { ended, stamp, bytes, lines, hash, counts: self.counts };
    }
}
