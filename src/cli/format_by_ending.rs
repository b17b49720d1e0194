//! The format of a file that a command writes, by the ending of its name.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{ArgMatches, Command, parser::ValueSource};

/// Endings that are not the names of their formats.
const OTHER_ENDINGS: [(&str, &str); 2] = [("md", "markdown"), ("ndjson", "jsonl")];

/// The arguments of the program with the format that the ending of `--output` names: `None` if `--format` is given, or the
/// command has no such format.
pub(super) fn with_format(
    arguments: &[OsString],
    program: &Command,
    matches: &ArgMatches,
) -> Option<Vec<OsString>> {
    let (mut command, mut matches, mut behind_command) = (program, matches, 1);
    while let Some((name, below)) = matches.subcommand() {
        (command, matches) = (command.find_subcommand(name)?, below);
        behind_command += 1;
    }
    let format = command.get_arguments().find(|argument| argument.get_id() == "format")?;
    if matches.value_source("format") == Some(ValueSource::CommandLine) {
        return None;
    }
    let ending = ending(matches.try_get_one::<PathBuf>("output").ok()??)?;
    let is_known = format.get_possible_values().iter().any(|value| value.matches(&ending, true));
    is_known.then(|| {
        let mut arguments = arguments.to_vec();
        arguments.splice(behind_command..behind_command, ["--format".into(), ending.into()]);
        arguments
    })
}

fn ending(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let other = OTHER_ENDINGS.into_iter().find(|(name, _)| *name == ending);
    Some(other.map_or(ending, |(_, format)| format.to_owned()))
}
