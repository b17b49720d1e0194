//! The pages of players, events and openings: their figures are those of the command line and of the games themselves,
//! any name has a page, and an unknown one leads to similar names.
#![cfg(feature = "web")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;

use super::serve_pages::{assert_is_whole, html, links, page, served};
use crate::common::{
    Bench, data,
    html::{Tag, text_of},
    server::Served,
    simple_games,
};

/// A name as one step of a path, every byte encoded.
fn encoded(name: &str) -> String {
    name.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The value of a tag in a line of [`simple_games`].
fn tag<'a>(tags: &'a [String], name: &str) -> Option<&'a str> {
    let lines = tags.iter().filter_map(|line| line.strip_prefix(&format!("[{name} \"")));
    lines.filter_map(|line| line.strip_suffix("\"]")).next()
}

/// The number of games of each name in the famous games, counted in their text.
fn counted(names: &[&str]) -> BTreeMap<String, u64> {
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for (tags, _) in simple_games(&fs::read_to_string(data("famous.pgn")).unwrap()) {
        let own: BTreeSet<&str> = names.iter().filter_map(|name| tag(&tags, name)).collect();
        own.iter().for_each(|name| *counted.entry((*name).to_owned()).or_default() += 1);
    }
    counted
}

fn games_of(list: &Value) -> BTreeMap<String, u64> {
    let pair = |of: &Value| (of["name"].as_str().unwrap().to_owned(), of["games"].as_u64().unwrap());
    list.as_array().unwrap().iter().map(pair).collect()
}

fn sum(list: &Value, field: &str) -> u64 {
    list.as_array().unwrap().iter().map(|of| of[field].as_u64().unwrap()).sum()
}

#[test]
fn lists_have_every_name_with_its_games_and_a_page() {
    let (bench, served) = served(&["famous.pgn"]);
    for (path, tags, option) in
        [("/players", &["White", "Black"][..], ""), ("/events", &["Event"], "--events")]
    {
        let list = served.json(&format!("{path}.json"));
        assert_eq!(games_of(&list), counted(tags), "{path}");
        let arguments = ["names", "--limit", "9999", "--format", "csv", option];
        let printed = bench.ok(&arguments[..arguments.len() - usize::from(option.is_empty())]);
        assert_eq!(served.get(&format!("{path}.csv")).text(), printed, "{path}");
        let html = page(&served, path);
        let shown: Vec<String> =
            links(&html).into_iter().filter(|link| link.starts_with(&path[..path.len() - 1])).collect();
        let pages = shown
            .iter()
            .filter(|link| !link.starts_with(&format!("{path}?")) && !link.starts_with(&format!("{path}.")));
        for link in pages {
            page(&served, link);
        }
    }
    let filtered = served.json("/players.json?q=cap");
    assert_eq!(games_of(&filtered).into_keys().collect::<Vec<_>>(), ["Capablanca, José Raúl"]);
}

#[test]
fn a_long_list_has_each_name_once_on_its_pages() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "300", "--seed", "3", "--output", "a.pgn"]);
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let all = games_of(&served.json("/players.json"));
    let (mut path, mut seen) = ("/players".to_owned(), Vec::new());
    loop {
        let html = page(&served, &path);
        seen.extend(links(&html).into_iter().filter(|link| link.starts_with("/player/")));
        let Some(next) = html.named("a").find(|tag| tag.get("rel") == Some("next")) else { break };
        path = next.get("href").unwrap().to_owned();
    }
    let distinct: BTreeSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), distinct.len()), (all.len(), all.len()));
    assert_eq!(served.get("/players?page=x").status, 400);
    page(&served, "/players?page=4000000000");
}

