//! The pages of the real binary, without a script: they have the right contents, links lead to all of them, they escape
//! the texts of games, and they are in the reader's language.
#![cfg(feature = "web")]

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
};

use crate::common::{
    self, Bench, data,
    html::{Html, Part, Tag, text_of},
    server::{Reply, Served},
};

pub fn served(files: &[&str]) -> (Bench, Served) {
    let bench = Bench::new();
    let files: Vec<_> = files.iter().map(|name| data(name)).collect();
    let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    bench.import(&files);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

/// A page that must exist.
pub fn page(served: &Served, path: &str) -> Html {
    let reply = served.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    html(&reply)
}

pub fn html(reply: &Reply) -> Html {
    assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
    Html::new(&reply.text())
}

/// The links of a page to this server.
pub fn links(html: &Html) -> Vec<String> {
    let links = html.named("a").filter_map(|tag| tag.get("href"));
    links.filter(|href| href.starts_with('/')).map(str::to_owned).collect()
}

fn link_of(html: &Html, fits: impl Fn(&Tag) -> bool) -> String {
    html.named("a").find(|tag| fits(tag)).and_then(|tag| tag.get("href")).expect("no such link").to_owned()
}

const PAGES: [&str; 20] = [
    "/",
    "/explorer",
    "/explorer?play=e2e4,c7c5&player=fischer&date=1960..",
    "/games",
    "/games?player=morphy&sort=date&desc=yes",
    "/game/1",
    "/game/1?ply=6&flip=1",
    "/report",
    "/report?player=morphy&colour=white",
    "/report?player=nobody&colour=white",
    "/players",
    "/events?q=new",
    "/openings",
    "/player/*",
    "/opening/King's%20Gambit",
    "/prepare?opponent=morphy&colour=black",
    "/games?pattern=*/*/*/*/????P*/*/*/*&material=Q*+Q*&mirror=yes&ends_in=mate",
    "/editor",
    "/editor?pattern=*/*/*/*/????P*/*/*/*&to_move=black",
    "/about",
];

/// What every page must have.
pub fn assert_is_whole(html: &Html, path: &str) {
    let count = |name: &str| html.named(name).count();
    for (name, expected) in [("html", 1), ("title", 1), ("h1", 1), ("main", 1), ("style", 0), ("iframe", 0)] {
        assert!(
            count(name) == expected || name == "title" && count(name) > 0,
            "{path}: {} of {name}",
            count(name)
        );
    }
    assert!(html.named("html").all(|tag| tag.get("lang").is_some() && tag.get("data-theme").is_some()));
    let is_region = |tag: &&Tag| tag.get("aria-live").is_some();
    assert_eq!(html.tags().filter(is_region).filter_map(|tag| tag.get("id")).collect::<Vec<_>>(), ["live"]);
    let first = html.named("a").next().unwrap();
    assert_eq!((first.get("href"), html.id("main").is_some()), (Some("#main"), true));
    let mut ids = BTreeSet::new();
    for tag in html.tags() {
        assert!(tag.get("id").is_none_or(|id| ids.insert(id.to_owned())), "{path}: {tag:?} has another's id");
        assert!(tag.attributes.iter().all(|(name, _)| !name.starts_with("on")), "{path}: {tag:?}");
        assert!(
            tag.name != "script" || tag.get("src").is_some_and(|src| src.starts_with("/assets/")),
            "{tag:?}"
        );
        assert!(tag.name != "th" || tag.get("scope").is_some(), "{path}: {tag:?} is the head of nothing");
        assert!(tag.name != "nav" || tag.get("aria-label").is_some(), "{path}: {tag:?} has no name");
        let has_source =
            ["src", "href", "action", "formaction"].iter().filter_map(|name| tag.get(name)).all(|to| {
                to.starts_with('/') && !to.starts_with("//")
                    || to.starts_with('#')
                    || to.starts_with("data:image/svg+xml,%3Csvg")
                    || to.is_empty()
                    || tag.get("rel") == Some("noopener noreferrer")
            });
        assert!(has_source, "{path}: {tag:?} leads elsewhere");
    }
    assert_fields_have_names(html, path);
    assert_headings_are_in_order(html, path);
}

/// Every field is inside a label or is named by one.
fn assert_fields_have_names(html: &Html, path: &str) {
    let mut in_label = 0;
    for part in &html.parts {
        match part {
            Part::Open(tag) if tag.name == "label" => in_label += 1,
            Part::Close(name) if name == "label" => in_label -= 1,
            Part::Open(tag) if matches!(tag.name.as_str(), "input" | "select") => {
                let labelled = html
                    .named("label")
                    .any(|label| label.get("for").is_some() && label.get("for") == tag.get("id"));
                assert!(
                    in_label > 0
                        || labelled
                        || tag.get("aria-label").is_some()
                        || tag.get("type") == Some("hidden"),
                    "{path}: {tag:?} has no name"
                );
            }
            _ => {}
        }
    }
}

fn assert_headings_are_in_order(html: &Html, path: &str) {
    let levels = html.tags().filter_map(|tag| tag.name.strip_prefix('h')?.parse::<u8>().ok());
    let mut before = 0;
    for level in levels {
        assert!(level <= before + 1, "{path}: h{level} behind h{before}");
        before = level;
    }
}

#[test]
fn every_page_is_complete_and_guarded_without_a_script() {
    let (_bench, served) = served(&["famous.pgn"]);
    for path in PAGES {
        let reply = served.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert!(reply.header("content-security-policy").is_some() && reply.header("etag").is_some());
        assert_eq!(reply.all("vary"), "Accept-Encoding, Accept-Language");
        assert_is_whole(&html(&reply), path);
        let known = format!("If-None-Match: {}\r\n", reply.header("etag").unwrap());
        assert_eq!(served.get_with(path, &known).status, 304, "{path}");
    }
}

#[test]
fn every_link_leads_to_an_answer() {
    let (_bench, served) = served(&["annotated.pgn"]);
    let (mut ahead, mut seen) = (VecDeque::from(PAGES.map(str::to_owned)), BTreeSet::new());
    while let Some(path) = ahead.pop_front() {
        if !seen.insert(path.clone()) || seen.len() > 400 {
            continue;
        }
        let reply = served.get(&path);
        // A report on one name is the page of this name, which leads nowhere if no game has it.
        if reply.status == 303 && path.starts_with("/report?") {
            continue;
        }
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            let html = html(&reply);
            assert_is_whole(&html, &path);
            ahead.extend(links(&html));
        }
    }
    for path in ["/game/1?at=3", "/explorer?play=e2e4,d7d5", "/editor?fen=", "/api/v1/export"] {
        assert!(seen.iter().any(|seen| seen.starts_with(path)), "nothing leads to {path}");
    }
}

