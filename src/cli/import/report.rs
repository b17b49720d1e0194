//! The text report of an import; and the messages in addition to it, with the exit code.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

use crate::{
    archive::VERSION,
    cli::{ExitStatus, advice, interrupt, terminal},
    counts::{BYTES, GAMES, SEGMENTS, SOURCES, thousands},
    import::{ImportProblem, KnownSourceReport, Report, ResumeOutcome},
    printable,
    query::IndexReport,
};

/// The number of sources imported before that are listed one by one.
const MAX_LISTED: usize = 20;

/// Prints a report: whether the rejected games were written to a file, and whether to advise on what to do next.
pub(in crate::cli) fn print(
    out: &mut dyn Write,
    report: &Report,
    archive: &Path,
    kept: bool,
    advises: bool,
) -> io::Result<()> {
    print_counts(out, report, archive)?;
    print_warnings(out, report)?;
    print_rejects(out, report, kept)?;
    if let Some(version) = report.migrated_from {
        writeln!(out, "  the archive was migrated from version {version} to {VERSION}")?;
    }
    print_known_sources(out, report)?;
    let is_indexed = report.index.is_some() || report.index_failure.is_some();
    if advises && !is_indexed && report.bytes_per_game > 0.0 {
        let how = advice::to_index(archive);
        writeln!(out, "  positions are not indexed; to make searches fast: {}", printable::line(&how))?;
    }
    Ok(())
}

fn print_counts(out: &mut dyn Write, report: &Report, archive: &Path) -> io::Result<()> {
    let mut line = |name: &str, value: String| writeln!(out, "{name:<12} {}", printable::line(&value));
    line("seen", GAMES.count(report.seen))?;
    line("stored", thousands(report.stored))?;
    line("duplicate", duplicates(report))?;
    line("rejected", thousands(report.rejected))?;
    if report.unmatched > 0 {
        let meets = if report.unmatched == 1 { "does" } else { "do" };
        line("unmatched", format!("{}, which {meets} not meet the conditions", thousands(report.unmatched)))?;
    }
    if report.rejects_kept > 0 {
        let kept = thousands(report.rejects_kept);
        line("kept", format!("{kept} of the rejected games (to list them: plybook rejects)"))?;
    }
    if report.rejects_not_kept > 0 {
        let games = thousands(report.rejects_not_kept);
        line(
            "not kept",
            format!(
                "{games} of the rejected games: without text, longer than 1 MiB, or more than 256 MiB in total"
            ),
        )?;
    }
    if report.omitted > 0 {
        line("left out", format!("{}, not counted above", thousands(report.omitted)))?;
    }
    if report.taken_back > 0 {
        let games = GAMES.count(report.taken_back);
        line("removed", format!("{games} from damaged data, not counted above"))?;
    }
    line("plies", thousands(report.plies))?;
    let (seconds, speed) = (report.seconds, thousands(report.games_per_second as u64));
    let megabytes = report.pgn_bytes as f64 / 1e6 / seconds.max(1e-9);
    let of_text = if megabytes > 0.0 { format!(", {megabytes:.1} MB/s") } else { String::new() };
    line("time", format!("{seconds:.2} s: {speed} games/s{of_text}"))?;
    let file = match report.archive_bytes {
        0 => "not created: no games to store".to_owned(),
        bytes => {
            let (bytes, each) = (BYTES.count(bytes), report.bytes_per_game);
            format!("{}: {bytes}, {each:.1} per game", archive.display())
        }
    };
    line("archive", file)?;
    if report.stored > 0 {
        let (game, ply) = (report.bits_per_game, report.bits_per_ply);
        line("moves", format!("{game:.1} bits per game, {ply:.4} bits per ply"))?;
    }
    if let Some(IndexReport { games, segments, seconds, .. }) = &report.index {
        let (games, segments) = (GAMES.count(*games), SEGMENTS.count(*segments));
        line("index", format!("{seconds:.2} s: {games} indexed, {segments} in total"))?;
    }
    Ok(())
}

/// The number of duplicates, and how many of them are not in the archive any more.
fn duplicates(report: &Report) -> String {
    let all = thousands(report.duplicate);
    match report.former {
        0 => all,
        former => {
            let was = if former == 1 { "was" } else { "were" };
            let former = thousands(former);
            format!("{all}, of which {former} {was} removed or edited in this archive (to add them: --again)")
        }
    }
}

