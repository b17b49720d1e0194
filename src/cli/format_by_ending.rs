//! Selects the output format by the file extension of `--output`.

use std::{ffi::OsString, path::Path};

use clap::Command;

/// File extensions that differ from the name of the format.
const OTHER_ENDINGS: [(&str, &str); 2] = [("md", "markdown"), ("ndjson", "jsonl")];

/// Adds `--format` to the arguments if the extension of `--output` names a format of the command and `--format` is
/// not given. This runs before clap, because a value parser of clap may read standard input.
pub(super) fn with_format(mut arguments: Vec<OsString>, program: &Command) -> Vec<OsString> {
    if let Some((place, format)) = format(&arguments, program) {
        arguments.splice(place..place, ["--format".into(), format.into()]);
    }
    arguments
}

/// The format, and the index at which to insert it: after the name of the command.
fn format(arguments: &[OsString], program: &Command) -> Option<(usize, String)> {
    let (mut command, mut place) = (program, 1);
    while let Some(below) = arguments.get(place)?.to_str().and_then(|name| command.find_subcommand(name)) {
        (command, place) = (below, place + 1);
    }
    let has = |name: &str| command.get_arguments().find(|argument| argument.get_id() == name);
    let (formats, _) = (has("format")?, has("output")?);
    let words = || arguments.iter().skip(place).filter_map(|word| word.to_str());
    if words().any(|word| word == "--format" || word.starts_with("--format=")) {
        return None;
    }
    let named = words().zip(words().skip(1)).find(|(word, _)| matches!(*word, "-o" | "--output"));
    let output = named.map(|(_, file)| file).or_else(|| words().find_map(attached))?;
    let ending = Path::new(output).extension()?.to_str()?.to_ascii_lowercase();
    let other = OTHER_ENDINGS.into_iter().find(|(name, _)| *name == ending);
    let format = other.map_or(ending, |(_, format)| format.to_owned());
    let is_known = formats.get_possible_values().iter().any(|value| value.matches(&format, true));
    is_known.then_some((place, format))
}

/// The file in `--output=FILE` or `-oFILE`.
fn attached(word: &str) -> Option<&str> {
    word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o").filter(|file| !file.is_empty()))
}
