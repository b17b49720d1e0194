//! The common filters of the explorer, each a chip with a small form.

use std::collections::BTreeMap;

use super::{
    address::Address,
    explorer_years::Years,
    filters::{ActiveFilter, Field, Filters},
    layout::Page,
};

/// A filter.
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

/// Bars of the games of a few years each; those of the chosen years are marked.
fn histogram(years: &Years, [from, to]: [&str; 2]) -> String {
    let (Some(first), Some(last)) = (years.all.keys().next(), years.all.keys().next_back()) else {
        return String::new();
    };
    let end = |text: &str, open: u16| text.get(..4).and_then(|year| year.parse().ok()).unwrap_or(open);
    let chosen = end(from, *first)..=end(to, *last);
    let step = (last - first) / BARS + 1;
    let mut bars: BTreeMap<u16, [u64; 2]> = BTreeMap::new();
    for (year, games) in &years.all {
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
