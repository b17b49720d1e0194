//! `plybook index`

use std::{io::Write, ops::ControlFlow};

use clap::{Args, ValueEnum};

use super::{ExitStatus, OneArchiveArg, terminal};
use crate::{
    archive::{Archive, WritableArchive},
    counts::{GAMES, SEGMENTS},
    position_index,
    query::{IndexReport, PositionIndex, RecordedParts, build_index, repair_index},
    recording::IndexParts,
    trail,
};

/// Build or update the index that makes searches fast
///
/// The index has two parts. Positions make find and explore fast. Trails, which record the captures and pawn moves of
/// each game, make searches for material and patterns fast.
///
/// The index is stored in the archive, in segments of up to 1,048,576 games. An existing index is extended by the games
/// imported since. If the command is interrupted, complete segments are kept; run it again to continue.
///
/// Other programs may change games and import at the same time. --check compares an existing index with the games, which
/// takes about as long as verify, and rebuilds the segments that differ from them.
///
/// Examples:
/// * plybook index
/// * plybook index -a chess.db --drop
/// * plybook index --only trails
/// * plybook index --check
#[derive(Debug, Args)]
pub(super) struct Index {
    /// Build or drop only this part of the index
    #[arg(long, value_name = "PART")]
    only: Option<IndexPart>,
    /// Compare the index with the games first, and rebuild what differs
    #[arg(long, conflicts_with = "only")]
    check: bool,
    /// Delete the index, even if it is corrupt, and free its space
    #[arg(long, conflicts_with = "check")]
    drop: bool,
    /// Do not print progress or a report
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

/// A part of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IndexPart {
    /// Positions, and the moves played in them
    Positions,
    /// Trails: the captures and pawn moves of each game
    Trails,
}

impl IndexPart {
    fn kind(self) -> i64 {
        match self {
            IndexPart::Positions => position_index::KIND,
            IndexPart::Trails => trail::KIND,
        }
    }
}

impl Index {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // Opened for reading first: this neither creates a missing file nor changes one that is not an archive.
        drop(self.archive.open()?);
        if self.drop {
            let archive = WritableArchive::open_to_drop_index(&self.archive.archive)?;
            let dropped = archive.segments().drop_index(self.only.map(IndexPart::kind))?;
            archive.finish()?;
            return Ok(ExitStatus::complete_if(dropped));
        }
        let archive = WritableArchive::create_or_open(&self.archive.archive)?;
        if self.check {
            self.repair(&archive)?;
        }
        let parts = match self.only {
            None => IndexParts::ALL,
            Some(IndexPart::Positions) => IndexParts::POSITIONS,
            Some(IndexPart::Trails) => IndexParts::TRAILS,
        };
        let built = build_index(&archive, parts, RecordedParts::default(), self.watch(&archive)?)?;
        let is_complete = !built.stopped();
        for report in built.positions.iter().filter(|report| !self.quiet && !report.stopped) {
            print_index(report, IndexPart::Positions)?;
        }
        for report in built.trails.iter().filter(|_| !self.quiet && is_complete) {
            print_index(report, IndexPart::Trails)?;
        }
        archive.finish()?;
        Ok(ExitStatus::Complete)
    }

    /// Compares the index with the games, and repairs it.
    fn repair(&self, archive: &Archive) -> anyhow::Result<()> {
        let mut watch = self.watch(archive)?;
        let repaired = repair_index(archive, |games, all| _ = watch(games, all))?;
        if self.quiet {
            return Ok(());
        }
        let mut out = terminal::stdout();
        match repaired {
            // What does not exist, or is of an earlier release, was not compared.
            0 if matches!(PositionIndex::open(archive), Ok(None)) => {}
            0 => writeln!(out, "the index matches the games")?,
            _ => writeln!(out, "replaced {} that did not match the games", SEGMENTS.count(repaired))?,
        }
        Ok(out.flush()?)
    }

    /// A progress bar: receives the number of games processed, and the total.
    fn watch(&self, archive: &Archive) -> anyhow::Result<impl FnMut(u64, u64) -> ControlFlow<()> + use<>> {
        let games = if self.quiet { 0 } else { archive.last_id()?.unsigned_abs() };
        Ok(terminal::watch_all(terminal::games_bar(games)))
    }
}

fn print_index(report: &IndexReport, part: IndexPart) -> anyhow::Result<()> {
    let IndexReport { games, built, segments, .. } = report;
    let mut out = terminal::stdout();
    let segments = SEGMENTS.count(*segments);
    match (built, part) {
        (0, IndexPart::Positions) => writeln!(out, "all games are indexed, in {segments}")?,
        (0, IndexPart::Trails) => writeln!(out, "all games have trails, in {segments}")?,
        (_, IndexPart::Positions) => {
            writeln!(out, "indexed {}; the index has {segments}", GAMES.count(*games))?;
        }
        (_, IndexPart::Trails) => writeln!(out, "added trails of {}, in {segments}", GAMES.count(*games))?,
    }
    Ok(out.flush()?)
}
