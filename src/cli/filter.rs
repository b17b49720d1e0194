//! The filters that `games`, `export` and `stats` share.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use anyhow::anyhow;
use clap::{
    Args,
    builder::{NonEmptyStringValueParser, PossibleValuesParser},
};

use indicatif::ProgressBar;

use super::{advice, conditions::ConditionArgs, open_index, opening, terminal};
use crate::{
    archive::{Archive, Filter},
    present::{
        FilterText, MatchedNames, PresentError, RequestError,
        request::{SORTS, lacks_castling},
    },
};

/// Headings of the help.
const PLAYERS: &str = "Players";
const ORIGIN: &str = "Event, date and source";

/// Which games. A game must meet all conditions; of one that is given several times, any.
///
/// It is the last field of a command: a heading of the help holds for all options that follow.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct FilterArgs {
    /// White or Black: kasparov, 'Adams, Michael', 'kasp*'; may be repeated, as all names, codes and ids
    ///
    /// Names match without regard to case, accents and script: kasparov, 'garry kasparov' and Каспаров find "Kasparov,
    /// Garry". The family name must be there in complete words, and the given names must agree: 'Adams, Michael' finds
    /// "Adams,Mi" and "Adams, M", and neither "Adams, Mark" nor "Rohde, Michael A". * stands for any letters, and then
    /// the whole name must match: 'adams mi*', '*garry*'. In quotation marks it is the whole name, letter for letter:
    /// '"Carlsen,M"'. Several names have semicolons between them: 'tal; petrosian'.
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    player: Vec<String>,
    /// The colour that --player had
    #[arg(long, alias = "color", requires = "player", value_parser = ["white", "black"], help_heading = PLAYERS)]
    colour: Option<String>,
    /// The other player
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    opponent: Vec<String>,
    /// White
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    white: Vec<String>,
    /// Black
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    black: Vec<String>,
    /// The event
    #[arg(long, value_name = "NAME", help_heading = ORIGIN)]
    event: Vec<String>,
    /// The site
    #[arg(long, value_name = "NAME", help_heading = ORIGIN)]
    site: Vec<String>,
    /// The date: 1984, 1984.05, 1984..1990, 1984.05.01.. or ..1990
    #[arg(long, value_name = "RANGE", help_heading = ORIGIN)]
    date: Option<String>,
    /// The ratings of both players: 2500.., 2400..2600
    #[arg(long, value_name = "RANGE", alias = "rating", help_heading = PLAYERS)]
    elo: Option<String>,
    /// The rating of White
    #[arg(long, value_name = "RANGE", help_heading = PLAYERS)]
    white_elo: Option<String>,
    /// The rating of Black
    #[arg(long, value_name = "RANGE", help_heading = PLAYERS)]
    black_elo: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost
    ///
    /// won and lost are relative to --player, whichever colour, or to --white or --black if only one of them is given. With
    /// --material they are relative to the first side: 'KRP KR' and won finds the games in which the side with the pawn won.
    #[arg(long, allow_hyphen_values = true)]
    result: Option<String>,
    /// The opening code of the ECO tag: B90, B90..B99, B9, B or several: B9,C4
    #[arg(long, value_name = "RANGE")]
    eco: Vec<String>,
    /// The opening by position, the last one of a game that has a name: najdorf, 'french winawer', B90..B99
    #[arg(long, value_name = "NAME")]
    opening: Vec<String>,
    /// How long the players had, by TimeControl: ultraBullet, bullet, blitz, rapid, classical, correspondence, or
    /// several: bullet,blitz. Games that do not say it are classical
    #[arg(long, value_name = "SPEED,...")]
    speed: Option<String>,
    /// Rated games: all whose event does not begin with "casual"
    #[arg(long, conflicts_with = "casual")]
    rated: bool,
    /// Casual games
    #[arg(long)]
    casual: bool,
    /// The number of plies: 40, 20..60, ..30
    #[arg(long, value_name = "RANGE")]
    plies: Option<String>,
    /// The variant, such as Standard or Chess960; or Xelto
    #[arg(long)]
    variant: Option<String>,
    /// The file the game was imported from
    #[arg(long, value_name = "NAME", help_heading = ORIGIN)]
    source: Vec<String>,
    /// The ids: 7, 100..200 or several: 1,5,9; - reads them from standard input
    #[arg(long, value_name = "RANGE", value_parser = ids, help_heading = ORIGIN)]
    id: Vec<String>,
    /// A tag pair, its value as a name: Annotator=tal, 'Termination=*time*'; or NAME alone for any value
    #[arg(long, value_name = "NAME=VALUE", value_parser = tag, help_heading = ORIGIN)]
    tag: Vec<String>,
    /// Words that stand in a comment
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), help_heading = ORIGIN)]
    comment: Vec<String>,
    #[command(flatten)]
    conditions: ConditionArgs,
    #[command(flatten)]
    order: OrderArgs,
}

