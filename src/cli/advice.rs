//! Advice to append to errors, in terms of the command line: the library does not know commands or options. Errors in
//! the arguments of a command get advice too.

use std::{
    error::Error,
    ffi::OsString,
    io::{self, Write},
    path::Path,
};

use clap::{
    Command,
    error::{
        ContextKind::{InvalidArg, InvalidSubcommand, Suggested, SuggestedArg, SuggestedSubcommand},
        ContextValue::{self, Strings, StyledStrs},
        ErrorKind,
    },
};
use plybook_chess::near_name::TypedName;

use crate::{
    archive::ArchiveError,
    counts::GAMES,
    edit::{EditError, command_line},
    import::{ImportError, ImportProblem, Report, Unconfirmed},
    parts::PartsError,
    pgn::{Reject, RejectReason, Warning},
    present::{CodeError, PresentError, RequestError},
    printable,
    record::{GameError, GameId},
};

/// The advice to append to an error message; empty for most errors.
pub(super) fn advice(error: &anyhow::Error) -> String {
    error.chain().find_map(on_cause).unwrap_or_default()
}

/// The advice for one cause. A transparent error has the actual error as a field, not as its source.
fn on_cause(error: &(dyn Error + 'static)) -> Option<String> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(PresentError::Archive(error)), _) | (_, Some(ImportError::Archive(error))) => on_archive(error),
        (Some(PresentError::Game(error)), _) => on_game(error),
        (Some(PresentError::Request(error)), _) => on_request(error),
        _ => (error.downcast_ref().and_then(on_archive))
            .or_else(|| error.downcast_ref().and_then(on_game))
            .or_else(|| error.downcast_ref().and_then(on_request))
            .or_else(|| error.downcast_ref().and_then(on_parts))
            .or_else(|| error.downcast_ref().and_then(|reject: &Reject| on_reject(&reject.reason)))
            .or_else(|| error.downcast_ref().and_then(on_reject)),
    }
}

fn on_archive(error: &ArchiveError) -> Option<String> {
    Some(match error {
        ArchiveError::Missing(path) => format!("; create it with: plybook import PATH -a {}", path.display()),
        ArchiveError::Blank(path) => {
            format!("; import into it with: plybook import PATH -a {}", path.display())
        }
        ArchiveError::Folder(path) => {
            let part = path.join("part-0001.db");
            if !part.exists() {
                return None;
            }
            format!("; this command works on one part at a time: -a {}", part.display())
        }
        ArchiveError::Older { path, .. } => format!(": plybook migrate -a {}", path.display()),
        ArchiveError::InParts { collection, .. } => {
            format!(": plybook merge {} -o all.db", collection.display())
        }
        ArchiveError::Edit(error) => match error.downcast_ref()? {
            EditError::Text { reason, .. } | EditError::Variation(reason) => return on_reject(reason),
            _ => return None,
        },
        ArchiveError::TooManyForSql { .. } => " with plybook merge".to_owned(),
        ArchiveError::StrayFingerprint(_) => "; run plybook verify".to_owned(),
        ArchiveError::DamagedIndex(path) => format!("; {}", to_renew_index(path)),
        ArchiveError::FormerIndex(path) => format!("; to rebuild it: {}", to_index(path)),
        ArchiveError::Unsound(path, _)
        | ArchiveError::Malformed(path, _)
        | ArchiveError::Endless(path, _) => format!("; {}", to_salvage(path)),
        _ => return None,
    })
}

fn on_game(error: &GameError) -> Option<String> {
    match error {
        GameError::OtherFamily { id, wanted: "chess", .. } => Some(format!("; to see it: plybook show {id}")),
        _ => None,
    }
}

fn on_request(error: &RequestError) -> Option<String> {
    match error {
        RequestError::Code(CodeError::SeveralNumbers { .. }) => {
            Some("; give the number of bits with --bits".to_owned())
        }
        _ => None,
    }
}

fn on_parts(error: &PartsError) -> Option<String> {
    let (PartsError::Damaged { path, .. } | PartsError::Other { path, .. }) = error else { return None };
    let folder = path.parent()?.display();
    Some(format!("; to rebuild the catalogue from the existing parts: plybook catalogue {folder}"))
}

/// The advice for a game that cannot be stored.
fn on_reject(reason: &RejectReason) -> Option<String> {
    let advice = match reason {
        RejectReason::Drop(..) => "if it is a crazyhouse game, add a Variant tag or use --variant crazyhouse",
        reason if reason.has_foreign_letters() => {
            "if the game has the piece letters of another language: --letters of plybook import, retry and add"
        }
        _ => return None,
    };
    Some(format!("; {advice}"))
}

/// Adds the advice to the reasons of a report.
pub(super) fn on_rejects(report: &mut Report) {
    for problem in &mut report.rejects {
        problem.reason += &problem.rejected.as_ref().and_then(on_reject).unwrap_or_default();
    }
}

