//! The result of an import.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::KnownSourceReport;
use crate::{
    pgn::{Location, Reject, RejectReason, Warning, Warnings},
    query::IndexReport,
    record::GameId,
};

/// Most rejected games listed in a report.
pub(super) const MAX_REJECTS: usize = 20;

/// Most locations listed per kind of warning.
const MAX_WARNINGS: u64 = 5;

/// Whether there are no games of a kind that most reports do not have.
fn is_none(games: &u64) -> bool {
    *games == 0
}

/// The report of an import. Always seen = stored + duplicate + rejected + unmatched: the games of this run, without those
/// that an earlier run had processed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Games found in the sources.
    pub seen: u64,
    /// Games added to the archive.
    pub stored: u64,
    /// Games that the archive already had.
    pub duplicate: u64,
    /// How many of these the archive had until they were removed or edited there.
    #[serde(skip_serializing_if = "is_none")]
    pub former: u64,
    /// How many of these were versions of games that the archive had, and said something that it did not know: the
    /// stored games were updated.
    #[serde(skip_serializing_if = "is_none")]
    pub updated: u64,
    /// Games that could not be stored.
    pub rejected: u64,
    /// How many of these the archive keeps, if it was requested.
    #[serde(skip_serializing_if = "is_none")]
    pub rejects_kept: u64,
    /// How many of these it does not keep: those without a text or with one that is too long, and all beyond its limit.
    #[serde(skip_serializing_if = "is_none")]
    pub rejects_not_kept: u64,
    /// Records that sources left out on purpose, for example because they are deleted. They are not counted as seen;
    /// the notes say why they were left out.
    #[serde(skip_serializing_if = "is_none")]
    pub omitted: u64,
    /// Games that were not stored because they do not meet the conditions of the import.
    #[serde(skip_serializing_if = "is_none")]
    pub unmatched: u64,
    /// Plies of the stored games.
    pub plies: u64,
    /// Total bits of the stored games' integers.
    pub bits: u64,
    /// Bytes of the stored games' annotations.
    pub annotation_bytes: u64,
    /// Decompressed bytes of PGN read.
    pub pgn_bytes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Games seen per second.
    pub games_per_second: f64,
    /// Bytes of the archive's file.
    pub archive_bytes: u64,
    /// Bytes of the file per game in it.
    pub bytes_per_game: f64,
    /// Mean bits of a stored game's integer.
    pub bits_per_game: f64,
    /// Mean bits per ply of the stored games.
    pub bits_per_ply: f64,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// The previous version of the archive, if it was upgraded.
    pub migrated_from: Option<i64>,
    /// Sources that had been imported before, and how they were resumed. `met` in JSON.
    #[serde(rename = "met")]
    pub known_sources: Vec<KnownSourceReport>,
    /// Warnings about stored games, by kind. `notes` in JSON.
    #[serde(rename = "notes", serialize_with = "by_key")]
    pub warning_counts: Warnings,
    /// Notes of kinds that only some sources have.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub source_notes: BTreeMap<Note, u64>,
    /// The first warnings and notes of each kind; the reason is the kind's key.
    pub warnings: Vec<ImportProblem>,
    /// Number of listed warnings by kind.
    #[serde(skip)]
    reported: Warnings,
    /// The first rejected games.
    pub rejects: Vec<ImportProblem>,
    /// Sources that were read completely, now or before.
    pub sources_read: u64,
    /// Incomplete last games of files that are still being written: not counted, and left for the next import.
    pub unfinished: Vec<ImportProblem>,
    /// Sources that could not be read completely.
    pub failures: Vec<ImportProblem>,
    /// Games that this or an earlier import stored from compressed sources that are damaged or have changed, and that
    /// were removed again, because no checksum had confirmed them. They are not counted otherwise.
    #[serde(skip_serializing_if = "is_none")]
    pub taken_back: u64,
    /// Games of compressed sources that could not be read completely, but are not known to be damaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<Unconfirmed>,
    /// What was indexed of the stored games, if anything. Its seconds are not included in the import's.
    pub index: Option<IndexReport>,
    /// Why the games could not be indexed. They are stored.
    pub index_failure: Option<String>,
}

