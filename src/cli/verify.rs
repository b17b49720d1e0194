//! `plybook verify`

use std::io::Write;

use clap::Args;

use super::{ExitStatus, OneArchiveArg, advice, answer::ReportFormat, terminal};
use crate::{
    archive::{Archive, Problem, Unproved, VerifyReport},
    counts::{FAULTS, GAMES, ORIGINALS, PLIES, SOURCES, thousands},
    printable,
};

/// Verify an archive: check that no game or other data has changed since it was stored
///
/// Decodes every game and compares its fingerprint with the stored one, compares all other rows with their checksums,
/// rebuilds the index of positions, if there is one, and compares it, and runs SQLite's own checks. This finds any
/// damage that would change the output of a command. If pages of the file are corrupt, the rest is still checked, and
/// the games that cannot be read are listed.
///
/// The exit code is 1 if there is a fault; the last line then suggests a command: salvage or, if only the index is
/// corrupt, index --check or index --drop. It is also 1 for an archive of version 2, which has no checksums for original texts, sources and
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
        let bar = terminal::games_bar(0);
        let open = || Archive::open_to_verify(&self.archive.archive);
        let verdict = Archive::read_one_state(open, |archive| {
            bar.set_length(archive.last_id().unwrap_or(0).unsigned_abs());
            archive.maintenance().verify(|games| bar.set_position(games))
        })?;
        bar.finish_and_clear();
        self.format.print_unless(false, &verdict, |out| print_verdict(out, &verdict))?;
        if verdict.faults > 0 {
            let next = match verdict.is_of_index() {
                true if verdict.has_bad_index_pages => advice::to_renew_index,
                true => advice::to_repair_index,
                false if verdict.is_of_views() => advice::to_restore_views,
                false => advice::to_salvage,
            };
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
