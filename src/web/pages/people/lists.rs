//! `GET /players`, `/events` and `/openings`: all names with their games, most games first.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use askama::Template;
use serde::Serialize;

use super::{
    super::bar,
    Address, Answer, Column, Form, Head, Page, RequestContext, Result, SORT, Sorting, answer,
    rows::{ScoreRow, by_share},
};
use crate::{
    archive::{CountedName, NameKind},
    case_fold::folded,
    columns::{ColumnOf, number, text},
    name_start::NameStart,
    openings::Openings,
    present::list::Row,
    query::{OpeningCount, Results},
};

/// The names on a page.
const NAMES: usize = 100;

/// The similar names that are listed if none begins with the letters.
const SIMILAR: usize = 200;

#[derive(Template)]
#[template(path = "names.html")]
struct NamesPage {
    page: Page,
    /// The letters that the names begin with.
    q: String,
    total: String,
    heads: Vec<Head>,
    sorting: Sorting,
    /// Whether the rows are openings.
    of_openings: bool,
    /// The further columns are the years, or the last one of an opening and its code.
    rows: Vec<ScoreRow>,
    /// The number of this page, starting at 1, and of all pages.
    pages: [u64; 2],
    previous: Option<Address>,
    next: Option<Address>,
}

pub(in crate::web) fn players(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    names(context, page, NameKind::Player, page.words.players)
}

pub(in crate::web) fn events(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    names(context, page, NameKind::Event, page.words.events)
}

fn names(context: &RequestContext<'_>, page: &Page, of: NameKind, title: &'static str) -> Result<Answer> {
    let q = page.address.get("q").unwrap_or_default().trim();
    let all = context.names(of)?;
    let found = if q.is_empty() { all } else { Arc::new(begun(context, of, &all, q)?) };
    let kind = of.to_string();
    let row = |of: &CountedName| {
        let row = ScoreRow::named(&of.name, Some(page.name_link(&kind, &of.name)));
        ScoreRow { games: page.language.number(of.games), ..row.with(of.years()) }
    };
    let words = page.words;
    type Of = Column<CountedName>;
    let columns = &[
        Of::new(title, "name", |all| all.sort_by_cached_key(|of| folded(&of.name))),
        Of::new(words.games, "games", |all| all.sort_by_key(|of| of.games)).in_style("num"),
        Of::new(words.years, "year", |all| all.sort_by_key(|of| of.last_year)).in_style("num"),
    ];
    List { title, q, columns, of_openings: false }.answer(page, found, row)
}

/// The names whose words begin with those of a text, best fits first, then most games. Without any, similar names: as in
/// a search, words may come in any order and be misspelt.
fn begun(
    context: &RequestContext<'_>,
    of: NameKind,
    all: &[CountedName],
    text: &str,
) -> Result<Vec<CountedName>> {
    let start = NameStart::new(text);
    let mut fits: Vec<_> = all.iter().filter_map(|of| Some((start.fit(&of.name)?, of))).collect();
    if fits.is_empty() {
        return Ok(context.archive.names().near(of, text, SIMILAR)?);
    }
    fits.sort_by_key(|(fit, _)| *fit);
    Ok(fits.into_iter().map(|(_, of)| of.clone()).collect())
}

pub(in crate::web) fn openings(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let q = page.address.get("q").unwrap_or_default().trim();
    // Counting replays all games that are not indexed.
    let counts = if context.is_quick()? { Some(context.openings()?) } else { None };
    let mut found = by_name(counts.as_deref().map_or(&[], Vec::as_slice));
    if q.is_empty() {
        found.retain(|of| !of.name.contains([':', ',']));
    } else {
        let ids = Openings::standard().search(q);
        let names: Vec<&str> =
            ids.iter().filter_map(|id| Some(Openings::standard().get(*id)?.name)).collect();
        found.retain(|of| names.contains(&of.name) || has_word(of.name, q));
    }
    let row = |of: &OpeningRow| {
        let link = Some(page.name_link("opening", of.name));
        let row = match counts {
            Some(_) => ScoreRow::of_games(page, of.name, link, &of.results),
            None => ScoreRow::named(of.name, link),
        };
        row.with(of.last_year).with(Some(of.eco))
    };
    let words = page.words;
    type Of = Column<OpeningRow>;
    let by_score = |all: &mut [OpeningRow]| all.sort_by(|a, b| by_share(a.percent(), b.percent()));
    let few = |of: &OpeningRow| bar::are_few(of.results.known());
    let columns = &[
        Of::new(words.eco, "eco", |all| all.sort_by_key(|of| of.eco)),
        Of::new(words.opening, "name", |all| all.sort_by_key(|of| of.name)),
        Of::new(words.games, "games", |all| all.sort_by_key(|of| of.results.games)).in_style("num"),
        Of::new(words.results, "score", by_score).with_last(few).in_style("c-bar"),
        Of::new(words.score, "score", by_score).with_last(few).in_style("num c-perf"),
        Of::new(words.last_year, "year", |all| all.sort_by_key(|of| of.last_year)).in_style("num c-perf"),
    ];
    List { title: words.all_openings, q, columns, of_openings: true }.answer(page, Arc::new(found), row)
}