/// A kind of note that a source has of its own: on a stored game, or on a record that it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The key in machine-readable reports.
    pub key: &'static str,
    /// The text in reports, after the number: "games with ...".
    pub text: &'static str,
}

/// Games of a source that no checksum has confirmed, because its end is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unconfirmed {
    /// The source.
    pub source: String,
    /// The number of these games.
    pub games: u64,
    /// The id of the first one, if they are in a single archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<GameId>,
    /// The id of the last one. Games of other sources may be between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<GameId>,
}

/// The counts of a report, to which it can return.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    games: [u64; 13],
    warning_counts: Warnings,
    source_notes: BTreeMap<Note, u64>,
    reported: Warnings,
    /// Lengths of the lists of warnings and rejected games.
    listed: [usize; 2],
}

/// Something that went wrong, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportProblem {
    /// The source.
    pub source: String,
    /// 1-based number of the game; 0 for the source itself. If an archive could not be read completely, the last game
    /// that was read.
    pub game: u64,
    /// 1-based line; 0 if the source is not text.
    pub line: u64,
    /// 0-based byte of the decompressed source, or 0 if a record has none.
    pub byte: u64,
    /// The extension of the file of a database that the byte is in; empty if the source is a single file.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub file: &'static str,
    /// What is wrong.
    pub reason: String,
    /// For a warning, of which the reason is the kind's key: what exactly, if the kind does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// For a warning: the id of the game, if this import stored it in a single archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<GameId>,
    /// Whether the source is a damaged archive; its valid games can be salvaged.
    #[serde(skip)]
    pub is_damaged_archive: bool,
    /// The reason or the detail as a value: why the game, or a part of it, was rejected.
    #[serde(skip)]
    pub rejected: Option<RejectReason>,
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key)
    }
}

impl From<Warning> for Note {
    fn from(warning: Warning) -> Note {
        Note { key: warning.key(), text: warning.text() }
    }
}

impl ImportProblem {
    /// What is wrong at a location.
    pub(super) fn at(source: &str, location: Location, reason: String) -> ImportProblem {
        let Location { game, line, byte, file } = location;
        ImportProblem {
            source: source.to_owned(),
            game,
            line,
            byte,
            file,
            reason,
            ..ImportProblem::default()
        }
    }

    /// Where it is in the source.
    pub fn location(&self) -> Location {
        Location { game: self.game, line: self.line, byte: self.byte, file: self.file }
    }
}

impl Report {
    /// Adds what was indexed after earlier segments.
    pub(super) fn add_index(&mut self, index: IndexReport) {
        let earlier = self.index.take().unwrap_or_default();
        self.index = Some(IndexReport {
            games: earlier.games + index.games,
            built: earlier.built + index.built,
            // Segments may have been joined. A build that never began has no number.
            segments: if index.segments > 0 { index.segments } else { earlier.segments },
            seconds: earlier.seconds + index.seconds,
            stopped: index.stopped,
        });
    }

    /// The seconds in which games were indexed.
    pub(super) fn index_seconds(&self) -> f64 {
        self.index.as_ref().map_or(0.0, |index| index.seconds)
    }

    fn games(&mut self) -> [&mut u64; 13] {
        [
            &mut self.seen,
            &mut self.stored,
            &mut self.duplicate,
            &mut self.former,
            &mut self.updated,
            &mut self.rejected,
            &mut self.rejects_kept,
            &mut self.rejects_not_kept,
            &mut self.omitted,
            &mut self.unmatched,
            &mut self.plies,
            &mut self.bits,
            &mut self.annotation_bytes,
        ]
    }