/// Reported after a search that replayed every game.
pub(super) const AFTER_SCAN: &str = "scanned every game; run \"plybook index\" to make this query fast";

/// Reported before an answer that is computed without the corrupt index.
pub(super) fn without_index(error: &ArchiveError) -> String {
    format!("{error}, so all games are searched instead{}", on_archive(error).unwrap_or_default())
}

/// The command that copies the intact games of a corrupt archive.
pub(super) fn to_salvage(archive: &Path) -> String {
    format!("to copy the intact games: plybook salvage {} -o saved.db", archive.display())
}

/// A command that restores the views of an archive.
pub(super) fn to_restore_views(archive: &Path) -> String {
    format!("to restore it: plybook migrate -a {}", archive.display())
}

/// The command that updates values of an earlier release.
pub(super) fn to_renew_values(archive: &Path) -> String {
    format!("to update the values of release 0.2 or earlier: plybook migrate -a {}", archive.display())
}

/// The commands that rebuild a corrupt index.
pub(super) fn to_renew_index(archive: &Path) -> String {
    let path = archive.display();
    format!("to rebuild it: plybook index -a {path} --drop, then plybook index -a {path}")
}

/// Reported for a FEN that ends before the castling field.
pub(super) const WITHOUT_CASTLING: &str = "this FEN has no castling field, so it means a position in which nobody can castle; to allow castling, end it like this: w KQkq";

/// The command that rebuilds what is wrong in an index whose pages are intact.
pub(super) fn to_repair_index(archive: &Path) -> String {
    format!("to rebuild what is wrong in it: plybook index -a {} --check", archive.display())
}

/// The command that indexes the games that are not indexed yet.
pub(super) fn to_index(archive: &Path) -> String {
    format!("plybook index -a {}", archive.display())
}

/// Reported when damaged games were skipped.
pub(super) fn passed_over(games: u64) -> String {
    format!("{} could not be replayed; to see what is damaged: plybook verify", GAMES.count(games))
}

/// Reported after an archive with an index was salvaged.
pub(super) fn after_salvage(new: &Path) -> String {
    format!("the index is not copied; to rebuild it: plybook index -a {}", new.display())
}

/// The text to append to a warning in the report of an import.
pub(super) fn on_warning(warning: Warning) -> &'static str {
    if warning == Warning::NotUtf8 { " (--encoding sets it)" } else { "" }
}

/// The text to append to the report of a source that could not be imported.
pub(super) fn on_source(problem: &ImportProblem) -> &'static str {
    if problem.is_damaged_archive { "; plybook salvage copies the intact games" } else { "" }
}

/// The command that removes games that no checksum has confirmed; there is none for games in parts.
pub(super) fn to_remove(unconfirmed: &Unconfirmed, archive: &Path) -> String {
    let Unconfirmed { source, first: Some(first), last: Some(last), .. } = unconfirmed else {
        return String::new();
    };
    let ids = format!("{first}..{last}");
    let arguments = ["remove", "--id", &ids, "--source", source, "-a", &archive.to_string_lossy()];
    let command = command_line(arguments.map(str::to_owned));
    format!("; to remove them: {command} (then import the complete file with --again)")
}

/// Words that users may try as commands, and after a colon what to use instead.
const OTHER_WORDS: &str = "\
append create init insert load read update: plybook import games.pgn; for a single game: plybook add
del delete drop purge rm: plybook remove 7; to undo it: plybook undo
change modify rename replace set: plybook tag 7 Event=London; to change the moves: plybook edit 7
changes history: plybook log
revert rollback: plybook undo
dedup dedupe doubles duplicate duplicates twins: plybook import skips duplicates and reports how many there were; to find games with the same moves: plybook sql 'SELECT count(*), min(id), max(id) FROM games WHERE plies > 20 GROUP BY moves HAVING count(*) > 1'
player players: plybook names adams; for the results of a player: plybook report --player adams
crosstable event events standings tournament tournaments: plybook names --events london; for crosstables: plybook report --event 'london*'
opponent scout: plybook prepare --against adams
filter list ls: plybook games --player adams; for a list of filters: plybook help filters
grep lookup search: by position, material or pattern: plybook find 'sicilian najdorf'; by names, dates or results: plybook games --player adams
cat display moves open print replay view: for a game: plybook show 1; for the archive: plybook info, or in a browser: plybook serve --open
eco opening openings tree: for the moves played in a position: plybook explore 'sicilian najdorf'; for how often each opening was played: plybook stats --openings
database db query select shell sqlite: plybook sql
check fsck integrity validate: plybook verify
cmp compare diff: two archives have the same games if their exports are equal: plybook export -a one.db | sha256sum; to compare encodings: plybook stats --codec index,san
restore: a backup is an ordinary archive: plybook info -a backup.db
fix recover repair: to copy the intact games: plybook salvage plybook.db -o new.db
optimise optimize shrink vacuum: plybook compact deletes the log of changes; to see what takes up space: plybook stats
convert csv dump json parquet pgn save write: plybook export -o games.pgn; for other formats: plybook export --help
count size total: for all games: plybook info; with a filter: plybook games --player adams --count; with a position: plybook find '1. e4 c5' --count
diagram fen image picture png svg: for a game: plybook show 1 --ply 12w --format svg; for any position: plybook board '1. e4 c5' --format svg
browse gui http server ui web: plybook serve --open
analyse analyze engine eval evaluate: plybook has no engine; to add openings and new moves to a game: plybook annotate 1";

