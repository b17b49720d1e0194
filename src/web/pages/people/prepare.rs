//! `GET /prepare`: what an opponent plays, as a tree that can be printed. `POST /prepare` compares it with the reader's
//! own lines.

use askama::Template;
use axum::{
    http::{
        HeaderValue, Uri,
        header::{CACHE_CONTROL, CONNECTION},
    },
    response::Response,
};
use serde::Serialize;

use super::{
    super::{
        layout::{failed, redirect, respond_uncached, respond_with},
        list::player_name,
    },
    Address, Answer, Bar, Failure, Form, Page, RequestContext, Result, answer,
    own_lines::{self, Comparison, OwnLines},
    rows::{NameLink, score},
    tree::{Before, Tree, TreeItem},
};
use crate::{
    archive::NameKind,
    chess::{Color, Variant},
    conditions::number,
    limits::MAX_REPORT_LINES,
    present::{FilterText, repertoire::RepertoireAnswer},
    query::{
        Departures, DeparturesWanted, ExploredPosition, PrepareOptions, Repertoire, TreeOptions, departures,
    },
    report::{PreparationReport, PreparedPlayer, preparation_report},
    web::{Question, form::PostedFields, reply::NOT_STORED},
};

/// The same as those of `plybook prepare`.
const OPTIONS: PrepareOptions = PrepareOptions {
    colour: Color::White,
    tree: TreeOptions { plies: 10, percent: 3, games: 2, moves: usize::MAX },
    rare_games: 10,
    rare_percent: 2,
};

/// The most similar names that are shown.
const NEAR: usize = 10;

/// The parameters of the page, which a form may have as fields.
const PARAMETERS: [&str; 5] = ["opponent", "colour", "since", "min_games", "lang"];

#[derive(Template)]
#[template(path = "prepare.html")]
struct PreparePage {
    page: Page,
    head: String,
    opponent: String,
    /// The opponent's page.
    link: Option<Address>,
    is_white: bool,
    since: String,
    min_games: String,
    usual_min_games: u64,
    total: String,
    score: String,
    bar: Bar,
    tree: Vec<TreeItem>,
    /// How many games continue with moves that are not in the tree, if any do.
    not_shown: Option<String>,
    /// The PGN in the form, so that it can be compared with another opponent too.
    pgn: String,
    comparison: Option<Comparison>,
    /// Names to choose from: those that match, or those that are similar to one that does not.
    names: Vec<NameLink>,
    is_unknown: bool,
    data: Option<Address>,
}

/// A preparation as data, with where the games leave the reader's lines.
#[derive(Serialize)]
struct PrepareData<'a> {
    #[serde(flatten)]
    report: &'a PreparationReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    repertoire: Option<RepertoireAnswer>,
}

/// What is requested.
struct Request {
    opponent: String,
    own: Color,
    since: String,
    /// The minimum number of games of a move, if it is not the usual one.
    min_games: Option<u64>,
    /// The reader's PGN and its lines.
    lines: Option<(String, Repertoire)>,
}

/// What an opponent plays, and where the games leave the reader's lines.
struct Found {
    report: PreparationReport,
    departures: Option<Departures>,
}

pub(in crate::web) async fn prepare(question: Question) -> Response {
    respond_with(question, |context, page| write(context, page, None)).await
}

/// `POST /prepare`. The PGN is only in memory, and so is the answer.
pub(in crate::web) async fn compare(question: Question, fields: Result<PostedFields>) -> Response {
    let wants_json = question.address.path().ends_with(".json");
    let is_unread = fields.is_err();
    let mut response = match fields {
        Ok(fields) => compared(question, &fields, wants_json).await,
        Err(failure) => failed(&question, failure),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, NOT_STORED);
    if is_unread {
        headers.insert(CONNECTION, const { HeaderValue::from_static("close") });
    }
    response
}

async fn compared(question: Question, fields: &PostedFields, wants_json: bool) -> Response {
    let address = with_fields(&question.address, fields);
    let pgn = fields.get("pgn").unwrap_or_default().to_vec();
    if pgn.is_empty() && !wants_json {
        // Such a page has a URL.
        return redirect(&address);
    }
    match address.to_string().parse() {
        Ok(address) => {
            let question = Question { address, ..question };
            respond_uncached(question, move |context, page| write(context, page, Some(&pgn))).await
        }
        Err(_) => failed(&question, Failure::BadRequest("a field of the form is too long".to_owned())),
    }
}