#[test]
fn a_player_has_a_page_with_the_figures_of_the_report() {
    let (bench, served) = served(&["famous.pgn"]);
    for name in ["Morphy, Paul", "Capablanca, José Raúl", "Fischer, Robert James"] {
        let path = format!("/player/{}", encoded(name));
        let shown = served.json(&format!("{path}.json"));
        let report = served.json(&format!("/api/v1/report?player=%22{}%22&lines=1000", encoded(name)));
        for (field, value) in report.as_object().unwrap() {
            assert_eq!(&shown[field], value, "{name}: {field}");
        }
        let quoted = format!("\"{name}\"");
        let printed = bench.ok(&["report", "--player", &quoted, "--lines", "1000", "--format", "csv"]);
        assert_eq!(served.get(&format!("{path}.csv")).text(), printed, "{name}");
        let games = shown["games"].as_u64().unwrap();
        assert_eq!(games, counted(&["White", "Black"])[name]);
        assert_eq!(sum(&shown["against"], "games"), games, "{name}");
        let years = ["years_as_white", "years_as_black"].map(|colour| sum(&shown[colour], "games"));
        assert_eq!(years.iter().sum::<u64>(), games, "{name}");
        let html = page(&served, &path);
        assert_is_whole(&html, &path);
        assert_eq!(html.texts(|tag| tag.name == "h1"), [name]);
        let text = text_of(&html.parts);
        let opponent = shown["against"][0]["name"].as_str().unwrap();
        assert!(text.contains(opponent) && text.contains(&format!("{games} games")), "{text}");
        // Openings lead to the player's games with them, opponents to their pages, games to games.
        let links = links(&html);
        assert!(links.contains(&format!("/player/{}", form_encoded(opponent))), "{links:?}");
        for way in ["/games?player=", "/game/", "/prepare?opponent=", "/explorer?player="] {
            assert!(links.iter().any(|link| link.starts_with(way)), "{way}");
        }
        let opening = links.iter().find(|link| link.contains("opening=")).unwrap();
        assert!(!page(&served, opening).rows("games").is_empty(), "{opening}");
    }
}

/// A name as the server writes it into a path.
fn form_encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"*-._".contains(&byte);
    let letter = |byte: u8| if is_plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(letter).collect()
}

#[test]
fn ratings_over_time_are_the_last_ones_of_each_month() {
    let bench = Bench::new();
    let game = |date: &str, elo: u32, colour: &str| {
        let other = if colour == "White" { "Black" } else { "White" };
        format!(
            "[{colour} \"A\"]\n[{other} \"B\"]\n[Date \"{date}\"]\n[{colour}Elo \"{elo}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    let games = [
        game("2001.03.09", 2110, "White"),
        game("2001.03.02", 2105, "Black"),
        game("2001.04.??", 2200, "Black"),
        game("1999.??.??", 2000, "White"),
    ];
    fs::write(bench.path("a.pgn"), games.concat()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let ratings = served.json("/player/A.json")["ratings"].clone();
    let expected = [(1999, None, 2000), (2001, Some(3), 2110), (2001, Some(4), 2200)];
    let expected: Vec<Value> = expected
        .iter()
        .map(|(year, month, rating)| serde_json::json!({"year": year, "month": month, "rating": rating}))
        .collect();
    assert_eq!(ratings, Value::Array(expected));
    let html = page(&served, "/player/A");
    let charts: Vec<&Tag> = html.named("svg").filter(|tag| tag.has_class("curve")).collect();
    assert!(!charts.is_empty());
    for chart in charts {
        assert_eq!(chart.get("role"), Some("img"));
        assert!(chart.get("aria-label").is_some_and(|label| label.contains("1999")), "{chart:?}");
    }
    assert!(text_of(&html.parts).contains("highest rating 2200"));
    // Axes have round numbers.
    let labels: Vec<f64> =
        html.texts(|tag| tag.name == "text").iter().filter_map(|text| text.parse().ok()).collect();
    assert!(labels.contains(&2000.0) && labels.contains(&2200.0), "{labels:?}");
}

#[test]
fn every_result_of_a_crosstable_leads_to_its_game() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "120", "--seed", "5", "--output", "a.pgn"]);
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let events = games_of(&served.json("/events.json"));
    let (mut crosstables, mut results) = (0, 0);
    for name in events.keys() {
        let path = format!("/event/{}", encoded(name));
        let html = page(&served, &path);
        assert_is_whole(&html, &path);
        let shown = served.json(&format!("{path}.json"));
        if shown.is_array() {
            continue;
        }
        let printed = bench.json(&["report", "--event", &format!("\"{name}\""), "--format", "json"]);
        assert_eq!(shown, printed, "{name}");
        crosstables += 1;
        for point in html.named("a").filter(|tag| tag.has_class("pt")) {
            let opponent = point.get("title").unwrap().rsplit(", ").next().unwrap().to_owned();
            let game = text_of(&page(&served, point.get("href").unwrap()).parts);
            assert!(game.contains(&opponent), "{point:?}");
            results += 1;
        }
    }
    assert!(crosstables > 0 && results > 0);
}