/// The values of an option that may be repeated, as one list.
fn listed(values: &[String], separator: &str) -> Option<String> {
    (!values.is_empty()).then(|| values.join(separator))
}

/// Most bytes of ids that are read from standard input.
const MOST_ID_BYTES: u64 = 1 << 26;

/// Ids; `-` stands for those on standard input.
fn ids(text: &str) -> Result<String, String> {
    let mut ids = text.to_owned();
    if text == "-" {
        ids.clear();
        let read = io::stdin().lock().take(MOST_ID_BYTES).read_to_string(&mut ids);
        let read = read.map_err(|error| format!("standard input: {error}"))?;
        if read as u64 == MOST_ID_BYTES {
            return Err("standard input has more ids than are looked for at a time".to_owned());
        }
        if ids.trim().is_empty() {
            // Nothing was found: no game has this id.
            ids = "0".to_owned();
        }
    }
    Filter::id_ranges(&ids).map(|_| ids).map_err(|error| error.to_string())
}

fn tag(text: &str) -> Result<String, String> {
    let name = text.split('=').next().unwrap_or_default().trim();
    if name.is_empty() { Err("write it like NAME=VALUE".to_owned()) } else { Ok(text.to_owned()) }
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
    let ranges = [
        ("elo", &text.elo),
        ("white-elo", &text.white_elo),
        ("black-elo", &text.black_elo),
        ("plies", &text.plies),
    ];
    for (name, range) in ranges {
        if let Some(number) = range.as_deref().map(str::trim).filter(|range| range.parse::<u64>().is_ok()) {
            terminal::tell(format_args!(
                "--{name} {number}: exactly {number}; for {number} and more: --{name} {number}.."
            ));
        }
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
        if let Some(position) = &text.position {
            self.tell_of_castling(position);
            opening::tell_position(position);
        }
        if let Some(openings) = &text.opening {
            opening::tell_last_named(openings);
        }
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let searches = text.search()?.is_some();
        let is_by_index = text.position.is_some() || text.opening.is_some() || searches;
        let _snapshot = archive.snapshot()?;
        let index = if is_by_index { open_index::open(archive)? } else { None };
        let filter = text.filter(archive, index.as_ref(), |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        let filter = filter.map_err(|error| match error {
            PresentError::Request(RequestError::TwoNames(side)) => {
                anyhow!("--player with this --colour and --{side} cannot both be given")
            }
            error => opening::with_games(archive, error),
        })?;
        if (text.position.is_some() || searches) && index.is_none() {
            open_index::advise_index();
        }
        let filter = filter.ok_or_else(|| anyhow!("it was stopped"))?;
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
        let nothing = FilterText { sort: Some("id".to_owned()), ..FilterText::default() };
        self.text() == nothing && !self.has_sample()
    }

    /// Whether it is said how a position is to be looked for, and none is given.
    pub(super) fn has_unused_modes(&self) -> bool {
        let ConditionArgs { position, board_only, mirror, .. } = &self.conditions;
        position.is_none() && (*board_only || *mirror && !self.conditions.has_patterns())
    }

    /// Says what a FEN is taken for that leaves the castling rights out, where they count. Whether it is one.
    pub(super) fn tell_of_castling(&self, position: &str) -> bool {
        let lacks = !self.conditions.board_only && lacks_castling(position);
        if lacks {
            terminal::tell(advice::WITHOUT_CASTLING);
        }
        lacks
    }

    pub(super) fn text(&self) -> FilterText {
        self.conditions.text(FilterText {
            player: listed(&self.player, "; "),
            colour: self.colour.clone(),
            opponent: listed(&self.opponent, "; "),
            white: listed(&self.white, "; "),
            black: listed(&self.black, "; "),
            event: listed(&self.event, "; "),
            site: listed(&self.site, "; "),
            date: self.date.clone(),
            elo: self.elo.clone(),
            white_elo: self.white_elo.clone(),
            black_elo: self.black_elo.clone(),
            result: self.result.clone(),
            eco: listed(&self.eco, ","),
            opening: listed(&self.opening, "; "),
            speed: self.speed.clone(),
            casual: (self.rated || self.casual).then_some(self.casual),
            plies: self.plies.clone(),
            variant: self.variant.clone(),
            source: listed(&self.source, "; "),
            id: listed(&self.id, ","),
            tag: self.tag.clone(),
            comment: self.comment.clone(),
            sort: Some(self.order.sort.clone()),
            desc: self.order.desc,
            limit: self.order.limit,
            offset: self.order.offset,
            ..FilterText::default()
        })
    }
}
