//! What is wrong with the arguments of a command, and what to do about it.

use std::{
    ffi::OsString,
    io::{self, Write},
};

use clap::{
    Command, Error,
    error::{
        ContextKind::{InvalidArg, InvalidSubcommand, Suggested, SuggestedArg, SuggestedSubcommand},
        ContextValue::{self, Strings, StyledStrs},
        ErrorKind,
    },
};
use plybook_chess::near_name::TypedName;

use crate::{printable, record::GameId};

/// Words that people try as commands, and the commands that do what is meant.
const OTHER_WORDS: [(&str, &str); 22] = [
    ("add append create init insert load read update", "plybook import games.pgn"),
    (
        "del delete drop purge remove rm",
        "an archive does not lose games; to leave out game 7, put all others into a new one, where they are numbered anew: \
         plybook export --id ..6,8.. -o rest.pgn, then plybook import rest.pgn -a new.db",
    ),
    (
        "change edit modify rename replace set tag",
        "a stored game does not change; export all games, edit the file, and import it into a new archive: \
         plybook export -o all.pgn, then plybook import all.pgn -a new.db",
    ),
    (
        "dedup dedupe doubles duplicate duplicates twins",
        "an archive stores equal games once, and plybook import reports how many there were; games with the same moves: \
         plybook sql 'SELECT count(*), min(id), max(id) FROM games WHERE plies > 20 GROUP BY moves HAVING count(*) > 1'",
    ),
    ("player players", "plybook names adams; the results of one: plybook report --player adams"),
    (
        "crosstable event events standings tournament tournaments",
        "plybook names --events london; crosstables: plybook report --event 'london*'",
    ),
    ("opponent scout", "plybook prepare --against adams"),
    ("filter list ls", "plybook games --player adams; all filters: plybook help filters"),
    (
        "grep lookup search",
        "games by position, material or pattern: plybook find 'sicilian najdorf'; \
         by names, dates or results: plybook games --player adams",
    ),
    (
        "cat display moves open print replay view",
        "a game: plybook show 1; the archive: plybook info, or in a browser plybook serve --open",
    ),
    (
        "eco opening openings tree",
        "the moves of a position: plybook explore 'sicilian najdorf'; \
         how often each opening was played: plybook stats --openings",
    ),
    ("database db query select shell sqlite", "plybook sql"),
    ("check fsck integrity validate", "plybook verify"),
    (
        "cmp compare diff",
        "archives have the same games if they export the same text: plybook export -a one.db | sha256sum; \
         encodings: plybook stats --codec index,san",
    ),
    ("restore", "a backup is an archive like any other: plybook info -a backup.db"),
    ("fix recover repair", "a copy of what is intact: plybook salvage plybook.db -o new.db"),
    (
        "compact optimise optimize shrink vacuum",
        "an archive has nothing to compact; plybook stats shows what takes its space",
    ),
    (
        "convert csv dump json parquet pgn save write",
        "plybook export -o games.pgn; other formats: plybook export --help",
    ),
    (
        "count size total",
        "all games: plybook info; those of a filter: plybook games --player adams --count; \
         those with a position: plybook find '1. e4 c5' --count",
    ),
    (
        "diagram fen image picture png svg",
        "of a game: plybook show 1 --ply 12w --format svg; of any position: plybook board '1. e4 c5' --format svg",
    ),
    ("browse gui http server ui web", "plybook serve --open"),
    (
        "analyse analyze engine eval evaluate",
        "plybook has no engine; it names openings and new moves: plybook annotate 1",
    ),
];

/// Reports it with what helps; or prints the help or version that was requested.
pub(super) fn report(mut error: Error, program: &Command, arguments: &[OsString]) {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    // Nobody is left to be told if printing fails.
    let _ = match error.kind() {
        DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        kind => {
            match kind {
                ErrorKind::InvalidSubcommand => on_command(&mut error),
                ErrorKind::UnknownArgument => on_argument(&mut error, command(program, arguments)),
                _ => {}
            }
            io::stderr().write_all(printable::lines(&error.render().to_string()).as_bytes())
        }
    };
}

/// Advice on a command that is not there. Of those with a similar name, only what may be a slip of the keyboard.
fn on_command(error: &mut Error) {
    let Some(ContextValue::String(word)) = error.get(InvalidSubcommand) else { return };
    let word = word.to_lowercase();
    if let Some((_, advice)) = OTHER_WORDS.iter().find(|(words, _)| words.split(' ').any(|of| of == word)) {
        error.remove(SuggestedSubcommand);
        error.insert(Suggested, StyledStrs(vec![(*advice).into()]));
    } else if let Some(Strings(similar)) = error.remove(SuggestedSubcommand) {
        error.remove(Suggested);
        let typed = TypedName::new(&word);
        let near: Vec<String> = similar.into_iter().filter(|name| typed.distance(name).is_some()).collect();
        if !near.is_empty() {
            error.insert(SuggestedSubcommand, Strings(near));
        }
    }
}

/// Options that people try, and what to write instead.
const OTHER_OPTIONS: [(&str, &str); 4] = [
    ("--after --before --from --since --until --year", "--date 2000.. or --date 1990..1999"),
    ("--name", "--player adams"),
    ("--min-moves", "--min-plies counts plies, two for each move"),
    ("--arrow --arrows", "--shape Gd2d4 draws a green arrow"),
];

/// Advice on an option that does not exist, or a word without an option: a name, an archive, an option without dashes.
fn on_argument(error: &mut Error, command: &Command) {
    let Some(ContextValue::String(word)) = error.get(InvalidArg) else { return };
    if word == "--sample" {
        let advice = "--sample goes with the filters of games, export, stats, report and others: \
                      plybook games --sample 20";
        error.remove(SuggestedArg);
        error.insert(Suggested, StyledStrs(vec![advice.into()]));
        return;
    }
    let option = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
    let has = |name: &str| option(name).is_some();
    let is_wanted =
        |advice: &str| advice.split(' ').next().is_some_and(|option| has(option.trim_matches('-')));
    let other = OTHER_OPTIONS.into_iter().find(|(words, _)| words.split(' ').any(|of| of == word));
    let advice = if let Some((_, advice)) = other.filter(|(_, advice)| is_wanted(advice)) {
        advice.to_owned()
    } else if let Some(option) = option(word) {
        format!("options begin with two dashes: {option}")
    } else if word.starts_with('-') {
        return;
    } else if has("archive") && word.ends_with(".db") {
        format!("name the archive with -a: -a {word}")
    } else if has("player") {
        format!("to filter by a name, put it in quotation marks: --player \"{word}\"")
    } else {
        return;
    };
    error.remove(SuggestedArg);
    error.insert(Suggested, StyledStrs(vec![advice.into()]));
}

/// The command that arguments name.
fn command<'a>(program: &'a Command, arguments: &[OsString]) -> &'a Command {
    let names = arguments.iter().skip(1).map_while(|name| name.to_str());
    names.fold(program, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// The id of a game.
pub(super) fn game_id(text: &str) -> Result<GameId, String> {
    text.parse().map_err(|_| match text.split_once(':') {
        Some((id, ply)) if id.parse::<GameId>().is_ok() => {
            format!("an id is a number; a position of the game: plybook show {id} --ply {ply}")
        }
        _ => "an id is a number, the first column of: plybook games".to_owned(),
    })
}