#[test]
fn an_event_with_several_editions_shows_them_and_takes_a_year() {
    let bench = Bench::new();
    let game = |white: &str, date: &str, round: u32| {
        format!(
            "[Event \"Open/A\"]\n[Site \"Graz\"]\n[White \"{white}\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    let games = [
        game("First", "2001.05.01", 1),
        game("Second", "2001.05.02", 2),
        game("Third", "2003.05.01", 1),
        game("Fourth", "????.??.??", 1),
    ];
    fs::write(bench.path("a.pgn"), games.concat()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    for path in ["/event/Open%2FA", "/event/Open/A"] {
        let html = page(&served, path);
        let years: Vec<String> = links(&html).into_iter().filter(|link| link.contains("year=")).collect();
        assert_eq!(years, [2003, 2001, 0].map(|year| format!("{path}?year={year}")));
        let of_2001 = page(&served, &format!("{path}?year=2001"));
        assert_is_whole(&of_2001, path);
        let text = text_of(&of_2001.parts);
        assert!(text.contains("First") && text.contains("Second") && !text.contains("Third"), "{text}");
        // The last round is shown, and the others are links.
        assert!(links(&of_2001).contains(&format!("{path}?year=2001&round=1")));
        assert!(text_of(&page(&served, &format!("{path}?year=0")).parts).contains("Fourth"));
        assert_eq!(served.json(&format!("{path}.json")).as_array().unwrap().len(), 3);
        assert_eq!(served.json(&format!("{path}.json?year=2001"))["events"][0]["games"], 2);
        assert!(served.get(&format!("{path}.csv?year=2003")).text().contains("Third"));
        assert_eq!(served.get(&format!("{path}?year=1850")).status, 404);
        assert_eq!(served.get(&format!("{path}?year=x")).status, 400);
    }
}

#[test]
fn an_opening_has_a_page_with_the_figures_of_explore() {
    let (bench, served) = served(&["famous.pgn"]);
    for index in [false, true] {
        if index {
            bench.ok(&["index", "--quiet"]);
        }
        for (path, name) in [
            ("/opening/King%27s%20Gambit", "king's gambit"),
            ("/opening/Sicilian%20Defense", "sicilian defense"),
            ("/opening/ruy%20lopez", "ruy lopez"),
        ] {
            let printed = bench.json(&["explore", name, "--format", "json"]);
            let shown = served.json(&format!("{path}.json"));
            for (field, value) in printed.as_object().unwrap() {
                assert_eq!(&shown[field], value, "{path}: {field}");
            }
            assert_eq!(
                served.get(&format!("{path}.csv")).text(),
                bench.ok(&["explore", name, "--format", "csv"])
            );
            let html = page(&served, path);
            assert_is_whole(&html, path);
            let text = text_of(&html.parts);
            let games = printed["games"].as_u64().unwrap();
            assert!(
                text.contains(&if games == 1 { "1 game".to_owned() } else { format!("{games} games") }),
                "{text}"
            );
            assert_eq!(
                html.id("board").unwrap().get("data-fen").unwrap().split(' ').next(),
                printed["position"].as_str().unwrap().split(' ').next()
            );
            let best = shown["best_games"].as_array().unwrap();
            assert!(best.iter().all(|id| links(&html).contains(&format!("/game/{id}"))));
        }
    }
    let counts = games_of(&served.json("/openings.json"));
    for of in served.json("/api/v1/report?lines=1000")["families"].as_array().unwrap() {
        let Some(family) = of["family"].as_str() else { continue };
        assert_eq!(Some(&of["games"].as_u64().unwrap()), counts.get(family), "{family}");
    }
    let names = games_of(&served.json("/openings.json?q=sicilian"));
    let found = bench.json(&["games", "--opening", "sicilian defense", "--format", "json", "--limit", "999"]);
    assert_eq!(names["Sicilian Defense"], found.as_array().unwrap().len() as u64);
}

#[test]
fn a_preparation_is_that_of_the_command_line() {
    let (bench, served) = served(&["famous.pgn"]);
    for (own, opponent) in [("white", "capablanca"), ("black", "\"Morphy, Paul\"")] {
        let printed = bench.json(&["prepare", "--against", opponent, "--as", own, "--format", "json"]);
        let query = format!("opponent={}&colour={own}", encoded(opponent));
        assert_eq!(served.json(&format!("/prepare.json?{query}")), printed, "{opponent}");
        let path = format!("/prepare?{query}");
        let html = page(&served, &path);
        assert_is_whole(&html, &path);
        let moves = html.texts(|tag| tag.has_class("t-move"));
        assert!(moves.len() >= printed["lines"].as_array().unwrap().len(), "{moves:?}");
    }
    let none = page(&served, "/prepare?opponent=morphi");
    assert!(text_of(&none.parts).contains("Morphy, Paul"));
    page(&served, "/prepare");
    page(&served, "/prepare?opponent=morphy&colour=white&since=1900");
    assert_eq!(served.get("/prepare?opponent=morphy&colour=green").status, 400);
}

#[test]
fn links_of_a_preparation_and_its_print_keep_the_date() {
    let (_bench, served) = served(&["famous.pgn"]);
    for query in ["opponent=morphy&colour=black&since=1858", "opponent=*&colour=white&since=1900"] {
        let html = page(&served, &format!("/prepare?{query}"));
        let since = query.rsplit('=').next().unwrap();
        let lines: Vec<String> = links(&html).into_iter().filter(|link| link.contains("play=")).collect();
        assert!(!lines.is_empty(), "{query}");
        for link in lines {
            assert!(link.contains(&format!("date={since}..")), "{link}");
        }
        // Forms are not printed.
        let facts = text_of(html.within(|tag| tag.has_class("who-name"))[0]);
        assert!(facts.contains(&format!("since {since}")), "{facts}");
    }
    // The names that a pattern matches are printed.
    let names = page(&served, "/prepare?opponent=*&colour=white");
    assert!(names.named("ul").any(|tag| tag.has_class("ways") && !tag.has_class("prepare")));
}

#[test]
fn a_preparation_says_how_many_games_are_not_shown() {
    let (bench, served) = served(&["famous.pgn"]);
    let query = "opponent=capablanca&colour=white";
    let counted = |language: &str| {
        let html = page(&served, &format!("/prepare?{query}{language}"));
        html.texts(|tag| tag.get("id") == Some("not-shown")).concat()
    };
    let text = bench.ok(&["prepare", "--against", "capablanca", "--as", "white"]);
    let games = text.lines().last().unwrap().split(' ').next().unwrap().to_owned();
    assert!(
        counted("").starts_with(&format!("Not shown: the rarer moves of {games} game")),
        "{text} {}",
        counted("")
    );
    assert!(
        counted("&lang=de").starts_with(&format!("Nicht gezeigt: die selteneren Züge von {games} Partie"))
    );
    // Each game of few is shown if one is enough.
    assert_eq!(counted("&min_games=1"), "");
    let command = ["prepare", "--against", "capablanca", "--as", "white", "--min-games", "1"];
    let printed = bench.json(&[&command[..], &["--format", "json"]].concat());
    assert_eq!(served.json(&format!("/prepare.json?{query}&min_games=1")), printed);
    assert_eq!(served.get(&format!("/prepare?{query}&min_games=x")).status, 400);
}

/// Names that a path, a page or a pattern could misread.
const NAMES: [&str; 14] = [
    "Müller/Schmidt",
    "//double//slash/",
    "A \\\"Nick\\\" B",
    "semi; colon",
    "\\\"a; b\\\"",
    "100% & <b>bold</b>",
    "ends in.json",
    "also.csv",
    "question?x=1#y",
    "..",
    "a/../b",
    "+plus+",
    "Петров, Иван",
    "*",
];

#[test]
fn any_name_has_a_page_and_its_data() {
    let bench = Bench::new();
    let game = |name: &&str| {
        format!(
            "[Event \"{name}\"]\n[White \"{name}\"]\n[Black \"Other\"]\n[Date \"2001.01.01\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    fs::write(bench.path("a.pgn"), NAMES.iter().map(game).collect::<String>()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    for name in NAMES {
        let name = name.replace("\\\"", "\"");
        for kind in ["player", "event"] {
            let list = page(&served, &format!("/{kind}s"));
            let link = list.named("a").find(|tag| tag.get("title") == Some(name.as_str()));
            let link = link
                .and_then(|tag| tag.get("href"))
                .unwrap_or_else(|| panic!("{name} is not listed"))
                .to_owned();
            let html = page(&served, &link);
            assert_is_whole(&html, &link);
            if name == ".." {
                assert!(link.starts_with("/games?"), "{link}");
                continue;
            }
            let head = html.texts(|tag| tag.name == "h1").concat();
            assert!(head.contains(name.trim()), "{name}: {head}");
            let shown = served.json(&format!("{link}.json"));
            let games = if kind == "player" { &shown["games"] } else { &shown["events"][0]["games"] };
            assert_eq!(*games, 1, "{kind} {name}");
            assert!(served.get(&format!("{link}.csv")).text().lines().count() > 1, "{name}");
        }
    }
    // A path that is not encoded means the same.
    page(&served, "/player/M%C3%BCller/Schmidt");
    assert_eq!(served.get("/player/%ff%fe").status, 400);
    assert_eq!(served.get("/player/").status, 404);
}

#[test]
fn an_unknown_name_leads_to_similar_ones() {
    let (_bench, served) = served(&["famous.pgn"]);
    for (path, similar) in [
        ("/player/Morphi,%20Paul", "/player/Morphy%2C%20Paul"),
        ("/event/New%20Yrok", "/event/New%20York"),
        ("/opening/Sicilan%20Defense", "/opening/Sicilian%20Defense"),
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}");
        let html = html(&reply);
        assert_is_whole(&html, path);
        assert!(links(&html).contains(&similar.to_owned()), "{path}: {:?}", links(&html));
        let data = served.get(&format!("{path}.json"));
        assert_eq!((data.status, data.header("content-type")), (404, Some("application/json")), "{path}");
    }
    assert!(text_of(&html(&served.get("/player/Morphi")).parts).contains("Morphy, Paul 4 games"));
    // A name that is only part of one is a pattern, as in a search.
    assert!(text_of(&page(&served, "/player/capablanca").parts).contains("Capablanca, José Raúl"));
}

#[test]
fn a_refused_request_for_data_is_not_answered_with_a_page() {
    let (_bench, served) = served(&["famous.pgn"]);
    for (path, name, value) in [("/prepare", "colour", "green"), ("/event/New%20York", "year", "x")] {
        let of = |ending: &str| served.get(&format!("{path}{ending}?{name}={value}"));
        let (page, json) = (of(""), of(".json"));
        assert_eq!(
            (page.status, page.header("content-type")),
            (400, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert_eq!((json.status, json.header("content-type")), (400, Some("application/json")), "{path}");
        let refused: Value = serde_json::from_str(&json.text()).unwrap();
        assert!(refused["error"].as_str().unwrap().contains(&format!("{name}: ")), "{refused}");
    }
    let csv = served.get("/event/New%20York.csv?year=x");
    assert_eq!((csv.status, csv.header("content-type")), (400, Some("text/plain; charset=utf-8")));
}

#[test]
fn reports_on_one_name_lead_to_its_page() {
    let (_bench, served) = served(&["famous.pgn"]);
    for (path, to) in [
        ("/report?player=morphy", "/player/morphy"),
        ("/report?player=%22Morphy%2C+Paul%22&lang=de", "/player/Morphy%2C%20Paul?lang=de"),
        ("/report?event=New+York", "/event/New%20York"),
        ("/report?lang=en&event=a%2Fb", "/event/a%2Fb?lang=en"),
    ] {
        let reply = served.get(path);
        assert_eq!((reply.status, reply.header("location")), (303, Some(to)), "{path}");
    }
    for path in ["/report", "/report?lang=de", "/report?player=morphy&colour=white", "/report?date=1850.."] {
        page(&served, path);
    }
}

#[test]
fn other_sites_may_link_to_these_pages() {
    let (_bench, served) = served(&["famous.pgn"]);
    let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    for path in [
        "/players",
        "/events",
        "/openings",
        "/prepare",
        "/player/morphy",
        "/event/New%20York",
        "/opening/najdorf",
    ] {
        assert_eq!(served.get_with(path, visit).status, 200, "{path}");
    }
}
