//! A summary of an archive, and the longer one that `plybook info` shows: contents, sources, size and index.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use serde::Serialize;

use super::{Result, list::cut};
use crate::{
    archive::{Archive, Extent, ImportedSource, KeptRejects, SourceCounts, VariantGames},
    counts::{BYTES, GAMES, PLIES, thousands},
    printable,
    query::{Context, PositionIndex},
    stats::per,
};

/// A summary of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchiveInfo {
    /// The name of the archive.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// Its plies, variants and dates.
    #[serde(flatten)]
    pub extent: Extent,
    /// The version of the file format.
    pub version: i64,
    /// The number of indexed games of standard chess and Chess960.
    pub indexed_games: u64,
    /// Whether the index covers all of these games.
    pub is_indexed: bool,
}

/// A summary of an archive called `name`.
pub fn archive_info(name: &str, context: Context<'_>) -> Result<ArchiveInfo> {
    let (archive, index) = (context.archive, context.index());
    let extent = archive.maintenance().extent()?;
    Ok(ArchiveInfo {
        name: name.to_owned(),
        games: extent.variants.iter().map(|variant| variant.games).sum(),
        extent,
        version: archive.version()?,
        indexed_games: index.map_or(0, PositionIndex::games),
        is_indexed: index.is_some_and(PositionIndex::covers_all_games),
    })
}

/// What is in an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArchiveOverview {
    /// Games, dates, the version of the file format.
    #[serde(flatten)]
    pub info: ArchiveInfo,
    /// Whether material and patterns of every game are indexed.
    pub has_all_trails: bool,
    /// Whether the index is corrupt, as far as its first blocks show; it is then ignored.
    pub has_damaged_index: bool,
    /// The file whose index was built by an earlier release, if there is one; it is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub former_index: Option<PathBuf>,
    /// Whether values of some games were read by the rules of an earlier release.
    pub has_former_values: bool,
    /// The size of the file; for its parts see [`archive_sizes`](crate::stats::archive_sizes).
    pub bytes: u64,
    /// Bytes per game; 0 without games.
    pub bytes_per_game: f64,
    /// The rejected games that it keeps, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejects: Option<KeptRejects>,
    /// Where the games came from.
    pub sources: Vec<ImportedSource>,
}

/// The contents of an archive called `name`.
pub fn archive_overview(name: &str, archive: &Archive) -> Result<ArchiveOverview> {
    let _snapshot = archive.snapshot()?;
    let (index, has_damaged_index) = PositionIndex::open_if_sound(archive)?;
    let has_all_trails = index.as_ref().is_some_and(PositionIndex::has_all_trails);
    let mut info = archive_info(name, Context::new(archive).with_index(index.as_ref()))?;
    info.is_indexed &= info.indexed_games > 0;
    let bytes = archive.maintenance().file_bytes()?;
    Ok(ArchiveOverview {
        bytes_per_game: per(bytes, info.games),
        info,
        has_all_trails,
        has_damaged_index,
        former_index: if has_damaged_index { None } else { archive.segments().file_with_former()? },
        has_former_values: archive.has_former_values()?,
        bytes,
        rejects: Some(archive.kept_rejects()?).filter(|kept| kept.games > 0),
        sources: archive.imported_sources()?,
    })
}

/// The width of the labels on the left.
const LABEL: usize = 10;

/// The maximum number of sources that are listed.
const MAX_SHOWN: usize = 20;

impl ArchiveOverview {
    /// Writes it as text; paths of sources are shortened to fit the terminal.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write_text(&self, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
        let mut line = |name: &str, value: &str| writeln!(out, "{name:<9} {}", printable::line(value));
        let info = &self.info;
        line("archive", &info.name)?;
        line("games", &format!("{}, {}", thousands(info.games), PLIES.count(info.extent.plies)))?;
        if info.extent.variants.len() > 1 {
            let variants = info.extent.variants.iter();
            let named = |of: &VariantGames| format!("{} {}", of.variant, thousands(of.games));
            line("variants", &variants.map(named).collect::<Vec<_>>().join(", "))?;
        }
        if let (Some(first), Some(last)) = (info.extent.first_date, info.extent.last_date) {
            line("dates", &format!("{} to {}", first.known(), last.known()))?;
        }
        line("file", &format!("{}, {:.1} per game", BYTES.count(self.bytes), self.bytes_per_game))?;
        line("format", &format!("version {}", info.version))?;
        if self.has_former_values {
            line("values", "some as read by release 0.2 or earlier")?;
        }
        line("index", &self.indexed())?;
        if let Some(KeptRejects { games, bytes }) = self.rejects {
            line("rejected", &format!("{} kept, {}", GAMES.count(games), BYTES.count(bytes)))?;
        }
        for (place, source) in self.sources.iter().take(MAX_SHOWN).enumerate() {
            line(if place == 0 { "sources" } else { "" }, &source_text(source, width))?;
        }
        match self.sources.len().saturating_sub(MAX_SHOWN) as u64 {
            0 => Ok(()),
            more => line("", &format!("and {} more (use --format json to list all)", thousands(more))),
        }
    }

    fn indexed(&self) -> String {
        if self.has_damaged_index {
            return "corrupt, not used".to_owned();
        }
        let info = &self.info;
        let positions = match info.indexed_games {
            0 => "none",
            _ if info.is_indexed => "positions",
            _ => "positions of some games",
        };
        match (info.indexed_games, self.has_all_trails) {
            (0, false) if self.former_index.is_some() => "of an earlier release, not used".to_owned(),
            (0, true) => "material and patterns".to_owned(),
            (_, true) => format!("{positions}, material and patterns"),
            (_, false) => positions.to_owned(),
        }
    }
}

/// A source on one line; its path is shortened to fit the terminal.
fn source_text(source: &ImportedSource, width: Option<usize>) -> String {
    let ImportedSource { name, imported, ended, counts: SourceCounts { seen, stored, .. } } = source;
    let stored = if stored == seen { String::new() } else { format!(", {} stored", thousands(*stored)) };
    let ended = if *ended { "" } else { ", not read completely" };
    let date = imported.get(..10).unwrap_or(imported);
    let answer = format!(": {}{stored}{ended} ({date})", GAMES.count(*seen));
    let room = width.map(|width| width.saturating_sub(LABEL + answer.len()));
    room.map_or_else(|| name.clone(), |room| cut(name, room)) + &answer
}
