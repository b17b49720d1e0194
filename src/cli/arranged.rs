//! A command whose help is arranged: examples at the end, and filters by their names only.

use std::{cell::Cell, ffi::OsString};

use clap::{
    ArgMatches, Args, Command, Error, FromArgMatches, Subcommand,
    builder::{Resettable, StyledStr},
};

use super::filters;

/// Commands whose output says something about others.
const ABOUT_OTHERS: [&str; 6] = ["completions", "game", "help", "man", "position", "xelto"];

thread_local! {
    /// Whether all commands are built with their arguments.
    static BUILDS_ALL: Cell<bool> = const { Cell::new(false) };
}

/// Builds commands with all their arguments.
pub(super) fn build_all(build: impl FnOnce() -> Command) -> Command {
    let before = BUILDS_ALL.replace(true);
    let command = build();
    BUILDS_ALL.set(before);
    command
}

/// Whether all commands must have their arguments to parse the arguments of the program.
pub(super) fn needs_all(arguments: &[OsString]) -> bool {
    arguments.iter().any(|word| ABOUT_OTHERS.iter().any(|name| word == name))
}

/// The arguments of a command, or a group of commands. Those of most commands are built when they are parsed, since
/// building all of them would take most of the time that a command takes to start.
#[derive(Debug)]
pub(super) struct Arranged<T>(pub(super) T);

impl<T: Args> Args for Arranged<T> {
    fn augment_args(command: Command) -> Command {
        let whole = |command| filters::summarized(with_examples(T::augment_args(command)));
        if BUILDS_ALL.get() { whole(command) } else { command.defer(whole) }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: Subcommand> Subcommand for Arranged<T> {
    fn augment_subcommands(group: Command) -> Command {
        T::augment_subcommands(group)
    }

    fn augment_subcommands_for_update(group: Command) -> Command {
        T::augment_subcommands_for_update(group)
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

impl<T: FromArgMatches> FromArgMatches for Arranged<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Arranged<T>, Error> {
        T::from_arg_matches(matches).map(Arranged)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Moves the examples in the description of a command to the end of its help: to `{examples}`, or after the text that is
/// there.
fn with_examples(command: Command) -> Command {
    let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let Some((text, examples)) = about.split_once("\n\nExamples: * ") else { return command };
    let examples = format!("Examples:\n  {}", examples.replace(" * ", "\n  "));
    let after = match command.get_after_help().map(ToString::to_string) {
        Some(text) if text.contains("{examples}") => text.replace("{examples}", &examples),
        Some(text) => format!("{text}\n\n{examples}"),
        None => examples,
    };
    let is_long = text.contains("\n\n");
    let text = is_long.then(|| StyledStr::from(text.to_owned()));
    command.long_about(Resettable::from(text)).after_help(after)
}