#[test]
fn the_move_table_agrees_with_explore() {
    let (bench, served) = served(&["famous.pgn"]);
    for (path, line) in [
        ("/", ""),
        ("/explorer?play=e2e4", "1. e4"),
        ("/explorer?play=d2d4,g8f6", "1. d4 Nf6"),
        (
            "/explorer?fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-&play=g1f3",
            "1. e4 e5 2. Nf3",
        ),
    ] {
        let mut arguments = vec!["explore", "--format", "json"];
        arguments.extend(Some(line).filter(|line| !line.is_empty()));
        let printed = bench.json(&arguments);
        let html = page(&served, path);
        let moves = printed["moves"].as_array().unwrap();
        let rows = html.rows("moves");
        assert_eq!(rows.len(), moves.len(), "{path}");
        let sans: Vec<&str> = moves.iter().map(|printed| printed["san"].as_str().unwrap()).collect();
        assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), sans, "{path}");
        for (class, name) in [
            ("c-games", "games"),
            ("c-elo", "mean_rating"),
            ("c-perf", "performance"),
            ("c-last", "last_year"),
        ] {
            let shown = html.texts(|tag| tag.name == "td" && tag.has_class(class));
            let known: Vec<String> = moves
                .iter()
                .map(|printed| printed[name].as_i64().map_or(String::new(), |number| number.to_string()))
                .collect();
            let has_values = known.iter().any(|text| !text.is_empty());
            assert_eq!(shown.iter().take(known.len()).eq(&known), has_values, "{path} {name}: {shown:?}");
        }
        let others: Vec<String> = html
            .within(|tag| tag.name == "tbody")
            .iter()
            .flat_map(|parts| parts.iter())
            .filter_map(|part| match part {
                Part::Open(tag) if tag.has_class("c-games") => Some(
                    tag.get("title")
                        .map_or(String::new(), |title| title.split(' ').next().unwrap().to_owned()),
                ),
                _ => None,
            })
            .collect();
        let more = |printed: &serde_json::Value| {
            let more = printed["reached"].as_u64().unwrap() - printed["games"].as_u64().unwrap();
            if more == 0 { String::new() } else { more.to_string() }
        };
        assert_eq!(others, moves.iter().map(more).collect::<Vec<_>>(), "{path}");
        let played = printed["games"].as_u64().unwrap() - printed["ended_here"].as_u64().unwrap();
        let sum = html.texts(|tag| tag.name == "tfoot").pop().unwrap();
        assert!(sum.starts_with(&format!("All {played} ")), "{sum}");
        assert_eq!(html.id("state").unwrap().get("data-games"), Some(printed["games"].to_string().as_str()));
    }
}

