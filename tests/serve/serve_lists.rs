//! The page of a list of games: choosing games, a player's score, and ways out of an empty list.
#![cfg(feature = "web")]

use std::collections::BTreeSet;

use crate::common::{
    Bench, data,
    html::{Html, Tag, text_of},
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
    assert_eq!(ids, listed(&bench, &["--player", "morphy", "--sort", "date", "--desc"]));
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
    // The quotes of an exact name are not part of it.
    let html = page(&served, "/games?event=%22Nowhere%201999%22");
    assert!(html.texts(|tag| tag.name == "h3").contains(&"No event is called “Nowhere 1999”".to_owned()));
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
    assert_eq!(heads(&served)[1..], ["Result", "White", "Black", "Opening", "Event", "Moves", "Date ▾"]);
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
    for query in ["", "?player=fischer", "?result=1-0", "?variant=chess960", "?variant=standard"] {
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
    assert_eq!(html.text("page-number"), "Page 3 of 3");
    assert_eq!(served.json("/players.json?q=s").as_array().unwrap().len(), 251);
    // The names that fit best come first, then those with most games.
    assert_eq!(served.json("/players.json?q=steinitz")[0]["name"], "Steinitz");
    assert_eq!(served.json("/players.json?q=stienitz")[0]["name"], "Steinitz");
    let more = page(&served, "/player/Steinitz").texts(|tag| tag.name == "summary");
    assert!(more.contains(&"Show all (200 of 250)".to_owned()), "{more:?}");
}

/// The ids of the games of a page, in its order.
fn ids(html: &Html) -> Vec<String> {
    let boxes = html.named("input").filter(|tag| tag.get("name") == Some("id"));
    boxes.filter_map(|tag| tag.get("value")).map(str::to_owned).collect()
}

/// An archive with a game of each day of some months; every third one has no date.
fn dated() -> (Bench, Served) {
    let bench = Bench::new();
    let game = |n: usize| {
        let date = if n.is_multiple_of(3) {
            "????.??.??".to_owned()
        } else {
            format!("2001.{:02}.{:02}", n / 28 + 1, n % 28 + 1)
        };
        format!("[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Round \"{n}\"]\n\n1. e4 *\n\n")
    };
    std::fs::write(bench.path("a.pgn"), (0..180).map(game).collect::<String>()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

#[test]
fn the_page_lists_the_newest_games_first_with_and_without_an_index_and_its_data_keeps_the_order() {
    let (bench, served) = dated();
    let first: Vec<String> = listed(&bench, &["--sort", "date", "--desc"]).into_iter().take(50).collect();
    let html = page(&served, "/games");
    assert_eq!(ids(&html), first);
    let sorted = html.named("th").filter(|tag| tag.get("aria-sort").is_some());
    assert_eq!(sorted.map(|tag| tag.get("aria-sort")).collect::<Vec<_>>(), [Some("descending")]);
    assert_eq!(served.json("/api/v1/games")["games"][0]["id"], 1);
    drop(served);
    bench.ok(&["index", "-q"]);
    let served = Served::new(&bench, &[]);
    for (query, order) in [
        ("", &["--sort", "date", "--desc"][..]),
        ("?sort=date", &["--sort", "date"]),
        ("?sort=elo&desc=yes", &["--sort", "elo", "--desc"]),
        ("?sort=result", &["--sort", "result"]),
        ("?sort=id", &[]),
    ] {
        let listed: Vec<String> = listed(&bench, order).into_iter().take(50).collect();
        assert_eq!(ids(&page(&served, &format!("/games{query}"))), listed, "{query}");
    }
    // The way from a game to the next one is that of the list.
    let game = page(&served, &format!("/game/{}?in=games", first[1]));
    let to = |id: &str| {
        game.named("a")
            .any(|tag| tag.get("href").is_some_and(|href| href.starts_with(&format!("/game/{id}?"))))
    };
    assert!(to(&first[0]) && to(&first[2]));
}

#[test]
fn pages_of_a_list_lead_forwards_and_back_and_have_numbers() {
    let (_bench, served) = dated();
    for query in ["", "?sort=id", "?sort=white", "?player=A&sort=date"] {
        let mut path = format!("/games{query}");
        let follow = |html: &Html, rel: &str| {
            let link = html.named("a").find(|tag| tag.get("rel") == Some(rel));
            link.and_then(|tag| tag.get("href")).map(str::to_owned)
        };
        let mut pages = Vec::new();
        loop {
            let html = page(&served, &path);
            assert_eq!(html.text("page-number"), format!("Page {} of 4", pages.len() + 1), "{path}");
            pages.push(ids(&html));
            match follow(&html, "next") {
                Some(next) => path = next,
                None => break,
            }
        }
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [50, 50, 50, 30], "{query}");
        for expected in pages.iter().rev().skip(1) {
            path = follow(&page(&served, &path), "prev").unwrap();
            assert_eq!(&ids(&page(&served, &path)), expected, "{path}");
        }
        assert_eq!(follow(&page(&served, &path), "prev"), None, "{path}");
    }
}

#[test]
fn every_column_sorts_and_the_form_has_won_and_lost() {
    let (_bench, served) = served();
    let html = page(&served, "/games?player=fischer");
    for head in html.within(|tag| tag.name == "th" && tag.get("scope") == Some("col")).iter().skip(1) {
        let head = Html { parts: head.to_vec() };
        let link = head.named("a").next().and_then(|tag| tag.get("href")).unwrap();
        assert!(link.contains("sort="), "{link}");
        assert!(page(&served, link).named("th").any(|tag| tag.get("aria-sort").is_some()), "{link}");
    }
    let results = html.named("input").filter(|tag| tag.get("name") == Some("result"));
    let results: Vec<_> = results.filter_map(|tag| tag.get("value")).collect();
    assert_eq!(results, ["", "1-0", "1/2-1/2", "0-1", "*", "won", "lost"]);
}

#[test]
fn studies_without_names_show_what_distinguishes_them() {
    let bench = Bench::new();
    let game = |event: &str, round: &str| format!("[Event \"{event}\"]\n[Round \"{round}\"]\n\n1. e4 *\n\n");
    let games = [
        game("Mates: Puzzle 6", "?"),
        game("Mates: Puzzle 7", "?"),
        game("Endings", "3"),
        game("Endings", "?"),
    ];
    std::fs::write(bench.path("a.pgn"), games.concat()).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    let rows = page(&served, "/games").rows("games");
    let names: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
    assert_eq!(names, ["Puzzle 6", "Puzzle 7", "Endings, 3", "Endings"], "{rows:?}");
}

#[test]
fn a_refused_filter_keeps_the_form_and_marks_its_field() {
    let (_bench, served) = served();
    for (query, field, kept) in [
        ("player=morphy&date=x", "date_from", "morphy"),
        ("player=morphy&elo=x", "elo_from", "morphy"),
        ("opening=nonsense&player=morphy", "opening", "morphy"),
        ("material=KX&player=morphy", "material", "morphy"),
    ] {
        let reply = served.get(&format!("/games?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        let html = Html::new(&reply.text());
        let marked = html.tags().filter(|tag| tag.get("aria-invalid") == Some("true"));
        let marked: Vec<_> = marked.filter_map(|tag| tag.get("name")).collect();
        assert!(
            marked.contains(&field) && marked.iter().all(|name| name[..3] == field[..3]),
            "{query}: {marked:?}"
        );
        assert!(!html.text("notice").is_empty());
        assert!(html.named("input").any(|tag| tag.get("value") == Some(kept)), "{query}");
    }
    let won = Html::new(&served.get("/games?result=won").text());
    assert!(won.named("fieldset").any(|tag| tag.get("aria-invalid").is_some()));
}

#[test]
fn the_opening_of_the_form_takes_moves() {
    let (bench, served) = served();
    let sent = served.get("/games?opening=1.+e4+c5&player=");
    assert_eq!((sent.status, sent.header("location")), (303, Some("/games?play=e2e4,c7c5")));
    let games = listed(&bench, &["--position", "1. e4 c5"]).len();
    assert!(page(&served, "/games?play=e2e4,c7c5").text("total").starts_with(&format!("{games} game")));
    // Names and codes stay openings, and so does what is neither.
    for (query, status) in [
        ("opening=sicilian", 200),
        ("opening=B90", 200),
        ("opening=1.+e5", 400),
        ("opening=1.+e4&play=d2d4", 400),
    ] {
        assert_eq!(served.get(&format!("/games?{query}")).status, status, "{query}");
    }
}

#[test]
fn pages_show_names_with_a_space_and_dates_in_one_form_and_links_and_data_keep_them() {
    let bench = Bench::new();
    let tags =
        "[Event \"Open,rapid\"]\n[White \"Carlsen,M\"]\n[Black \"Caruana,F\"]\n[Date \"2018.11.??\"]\n";
    std::fs::write(bench.path("a.pgn"), format!("{tags}\n1. e4 e5 *\n")).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    for path in ["/", "/explorer", "/games", "/players", "/player/Carlsen,M", "/prepare?opponent=caruana"] {
        let html = page(&served, path);
        let text = text_of(&html.parts);
        assert!(text.contains("Carlsen, M") || text.contains("Caruana, F"), "{path}: {text}");
        assert!(!text.contains("Carlsen,M") && !text.contains("Caruana,F"), "{path}: {text}");
        assert!(!text.contains("2018.11"), "{path}: {text}");
    }
    // A game has its tags as they are.
    let game = page(&served, "/game/1");
    assert!(game.texts(|tag| tag.name == "h1").concat().contains("Carlsen, M – Caruana, F"));
    assert!(game.texts(|tag| tag.name == "dd").contains(&"Carlsen,M".to_owned()));
    assert!(text_of(&page(&served, "/event/Open,rapid").parts).contains("Open,rapid"));
    let links: Vec<_> =
        page(&served, "/games").named("a").filter_map(|tag| tag.get("href")).map(str::to_owned).collect();
    assert!(links.contains(&"/player/Carlsen%2CM".to_owned()), "{links:?}");
    assert_eq!(served.json("/players.json")[0]["name"], "Carlsen,M");
    assert!(served.get("/api/v1/export").text().contains("[White \"Carlsen,M\"]"));
}
