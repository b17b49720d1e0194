//! The filters of a page: a form to set them, and the active ones, each with a link that clears it. The explorer has
//! the common ones as chips, each with a small form.

use std::collections::BTreeMap;

use super::{
    Address, Language, Page,
    address::{RANGES, range_of},
    explorer_years::Years,
};
pub(super) use crate::conditions::FormSection;
use crate::{
    conditions::{CONDITIONS, Condition, yes_or_no},
    printable,
};

/// The parameters that specify the position.
pub(super) const POSITION: [&str; 2] = ["fen", "play"];

/// The list parameters that stay when something else is chosen.
pub(super) const ORDER: [&str; 2] = ["sort", "desc"];

/// The filters that a list always shows; the others are in a drawer.
const COMMON: [&str; 8] = ["player", "colour", "opponent", "date", "opening", "result", "elo", "event"];

/// The filters of a page.
#[derive(Debug)]
pub(super) struct Filters {
    /// For lists of games also on what happens in games.
    pub(super) fields: Vec<Field>,
    pub(super) active: Vec<ActiveFilter>,
    /// The page without any filter.
    pub(super) none: Address,
    /// The page with the parameters that the form keeps.
    pub(super) kept: Address,
}

/// A field of the form.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) condition: &'static Condition,
    pub(super) label: &'static str,
    pub(super) value: String,
    /// The allowed values and their names; empty if any text is allowed.
    pub(super) choices: Vec<(&'static str, &'static str)>,
    /// Whether the value is refused.
    pub(super) is_wrong: bool,
}

impl Field {
    /// A field with its value in a URL.
    pub(super) fn new(condition: &'static Condition, address: &Address, language: Language) -> Field {
        Field {
            condition,
            label: condition.label[language.place()],
            value: address.get(condition.name).unwrap_or_default().to_owned(),
            choices: choices(condition, language),
            is_wrong: false,
        }
    }

    pub(super) fn is_yes(&self) -> bool {
        yes_or_no(&self.value) == Some(true)
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.condition.name == name
    }

    /// The two ends of a range, each with the end of its parameter's name.
    pub(super) fn ends(&self) -> [(&'static str, &str); 2] {
        let [from, to] = range_of(&self.value);
        [("from", from), ("to", to)]
    }
}

/// An active filter.
#[derive(Debug)]
pub(super) struct ActiveFilter {
    /// The name of its parameter.
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    /// The page without it.
    pub(super) without: Address,
}

impl Filters {
    /// The filters of a URL. A list of games may also have a position as a filter.
    pub(super) fn of(address: &Address, language: Language, of_list: bool) -> Filters {
        let first = address.without(&["after", "san"]);
        let mut active: Vec<ActiveFilter> =
            CONDITIONS.iter().flat_map(|condition| ActiveFilter::of(condition, &first, language)).collect();
        if of_list && POSITION.iter().any(|name| first.get(name).is_some()) {
            let text = POSITION.map(|name| first.get(name).unwrap_or_default()).join(" ");
            active.push(ActiveFilter {
                name: "position",
                label: language.words().position,
                value: printable::line(text.trim()).into_owned(),
                without: first.without(&POSITION),
            });
        }
        let mut none = first.without(&Filters::names());
        if of_list {
            none = none.without(&POSITION);
        }
        let shown = CONDITIONS.iter().filter(|condition| match condition.place {
            FormSection::Games => true,
            FormSection::Course | FormSection::Board => of_list,
            FormSection::None => false,
        });
        let fields: Vec<Field> = shown.map(|condition| Field::new(condition, &first, language)).collect();
        let names: Vec<&str> = fields.iter().map(|field| field.condition.name).collect();
        Filters { kept: first.without(&names), fields, active, none }
    }

    /// The names of all parameters that select games.
    pub(super) fn names() -> Vec<&'static str> {
        let names = CONDITIONS.iter().flat_map(|condition| [condition.name, condition.alias]);
        names.filter(|name| !name.is_empty()).collect()
    }