#[test]
fn bars_state_their_shares_in_words_and_fill_their_space() {
    let (_bench, served) = served(&["famous.pgn"]);
    let html = page(&served, "/");
    let bars: Vec<&Tag> = html.tags().filter(|tag| tag.has_class("bar")).collect();
    assert_eq!(bars.len(), html.rows("moves").len() + 1);
    for (tag, parts) in bars.iter().zip(html.within(|tag| tag.has_class("bar"))) {
        let words = tag.get("aria-label").unwrap();
        assert!(["White wins", "draws", "Black wins"].iter().all(|name| words.contains(name)), "{words}");
        let widths = parts.iter().filter_map(|part| match part {
            Part::Open(tag) => {
                tag.get("style")?.strip_prefix("width:")?.strip_suffix('%')?.parse::<f64>().ok()
            }
            _ => None,
        });
        assert!((widths.sum::<f64>() - 100.0).abs() < 0.05, "{words}");
    }
}

#[test]
fn moves_are_links_and_typed_ones_are_played() {
    let (_bench, served) = served(&["famous.pgn"]);
    let state = |html: &Html, name: &str| html.id("state").unwrap().get(name).unwrap().to_owned();
    let html = page(&served, "/?player=morphy");
    let e4 = link_of(&html, |tag| tag.get("href").is_some_and(|href| href.ends_with("play=e2e4")));
    assert_eq!(e4, "/explorer?player=morphy&play=e2e4");
    for (typed, play) in
        [("e5", "e2e4,e7e5"), ("c7c5", "e2e4,c7c5"), (" Nf6 ", "e2e4,g8f6"), ("e6!?", "e2e4,e7e6")]
    {
        let html = page(&served, &format!("{e4}&san={}", typed.replace(' ', "+")));
        assert_eq!(state(&html, "data-play"), play);
        assert!(html.id("notice").is_none() && links(&html).iter().all(|link| !link.contains("san=")));
    }
    let html = page(&served, &format!("{e4}&san=Ke5"));
    assert_eq!(
        (state(&html, "data-play"), html.text("notice")),
        ("e2e4".to_owned(), "This move is not legal here: Ke5".to_owned())
    );
    // Castling is written in two ways and typed in three.
    let open = "/explorer?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
    let fens: BTreeSet<String> = ["&san=O-O", "&san=0-0", "&san=e1g1", ",e1g1", ",e1h1"]
        .iter()
        .map(|end| state(&page(&served, &format!("{open}{end}")), "data-fen"))
        .collect();
    assert_eq!(fens.len(), 1, "{fens:?}");
    // The line leads back to each of its positions.
    let html = page(&served, open);
    assert_eq!(html.text("line"), "Start position 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5");
    assert_eq!(html.text("opening"), "C50 Italian Game: Giuoco Piano");
}

