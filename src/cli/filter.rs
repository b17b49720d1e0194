//! The filter options that many commands share.

use anyhow::{anyhow, bail};
use clap::{ArgMatches, Args, Command, FromArgMatches, builder::PossibleValuesParser};

use indicatif::ProgressBar;

use super::{advice, answer::stopped, filter_options, open_index, opening, terminal};
use crate::{
    archive::{Archive, Filter},
    conditions::{CONDITIONS, FilterText, SORTS},
    present::{MatchedNames, explored_position},
    query::ExploredPosition,
    record::GameKind,
    request::{PresentError, RequestError, lacks_castling},
};

/// The filter options. A game must meet all conditions.
///
/// Must be the last field of a command, because the help headings apply to all options that follow.
#[derive(Debug)]
pub(super) struct FilterArgs {
    conditions: FilterText,
    order: OrderArgs,
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        OrderArgs::augment_args(command.args(CONDITIONS.iter().flat_map(filter_options::of)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        FilterArgs::augment_args(command)
    }
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FilterArgs, clap::Error> {
        let order = OrderArgs::from_arg_matches(matches)?;
        Ok(FilterArgs { conditions: filter_options::read(matches)?, order })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FilterArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The order and number of games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Order and number")]
struct OrderArgs {
    /// Sort by this field
    #[arg(long, value_name = "FIELD", value_parser = PossibleValuesParser::new(SORTS.map(|(name, _)| name)), default_value = "id")]
    sort: String,
    /// Sort in descending order
    #[arg(long)]
    desc: bool,
    /// List at most N games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Skip the first N games
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// Take a sample of at most N games, evenly spaced
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
}

/// Reports names that are not in the archive, so that no game is found, and similar names that are.
pub(super) fn tell_unknown_names(archive: &Archive, text: &FilterText) -> anyhow::Result<()> {
    text.unknown_names(archive)?.iter().for_each(terminal::tell);
    Ok(())
}

/// Reports whose games a filter finds, if several names match or similar names exist.
pub(super) fn tell_matched_names(archive: &Archive, filter: &Filter) -> anyhow::Result<()> {
    let matched = MatchedNames::of(archive, filter)?;
    matched.iter().flat_map(MatchedNames::lines).for_each(terminal::tell);
    Ok(())
}

/// Reports ranges that are a single number: `--elo 2500` is easily mistaken for a minimum.
fn tell_exact_numbers(text: &FilterText) {
    for name in ["elo", "white_elo", "black_elo", "plies"] {
        if let Some(number) = text.get(name).map(str::trim).filter(|range| range.parse::<u64>().is_ok()) {
            let name = name.replace('_', "-");
            terminal::tell(format_args!(
                "--{name} {number}: exactly {number}; for {number} and more: --{name} {number}.."
            ));
        }
    }
}

/// Rephrases an error for the command line.
fn explained(archive: &Archive, error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(RequestError::TwoNames(side)) => {
            anyhow!("--player with --colour {side} cannot be combined with --{side}")
        }
        PresentError::Request(RequestError::Unused(option, required)) if !option.contains(' ') => {
            anyhow!("--{option} requires {required}")
        }
        error => opening::with_games(archive, error),
    }
}

impl FilterArgs {
    /// The filter. An opening or a position requires a replay of all games that are not indexed.
    pub(super) fn filter(&self, archive: &Archive) -> anyhow::Result<Filter> {
        self.sampled(archive, self.before_sample(archive)?)
    }

    /// A sample of the games that pass the filter, if requested; otherwise all of them.
    pub(super) fn sampled(&self, archive: &Archive, filter: Filter) -> anyhow::Result<Filter> {
        Ok(match self.order.sample {
            Some(games) => archive.sample(&filter, games)?,
            None => filter,
        })
    }

    /// Whether a sample was requested.
    pub(super) fn has_sample(&self) -> bool {
        self.order.sample.is_some()
    }

    /// The filter without the sample. A command that narrows the filter does so before it takes [the
    /// sample](Self::sampled).
    pub(super) fn before_sample(&self, archive: &Archive) -> anyhow::Result<Filter> {
        let text = self.text();
        tell_unknown_names(archive, &text)?;
        tell_exact_numbers(&text);
        if let Some(position) = text.get("position") {
            self.tell_of_castling(position);
            opening::tell_position(position);
        }
        if let Some(openings) = text.get("opening") {
            opening::tell_last_named(openings);
        }
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let explained = |error| explained(archive, error);
        let searches = text.search().map_err(|error| explained(error.into()))?.is_some();
        let is_by_index = text.has("position") || text.has("opening") || searches;
        let _snapshot = archive.snapshot()?;
        let index = if is_by_index { open_index::open(archive)? } else { None };
        let filter = text.filter(archive, index.as_ref(), terminal::watch(bar)).map_err(explained)?;
        if (text.has("position") || searches) && index.is_none() {
            open_index::advise_index();
        }
        let filter = filter.ok_or_else(stopped)?;
        tell_matched_names(archive, &filter)?;
        Ok(filter)
    }

    /// The progress bar over the games that pass. Its length is known only if all games pass.
    pub(super) fn bar(&self, archive: &Archive) -> anyhow::Result<ProgressBar> {
        Ok(match self.is_empty() {
            true => terminal::games_bar(archive.last_id()?.unsigned_abs()),
            false => terminal::games_counter(),
        })
    }

    /// Whether no condition was given.
    pub(super) fn is_empty(&self) -> bool {
        self.text().is_every_game_by_id() && !self.order.desc && !self.has_sample()
    }

    /// The position that the words of a command mean; see [`explored_position`].
    pub(super) fn explored(
        &self,
        words: &[String],
        kind: Option<GameKind>,
        archive: &Archive,
    ) -> anyhow::Result<ExploredPosition> {
        let text = Some(words.join(" ")).filter(|_| !words.is_empty());
        let asked = explored_position(text.as_deref(), kind, archive)
            .map_err(|error| opening::with_games(archive, error))?;
        if let Some(text) = text {
            self.tell_of_castling(&text);
        }
        Ok(asked)
    }

    /// Rejects options on how to match a position if only the command has a position, which is always matched
    /// exactly.
    pub(super) fn refuse_unused_modes(&self, position: &str) -> anyhow::Result<()> {
        let asked = &self.conditions;
        let patterns = ["pattern", "then", "not_pattern"];
        let has_patterns = patterns.into_iter().any(|name| asked.has(name));
        if !asked.has("position") && (asked.has("board_only") || asked.has("mirror") && !has_patterns) {
            bail!("--board-only and --mirror require --position here; {position} is always matched exactly");
        }
        Ok(())
    }

    /// Reports that a FEN without castling rights is read as one in which nobody may castle, if that matters.
    /// Returns whether it did.
    pub(super) fn tell_of_castling(&self, position: &str) -> bool {
        let lacks = !self.conditions.has("board_only") && lacks_castling(position);
        if lacks {
            terminal::tell(advice::WITHOUT_CASTLING);
        }
        lacks
    }

    /// The conditions and the order as text.
    pub(super) fn text(&self) -> FilterText {
        let mut text = self.conditions.clone();
        text.sort = Some(self.order.sort.clone());
        (text.desc, text.limit, text.offset) = (self.order.desc, self.order.limit, self.order.offset);
        text
    }
}
