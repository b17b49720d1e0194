//! Messages about an import in addition to its report, and the exit code.

use std::path::Path;

use crate::{
    cli::{ExitStatus, advice, interrupt, terminal},
    counts::{GAMES, thousands},
    import::{ImportProblem, Report},
};

/// Reports why an import is incomplete.
pub(in crate::cli) fn tell_problems(
    report: &Report,
    archive: &Path,
    allow_rejects: bool,
) -> anyhow::Result<ExitStatus> {
    for failure in &report.failures {
        let ImportProblem { source, reason, game, byte, .. } = failure;
        let after = match (game, byte) {
            (0, 0) => String::new(),
            (0, byte) => format!(" (after byte {})", thousands(*byte)),
            (game, _) => format!(" (after game {})", thousands(*game)),
        };
        let advice = advice::on_source(failure);
        terminal::tell(format_args!("{source}: {reason}{advice}{after}"));
    }
    if report.cancelled {
        let games = GAMES.count(report.seen);
        terminal::tell(format_args!("stopped after {games}; to continue, run the same command again"));
        std::process::exit(interrupt::STOPPED);
    }
    let to_index = advice::to_index(archive);
    if report.index.as_ref().is_some_and(|index| index.stopped) {
        let how = format!("to continue, run the same command again, or: {to_index}");
        terminal::tell(format_args!("stopped; all games are stored, but not all are indexed; {how}"));
        std::process::exit(interrupt::STOPPED);
    }
    if let Some(why) = &report.index_failure {
        let how = format!("to try again: {to_index}");
        terminal::tell(format_args!("the games are stored, but not all are indexed: {why}; {how}"));
    }
    for game in &report.unfinished {
        let (source, line, reason) = (&game.source, thousands(game.line), &game.reason);
        terminal::tell(format_args!("{source}: line {line}: {reason}; the next import will read it"));
    }
    if !report.failures.is_empty() {
        if report.sources_read == 0 {
            let stored = if report.seen > 0 { "; games read so far are stored" } else { "" };
            anyhow::bail!("no source could be read completely{stored}");
        }
        terminal::tell("not all sources could be read; games read so far are stored");
    }
    let complete = (report.rejected == 0 || allow_rejects)
        && report.failures.is_empty()
        && report.unfinished.is_empty()
        && report.index_failure.is_none();
    Ok(ExitStatus::complete_if(complete))
}