#[test]
fn moves_that_nobody_played_are_separate_if_games_reach_the_positions_after_them() {
    let bench = Bench::new();
    let games = ["1. Nf3 d5 2. d4 Nf6 *", "1. d4 Nf6 2. c4 *", "1. d4 d5 2. c4 *"];
    let text: String = games.iter().map(|moves| format!("[White \"{moves}\"]\n\n{moves}\n\n")).collect();
    fs::write(bench.path("a.pgn"), text).unwrap();
    bench.import(&["a.pgn"]);
    for index in [false, true] {
        if index {
            bench.ok(&["index", "--quiet"]);
        }
        let served = Served::new(&bench, &[]);
        let html = page(&served, "/explorer?play=d2d4,d7d5");
        assert_eq!(html.rows("moves").iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["c4"]);
        assert_eq!(html.rows("transpositions"), [["Nf3", "1"]], "index: {index}");
        let behind =
            page(&served, &link_of(&html, |tag| tag.get("href").is_some_and(|href| href.ends_with("g1f3"))));
        assert_eq!(behind.rows("moves")[0][0], "Nf6");
    }
}

#[test]
fn active_filters_are_shown_and_cleared_one_by_one() {
    let (_bench, served) = served(&["famous.pgn"]);
    for (path, id, texts) in [
        ("/explorer", "filters", ["morphy, White", "1850–1860", "Rating", "Clear all"]),
        (
            "/games",
            "active-filters",
            ["Player: morphy", "Colour of the player: White", "Date: 1850–1860", "Clear all"],
        ),
    ] {
        let html =
            page(&served, &format!("{path}?player=morphy&colour=white&date=1850..1860&play=e2e4&lang=en"));
        let shown = html.text(id);
        assert!(texts.iter().all(|text| shown.contains(text)), "{path}: {shown}");
        let list = html.within(|tag| tag.get("id") == Some(id)).pop().unwrap().to_vec();
        let cleared = links(&Html { parts: list });
        let expected: Vec<String> = match path {
            "/games" => [
                "colour=white&date=1850..1860&play=e2e4&lang=en",
                "player=morphy&date=1850..1860&play=e2e4&lang=en",
                "player=morphy&colour=white&play=e2e4&lang=en",
                "player=morphy&colour=white&date=1850..1860&lang=en",
                "lang=en",
            ]
            .map(|query| format!("{path}?{query}"))
            .into(),
            _ => [
                "date=1850..1860&play=e2e4&lang=en",
                "player=morphy&colour=white&play=e2e4&lang=en",
                "play=e2e4&lang=en",
            ]
            .map(|query| format!("{path}?{query}"))
            .into(),
        };
        let sorted = |links: &[String]| links.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(sorted(&cleared), sorted(&expected), "{path}");
        // Forms keep what they do not show, and show what is set.
        let values: BTreeMap<_, _> =
            html.named("input").filter_map(|tag| Some((tag.get("name")?, tag.get("value")?))).collect();
        assert_eq!((values["play"], values["player"], values["lang"]), ("e2e4", "morphy", "en"), "{path}");
    }
}

/// The ids of the games in a list.
fn listed_ids(html: &Html) -> Vec<String> {
    let boxes = html.named("input").filter(|tag| tag.get("name") == Some("id"));
    boxes.filter_map(|tag| tag.get("value")).map(str::to_owned).collect()
}

/// The values of the fields of a form, by name.
fn fields(html: &Html) -> BTreeMap<&str, String> {
    let is_set =
        |tag: &&Tag| !matches!(tag.get("type"), Some("checkbox" | "radio")) || tag.get("checked").is_some();
    let inputs = html.named("input").filter(is_set);
    inputs.filter_map(|tag| Some((tag.get("name")?, tag.get("value")?.to_owned()))).collect()
}

