//! What is told of an import besides its report, and the exit code.

use std::path::Path;

use crate::{
    cli::{ExitStatus, advice, interrupt, terminal},
    counts::{GAMES, thousands},
    import::{ImportProblem, Report},
};

/// Tells what kept an import from being complete.
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
        terminal::tell(format_args!(
            "stopped after {games}; to go on from there, give the same command again"
        ));
        std::process::exit(interrupt::STOPPED);
    }
    let to_index = advice::to_index(archive);
    if report.index.as_ref().is_some_and(|index| index.stopped) {
        let how = format!("to go on, give the same command again, or: {to_index}");
        terminal::tell(format_args!("stopped; all games are stored, but not all are indexed; {how}"));
        std::process::exit(interrupt::STOPPED);
    }
    if let Some(why) = &report.index_failure {
        let how = format!("to try again: {to_index}");
        terminal::tell(format_args!("the games are stored, but not all are indexed: {why}; {how}"));
    }
    for game in &report.unfinished {
        let (source, line, reason) = (&game.source, thousands(game.line), &game.reason);
        terminal::tell(format_args!("{source}: line {line}: {reason}; the next import takes it"));
    }
    if !report.failures.is_empty() {
        if report.sources_read == 0 {
            let stored = if report.seen > 0 { "; what was read is stored" } else { "" };
            anyhow::bail!("nothing could be read to its end{stored}");
        }
        terminal::tell("not everything could be read; what was read is stored");
    }
    let complete = (report.rejected == 0 || allow_rejects)
        && report.failures.is_empty()
        && report.unfinished.is_empty()
        && report.index_failure.is_none();
    Ok(ExitStatus::complete_if(complete))
}
