//! Curves, histograms, performances and standings show figures that say something.
#![cfg(feature = "web")]

use super::serve_pages::page;
use crate::common::{Bench, html::Html, server::Served};

/// A game of an event.
#[derive(Clone, Copy)]
struct Played {
    white: &'static str,
    black: &'static str,
    result: &'static str,
    year: u16,
    round: usize,
    moves: &'static str,
}

fn served(games: &[Played]) -> (Bench, Served) {
    let bench = Bench::new();
    let text = |game: &Played| {
        let Played { white, black, result, year, round, moves } = game;
        format!(
            "[Event \"Club\"]\n[Site \"Town\"]\n[Date \"{year}.??.??\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"{result}\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n{moves} {result}\n\n"
        )
    };
    std::fs::write(bench.path("a.pgn"), games.iter().map(text).collect::<String>()).unwrap();
    bench.import(&["a.pgn", "--index"]);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

/// An old game, and fifty of each year from 1996 to 2003, which Anna wins with both colours.
fn of_many_years() -> (Bench, Served) {
    let game = |year: u16, number: usize| {
        let has_white = number.is_multiple_of(2);
        Played {
            white: if has_white { "Anna" } else { "Ben" },
            black: if has_white { "Ben" } else { "Anna" },
            result: if has_white { "1-0" } else { "0-1" },
            year,
            round: number,
            moves: if number.is_multiple_of(5) { "1. d4 d5" } else { "1. e4 e5" },
        }
    };
    let years = (1996..2004).flat_map(|year| (0..50).map(move |number| game(year, number)));
    served(&[vec![game(1800, 0)], years.collect()].concat())
}

fn trend(html: &Html) -> String {
    html.texts(|tag| tag.get("id") == Some("trend")).concat()
}

#[test]
fn the_explorer_draws_games_where_all_have_the_position_and_shares_elsewhere() {
    let (_bench, served) = of_many_years();
    let start = trend(&page(&served, "/explorer"));
    assert!(start.contains("Games") && start.contains("White’s score") && !start.contains("1800"), "{start}");
    let later = trend(&page(&served, "/explorer?play=e2e4"));
    assert!(later.contains("Share of all games") && !later.contains("1800"), "{later}");
}

#[test]
fn the_curve_of_a_player_is_the_players_score() {
    let (_bench, served) = of_many_years();
    for (query, level) in
        [("player=anna", "100%"), ("player=anna&colour=black", "100%"), ("player=ben", "0%"), ("", "50%")]
    {
        let html = page(&served, &format!("/explorer?{query}"));
        let of_player = query.contains("player");
        assert_eq!(trend(&html).contains("White’s score"), !of_player, "{query}");
        // The line is straight: at its level is a label of the axis.
        let line = html.tags().filter(|tag| tag.name == "path" && tag.has_class("second")).last().unwrap();
        let height = |text: &str| text.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
        let path = line.get("d").unwrap();
        assert!(path.contains('L'), "{path}");
        let labels = html.tags().filter(|tag| tag.name == "text" && tag.get("text-anchor") == Some("end"));
        let heights: Vec<f64> = labels.map(|tag| tag.get("y").unwrap().parse().unwrap()).collect();
        let texts = html.texts(|tag| tag.name == "text" && tag.get("text-anchor") == Some("end"));
        let texts = texts.iter().map(|text| text.replace('\u{a0}', ""));
        let labels: Vec<(String, f64)> = texts.zip(heights).collect();
        let at = labels.iter().rev().find(|(text, _)| text == level);
        let at = at.unwrap_or_else(|| panic!("{query}: {level}: {labels:?}")).1;
        assert!(path.split('L').all(|point| (height(point) + 4.0 - at).abs() < 0.11), "{query}: {path} {at}");
    }
}

#[test]
fn years_begin_where_most_games_do_and_offer_the_latest_decades() {
    let (_bench, served) = of_many_years();
    let html = page(&served, "/explorer");
    let histogram = html.tags().find(|tag| tag.has_class("hist")).unwrap();
    assert_eq!(histogram.get("viewbox").or(histogram.get("viewBox")), Some("0 0 8 30"));
    let since = html.named("a").find(|tag| tag.get("href") == Some("/explorer?date=2000..")).unwrap();
    assert!(since.has_class("btn"));
    assert!(page(&served, "/explorer?date=2000..").text("summary").starts_with("200 games"));
}

#[test]
fn a_performance_is_shown_only_where_it_says_something() {
    let game = |round: usize, result| Played {
        white: "Anna",
        black: ["Ben", "Cleo", "Dora"][round % 3],
        result,
        year: 2001,
        round,
        moves: "1. e4",
    };
    let results = |of: &[&'static str]| {
        of.iter().enumerate().map(|(round, result)| game(round, *result)).collect::<Vec<_>>()
    };
    for (games, is_shown) in [
        (results(&["1-0"; 6]), false),
        (results(&["1-0", "0-1", "1-0", "0-1"]), false),
        (results(&["1-0", "0-1", "1-0", "0-1", "1-0"]), true),
    ] {
        let (_bench, served) = served(&games);
        let rows = page(&served, "/player/Anna").texts(|tag| tag.name == "tr");
        let all = rows.iter().find(|row| row.starts_with("All games")).unwrap();
        let performance = served.json("/player/Anna.json")["total"]["performance"].as_i64().unwrap();
        assert_eq!(all.contains(&performance.to_string()), is_shown, "{all}: {performance}");
    }
}

#[test]
fn an_event_shows_the_standing_after_a_round_and_says_if_games_are_missing() {
    let game =
        |round, white, black, result| Played { white, black, result, year: 2001, round, moves: "1. e4" };
    let mut games = vec![
        game(1, "Anna", "Ben", "1-0"),
        game(1, "Cleo", "Dora", "1-0"),
        game(2, "Ben", "Cleo", "1-0"),
        game(2, "Dora", "Anna", "1-0"),
        game(3, "Anna", "Cleo", "0-1"),
        game(3, "Ben", "Dora", "1-0"),
    ];
    let places = |html: &Html| {
        let table = html.within(|tag| tag.has_class("crosstable")).into_iter().next().unwrap().to_vec();
        let rows = Html { parts: table }.texts(|tag| tag.name == "th" && tag.has_class("name"));
        // The points follow the name on a phone.
        rows.iter()
            .map(|row| row.trim_end_matches(|c: char| !c.is_alphabetic()).to_owned())
            .collect::<Vec<_>>()
    };
    let (_bench, complete) = served(&games);
    let last = page(&complete, "/event/Club");
    assert!(last.texts(|tag| tag.name == "h2").contains(&"Crosstable".to_owned()));
    assert!(last.texts(|tag| tag.has_class("key")).contains(&"White Black".to_owned()));
    assert!(last.texts(|tag| tag.has_class("who-name")).concat().ends_with("6 games"));
    assert_eq!(places(&last), ["Ben", "Cleo", "Anna", "Dora"]);
    let first = page(&complete, "/event/Club?round=1");
    assert!(first.texts(|tag| tag.name == "h2").contains(&"Crosstable after round 1".to_owned()));
    assert_eq!(places(&first), ["Anna", "Cleo", "Ben", "Dora"]);
    games.pop();
    let (_bench, cut) = served(&games);
    let about = page(&cut, "/event/Club").texts(|tag| tag.has_class("who-name")).concat();
    assert!(about.ends_with("5 games in this archive"), "{about}");
}

#[test]
fn openings_and_opponents_of_fewer_than_five_games_come_after_the_others_by_score() {
    let game = |number: usize, black: &'static str, result: &'static str, moves: &'static str| Played {
        white: "Anna",
        black,
        result,
        year: 2000,
        round: number,
        moves,
    };
    let mut games: Vec<Played> = (0..6)
        .map(|number| game(number, "Ben", if number < 3 { "1-0" } else { "0-1" }, "1. e4 c5"))
        .collect();
    games.extend((6..11).map(|number| game(number, "Eva", "1/2-1/2", "1. e4 e6")));
    games.extend([game(11, "Cleo", "1-0", "1. d4 d5"), game(12, "Dora", "0-1", "1. c4 e5")]);
    let (_bench, served) = served(&games);
    for (query, id, few) in [
        ("openings=score&openings_desc=yes", "openings-white", ["Queen", "English"]),
        ("openings=score", "openings-white", ["English", "Queen"]),
        ("sort=score&desc=yes", "opponents", ["Cleo", "Dora"]),
        ("sort=score", "opponents", ["Dora", "Cleo"]),
    ] {
        let html = page(&served, &format!("/player/Anna?{query}"));
        let text = html.texts(|tag| tag.get("id") == Some(id)).concat();
        let first = if id == "opponents" { "Ben" } else { "Sicilian" };
        let places = [first, few[0], few[1]].map(|name| text.find(name).unwrap_or_else(|| panic!("{text}")));
        assert!(places.is_sorted(), "{query}: {text}");
    }
}