/// The URL of the page with the parameters of a form.
fn with_fields(address: &Uri, fields: &PostedFields) -> Address {
    let mut address = Address::of(address);
    for name in PARAMETERS {
        if let Some(value) = fields.get(name) {
            address.set(name, String::from_utf8_lossy(value).trim());
        }
    }
    address
}

impl Request {
    fn of(context: &RequestContext<'_>, page: &Page, pgn: Option<&[u8]>) -> Result<Request> {
        let get = |name: &str| page.address.get(name).unwrap_or_default().trim().to_owned();
        let own = match get("colour").as_str() {
            "" => Color::White,
            text => {
                text.parse().map_err(|_| Failure::BadRequest("colour: must be white or black".to_owned()))?
            }
        };
        let min_games = match get("min_games").as_str() {
            "" => None,
            text => Some(
                number(text).ok_or_else(|| Failure::BadRequest("min_games: must be a number".to_owned()))?,
            ),
        };
        let lines = pgn.map(|pgn| {
            let lines = own_lines::read(context, pgn, own, page.language)?;
            Ok::<_, Failure>((String::from_utf8_lossy(pgn).replace("\r\n", "\n"), lines))
        });
        let (opponent, since) = (get("opponent"), get("since"));
        Ok(Request { opponent, own, since, min_games, lines: lines.transpose()? })
    }

    /// The range of dates; empty if there is none.
    fn date(&self) -> String {
        if self.since.is_empty() { String::new() } else { format!("{}..", self.since) }
    }

    /// Which moves are in the tree.
    fn tree(&self) -> TreeOptions {
        // Who says how many games are enough means that of any number.
        let at_least = |games| TreeOptions { games, percent: 0, ..OPTIONS.tree };
        self.min_games.map_or(OPTIONS.tree, at_least)
    }

    fn lines(&self) -> Option<&Repertoire> {
        self.lines.as_ref().map(|(_, lines)| lines)
    }

    /// What the opponent plays; `None` without one.
    fn find(&self, context: &RequestContext<'_>) -> Result<Option<Found>> {
        if self.opponent.is_empty() {
            return Ok(None);
        }
        let mut text = FilterText::of([(self.own.fold_wb("black", "white"), self.opponent.as_str())])?;
        if !self.since.is_empty() {
            text.set("date", &self.date())?;
        }
        let filter = context.filter(&text)?;
        let asked = ExploredPosition::new(Variant::Standard.start());
        let of_position = asked.games_of(context.query, &filter)?;
        let player = PreparedPlayer {
            name: self.opponent.trim_matches('"'),
            games: &filter,
            of_position: &of_position,
        };
        let options = PrepareOptions { colour: !self.own, tree: self.tree(), ..OPTIONS };
        let report = preparation_report(context.query, &asked, player, options)?;
        let compare = |lines| departures(context.query, lines, &of_position);
        Ok(Some(Found { report, departures: self.lines().map(compare).transpose()? }))
    }
}

impl Found {
    fn data(&self, request: &Request) -> Result<Answer> {
        let compared = request.lines().zip(self.departures.as_ref());
        let wanted = DeparturesWanted { most: Some(MAX_REPORT_LINES), ..DeparturesWanted::default() };
        let repertoire = compared.map(|(lines, found)| RepertoireAnswer::new(lines, found, wanted));
        Answer::json(&PrepareData { report: &self.report, repertoire })
    }

    /// The only name that matches.
    fn name(&self) -> Option<&str> {
        match self.report.names.as_slice() {
            [only] => Some(&only.name),
            _ => None,
        }
    }
}