/// A list of names.
struct List<'a, T> {
    title: &'static str,
    /// The letters that the names begin with.
    q: &'a str,
    columns: &'a [Column<T>],
    of_openings: bool,
}

impl<T: Row + Clone> List<'_, T> {
    /// A page of the list, or all of it as data.
    fn answer(self, page: &Page, mut found: Arc<Vec<T>>, row: impl Fn(&T) -> ScoreRow) -> Result<Answer> {
        let (_, form) = Form::of(page.address.path(), |_| Ok(false))?;
        let sorting = Sorting::of(&page.address, SORT);
        if !sorting.by.is_empty() {
            sorting.sort(self.columns, Arc::make_mut(&mut found).as_mut_slice())?;
        }
        if form != Form::Page {
            return form.data(&*found, &*found);
        }
        let number = page.address.parsed::<u32>("page", "a valid page")?.unwrap_or(1).max(1) as usize;
        let from = ((number - 1) * NAMES).min(found.len());
        let rows = &found[from..found.len().min(from + NAMES)];
        let to = |number: usize| page.address.with("page", number);
        answer(&NamesPage {
            q: self.q.to_owned(),
            total: page.language.number(found.len() as u64),
            heads: self.columns.iter().map(|column| column.head).collect(),
            sorting: sorting.or(if self.q.is_empty() { "games" } else { "" }),
            of_openings: self.of_openings,
            rows: rows.iter().map(row).collect(),
            pages: [number as u64, found.len().div_ceil(NAMES).max(1) as u64],
            previous: (number > 1).then(|| to(number - 1)),
            next: (from + NAMES < found.len()).then(|| to(number + 1)),
            page: page.titled(self.title),
        })
    }
}

/// An opening with the games whose last named position is its own or that of one of its variations.
#[derive(Clone, Debug, Serialize)]
pub(super) struct OpeningRow {
    pub(super) eco: &'static str,
    pub(super) name: &'static str,
    pub(super) last_year: Option<u16>,
    #[serde(flatten)]
    pub(super) results: Results,
}

impl OpeningRow {
    /// The score of White.
    fn percent(&self) -> Option<f64> {
        bar::score(self.results.known())
    }
}

impl Row for OpeningRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("eco", |row| row.eco.into()),
        text("name", |row| row.name.into()),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
        number("last_year", |row| row.last_year.into()),
    ];
    const ONE_LINE: bool = true;
}

/// The openings by name, each with the games of its variations: most games first, then by name.
pub(super) fn by_name(counts: &[OpeningCount]) -> Vec<OpeningRow> {
    let mut rows: BTreeMap<&'static str, OpeningRow> = BTreeMap::new();
    for (_, opening) in Openings::standard().iter() {
        // Some families have no name of their own.
        let family = opening.name.split(':').next().unwrap_or(opening.name);
        for name in [family, opening.name] {
            let row = OpeningRow { eco: opening.eco, name, last_year: None, results: Results::default() };
            let row = rows.entry(name).or_insert(row);
            row.eco = row.eco.min(opening.eco);
        }
    }
    for count in counts {
        let Some(opening) = count.opening.and_then(|id| Openings::standard().get(id)) else { continue };
        let ends = opening.name.match_indices([':', ',']).map(|(at, _)| at).chain([opening.name.len()]);
        for end in ends {
            let Some(row) = rows.get_mut(&opening.name[..end]) else { continue };
            row.results.merge(&count.sums.results);
            row.last_year = row.last_year.max(count.sums.last_year);
        }
    }
    let mut rows: Vec<OpeningRow> = rows.into_values().collect();
    rows.sort_by_key(|row| (Reverse(row.results.games), row.name));
    rows
}

/// Whether an opening is another one or a variation of it.
pub(super) fn family_of(name: &str, general: &str) -> bool {
    name.strip_prefix(general).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
}

/// What the name of an opening adds to the one that it extends.
pub(super) fn own_part<'a>(name: &'a str, above: &str) -> &'a str {
    name.strip_prefix(above).unwrap_or(name).trim_start_matches([':', ',', ' '])
}

/// Whether a word of a name begins with some letters.
fn has_word(name: &str, letters: &str) -> bool {
    let letters = letters.to_lowercase();
    let name = name.to_lowercase();
    name.match_indices(&letters).any(|(at, _)| !name[..at].ends_with(char::is_alphanumeric))
}
