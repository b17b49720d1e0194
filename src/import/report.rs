//! What an import did.

use serde::Serialize;

use super::KnownSourceReport;
use crate::{
    pgn::{Location, Warning, Warnings},
    query::IndexReport,
};

/// Most rejected games that a report lists.
const MAX_REJECTS: usize = 20;

/// Most locations of a kind of warning that a report lists.
const MAX_WARNINGS: u64 = 5;

/// The report of an import. Always seen = stored + duplicate + rejected: the games of this run, without those
/// that an earlier one had processed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Games found in the sources.
    pub seen: u64,
    /// Games added to the archive.
    pub stored: u64,
    /// Games the archive had already.
    pub duplicate: u64,
    /// Games that could not be stored.
    pub rejected: u64,
    /// Plies of the stored games.
    pub plies: u64,
    /// Bits of the stored games' integers, in all.
    pub bits: u64,
    /// Bytes of the stored games' annotations.
    pub annotation_bytes: u64,
    /// Unpacked bytes of PGN read.
    pub pgn_bytes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Games seen a second.
    pub games_per_second: f64,
    /// Bytes of the archive's file.
    pub archive_bytes: u64,
    /// Bytes of the file for each game in it.
    pub bytes_per_game: f64,
    /// Mean bits of a stored game's integer.
    pub bits_per_game: f64,
    /// Mean bits for each ply of the stored games.
    pub bits_per_ply: f64,
    /// Whether it was stopped before the end.
    pub cancelled: bool,
    /// The version of the archive, if it was older and has been brought up to date.
    pub migrated_from: Option<i64>,
    /// Sources that have been imported from before, and how they were resumed. `met` in JSON.
    #[serde(rename = "met")]
    pub known_sources: Vec<KnownSourceReport>,
    /// What was odd about stored games: warnings by kind. `notes` in JSON.
    #[serde(rename = "notes", serialize_with = "by_key")]
    pub warning_counts: Warnings,
    /// Where the first warnings of each kind stand; their reason is the kind's key.
    pub warnings: Vec<ImportProblem>,
    /// How many of each kind those are.
    #[serde(skip)]
    reported: Warnings,
    /// The first rejected games.
    pub rejects: Vec<ImportProblem>,
    /// Sources that were read to their end, now or before.
    pub sources_read: u64,
    /// Last games of files that are still being written: not counted, and left for the next import.
    pub unfinished: Vec<ImportProblem>,
    /// Sources that could not be read to their end.
    pub failures: Vec<ImportProblem>,
    /// What was indexed after the games were stored, if anything was to be. Its seconds are none of the import's.
    pub index: Option<IndexReport>,
    /// What kept the games from being indexed. They are stored.
    pub index_failure: Option<String>,
}

/// Something that went wrong, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportProblem {
    /// The source.
    pub source: String,
    /// 1-based number of the game; 0 where the source itself is meant. Of an archive that could not be read on, the
    /// last game that was.
    pub game: u64,
    /// 1-based line; 0 in an archive, which has none.
    pub line: u64,
    /// 0-based byte of the unpacked source.
    pub byte: u64,
    /// What is wrong.
    pub reason: String,
    /// Whether the source is an archive that is damaged: what is sound in it can be salvaged.
    #[serde(skip)]
    pub is_damaged_archive: bool,
}

impl Report {
    pub(super) fn add_reject(&mut self, problem: ImportProblem) {
        if self.rejects.len() < MAX_REJECTS {
            self.rejects.push(problem);
        }
    }

    pub(super) fn add_warning(&mut self, warning: Warning, source: &str, at: Location) {
        if self.reported.count(warning) < MAX_WARNINGS {
            self.reported.add(warning);
            let Location { game, line, byte } = at;
            let (source, reason) = (source.to_owned(), warning.key().to_owned());
            self.warnings.push(ImportProblem { source, game, line, byte, reason, is_damaged_archive: false });
        }
    }

    /// Where the first warnings of a kind stand.
    pub fn warnings_of(&self, warning: Warning) -> impl Iterator<Item = &ImportProblem> {
        self.warnings.iter().filter(move |problem| problem.reason == warning.key())
    }

    /// The file has so many bytes now.
    pub(super) fn has_grown_to(&mut self, bytes: u64) {
        self.bytes_per_game *= bytes as f64 / self.archive_bytes.max(1) as f64;
        self.archive_bytes = bytes;
    }

    /// Fills in what follows from the rest.
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

fn by_key<S: serde::Serializer>(counts: &Warnings, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Warning::ALL.into_iter().map(|warning| (warning.key(), counts.count(warning))))
}
