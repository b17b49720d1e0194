//! `GET /prepare`: what an opponent plays, as a tree that can be printed.

use askama::Template;
use axum::response::Response;

use super::{
    super::{
        address::Address,
        bar::Bar,
        layout::{Page, html, rendered, respond_with},
        names::player_link,
    },
    Form,
    rows::{NameLink, score},
    tree::{Before, Tree, TreeItem},
};
use crate::{
    archive::NameKind,
    chess::{Color, Variant},
    present::FilterText,
    printable,
    query::{ExploredPosition, PrepareOptions, TreeOptions},
    report::{PreparationReport, preparation_report},
    web::{Answer, Failure, Question, RequestContext},
};

/// The same as those of `plybook prepare`.
const OPTIONS: PrepareOptions = PrepareOptions {
    tree: TreeOptions { plies: 10, percent: 3, games: 2, moves: usize::MAX },
    rare_games: 10,
    rare_percent: 2,
};

/// The most similar names that are shown.
const NEAR: usize = 10;

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
    total: String,
    score: String,
    bar: Bar,
    tree: Vec<TreeItem>,
    /// Names to choose from: those that match, or those that are similar to one that does not.
    names: Vec<NameLink>,
    is_unknown: bool,
    data: Option<Address>,
}

pub(in crate::web) async fn prepare(question: Question) -> Response {
    respond_with(question, write).await
}

fn write(context: &RequestContext<'_>, page: &Page) -> Result<Answer, Failure> {
    let get = |name: &str| page.address.get(name).unwrap_or_default().trim().to_owned();
    let (opponent, since) = (get("opponent"), get("since"));
    let own: Color = match get("colour").as_str() {
        "" => Color::White,
        text => text.parse().map_err(|_| Failure::BadRequest("colour: must be white or black".to_owned()))?,
    };
    let report = if opponent.is_empty() { None } else { Some(report(context, &opponent, own, &since)?) };
    let (_, form) = Form::of(page.address.path(), |_| Ok(false))?;
    match &report {
        Some(report) if form == Form::Json => return Answer::json(report),
        None if form == Form::Json => return Err(Failure::BadRequest("opponent: missing".to_owned())),
        _ => {}
    }
    let games = report.as_ref().map_or(0, |report| report.preparation.results.games);
    let shown = |(name, games): (&str, u64)| {
        let link = page.address.of_name("opponent", name);
        (printable::line(name).into_owned(), page.language.games(games), link)
    };
    let names = match &report {
        Some(report) if report.names.len() > 1 => {
            report.names.iter().map(|of| shown((&of.name, of.games))).collect()
        }
        Some(_) if games == 0 => {
            let near = context.archive.names().near(NameKind::Player, &opponent, NEAR)?;
            near.iter().map(|of| shown((&of.name, of.games))).collect()
        }
        _ => Vec::new(),
    };
    let only = report.as_ref().and_then(|report| match report.names.as_slice() {
        [only] => Some(only.name.as_str()),
        _ => None,
    });
    let name = only.unwrap_or(&opponent);
    let words = page.words;
    let head = if opponent.is_empty() {
        words.prepare.to_owned()
    } else {
        let colour = own.fold_wb(words.with_white, words.with_black);
        format!("{} {}, {colour}", words.prepare_against, printable::line(name.trim_matches('"')))
    };
    let results = report.as_ref().map(|report| report.preparation.results.of(!own)).unwrap_or_default();
    let has_games = games > 0;
    Ok(html(rendered(&PreparePage {
        head: head.clone(),
        link: only.map(|name| player_link(page, name)),
        is_white: own == Color::White,
        total: page.language.games(games),
        score: score(page, results),
        bar: Bar::of_player(page.language, results),
        tree: report.as_ref().map_or_else(Vec::new, |report| tree(page, report, &opponent)),
        names,
        is_unknown: !opponent.is_empty() && !has_games,
        data: has_games.then(|| page.address.without(&["lang"]).to_path("/prepare.json")),
        opponent,
        since,
        page: page.titled(&head),
    })?))
}

/// What the opponent of a player with a colour plays.
fn report(
    context: &RequestContext<'_>,
    opponent: &str,
    own: Color,
    since: &str,
) -> Result<PreparationReport, Failure> {
    let (archive, index) = (context.archive, context.index.if_any());
    let mut text = FilterText::of([(own.fold_wb("black", "white"), opponent)])?;
    if !since.is_empty() {
        text.set("date", &format!("{since}.."))?;
    }
    let filter = text.filter(archive, index, |_| context.watch())?.ok_or(Failure::Unwanted)?;
    let asked = ExploredPosition::new(Variant::Standard.start());
    let of_position = asked.games_of(archive, index, &filter)?;
    let player = (opponent.trim_matches('"'), !own, [&filter, &of_position]);
    let report = preparation_report(archive, index, &asked, player, OPTIONS, |_| context.watch())?;
    report.ok_or(Failure::Unwanted)
}

fn tree(page: &Page, report: &PreparationReport, opponent: &str) -> Vec<TreeItem> {
    let side = report.side();
    let explorer = page.link("/explorer").with("player", opponent);
    let explorer = explorer.with("colour", side.fold_wb("white", "black"));
    let flip = side.fold_wb("1", "");
    let explorer = explorer.with("flip", flip);
    let mut tree = Tree { page, explorer: &explorer, side: Some(side), is_open: true, items: Vec::new() };
    tree.add(&report.preparation.lines, Before { play: "", plies: 0, name: "", is_open: true });
    tree.items
}