fn write(context: &RequestContext<'_>, page: &Page, pgn: Option<&[u8]>) -> Result<Answer> {
    let request = Request::of(context, page, pgn)?;
    let found = request.find(context)?;
    let (_, form) = Form::of(page.address.path(), |_| Ok(false))?;
    match &found {
        Some(found) if form == Form::Json => return found.data(&request),
        None if form == Form::Json => return Err(Failure::BadRequest("opponent: missing".to_owned())),
        _ => {}
    }
    let (opponent, own, words) = (&request.opponent, request.own, page.words);
    let only = found.as_ref().and_then(Found::name);
    let head = match opponent.as_str() {
        "" => words.prepare.to_owned(),
        opponent => {
            let name = player_name(only.unwrap_or(opponent).trim_matches('"'));
            format!("{} {name}, {}", words.prepare_against, own.fold_wb(words.with_white, words.with_black))
        }
    };
    let preparation = found.as_ref().map(|found| &found.report.preparation);
    let results = preparation.map(|of| of.results.of(!own)).unwrap_or_default();
    let games = preparation.map_or(0, |of| of.results.games);
    let explorer = explorer(page, &request);
    let departures = found.as_ref().and_then(|found| found.departures.as_ref()).filter(|_| games > 0);
    let compared = request.lines().zip(departures).map(|(lines, found)| OwnLines { lines, found });
    answer(&PreparePage {
        names: names(context, page, opponent, found.as_ref())?,
        link: only.map(|name| page.name_link("player", name)),
        is_white: own == Color::White,
        total: page.language.games(games),
        score: score(page, results),
        bar: Bar::of_player(page.language, results),
        not_shown: preparation.filter(|of| of.left_out > 0).map(|of| not_shown(page, &request, of.left_out)),
        tree: found.as_ref().map_or_else(Vec::new, |found| tree(page, &explorer, found, compared)),
        comparison: compared.map(|own| Comparison::new(page, own, &explorer)),
        is_unknown: !opponent.is_empty() && games == 0,
        data: (games > 0).then(|| page.address.without(&["lang"]).to_path("/prepare.json")),
        page: page.titled(&head),
        head,
        pgn: request.lines.map_or_else(String::new, |(pgn, _)| pgn),
        opponent: request.opponent,
        since: request.since,
        min_games: request.min_games.map_or_else(String::new, |games| games.to_string()),
        usual_min_games: OPTIONS.tree.games,
    })
}

/// Names to choose from.
fn names(
    context: &RequestContext<'_>,
    page: &Page,
    opponent: &str,
    found: Option<&Found>,
) -> Result<Vec<NameLink>> {
    let shown = |(name, games): (&str, u64)| {
        let link = page.address.of_name("opponent", name);
        (player_name(name), page.language.games(games), link)
    };
    Ok(match found.map(|found| &found.report) {
        Some(report) if report.names.len() > 1 => {
            report.names.iter().map(|of| shown((&of.name, of.games))).collect()
        }
        Some(report) if report.preparation.results.games == 0 => {
            let near = context.archive.names().near(NameKind::Player, opponent, NEAR)?;
            near.iter().map(|of| shown((&of.name, of.games))).collect()
        }
        _ => Vec::new(),
    })
}

/// The explorer with the games of the opponent.
fn explorer(page: &Page, request: &Request) -> Address {
    let (colour, flip) = request.own.fold_wb(("black", ""), ("white", "1"));
    let explorer = page.link("/explorer").with("player", &request.opponent).with("colour", colour);
    explorer.with("date", request.date()).with("flip", flip)
}

/// How many games continue with moves that are not in the tree, and why.
fn not_shown(page: &Page, request: &Request, left_out: u64) -> String {
    let (TreeOptions { games, percent, .. }, language) = (request.tree(), page.language);
    let words = page.words;
    let words = if percent > 0 { words.prepare_not_shown } else { words.prepare_fewer_not_shown };
    let text = words.replace("{games}", &language.games(left_out));
    let least = text.replace("{least}", &language.games(games));
    least.replace("{share}", &format!("{percent}{}", language.percent_sign()))
}

fn tree(page: &Page, explorer: &Address, found: &Found, lines: Option<OwnLines<'_>>) -> Vec<TreeItem> {
    let (side, start) = (Some(found.report.side()), Variant::Standard.start());
    let mut tree = Tree { page, explorer, side, lines, is_open: true, items: Vec::new() };
    let before = Before { play: "", position: Some(&start), plies: 0, name: "", is_open: true };
    tree.add(&found.report.preparation.lines, before);
    tree.items
}