#[test]
fn a_form_searches_for_what_happens_in_games_like_the_command_line() {
    let (bench, served) = served(&["famous.pgn"]);
    for (query, arguments) in [
        (
            "pattern=*/*/*/*/????P*/*/*/*&to_move=black",
            &["--pattern", "*/*/*/*/????P*/*/*/*", "--to-move", "black"][..],
        ),
        (
            "material=w:KQ*+KR*&min_plies=2&mirror=on",
            &["--material", "w:KQ* KR*", "--min-plies", "2", "--mirror"],
        ),
        (
            "pattern=*/*/*/*/????P*/*/*/*&then=*/*/*/????P*/*/*/*/*&within=9",
            &["--pattern", "*/*/*/*/????P*/*/*/*", "--then", "*/*/*/????P*/*/*/*/*", "--within", "9"],
        ),
        (
            "not_pattern=*/*/*/*/*/*/*/???[^Q]*&black_castles=no",
            &["--not-pattern", "*/*/*/*/*/*/*/???[^Q]*", "--black-castles", "no"],
        ),
        ("ends_in=mate&white_castles=long", &["--ends-in", "mate", "--white-castles", "long"]),
        ("pattern=*/*/*/*/??P?P*/*/*/*&any_file=yes", &["--pattern", "*/*/*/*/??P?P*/*/*/*", "--any-file"]),
        ("promotes=any", &["--promotes", "any"]),
        ("player=morphy&result=won", &["--player", "morphy", "--result", "won"]),
        ("material=R*+RR*&result=lost", &["--material", "R* RR*", "--result", "lost"]),
        ("checks=3&en_passant=yes", &["--checks", "3", "--en-passant"]),
    ] {
        let found = bench.run(
            &[&["games", "--format", "ids", "--limit", "50", "--sort", "date", "--desc"], arguments].concat(),
        );
        let expected: Vec<String> = common::text(&found.stdout).lines().map(str::to_owned).collect();
        let html = page(&served, &format!("/games?{query}"));
        let ids: Vec<String> = listed_ids(&html);
        assert_eq!(ids, expected, "{query}");
        // Each is shown, and the form keeps it.
        let asked = query.split('&').count();
        let chips = html.within(|tag| tag.get("id") == Some("active-filters")).pop().unwrap().to_vec();
        assert_eq!(links(&Html { parts: chips }).len(), asked + usize::from(asked > 1), "{query}");
        let again = fields(&html);
        for (name, value) in query.split('&').map(|pair| pair.split_once('=').unwrap()) {
            let is_choice = html.named("select").any(|tag| tag.get("name") == Some(name));
            let value = if value == "on" { "yes".to_owned() } else { value.replace('+', " ") };
            assert!(is_choice || again[name] == value, "{query}: {name}");
        }
        if !ids.is_empty() {
            let export = link_of(&html, |tag| tag.get("download").is_some());
            let games = served.get(&export).text().matches("[Event ").count();
            assert!(html.text("total").starts_with(&format!("{games} game")), "{query}");
        }
    }
}

#[test]
fn a_game_found_by_a_pattern_is_opened_at_its_position() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "1. d4 d5 2. c4 e6 3. Nc3 *\n").unwrap();
    bench.import(&["a.pgn"]);
    for index in [false, true] {
        if index {
            bench.ok(&["index", "--quiet"]);
        }
        let served = Served::new(&bench, &[]);
        for (query, game) in [
            ("pattern=*/*/*/???p*/??PP*/*/*/*", "/game/1?ply=3"),
            ("pattern=*/*/*/*/*/*/*/*", "/game/1?ply=0"),
            ("pattern=*/*/*/???p*/??PP*/*/*/*&play=d2d4", "/game/1?ply=1"),
            ("white_castles=no", "/game/1"),
        ] {
            let html = page(&served, &format!("/games?{query}"));
            // The rest of the link names the list.
            let found = links(&html).into_iter().any(|link| {
                link.split(['?', '&']).filter(|part| !part.starts_with("in=")).collect::<Vec<_>>().join("?")
                    == game
            });
            assert!(found, "{query}: {:?}", links(&html));
        }
    }
}

