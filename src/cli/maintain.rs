//! `plybook index`, `verify`, `backup`, `salvage` and `migrate`

use std::{io::Write, ops::ControlFlow, path::PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::{ExitStatus, OneArchiveArg, advice, answer::ReportFormat, edit::tell_of_log, terminal};
use crate::{
    archive::{
        Archive, ArchiveError, CHECKSUMS, Problem, Salvaged, Unproved, VERSION, VerifyReport,
        WritableArchive, salvage,
    },
    counts::{FAULTS, GAMES, ORIGINALS, PLIES, SEGMENTS, SOURCES, thousands},
    files::Protected,
    position_index, printable,
    query::{IndexReport, build_index, build_trails},
    trail,
};

/// Verify an archive: check that no game or other data has changed since it was stored
///
/// Decodes every game and compares its fingerprint with the stored one, compares all other rows with their checksums,
/// rebuilds the index of positions, if there is one, and compares it, and runs SQLite's own checks. This finds any
/// damage that would change the output of a command. If pages of the file are corrupt, the rest is still checked, and
/// the games that cannot be read are listed.
///
/// The exit code is 1 if there is a fault; the last line then suggests a command: salvage, or index --drop if only the
/// index is corrupt. It is also 1 for an archive of version 2, which has no checksums for original texts, sources and
/// the order of tag pairs; migrate adds checksums of their current contents.
///
/// Examples:
/// * plybook verify
/// * plybook verify -a chess.db && plybook backup saved.db -a chess.db
/// * plybook verify --format json | jq .faults
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        self.archive.protected().check_stdout()?;
        let archive = Archive::open_to_verify(&self.archive.archive)?;
        let bar = terminal::games_bar(archive.last_id().unwrap_or(0).unsigned_abs());
        let verdict = archive.maintenance().verify(move |games| bar.set_position(games))?;
        self.format.print_unless(false, &verdict, |out| print_verdict(out, &verdict))?;
        if verdict.faults > 0 {
            let next = if verdict.is_of_index() { advice::to_renew_index } else { advice::to_salvage };
            terminal::tell(next(&self.archive.archive));
        }
        Ok(ExitStatus::complete_if(verdict.is_sound()))
    }
}

fn print_verdict(out: &mut dyn Write, verdict: &VerifyReport) -> std::io::Result<()> {
    print_faults(out, &verdict.first)?;
    let untold = verdict.faults.saturating_sub(verdict.first.len() as u64);
    if untold > 0 {
        writeln!(out, "and {} more", thousands(untold))?;
    }
    if let Some(line) = unproved(&verdict.unproved) {
        writeln!(out, "not verified: {line}")?;
    }
    let (games, plies) = (GAMES.count(verdict.games), PLIES.count(verdict.plies));
    let result = match verdict.faults {
        0 if !verdict.is_sound() => "the rest is intact".to_owned(),
        0 => "all intact".to_owned(),
        faults => FAULTS.count(faults),
    };
    writeln!(out, "{games}, {plies}: {result}")
}

/// Prints the faults, one per line.
pub(super) fn print_faults(out: &mut dyn Write, faults: &[Problem]) -> std::io::Result<()> {
    faults.iter().try_for_each(|fault| {
        let what = printable::line(&fault.what);
        match fault.game {
            Some(id) => writeln!(out, "game {id}: {what}"),
            None => writeln!(out, "{what}"),
        }
    })
}

/// Describes what cannot be verified; `None` if everything can be.
fn unproved(Unproved { without_checksums, originals, sources }: &Unproved) -> Option<String> {
    let what = format!("{} and {} of games", ORIGINALS.count(*originals), SOURCES.count(*sources));
    match (without_checksums, originals + sources) {
        (true, _) => Some(format!(
            "{what}, and the order of tag pairs: the archive has no checksums; to add them: plybook migrate"
        )),
        (false, 0) => None,
        (false, _) => Some(format!("{what}, which may have changed before they got checksums")),
    }
}

/// Copy an archive to a new file, even while other programs read and write it
///
/// The copy is a consistent snapshot. It is written to FILE.plybook-part, opened and checked, and then renamed.
///
/// Examples:
/// * plybook backup saved.db
/// * plybook backup saved.db -a chess.db --force
/// * plybook backup "chess-$(date +%F).db" -a chess.db
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// File to write; requires --force if it exists
    #[arg(value_name = "FILE")]
    to: PathBuf,
    /// Replace FILE if it exists, even if it is an archive, but never the archive that is copied
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Backup {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        let bar = terminal::bar(0, "pages");
        let games = archive.maintenance().backup(&self.to, self.force, move |done, pages| {
            bar.set_length(pages);
            bar.set_position(done);
        });
        let games = games.map_err(|error| match error {
            ArchiveError::File(error) => terminal::or_force(error, self.force),
            error => error.into(),
        })?;
        let answer = format!("{}: {}", self.to.display(), GAMES.count(games));
        Ok(terminal::print(printable::line(&answer))?)
    }
}

