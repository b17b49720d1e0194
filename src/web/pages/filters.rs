//! The filters of a page: a form to set them, and what is set, each with a link that clears it.

use super::{
    address::Address,
    conditions::{self, CONDITIONS},
    words::Words,
};
use crate::{position_index::Speed, printable, record::GameKind, web::parameters::switch};

/// Every filter that a form sets, by its name in addresses.
const NAMES: [&str; 16] = [
    "player", "colour", "opponent", "event", "site", "date", "elo", "result", "eco", "opening", "speed",
    "casual", "white", "black", "plies", "variant",
];

/// Those that addresses may have besides.
const UNSHOWN: [&str; 6] = ["white_elo", "black_elo", "source", "id", "color", "board_only"];

/// What says which position it is.
pub(super) const POSITION: [&str; 2] = ["fen", "play"];

/// The parameters of lists that hold where something else is chosen.
pub(super) const ORDER: [&str; 2] = ["sort", "desc"];

/// The filters of a page.
#[derive(Debug)]
pub(super) struct Filters {
    pub(super) fields: Vec<Field>,
    /// What happens in games, in lists of games.
    pub(super) conditions: Vec<Field>,
    pub(super) active: Vec<ActiveFilter>,
    /// Without any of them.
    pub(super) none: Address,
    /// What the form keeps of the address.
    pub(super) kept: Vec<(String, String)>,
}

/// A field of the form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) hint: &'static str,
    /// What completes it: names of this kind.
    pub(super) kind: &'static str,
    /// What it can be, if not any text: values and their names. Of one alone, it is that or not.
    pub(super) choices: Vec<(&'static str, &'static str)>,
}

impl Field {
    /// A field with what an address says of it.
    pub(super) fn new(name: &'static str, address: &Address, words: &'static Words) -> Field {
        Field {
            name,
            label: label(words, name),
            value: address.get(name).unwrap_or_default().to_owned(),
            hint: hint(words, name),
            kind: kind(name),
            choices: choices(words, name),
        }
    }

    /// The value that stands for yes, if it can be only that.
    pub(super) fn yes(&self) -> Option<&'static str> {
        if let [(value, _)] = self.choices[..] { Some(value) } else { None }
    }

    pub(super) fn is_yes(&self) -> bool {
        switch(&self.value) == Some(true)
    }
}

/// A filter that is set.
#[derive(Debug)]
pub(super) struct ActiveFilter {
    pub(super) label: &'static str,
    pub(super) value: String,
    /// The page without it.
    pub(super) without: Address,
}

impl Filters {
    /// Those of an address. A list of games may also have a position for a filter.
    pub(super) fn of(address: &Address, words: &'static Words, of_list: bool) -> Filters {
        let first = address.without(&["after", "san"]);
        let value = |name: &str| first.get(name).unwrap_or_default();
        let choices = |name: &str| choices(words, name);
        let shown = |name: &str| -> String {
            let known = choices(name).into_iter().find(|(known, _)| *known == value(name));
            known.map_or_else(|| printable::line(value(name)).into_owned(), |(_, label)| label.to_owned())
        };
        let set = Filters::names().into_iter().filter(|name| first.get(name).is_some());
        let mut active: Vec<ActiveFilter> = set
            .map(|name| ActiveFilter {
                label: label(words, name),
                value: shown(name),
                without: first.without(&[name]),
            })
            .collect();
        if of_list && POSITION.iter().any(|name| first.get(name).is_some()) {
            let text = [value("fen"), value("play")].join(" ");
            active.push(ActiveFilter {
                label: words.position,
                value: printable::line(text.trim()).into_owned(),
                without: first.without(&POSITION),
            });
        }
        let mut none = first.without(&Filters::names());
        if of_list {
            none = none.without(&POSITION);
        }
        let conditions = if of_list { &CONDITIONS[..] } else { &[] };
        let is_field = |name: &str| NAMES.contains(&name) || conditions.contains(&name);
        let kept = first.parameters().filter(|(name, _)| !is_field(name));
        let fields =
            |names: &[&'static str]| names.iter().map(|name| Field::new(name, &first, words)).collect();
        Filters {
            fields: fields(&NAMES),
            conditions: fields(conditions),
            active,
            none,
            kept: kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }
    }

    /// The names of all parameters that choose games.
    pub(super) fn names() -> Vec<&'static str> {
        NAMES.into_iter().chain(UNSHOWN).chain(CONDITIONS).collect()
    }

    /// Whether something is asked of what happens in games.
    pub(super) fn asks_conditions(&self) -> bool {
        self.conditions.iter().any(|field| !field.value.is_empty())
    }
}

fn label(words: &'static Words, name: &str) -> &'static str {
    match name {
        "player" => words.player,
        "colour" | "color" => words.colour,
        "opponent" => words.opponent,
        "white" => words.white,
        "black" => words.black,
        "event" => words.event,
        "site" => words.site,
        "date" => words.date,
        "elo" => words.elo,
        "white_elo" => words.white_elo,
        "black_elo" => words.black_elo,
        "result" => words.result,
        "eco" => words.eco,
        "opening" => words.opening,
        "speed" => words.speed,
        "casual" => words.casual,
        "plies" => words.plies,
        "variant" => words.variant,
        "source" => words.source,
        "board_only" => words.board_only,
        _ => conditions::label(words, name).unwrap_or(words.id),
    }
}

fn hint(words: &'static Words, name: &str) -> &'static str {
    match name {
        "date" => words.date_hint,
        "elo" => words.elo_hint,
        "eco" => words.eco_hint,
        _ => conditions::hint(name),
    }
}

fn kind(name: &str) -> &'static str {
    match name {
        "player" | "opponent" | "white" | "black" => "player",
        "event" => "event",
        "site" => "site",
        _ => "",
    }
}

fn choices(words: &'static Words, name: &str) -> Vec<(&'static str, &'static str)> {
    let same = |name: &'static str| (name, name);
    match name {
        "colour" | "color" => vec![("white", words.white), ("black", words.black)],
        "result" => {
            let by_somebody = [("won", words.result_won), ("lost", words.result_lost)];
            [&["1-0", "1/2-1/2", "0-1", "*"].map(same)[..], &by_somebody].concat()
        }
        "speed" => Speed::ALL.into_iter().map(|speed| same(speed.name())).collect(),
        "casual" => vec![("no", words.only_rated), ("yes", words.only_casual)],
        "variant" => {
            GameKind::all().filter_map(|kind| kind.variant()).map(|kind| same(kind.name())).collect()
        }
        _ => conditions::choices(words, name),
    }
}