    /// A field by name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.condition.name == name)
    }

    /// The fields of a section that are in the drawer.
    pub(super) fn in_drawer(&self, section: FormSection) -> impl Iterator<Item = &Field> {
        let fields = self.fields.iter().filter(move |field| field.condition.place == section);
        fields.filter(|field| !COMMON.contains(&field.condition.name))
    }

    /// The number of filters in the drawer that are set.
    pub(super) fn set_in_drawer(&self) -> usize {
        let fields = self.fields.iter().filter(|field| !COMMON.contains(&field.condition.name));
        fields.filter(|field| !field.value.is_empty()).count()
    }
}

impl ActiveFilter {
    /// A condition by its name and its alias, as a URL has it.
    fn of(condition: &'static Condition, address: &Address, language: Language) -> Vec<ActiveFilter> {
        let of = |name: &'static str| {
            let value = address.get(name).filter(|_| !name.is_empty())?;
            let known = choices(condition, language).into_iter().find(|(known, _)| *known == value);
            let is_range = RANGES.contains(&condition.name);
            let value = if is_range { value.replacen("..", "–", 1) } else { value.to_owned() };
            let shown = || printable::line(&value).into_owned();
            Some(ActiveFilter {
                name: condition.name,
                label: condition.label[language.place()],
                value: known.map_or_else(shown, |(_, label)| label.to_owned()),
                without: address.without(&[name]),
            })
        };
        [condition.name, condition.alias].into_iter().filter_map(of).collect()
    }
}

/// The conditions on one position, which is set up on a board.
pub(super) fn of_board() -> impl Iterator<Item = &'static Condition> {
    CONDITIONS.iter().filter(|condition| condition.place == FormSection::Board)
}

/// The allowed values of a condition, and how they are shown.
fn choices(condition: &Condition, language: Language) -> Vec<(&'static str, &'static str)> {
    if condition.is_switch() {
        return vec![("yes", language.words().yes)];
    }
    let choices = (condition.offers)().into_iter();
    choices.map(|choice| (choice.value, choice.label[language.place()])).collect()
}

/// A common filter of the explorer.
pub(super) struct Chip {
    /// Its name, or its value if it is set.
    pub(super) label: String,
    pub(super) is_set: bool,
    /// The parameter of which the form has the two ends.
    pub(super) range: Option<&'static str>,
    pub(super) fields: Vec<Field>,
    /// The page without this filter, whose parameters are hidden fields.
    pub(super) without: Address,
    /// The histogram of all games by year, as SVG.
    pub(super) histogram: String,
    /// Often chosen values, with the page of each.
    pub(super) presets: Vec<(String, Address)>,
}

/// The conditions that have a chip of their own.
const PLAYER: [&str; 3] = ["player", "colour", "opponent"];
const SINGLE: [&str; 3] = ["date", "elo", "result"];