#[test]
fn an_invalid_condition_is_reported_in_the_readers_language() {
    let (_bench, served) = served(&["famous.pgn"]);
    for (query, english, german) in [
        (
            "pattern=*/*/%3Cb%3E",
            "invalid pattern \"*/*/<b>\": expected 8 ranks separated by /",
            "Ungültiges Muster \"*/*/<b>\": erwartet werden 8 Reihen, getrennt durch /",
        ),
        (
            "material=KR",
            "invalid material \"KR\": expected two sides separated by a space, for example 'KRPPP KRPP'",
            "Ungültige Materialangabe \"KR\": erwartet werden zwei Seiten, getrennt durch ein Leerzeichen, zum Beispiel 'KRPPP KRPP'",
        ),
        (
            "min_plies=3",
            "A minimum number of plies needs material or a pattern.",
            "Eine Mindestzahl von Halbzügen erfordert eine Materialangabe oder ein Muster.",
        ),
        (
            "date=soon",
            "\"soon\" is not a valid range of dates; write it like 1984, 1984.05..1990 or ..1990.12.31",
            "\"soon\" ist kein gültiger Zeitraum; Beispiele: 1984, 1984.05..1990 oder ..1990.12.31",
        ),
        (
            "play=e2e5",
            "fen or play: move 1 of the line, \"e2e5\", is illegal; write moves like e2e4,e7e5",
            "fen or play: Zug 1 der Zugfolge, \"e2e5\", ist nicht legal; Züge schreibt man wie e2e4,e7e5",
        ),
    ] {
        for (language, expected) in [("en", english), ("de", german)] {
            for path in ["/games", "/explorer"] {
                let reply = served.get(&format!("{path}?{query}&lang={language}"));
                assert_eq!(reply.status, 400, "{query}");
                assert_eq!(html(&reply).texts(|tag| tag.get("class") == Some("error")), [expected]);
            }
        }
    }
}

#[test]
fn pages_of_a_list_have_each_game_once_in_every_order() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "230", "--seed", "7", "--output", "a.pgn"]);
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let begins = [
        "",
        "sort=date&desc=yes",
        "sort=elo",
        "sort=white",
        "sort=result&desc=yes",
        "sort=event",
        "sort=plies&desc=yes",
        "result=1-0",
        "play=e2e4&sort=date",
    ];
    for begin in begins {
        let (mut path, mut ids, mut pages) = (format!("/games?{begin}"), Vec::new(), 0);
        let total = loop {
            let html = page(&served, &path);
            ids.extend(listed_ids(&html));
            pages += 1;
            let total = html.text("total");
            match html.named("a").find(|tag| tag.get("rel") == Some("next")) {
                Some(next) => path = next.get("href").unwrap().to_owned(),
                None => break total.split(' ').next().unwrap().parse::<usize>().unwrap(),
            }
        };
        assert_eq!(pages, total.div_ceil(50).max(1), "{begin}");
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!((ids.len(), distinct.len()), (total, total), "{begin}");
        assert!(!begin.is_empty() || total == 230);
    }
}