fn print_warnings(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for (warning, count) in report.warning_counts.iter() {
        writeln!(out, "  {}{}", note(warning.text(), count), advice::on_warning(warning))?;
        print_locations(out, report, warning.key())?;
    }
    for (kind, count) in &report.source_notes {
        writeln!(out, "  {}", note(kind.text, *count))?;
        print_locations(out, report, kind.key)?;
    }
    Ok(())
}

/// The first locations of a kind of warning or note.
fn print_locations(out: &mut dyn Write, report: &Report, key: &str) -> io::Result<()> {
    report.warnings_of(key).try_for_each(|problem| {
        let ImportProblem { source, detail, .. } = problem;
        let detail = detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
        let text = format!("{source} {}{detail}", problem.location());
        writeln!(out, "    {}", printable::line(&text))
    })
}

/// What a warning or a note says of some games.
pub(in crate::cli) fn note(text: &str, count: u64) -> String {
    let text = if count == 1 { singular(text) } else { text.into() };
    format!("note: {} {text}", thousands(count))
}

/// Changes a text about several things to one about a single thing.
fn singular(text: &str) -> Cow<'_, str> {
    const BEGINNINGS: [(&str, &str); 6] = [
        ("games", "game"),
        ("comments", "comment"),
        ("variations", "variation"),
        ("lines", "line"),
        ("texts", "text"),
        ("annotation glyphs (NAGs)", "annotation glyph (NAG)"),
    ];
    let found = BEGINNINGS.into_iter().find_map(|(many, one)| Some((one, text.strip_prefix(many)?)));
    let Some((one, rest)) = found else { return text.into() };
    format!("{one}{rest}").replace("(their ", "(its ").replace("they look like", "it looks like").into()
}

fn print_rejects(out: &mut dyn Write, report: &Report, kept: bool) -> io::Result<()> {
    for reject in &report.rejects {
        let ImportProblem { source, reason, .. } = reject;
        let text = format!("{source} {}: {reason}", reject.location());
        writeln!(out, "  rejected: {}", printable::line(&text))?;
    }
    match report.rejected.saturating_sub(report.rejects.len() as u64) {
        0 => Ok(()),
        unlisted => {
            let hint = if kept { "" } else { " (--rejects FILE saves them all)" };
            writeln!(out, "  and {} more rejected{hint}", thousands(unlisted))
        }
    }
}

fn print_known_sources(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for source in report.known_sources.iter().take(MAX_LISTED) {
        writeln!(out, "  {}", printable::line(&known_source(source)))?;
    }
    match report.known_sources.len().saturating_sub(MAX_LISTED) as u64 {
        0 => Ok(()),
        unlisted => {
            let were = if unlisted == 1 { "was" } else { "were" };
            let (unlisted, sources) = (thousands(unlisted), SOURCES.of(unlisted));
            writeln!(out, "  and {unlisted} more {sources} that {were} imported before")
        }
    }
}

/// How the import resumed a source that had been imported before.
fn known_source(known: &KnownSourceReport) -> String {
    let (source, games) = (&known.source, GAMES.count(known.games));
    match known.outcome {
        ResumeOutcome::Unchanged => {
            let rejected = match known.rejected {
                0 => String::new(),
                rejected => format!(", {} of them rejected", thousands(rejected)),
            };
            format!("already imported: {source}, {games}{rejected} (to read it again: --again)")
        }
        ResumeOutcome::Resumed => format!("resumed: {source}, after {games}"),
        ResumeOutcome::Grown => format!("grown: {source}, continued after {games}"),
        ResumeOutcome::Changed => {
            format!("changed, or imported under other conditions: {source}, read again completely")
        }
    }
}

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
    for unconfirmed in &report.unconfirmed {
        let (source, games) = (&unconfirmed.source, GAMES.count(unconfirmed.games));
        let advice = advice::to_remove(unconfirmed, archive);
        terminal::tell(format_args!("{source}: no checksum has confirmed {games} of it{advice}"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Warning;

    #[test]
    fn what_is_said_of_one_game_is_in_the_singular() {
        for warning in Warning::ALL {
            let text = singular(warning.text());
            assert_ne!(text, warning.text());
            assert!(!text.contains("(their ") && !text.contains("they "), "{text}");
        }
    }
}
