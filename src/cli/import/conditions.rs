//! The conditions of `plybook import`: those of `games` that do not concern what only stored games have.

use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::{
    cli::filter::{explained, options_of, read_conditions, tell_meaning},
    conditions::{CONDITIONS, Condition, FilterText},
    import::ImportCondition,
};

/// Must be the last field of the command, because the help headings apply to all options that follow.
#[derive(Debug)]
pub(super) struct Conditions(FilterText);

impl Conditions {
    /// The condition of the import, if there is one.
    pub(super) fn at_import(&self) -> anyhow::Result<Option<Arc<dyn ImportCondition>>> {
        tell_meaning(&self.0);
        self.0.clone().at_import().map_err(|error| explained(None, error))
    }
}

/// The conditions on games that are not stored yet.
fn conditions() -> impl Iterator<Item = &'static Condition> {
    CONDITIONS.iter().filter(|condition| !condition.of_stored)
}

impl Args for Conditions {
    fn augment_args(command: Command) -> Command {
        let options = conditions().flat_map(options_of).map(|option| {
            // The option of this name says how games are read.
            let option = if option.get_id() == "variant" { option.long("only-variant") } else { option };
            option.hide_short_help(true).help_heading("Only games that meet all of these")
        });
        command.args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Conditions::augment_args(command)
    }
}

impl FromArgMatches for Conditions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Conditions, clap::Error> {
        read_conditions(conditions(), matches).map(Conditions)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Conditions::from_arg_matches(matches)?;
        Ok(())
    }
}
