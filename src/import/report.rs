//! What an import did.

use serde::Serialize;

use super::Met;
use crate::pgn::{Location, Warning, Warnings};

/// Most rejected games that a report tells one by one.
const TOLD: usize = 20;

/// Most places of a kind of oddity that a report tells.
const TOLD_NOTES: u64 = 5;

/// The report of an import. Always seen = stored + duplicate + rejected: the games of this run, without those
/// that an earlier one had done with.
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
    /// Sources that have been imported from before, and what was made of them.
    pub met: Vec<Met>,
    /// What was odd about stored games, by kind.
    #[serde(serialize_with = "by_key")]
    pub notes: Warnings,
    /// Where the first oddities of each kind stand; their reason is the kind's key.
    pub warnings: Vec<Trouble>,
    /// How many of each kind those are.
    #[serde(skip)]
    told: Warnings,
    /// The first rejected games.
    pub rejects: Vec<Trouble>,
    /// Sources that were read to their end, now or before.
    pub sources_read: u64,
    /// Last games of files that are still being written: not counted, and left for the next import.
    pub unfinished: Vec<Trouble>,
    /// Sources that could not be read to their end.
    pub failures: Vec<Trouble>,
}

/// Something that went wrong, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trouble {
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
    pub(super) fn tell_reject(&mut self, trouble: Trouble) {
        if self.rejects.len() < TOLD {
            self.rejects.push(trouble);
        }
    }

    pub(super) fn tell_note(&mut self, note: Warning, source: &str, at: Location) {
        if self.told.count(note) < TOLD_NOTES {
            self.told.add(note);
            let Location { game, line, byte } = at;
            let (source, reason) = (source.to_owned(), note.key().to_owned());
            self.warnings.push(Trouble { source, game, line, byte, reason, is_damaged_archive: false });
        }
    }

    /// Where the first oddities of a kind stand.
    pub fn warnings_of(&self, note: Warning) -> impl Iterator<Item = &Trouble> {
        self.warnings.iter().filter(move |warning| warning.reason == note.key())
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

fn by_key<S: serde::Serializer>(notes: &Warnings, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Warning::ALL.into_iter().map(|note| (note.key(), notes.count(note))))
}