impl Chip {
    fn new(page: &Page, filters: &Filters, names: &[&'static str], label: &'static str) -> Chip {
        let address = page.address.without(&["after"]);
        let without = address.without(names);
        let values = filters.active.iter().filter(|filter| names.contains(&filter.name));
        let values: Vec<&str> = values.map(|filter| filter.value.as_str()).collect();
        Chip {
            is_set: !values.is_empty(),
            label: if values.is_empty() { label.to_owned() } else { values.join(", ") },
            range: None,
            fields: filters
                .fields
                .iter()
                .filter(|field| names.contains(&field.condition.name))
                .cloned()
                .collect(),
            without,
            histogram: String::new(),
            presets: Vec::new(),
        }
    }

    /// The active filters that no chip has.
    pub(super) fn others(active: Vec<ActiveFilter>) -> Vec<ActiveFilter> {
        active.into_iter().filter(|filter| !has_chip(filter.name)).collect()
    }
}

/// Whether a condition has a chip of its own.
fn has_chip(name: &str) -> bool {
    PLAYER.contains(&name) || SINGLE.contains(&name)
}

/// The chips of a page: player, years, rating, result, and everything else.
pub(super) fn chips(page: &Page, filters: &Filters, years: Option<&Years>) -> Vec<Chip> {
    let words = page.words;
    let range = |name, label| {
        let chip = Chip::new(page, filters, &[name], label);
        Chip { range: Some(name), fields: Vec::new(), ..chip }
    };
    let mut date = range("date", words.years);
    date.histogram = years.map_or(String::new(), |years| histogram(years, page.address.range("date")));
    date.presets = years.map_or(Vec::new(), |years| presets(page, years));
    let names = filters.fields.iter().map(|field| field.condition.name);
    let others: Vec<&str> = names.filter(|name| !has_chip(name)).collect();
    let mut more = Chip::new(page, filters, &others, words.more_filters);
    words.more_filters.clone_into(&mut more.label);
    more.is_set = false;
    vec![
        Chip::new(page, filters, &PLAYER, words.player),
        date,
        range("elo", words.rating),
        Chip::new(page, filters, &["result"], words.result),
        more,
    ]
}

/// The number of bars of the histogram, at most.
const BARS: u16 = 60;

/// The number of decades that are offered, at most.
const PRESETS: usize = 3;

/// The last decades in which the games were played, as values of a date.
fn presets(page: &Page, years: &Years) -> Vec<(String, Address)> {
    let (Some(first), Some(last)) = (years.first(), years.all.keys().next_back()) else {
        return Vec::new();
    };
    let decades = (first + 1..=*last).filter(|year| year % 10 == 0);
    let decades: Vec<u16> = decades.collect();
    let latest = decades.iter().skip(decades.len().saturating_sub(PRESETS));
    let address = page.address.without(&["after"]);
    latest
        .map(|year| (format!("{} {year}", page.words.since_year), address.with("date", format!("{year}.."))))
        .collect()
}

/// Bars of the games of a few years each; those of the chosen years are marked.
fn histogram(years: &Years, [from, to]: [&str; 2]) -> String {
    let (Some(first), Some(last)) = (years.first(), years.all.keys().next_back()) else {
        return String::new();
    };
    let end = |text: &str, open: u16| text.get(..4).and_then(|year| year.parse().ok()).unwrap_or(open);
    let chosen = end(from, first)..=end(to, *last);
    let step = (last - first) / BARS + 1;
    let mut bars: BTreeMap<u16, [u64; 2]> = BTreeMap::new();
    for (year, games) in years.all.range(first..) {
        let bar = bars.entry((year - first) / step).or_default();
        bar[0] += games;
        bar[1] += if chosen.contains(year) { *games } else { 0 };
    }
    let most = bars.values().map(|[games, _]| *games).max().unwrap_or(1).max(1);
    let path = |part: usize| -> String {
        let height = |games: u64| 30.0 * games as f64 / most as f64;
        let bar = |(x, games): (&u16, &[u64; 2])| format!("M{x} 30v-{:.1}h.8V30z", height(games[part]));
        bars.iter().map(bar).collect()
    };
    format!(
        r#"<svg class="hist" viewBox="0 0 {} 30" preserveAspectRatio="none" aria-hidden="true"><path d="{}"/><path class="on" d="{}"/></svg>"#,
        (last - first) / step + 1,
        path(0),
        path(1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::{FilterText, LANGUAGES};

    #[test]
    fn every_choice_is_a_valid_value_of_its_condition() {
        for condition in CONDITIONS {
            for (value, _) in choices(condition, Language::English) {
                // `won` needs a player, and `any_file` needs a pattern.
                let beside = match condition.name {
                    "result" => ("player", "a"),
                    "any_file" => ("pattern", "*/*/*/*/*/*/*/*"),
                    _ => ("date", "1984"),
                };
                let text = FilterText::of([(condition.name, value), beside]).unwrap();
                assert!(text.search().is_ok(), "{} {value}", condition.name);
            }
        }
    }

    #[test]
    fn every_condition_has_its_own_label_and_its_hint_is_an_example() {
        assert_eq!(Language::ALL.map(Language::tag), LANGUAGES);
        for language in Language::ALL {
            let labels: Vec<_> =
                CONDITIONS.iter().map(|condition| condition.label[language.place()]).collect();
            assert!((1..labels.len()).all(|end| !labels[..end].contains(&labels[end])), "{labels:?}");
        }
        for condition in CONDITIONS.iter().filter(|condition| !condition.hint.is_empty()) {
            let mut text =
                FilterText::of([("pattern", "*/*/*/*/*/*/*/*"), ("then", "*/*/*/*/*/*/*/*")]).unwrap();
            text.set(condition.name, condition.hint).unwrap();
            assert!(text.search().is_ok(), "{}", condition.name);
        }
    }
}
