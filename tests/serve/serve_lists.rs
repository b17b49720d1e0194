//! The page of a list of games: choosing games, a player's score, and ways out of an empty list.
#![cfg(feature = "web")]

use std::collections::BTreeSet;

use crate::common::{
    Bench, data,
    html::{Html, Tag},
    server::Served,
};

fn served() -> (Bench, Served) {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    (bench, served)
}

fn page(served: &Served, path: &str) -> Html {
    let reply = served.get(path);
    assert_eq!(reply.status, 200, "{path}");
    Html::new(&reply.text())
}

/// The ids of the games that match options of the command line.
fn listed(bench: &Bench, arguments: &[&str]) -> Vec<String> {
    let listed = bench.run(&[&["games", "--format", "ids"], arguments].concat());
    String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn chosen_games_are_downloaded_and_explored() {
    let (bench, served) = served();
    let html = page(&served, "/games?player=morphy");
    let is_form = |tag: &&Tag| tag.get("action") == Some("/api/v1/export");
    assert!(html.named("form").any(|tag| is_form(&tag)));
    assert!(html.named("button").any(|tag| tag.get("formaction") == Some("/explorer")));
    let ids: Vec<&str> = html
        .named("input")
        .filter(|tag| tag.get("type") == Some("checkbox") && tag.get("name") == Some("id"))
        .filter_map(|tag| tag.get("value"))
        .collect();
    assert_eq!(ids, listed(&bench, &["--player", "morphy"]));
    let chosen = [ids[0], ids[ids.len() - 1]];
    // A form sends each tick box; a link names several ids at once.
    for query in
        [format!("id={}&id={}", chosen[0], chosen[1]), format!("id={},{}&lang=de", chosen[0], chosen[1])]
    {
        let games = served.get(&format!("/api/v1/export?{query}"));
        assert_eq!(games.status, 200, "{query}");
        let expected = bench.ok(&["export", "--id", &chosen.join(",")]);
        assert_eq!(games.text(), expected, "{query}");
        let explored = page(&served, &format!("/explorer?{query}"));
        assert_eq!(explored.id("state").unwrap().get("data-games"), Some("2"), "{query}");
        assert!(page(&served, &format!("/games?{query}")).text("total").starts_with("2 "), "{query}");
    }
}

#[test]
fn the_score_of_a_selected_player_is_that_of_the_report() {
    let (_bench, served) = served();
    for (query, report) in [
        ("player=morphy", "player=morphy"),
        ("player=morphy&colour=black", "player=morphy&colour=black"),
        ("white=morphy", "player=morphy&colour=white"),
        ("player=fischer&result=won", "player=fischer&result=won"),
    ] {
        let expected = served.json(&format!("/api/v1/report?{report}"))["total"]["percent"].as_f64().unwrap();
        let html = page(&served, &format!("/games?{query}"));
        let shown = html.texts(|tag| tag.has_class("sum")).concat();
        assert!(shown.contains(&format!("scores {expected:.1}%")), "{query}: {shown}");
    }
    for query in ["", "event=match", "player=morphy&white=morphy", "player=nobody"] {
        assert_eq!(
            page(&served, &format!("/games?{query}")).texts(|tag| tag.has_class("sum")).len(),
            0,
            "{query}"
        );
    }
}

#[test]
fn an_empty_list_says_how_many_games_there_are_without_each_filter() {
    let (bench, served) = served();
    let html = page(&served, "/games?player=morphy&date=1950..&result=1-0");
    assert_eq!(html.text("total"), "No games");
    let ways: BTreeSet<String> =
        html.texts(|tag| tag.name == "li").into_iter().filter(|text| text.starts_with("without")).collect();
    let count = |arguments: &[&str]| listed(&bench, arguments).len();
    let without_player = count(&["--date", "1950..", "--result", "1-0"]);
    let without_date = count(&["--player", "morphy", "--result", "1-0"]);
    let expected = [
        format!("without Player: morphy {without_player} games"),
        format!("without Date: 1950– {without_date} games"),
    ];
    assert_eq!(ways, expected.into());
    // An unknown name is told, and the form keeps it.
    let html = page(&served, "/games?player=Morfy");
    assert!(html.texts(|tag| tag.name == "h3").contains(&"No player is called “Morfy”".to_owned()));
    assert!(html.named("input").any(|tag| tag.get("value") == Some("Morfy")));
    assert!(html.named("a").any(|tag| tag.get("href").is_some_and(|href| href.contains("player=%22Morphy"))));
}

#[test]
fn the_ends_of_a_range_are_one_condition() {
    let (bench, served) = served();
    for (query, arguments) in [
        ("date_from=1850&date_to=1860", &["--date", "1850..1860"][..]),
        ("date_from=1950&date_to=", &["--date", "1950.."]),
        ("date_from=&date_to=1800", &["--date", "..1800"]),
        ("date_from=1858&date_to=1858", &["--date", "1858"]),
    ] {
        // The form leads to the URL with one parameter.
        let sent = served.get(&format!("/games?player=&{query}"));
        let joined = format!("/games?date={}", arguments[1]);
        assert_eq!((sent.status, sent.header("location")), (303, Some(joined.as_str())), "{query}");
        let html = page(&served, &joined);
        let games = listed(&bench, arguments).len();
        assert!(games > 0 && html.text("total").starts_with(&format!("{games} game")), "{query}");
        for (name, value) in query.split('&').map(|pair| pair.split_once('=').unwrap()) {
            let field = html.named("input").find(|tag| tag.get("name") == Some(name)).unwrap();
            assert_eq!(field.get("value"), Some(value), "{query}");
        }
        // Links have it as one parameter.
        let next = html.named("a").filter_map(|tag| tag.get("href")).find(|href| href.contains("sort=white"));
        assert!(next.is_some_and(|href| !href.contains("date_from=") && !href.contains("_to=")), "{query}");
    }
    for (sent, joined) in [
        ("/games?date_from=&date_to=&date=1858", "/games?date=1858"),
        ("/explorer?play=e2e4&elo_from=2400&elo_to=", "/explorer?play=e2e4&elo=2400.."),
        ("/report?elo_to=2400&date_from=1900", "/report?date=1900..&elo=..2400"),
    ] {
        assert_eq!(served.get(sent).header("location"), Some(joined));
    }
    assert_eq!(served.get("/games?date=x").status, 400);
}

#[test]
fn columns_without_values_are_not_shown() {
    let bench = Bench::new();
    std::fs::write(bench.path("a.pgn"), "[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n").unwrap();
    std::fs::write(bench.path("b.pgn"), "[Event \"Lucena\"]\n[Date \"2000.??.??\"]\n\n1. e4 *\n").unwrap();
    bench.import(&["a.pgn"]);
    let heads = |served: &Served| {
        page(served, "/games").texts(|tag| tag.name == "th" && tag.get("scope") == Some("col"))
    };
    let served = Served::new(&bench, &[]);
    assert_eq!(heads(&served)[1..], ["Result", "White", "Black", "Opening", "Moves"]);
    drop(served);
    bench.import(&["b.pgn"]);
    let served = Served::new(&bench, &[]);
    assert_eq!(heads(&served)[1..], ["Result", "White", "Black", "Opening", "Event", "Moves", "Date"]);
    // A study has its event in place of the players.
    let study =
        page(&served, "/games").rows("games").into_iter().find(|row| row.contains(&"2000".to_owned()));
    assert_eq!(study.unwrap()[1..4], ["*", "Lucena", ""]);
}

/// The number at the start of a text: `1,277 games`.
fn number(text: &str) -> usize {
    let digits = text.chars().take_while(|c| c.is_ascii_digit() || *c == ',');
    digits.filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or_else(|_| panic!("{text:?}"))
}

#[test]
fn the_start_position_lists_the_games_that_it_counts_and_links_to_the_others() {
    let bench = Bench::new();
    let files = ["famous.pgn", "setup.pgn", "chess960.pgn"].map(|name| data(name).display().to_string());
    bench.import(&files.each_ref().map(String::as_str));
    let served = Served::new(&bench, &[]);
    for query in ["", "?player=fischer", "?result=1-0,0-1", "?variant=chess960", "?variant=standard"] {
        let html = page(&served, &format!("/explorer{query}"));
        let (header, all) = (html.text("summary"), html.text("all-games"));
        assert_eq!(number(&header), number(all.strip_prefix("All ").unwrap()), "{query}: {header}");
        let link = |id: &str| {
            let parts = html.within(|tag| tag.get("id") == Some(id)).into_iter().next().unwrap();
            let parts = Html { parts: parts.to_vec() };
            parts.named("a").filter_map(|tag| tag.get("href")).map(str::to_owned).collect::<Vec<_>>()
        };
        let all = html.id("all-games").unwrap().get("href").unwrap();
        assert_eq!(number(&page(&served, all).text("total").replace("No", "0")), number(&header), "{query}");
        // The header names the games of its filters that it does not count, with a list of each.
        let (named, links) =
            (header.split_once("not here: ").map_or("", |(_, named)| named), link("summary"));
        let texts: Vec<&str> = named.split(", ").filter(|text| !text.is_empty()).collect();
        assert_eq!(texts.len(), links.len(), "{query}: {header}");
        for (text, link) in texts.iter().zip(&links) {
            assert_eq!(number(text), number(&page(&served, link).text("total")), "{query}: {text}");
        }
        let listed = page(&served, &format!("/games{query}")).text("total");
        let sum = number(&header) + texts.iter().map(|text| number(text)).sum::<usize>();
        assert_eq!(sum, number(&listed), "{query}: {header}");
        assert_eq!(texts.is_empty(), query == "?player=fischer", "{query}: {header}");
    }
}

#[test]
fn the_total_of_a_list_counts_the_rows_that_its_pages_lead_to() {
    let bench = Bench::new();
    let game = |n: usize| format!("[White \"Steinitz\"]\n[Black \"Sparring, {n}\"]\n\n1. e4 *\n\n");
    std::fs::write(bench.path("a.pgn"), (0..250).map(game).collect::<String>()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let html = page(&served, "/players?q=s&page=3");
    let total = html.texts(|tag| tag.has_class("who-name")).concat();
    assert!(total.ends_with("251"), "{total}");
    assert_eq!(html.texts(|tag| tag.name == "th" && tag.has_class("name")).len(), 51);
    assert_eq!(served.json("/players.json?q=s").as_array().unwrap().len(), 251);
    // The names that fit best come first, then those with most games.
    assert_eq!(served.json("/players.json?q=steinitz")[0]["name"], "Steinitz");
    assert_eq!(served.json("/players.json?q=stienitz")[0]["name"], "Steinitz");
    let more = page(&served, "/player/Steinitz").texts(|tag| tag.name == "summary");
    assert!(more.contains(&"Show all (200 of 250)".to_owned()), "{more:?}");
}