/// Reports an error with advice; or prints the requested help or version.
pub(super) fn report_usage(mut error: clap::Error, program: &Command, arguments: &[OsString]) {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    // If printing fails, there is no way to report it.
    let _ = match error.kind() {
        DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        kind => {
            match kind {
                ErrorKind::InvalidSubcommand => on_command(&mut error),
                ErrorKind::UnknownArgument => on_argument(&mut error, command(program, arguments)),
                _ => {}
            }
            io::stderr().write_all(printable::lines(&plain(&error.render().to_string())).as_bytes())
        }
    };
}

/// The messages of the number parsers of the standard library, in plain words.
fn plain(message: &str) -> String {
    message
        .replace(": invalid digit found in string\n", ": expected a whole number\n")
        .replace(": invalid float literal\n", ": expected a number\n")
        .replace(" is not in 1..18446744073709551615\n", " is less than 1\n")
}

/// Advice for an unknown command. Of the similar commands, only likely typos are suggested.
fn on_command(error: &mut clap::Error) {
    let Some(ContextValue::String(word)) = error.get(InvalidSubcommand) else { return };
    let word = word.to_lowercase();
    let mut other = OTHER_WORDS.lines().filter_map(|line| line.split_once(": "));
    if let Some((_, advice)) = other.find(|(words, _)| words.split(' ').any(|of| of == word)) {
        error.remove(SuggestedSubcommand);
        error.insert(Suggested, StyledStrs(vec![advice.into()]));
    } else if let Some(Strings(similar)) = error.remove(SuggestedSubcommand) {
        error.remove(Suggested);
        let typed = TypedName::new(&word);
        let near: Vec<String> = similar.into_iter().filter(|name| typed.distance(name).is_some()).collect();
        if !near.is_empty() {
            error.insert(SuggestedSubcommand, Strings(near));
        }
    }
}

/// Options that users may try, and what to use instead.
const OTHER_OPTIONS: [(&str, &str); 4] = [
    ("--after --before --from --since --until --year", "--date 2000.. or --date 1990..1999"),
    ("--name", "--player adams"),
    ("--min-moves", "--min-plies counts plies, two per move"),
    ("--arrow --arrows", "--shape Gd2d4 draws a green arrow"),
];

/// Advice for an unknown option, or for a word without an option: a name, an archive, an option without dashes.
fn on_argument(error: &mut clap::Error, command: &Command) {
    let Some(ContextValue::String(word)) = error.get(InvalidArg) else { return };
    let option = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
    let has = |name: &str| option(name).is_some();
    let is_wanted =
        |advice: &str| advice.split(' ').next().is_some_and(|option| has(option.trim_matches('-')));
    let other = OTHER_OPTIONS.into_iter().find(|(words, _)| words.split(' ').any(|of| of == word));
    let advice = if word == "--sample" {
        "--sample works with the filters of games, export, stats, report and others: plybook games --sample 20"
            .to_owned()
    } else if let Some((_, advice)) = other.filter(|(_, advice)| is_wanted(advice)) {
        advice.to_owned()
    } else if let Some(option) = option(word) {
        format!("options begin with two dashes: {option}")
    } else if word.starts_with('-') {
        return;
    } else if has("archive") && word.ends_with(".db") {
        format!("to choose an archive: -a {word}")
    } else if has("player") {
        format!("to filter by a name, put it in quotation marks: --player \"{word}\"")
    } else {
        return;
    };
    error.remove(SuggestedArg);
    error.insert(Suggested, StyledStrs(vec![advice.into()]));
}

/// The command that the arguments name.
fn command<'a>(program: &'a Command, arguments: &[OsString]) -> &'a Command {
    let names = arguments.iter().skip(1).map_while(|name| name.to_str());
    names.fold(program, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// Parses the id of a game.
pub(super) fn game_id(text: &str) -> Result<GameId, String> {
    text.parse().map_err(|_| match text.split_once(':') {
        Some((id, ply)) if id.parse::<GameId>().is_ok() => {
            format!("expected a number; for a position of the game: plybook show {id} --ply {ply}")
        }
        _ => "expected a number, the first column of: plybook games".to_owned(),
    })
}
