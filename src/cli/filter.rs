//! The filters that `games`, `export` and `stats` share.

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

/// Which games. A game must meet all conditions; of one that is given several times, any.
///
/// It is the last field of a command: a heading of the help holds for all options that follow.
#[derive(Debug)]
pub(super) struct FilterArgs {
    conditions: FilterText,
    order: OrderArgs,
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        OrderArgs::augment_args(
            command.args(CONDITIONS.iter().flat_map(|condition| filter_options::of(condition))),
        )
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

/// In which order, and how many.
#[derive(Debug, Args)]
#[command(next_help_heading = "Order and number")]
struct OrderArgs {
    /// What to sort by
    #[arg(long, value_parser = PossibleValuesParser::new(SORTS.map(|(name, _)| name)), default_value = "id")]
    sort: String,
    /// Sort the other way round
    #[arg(long)]
    desc: bool,
    /// At most so many games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Without the first so many games
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// At most N of these games, evenly spread over them
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
}

/// Says which names the archive does not have, and which it has that are like them: no game is found then.
pub(super) fn tell_unknown_names(archive: &Archive, text: &FilterText) -> anyhow::Result<()> {
    text.unknown_names(archive)?.iter().for_each(terminal::tell);
    Ok(())
}

/// Says whose games a filter finds, where more than one name fits it or others are like it.
pub(super) fn tell_matched_names(archive: &Archive, filter: &Filter) -> anyhow::Result<()> {
    let matched = MatchedNames::of(archive, filter)?;
    matched.iter().flat_map(MatchedNames::lines).for_each(terminal::tell);
    Ok(())
}

/// Says of ranges that are one number that no other passes: 2500 is easily taken for a least rating.
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

/// An error in the words of the command line.
fn explained(archive: &Archive, error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(RequestError::TwoNames(side)) => {
            anyhow!("--player with this --colour and --{side} cannot both be given")
        }
        error => opening::with_games(archive, error),
    }
}

impl FilterArgs {
    /// The filter. All games that are not indexed have to be looked through for an opening or a position.
    pub(super) fn filter(&self, archive: &Archive) -> anyhow::Result<Filter> {
        self.sampled(archive, self.before_sample(archive)?)
    }

    /// The sample of the games that pass a filter, if one is asked for; else all of them.
    pub(super) fn sampled(&self, archive: &Archive, filter: Filter) -> anyhow::Result<Filter> {
        Ok(match self.order.sample {
            Some(games) => archive.selection().sample(&filter, games)?,
            None => filter,
        })
    }

    /// Whether a sample is asked for.
    pub(super) fn has_sample(&self) -> bool {
        self.order.sample.is_some()
    }

    /// The filter without the sample: a command that narrows it down does so before it asks for [the sample](Self::sampled).
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

    /// The progress of an answer about the games that pass: of all games alone is known how many these are.
    pub(super) fn bar(&self, archive: &Archive) -> anyhow::Result<ProgressBar> {
        Ok(match self.is_empty() {
            true => terminal::games_bar(archive.last_id()?.unsigned_abs()),
            false => terminal::games_counter(),
        })
    }

    /// Whether nothing is asked.
    pub(super) fn is_empty(&self) -> bool {
        self.text().is_every_game_by_id() && !self.order.desc && !self.has_sample()
    }

    /// The position that the words of a command mean: see [`explored_position`].
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

    /// Refuses to be told how a position is to be looked for if none is given: that of the command is another one.
    pub(super) fn refuse_unused_modes(&self, position: &str) -> anyhow::Result<()> {
        let asked = &self.conditions;
        let patterns = ["pattern", "then", "not_pattern"];
        let has_patterns = patterns.into_iter().any(|name| asked.has(name));
        if !asked.has("position") && (asked.has("board_only") || asked.has("mirror") && !has_patterns) {
            bail!(
                "--board-only and --mirror are for --position here: the position {position} is that one alone"
            );
        }
        Ok(())
    }

    /// Says what a FEN is taken for that leaves the castling rights out, where they count. Whether it is one.
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