/// Copy the intact games of a damaged archive to a new one
///
/// The damaged file is only read; the new file is renamed into place when it is complete. Original texts and sources
/// are copied only if their checksums match or are missing; what was left out is counted. The exit code is 1 if
/// anything was lost.
///
/// Examples:
/// * plybook verify -a damaged.db                      what is wrong with it
/// * plybook salvage damaged.db -o new.db
/// * plybook import new.db saved.db -a chess.db        the saved games, and the others from a backup
#[derive(Debug, Args)]
pub(super) struct Salvage {
    /// Damaged archive
    #[arg(value_name = "DAMAGED")]
    damaged: PathBuf,
    /// New archive file; must not exist
    #[arg(short, long, value_name = "NEW")]
    output: PathBuf,
}

impl Salvage {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        Protected::default().archive(&self.damaged).check_stdout()?;
        let bar = terminal::games_counter();
        let salvaged = salvage(&self.damaged, &self.output, move |games| bar.set_position(games));
        let salvaged = salvaged.map_err(without_advice)?;
        terminal::printed(print_salvaged(&salvaged).map_err(Into::into))?;
        tell_of_log([self.damaged.as_path()]);
        if salvaged.had_index {
            terminal::tell(advice::after_salvage(&self.output));
        }
        Ok(ExitStatus::complete_if(salvaged.is_whole()))
    }
}

/// The usual advice is to import games, or to run this command.
fn without_advice(error: ArchiveError) -> anyhow::Error {
    match error {
        ArchiveError::Missing(_) => anyhow!("{error}"),
        ArchiveError::Malformed { .. } | ArchiveError::Endless { .. } => {
            anyhow!("{error}; it cannot be salvaged, so restore it from a backup")
        }
        error => error.into(),
    }
}

fn print_salvaged(salvaged: &Salvaged) -> std::io::Result<()> {
    let mut out = terminal::stdout();
    print_faults(&mut out, &salvaged.first)?;
    writeln!(out, "saved        {}", GAMES.count(salvaged.saved))?;
    if salvaged.lost > 0 {
        writeln!(out, "  ids        renumbered: games after a lost one have smaller ids than before")?;
    }
    if salvaged.unproved > 0 {
        writeln!(out, "  unverified {}: their fingerprints are lost", thousands(salvaged.unproved))?;
    }
    for (games, what) in [
        (salvaged.without_original, "without their original text"),
        (salvaged.unproved_original, "with an original text that cannot be verified"),
        (salvaged.without_source, "with an unknown source"),
    ] {
        if games > 0 {
            writeln!(out, "  {what}  {}", thousands(games))?;
        }
    }
    writeln!(out, "lost         {}", thousands(salvaged.lost))?;
    out.flush()
}

/// Migrate an archive of an older plybook version to the current format
///
/// Reading never changes an archive; only this command, or an import, migrates it. Each step is atomic. A damaged
/// archive is rejected, because new checksums would hide the damage.
///
/// Examples:
/// * plybook migrate
/// * plybook backup before.db -a chess.db && plybook migrate -a chess.db
/// * plybook info -a chess.db                          its format version
#[derive(Debug, Args)]
pub(super) struct Migrate {
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Migrate {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.archive.protected().check_stdout()?;
        let (file, mut out) = (self.archive.archive.display().to_string(), terminal::stdout());
        let file = printable::line(&file);
        match WritableArchive::migrate(&self.archive.archive)? {
            found if found >= VERSION => writeln!(out, "{file}: already at version {found}")?,
            found => {
                writeln!(out, "{file}: migrated from version {found} to {VERSION}")?;
                if found < CHECKSUMS {
                    writeln!(
                        out,
                        "some data is older than its checksums and cannot be verified; for details: plybook verify -a {file}"
                    )?;
                }
            }
        }
        Ok(out.flush()?)
    }
}

/// Build or update the index that makes searches fast
///
/// The index has two parts. Positions make find and explore fast. Trails, which record the captures and pawn moves of
/// each game, make searches for material and patterns fast.
///
/// The index is stored in the archive, in segments of up to 1,048,576 games. An existing index is extended by the games
/// imported since. If the command is interrupted, complete segments are kept; run it again to continue.
///
/// Examples:
/// * plybook index
/// * plybook index -a chess.db --drop
/// * plybook index --only trails
#[derive(Debug, Args)]
pub(super) struct Index {
    /// Build or drop only this part of the index
    #[arg(long, value_name = "PART")]
    only: Option<IndexPart>,
    /// Delete the index, even if it is corrupt, and free its space
    #[arg(long)]
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
    const ALL: [IndexPart; 2] = [IndexPart::Positions, IndexPart::Trails];

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
        for part in IndexPart::ALL.into_iter().filter(|part| self.only.is_none_or(|only| only == *part)) {
            let report = self.build(&archive, part)?;
            if !self.quiet {
                print_index(&report, part)?;
            }
        }
        archive.finish()?;
        Ok(ExitStatus::Complete)
    }

    fn build(&self, archive: &Archive, part: IndexPart) -> anyhow::Result<IndexReport> {
        let bar = terminal::games_bar(if self.quiet { 0 } else { archive.last_id()?.unsigned_abs() });
        let watch = move |games, all| {
            bar.set_length(all);
            bar.set_position(games);
            ControlFlow::Continue(())
        };
        Ok(match part {
            IndexPart::Positions => build_index(archive, None, watch)?,
            IndexPart::Trails => build_trails(archive, &[], watch)?,
        })
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
