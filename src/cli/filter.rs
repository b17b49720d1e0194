//! The filter options that many commands share; those for the conditions on games are generated from the table of
//! conditions.

use std::io::{self, Read};

use anyhow::{anyhow, bail};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, builder::PossibleValuesParser,
    error::ErrorKind, parser::ValueSource, value_parser,
};
use indicatif::ProgressBar;

use super::{
    advice,
    archive_arg::{advise_index, open_index},
    position_arg::{tell_last_named, tell_position, with_opening_games},
    terminal,
};
use crate::{
    archive::{Archive, Filter, Sort},
    conditions::{CONDITIONS, Condition, FilterText, SORTS, ValueType},
    present::{MatchedNames, explored_position, list::ListFormat},
    query::{Context, ExploredPosition},
    record::GameKind,
    request::{PresentError, RequestError, Requirement, lacks_castling},
};

/// The filter options. A game must meet all conditions.
///
/// Must be the last field of a command, because the help headings apply to all options that follow.
#[derive(Debug)]
pub(super) struct FilterArgs {
    /// All but the sample.
    pub(super) text: FilterText,
    pub(super) sample: Option<u64>,
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        OrderArgs::augment_args(command.args(CONDITIONS.iter().flat_map(options_of)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        FilterArgs::augment_args(command)
    }
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FilterArgs, clap::Error> {
        let OrderArgs { sort, desc, limit, offset, sample } = OrderArgs::from_arg_matches(matches)?;
        let mut text = read_conditions(CONDITIONS.iter(), matches)?;
        (text.sort, text.desc, text.limit, text.offset) = (sort, desc, limit, offset);
        Ok(FilterArgs { text, sample })
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
    /// Sort by this field [default: id; in lists as HTML, date]; surprise, the bits per ply that a model of how people play
    /// takes for a game, is only for games
    #[arg(long, value_name = "FIELD", value_parser = PossibleValuesParser::new(sorts()))]
    sort: Option<String>,
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

/// The order that is not stored, but computed.
const SURPRISE: &str = "surprise";

fn sorts() -> impl Iterator<Item = &'static str> {
    SORTS.into_iter().map(|(name, _)| name).chain([SURPRISE])
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

/// Reports which events and sites a filter finds, if the names of several match.
pub(super) fn tell_matched_events(archive: &Archive, filter: &Filter) -> anyhow::Result<()> {
    let matched = MatchedNames::of_events(archive, filter)?;
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

/// Reports how conditions are understood that may be meant otherwise.
pub(super) fn tell_meaning(text: &FilterText) {
    tell_exact_numbers(text);
    if let Some(position) = text.get("position") {
        tell_of_castling(text, position);
        tell_position(position);
    }
    if let Some(openings) = text.get("opening") {
        tell_last_named(openings);
    }
}

/// Reports that a FEN without castling rights is read as one in which nobody may castle, if that matters.
/// Returns whether it did.
pub(super) fn tell_of_castling(text: &FilterText, position: &str) -> bool {
    let lacks = !text.has("board_only") && lacks_castling(position);
    if lacks {
        terminal::tell(advice::WITHOUT_CASTLING);
    }
    lacks
}

/// Rephrases an error for the command line.
pub(super) fn explained(archive: Option<&Archive>, error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(RequestError::TwoNames(side)) => {
            anyhow!("--player with --colour {side} cannot be combined with --{side}")
        }
        PresentError::Request(RequestError::Requires(lack)) if lack != Requirement::Chess => {
            anyhow!("--{lack}")
        }
        error => match archive {
            Some(archive) => with_opening_games(archive, error),
            None => error.into(),
        },
    }
}

impl FilterArgs {
    /// The filter. An opening or a position requires a replay of all games that are not indexed.
    pub(super) fn filter(&self, archive: &Archive) -> anyhow::Result<Filter> {
        self.sampled(archive, self.before_sample(archive)?)
    }

    /// The format and the order of a list of games. A page has a title, and its games are in the order of their dates,
    /// which readers expect. Ids decide the order if they decide which games are listed, as with a limit.
    pub(super) fn for_readers(
        &self,
        archive: &Archive,
        format: &ListFormat,
        text: &FilterText,
        filter: &mut Filter,
    ) -> anyhow::Result<ListFormat> {
        if format.name != "html" {
            return Ok(format.clone());
        }
        if text.sort.is_none() && !text.desc && filter.limit.is_none() && filter.offset == 0 {
            filter.sort = Sort::Date;
        }
        let sample = if self.sample.is_some() { " (a sample)" } else { "" };
        Ok(format.titled(format!("Games{}{sample}", text.with_complete_names(archive)?.in_words())))
    }

    /// A sample of the games that pass the filter, if requested; otherwise all of them.
    pub(super) fn sampled(&self, archive: &Archive, filter: Filter) -> anyhow::Result<Filter> {
        Ok(match self.sample {
            Some(games) => archive.sample(&filter, games)?,
            None => filter,
        })
    }

    /// Whether games are sorted by surprise. From then on, the filter has no order.
    pub(super) fn takes_surprise(&mut self) -> bool {
        self.text.sort.take_if(|sort| sort == SURPRISE).is_some()
    }

    /// Whether a sample is requested.
    pub(super) fn takes_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// The filter without the sample. A command that narrows the filter does so before it takes [the
    /// sample](Self::sampled).
    pub(super) fn before_sample(&self, archive: &Archive) -> anyhow::Result<Filter> {
        let text = &self.text;
        if text.sort.as_deref() == Some(SURPRISE) {
            bail!("--sort surprise is only for plybook games");
        }
        tell_unknown_names(archive, text)?;
        tell_meaning(text);
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let explained = |error| explained(Some(archive), error);
        let searches = text.search().map_err(|error| explained(error.into()))?.is_some();
        let is_by_index = text.has("position") || text.has("opening") || searches;
        let _snapshot = archive.snapshot()?;
        let index = if is_by_index { open_index(archive)? } else { None };
        let context = Context::new(archive).with_index(index.as_ref());
        let filter = terminal::with_bar(bar, context, |context| text.filter(context)).map_err(explained)?;
        advise_index((text.has("position") || searches) && index.is_none());
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
        self.text.is_every_game_by_id() && !self.text.desc && self.sample.is_none()
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
            .map_err(|error| with_opening_games(archive, error))?;
        if let Some(text) = text {
            tell_of_castling(&self.text, &text);
        }
        Ok(asked)
    }

    /// Rejects options on how to match a position if only the command has a position, which is always matched
    /// exactly.
    pub(super) fn refuse_unused_modes(&self, position: &str) -> anyhow::Result<()> {
        let asked = &self.text;
        let patterns = ["pattern", "then", "not_pattern"];
        let has_patterns = patterns.into_iter().any(|name| asked.has(name));
        if !asked.has("position") && (asked.has("board_only") || asked.has("mirror") && !has_patterns) {
            bail!("--board-only and --mirror require --position here; {position} is always matched exactly");
        }
        Ok(())
    }
}

/// The largest number that a condition accepts.
const MOST: u64 = 100_000;

/// The maximum size of a list of ids on standard input.
const MOST_ID_BYTES: u64 = 1 << 26;

/// The options of a condition.
pub(super) fn options_of(condition: &'static Condition) -> Vec<Arg> {
    let arg = Arg::new(id(condition))
        .long(condition.option())
        .help(condition.help)
        .help_heading(condition.heading.text());
    let arg = if condition.more.is_empty() {
        arg
    } else {
        arg.long_help(format!("{}\n\n{}", condition.help, condition.more))
    };
    let arg = if condition.alias.is_empty() { arg } else { arg.alias(condition.alias) };
    let arg = if condition.needs.is_empty() { arg } else { arg.requires(condition.needs) };
    let valued = |arg: Arg| if condition.value.is_empty() { arg } else { arg.value_name(condition.value) };
    let checked = |text: &str| (condition.check)(text).map(|()| text.to_owned());
    let number = value_parser!(u64).range(1..=MOST);
    let appended = |arg: Arg| valued(arg).action(ArgAction::Append);
    match condition.kind {
        ValueType::Switch => vec![arg.action(ArgAction::SetTrue)],
        ValueType::YesOrNo(no, help) => {
            let no = Arg::new(no).long(no).help(help).help_heading(condition.heading.text());
            let no = no.action(ArgAction::SetTrue).conflicts_with(id(condition));
            vec![no, arg.action(ArgAction::SetTrue)]
        }
        ValueType::Text => {
            vec![valued(arg).value_parser(checked).allow_hyphen_values(condition.name == "result")]
        }
        ValueType::Word => {
            let words = (condition.offers)().into_iter().map(|choice| choice.value);
            vec![valued(arg).value_parser(PossibleValuesParser::new(words))]
        }
        ValueType::Number => vec![valued(arg).value_parser(number)],
        ValueType::Numbers => vec![appended(arg).value_parser(number)],
        ValueType::Codes if condition.name == "id" => vec![appended(arg).value_parser(ids)],
        ValueType::Texts | ValueType::Names(_) | ValueType::Codes => {
            vec![appended(arg).value_parser(checked)]
        }
    }
}

/// The argument id for clap. Commands have a `position` argument of their own.
fn id(condition: &Condition) -> &'static str {
    if condition.name == "position" { "reached" } else { condition.name }
}

/// Reads the conditions that were given.
pub(super) fn read_conditions(
    conditions: impl Iterator<Item = &'static Condition>,
    matches: &ArgMatches,
) -> Result<FilterText, clap::Error> {
    let mut text = FilterText::default();
    for condition in conditions {
        for value in values(condition, matches) {
            text.set(condition.name, &value)
                .map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
        }
    }
    Ok(text)
}

/// The values that were given for a condition.
fn values(condition: &Condition, matches: &ArgMatches) -> Vec<String> {
    let is_given = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
    let id = id(condition);
    match condition.kind {
        ValueType::YesOrNo(no, _) if is_given(no) => vec!["no".to_owned()],
        _ if !is_given(id) => Vec::new(),
        ValueType::Switch | ValueType::YesOrNo(..) => vec!["yes".to_owned()],
        ValueType::Number | ValueType::Numbers => {
            matches.get_many::<u64>(id).into_iter().flatten().map(u64::to_string).collect()
        }
        _ => matches.get_many::<String>(id).into_iter().flatten().cloned().collect(),
    }
}

/// Ids; `-` reads them from standard input.
fn ids(text: &str) -> Result<String, String> {
    let mut ids = text.to_owned();
    if text == "-" {
        ids.clear();
        let read = io::stdin().lock().take(MOST_ID_BYTES).read_to_string(&mut ids);
        let read = read.map_err(|error| format!("standard input: {error}"))?;
        if read as u64 == MOST_ID_BYTES {
            return Err("too many ids on standard input".to_owned());
        }
        if ids.trim().is_empty() {
            // An empty list must find no game; no game has this id.
            ids = "0".to_owned();
        }
    }
    Filter::id_ranges(&ids).map(|_| ids).map_err(|error| error.to_string())
}