#[test]
fn games_of_a_position_link_to_the_ply_and_their_headings_sort() {
    let (_bench, served) = served(&["famous.pgn"]);
    let html = page(&served, "/explorer?play=e2e4,e7e5,f2f4");
    let games: Vec<String> = links(&html).into_iter().filter(|link| link.starts_with("/game/")).collect();
    assert!(!games.is_empty());
    for game in &games {
        assert!(game.contains("?ply=3&in=explorer"), "{game}");
        let board = page(&served, game).id("board").unwrap().get("data-fen").unwrap().to_owned();
        assert!(board.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq"), "{board}");
    }
    let sorted = page(&served, "/games?sort=date");
    let head = |html: &Html| html.named("th").find(|tag| tag.get("aria-sort").is_some()).cloned();
    assert_eq!(head(&sorted).unwrap().get("aria-sort"), Some("ascending"));
    let again = link_of(&sorted, |tag| tag.get("href").is_some_and(|href| href.contains("sort=date&desc")));
    let dates: Vec<String> = page(&served, &again)
        .rows("games")
        .into_iter()
        .map(|row| row.last().unwrap()[..4].to_owned())
        .collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
    let export =
        link_of(&page(&served, "/games?player=morphy&sort=date"), |tag| tag.get("download").is_some());
    assert_eq!(export, "/api/v1/export?player=morphy&sort=date");
    assert_eq!(
        served.get(&export).text().matches("[Event ").count(),
        html_count(&served, "/games?player=morphy")
    );
}

fn html_count(served: &Served, path: &str) -> usize {
    page(served, path).rows("games").len()
}

#[test]
fn pages_are_in_the_requested_language() {
    let (_bench, served) = served(&["famous.pgn"]);
    let german = "Accept-Language: de-AT,de;q=0.9,en;q=0.5\r\n";
    for path in PAGES {
        let (english, reply) = (served.get(path), served.get_with(path, german));
        assert_eq!(reply.header("content-language"), Some("de"), "{path}");
        assert_ne!(reply.header("etag"), english.header("etag"));
        let (english, html) = (html(&english), html(&reply));
        assert_is_whole(&html, path);
        assert_eq!(html.named("html").next().unwrap().get("lang"), Some("de"));
        assert!(html.texts(|tag| tag.name == "nav")[0].starts_with("Explorer Partien Spieler"));
        // The same page in another language: all elements exist in both.
        let names = |html: &Html| html.tags().map(|tag| tag.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&html), names(&english), "{path}");
        // The link to the other language takes precedence over the browser, and stays.
        let switch = link_of(&html, |tag| tag.get("hreflang") == Some("en"));
        let switched = self::html(&served.get_with(&switch, german));
        assert_eq!(switched.named("html").next().unwrap().get("lang"), Some("en"), "{switch}");
        let lost: Vec<String> = links(&switched)
            .into_iter()
            .filter(|link| {
                let is_data =
                    [".json", ".csv"].iter().any(|ending| link.split('?').next().unwrap().ends_with(ending));
                !link.contains("lang=")
                    && !link.starts_with("/api/")
                    && !link.starts_with("/assets/")
                    && !is_data
            })
            .collect();
        assert!(lost.is_empty(), "{switch}: {lost:?}");
    }
    let table = page(&served, "/explorer?lang=de").text("moves");
    assert!(table.starts_with("Hier gespielte Züge Zug Eröffnung Partien ▾ Anteil"), "{table}");
    let failed = served.get_with("/explorer?fen=x", german);
    assert_eq!(
        (failed.status, html(&failed).texts(|tag| tag.name == "h1")),
        (400, vec!["Diese Suche ist ungültig".to_owned()])
    );
}

#[test]
fn other_parameters_of_a_url_are_not_repeated_at_every_move() {
    let (_bench, served) = served(&["famous.pgn"]);
    let length = |path: &str| served.get(path).text().len();
    let junk: String = (0..1_000).map(|number| format!("&x{number}=junk")).collect();
    let lang = "&lang=".to_owned() + &"x".repeat(10_000);
    for more in [junk, lang] {
        let (plain, long) = (length("/game/1?ply=3"), length(&format!("/game/1?ply=3{more}")));
        assert!(long < plain + 10 * more.len(), "{plain} {long}");
    }
}

#[test]
fn a_game_other_than_chess_is_shown_in_its_own_notation() {
    let (_bench, served) = served(&["xelto/first.xelto", "famous.pgn"]);
    let game = served.json("/api/v1/games/1");
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(game["variant"], "Xelto");
    for (path, back, forward) in
        [("/game/1", false, true), ("/game/1?ply=3", true, true), ("/game/1?ply=9999", true, false)]
    {
        let html = page(&served, path);
        assert_is_whole(&html, path);
        let shown: Vec<_> = html.named("a").filter(|tag| tag.get("class") == Some("move")).collect();
        assert_eq!(shown.len(), moves.len(), "{path}");
        let text = text_of(&html.parts);
        assert!(text.contains("Xelto") && text.contains(moves[2].as_str().unwrap()), "{path}: {text}");
        let leads = |ply: &str| links(&html).iter().any(|link| link.ends_with(ply));
        assert!(leads("ply=0") && (!back || leads("ply=2")) && (!forward || leads("ply=4")), "{path}");
    }
    assert_eq!(served.get("/api/v1/games/1.pgn").status, 400);
    assert_eq!(served.get("/game/2").status, 200);
}