    /// The present counts.
    pub(super) fn tally(&mut self) -> Tally {
        Tally {
            games: self.games().map(|count| *count),
            warning_counts: self.warning_counts.clone(),
            source_notes: self.source_notes.clone(),
            reported: self.reported.clone(),
            listed: [self.warnings.len(), self.rejects.len()],
        }
    }

    /// Games stored since earlier counts.
    pub(super) fn stored_since(&self, Tally { games: [_, stored, ..], .. }: &Tally) -> u64 {
        self.stored.saturating_sub(*stored)
    }

    /// Returns to earlier counts.
    pub(super) fn return_to(&mut self, tally: Tally) {
        let Tally { games, warning_counts, source_notes, reported, listed: [warnings, rejects] } = tally;
        self.games().into_iter().zip(games).for_each(|(count, before)| *count = before);
        (self.warning_counts, self.source_notes, self.reported) = (warning_counts, source_notes, reported);
        self.warnings.truncate(warnings);
        self.rejects.truncate(rejects);
    }

    /// Lists a warning of a game, which has an id if it was stored.
    pub(super) fn add_warning(
        &mut self,
        game: &Warnings,
        warning: Warning,
        source: &str,
        at: Location,
        stored: Option<GameId>,
    ) {
        if self.reported.count(warning) < MAX_WARNINGS {
            self.reported.add(warning);
            let rejected = game.detail(warning).map(|Reject { reason, .. }| reason);
            let detail = rejected.as_ref().map(RejectReason::to_string);
            let problem = ImportProblem::at(source, at, warning.key().to_owned());
            self.warnings.push(ImportProblem { detail, rejected, stored, ..problem });
        }
    }

    /// Counts a note of a source's own kind.
    pub(super) fn add_note(&mut self, note: Note, source: &str, at: Location) {
        let count = self.source_notes.entry(note).or_default();
        *count += 1;
        if *count <= MAX_WARNINGS {
            self.warnings.push(ImportProblem::at(source, at, note.key.to_owned()));
        }
    }

    /// What was noted about games, and how many games or parts of them it concerns.
    pub fn notes(&self) -> impl Iterator<Item = (Note, u64)> + '_ {
        let warnings = self.warning_counts.iter().map(|(warning, count)| (warning.into(), count));
        warnings.chain(self.source_notes.iter().map(|(note, count)| (*note, *count)))
    }

    /// The listed warnings or notes with a key.
    pub fn warnings_of(&self, key: &str) -> impl Iterator<Item = &ImportProblem> {
        self.warnings.iter().filter(move |problem| problem.reason == key)
    }

    /// Sets the size of the file.
    pub(super) fn has_grown_to(&mut self, bytes: u64) {
        self.bytes_per_game *= bytes as f64 / self.archive_bytes.max(1) as f64;
        self.archive_bytes = bytes;
    }

    /// Computes the derived fields.
    pub(super) fn finish(&mut self, seconds: f64, archive_bytes: u64, archive_games: u64) {
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        self.seconds = seconds;
        self.games_per_second = ratio(self.seen as f64, seconds);
        self.archive_bytes = archive_bytes;
        self.bytes_per_game = ratio(archive_bytes as f64, archive_games as f64);
        self.bits_per_game = ratio(self.bits as f64, self.stored as f64);
        self.bits_per_ply = ratio(self.bits as f64, self.plies as f64);
    }
}

fn by_key<S: Serializer>(counts: &Warnings, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Warning::ALL.into_iter().map(|warning| (warning.key(), counts.count(warning))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_indexed_adds_up_but_for_the_segments_that_there_are() {
        let index = |games, segments| IndexReport { games, segments, built: 1, ..IndexReport::default() };
        let mut report = Report::default();
        for (added, segments) in [(index(5, 3), 3), (index(7, 2), 2), (IndexReport::default(), 2)] {
            report.add_index(added);
            assert_eq!(report.index.as_ref().map(|index| index.segments), Some(segments));
        }
        assert_eq!(report.index.map(|index| [index.games, index.built]), Some([12, 2]));
    }
}
