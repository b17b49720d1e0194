//! Explains errors in the arguments of a command.

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
pub(super) fn report(mut error: Error, program: &Command, arguments: &[OsString]) {
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
fn on_command(error: &mut Error) {
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
fn on_argument(error: &mut Error, command: &Command) {
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
