//! Lists of names, openings and opponents are sorted by any of their columns, and their data in the same order.
#![cfg(feature = "web")]

use serde_json::Value;

use super::serve_pages::{page, served};
use crate::common::{html::Html, server::Served};

/// The texts of a column of the list on a page.
fn column(html: &Html, table: &str, place: usize) -> Vec<String> {
    html.rows(table).into_iter().map(|mut row| row.swap_remove(place)).collect()
}

/// The links of the headings of a table, each with how the table is sorted by it.
fn heads(html: &Html, table: &str) -> Vec<(String, Option<String>)> {
    let table = html.within(|tag| tag.get("id") == Some(table));
    let table = Html { parts: table.into_iter().next().unwrap().to_vec() };
    let table = Html { parts: table.within(|tag| tag.name == "thead").into_iter().next().unwrap().to_vec() };
    let heads = table.named("th").map(|tag| tag.get("aria-sort").map(str::to_owned));
    table.named("a").map(|tag| tag.get("href").unwrap().to_owned()).zip(heads).collect()
}

/// The values of a field of the data, in the order of the page that a link leads to.
fn data(served: &Served, link: &str, list: &str, field: &str) -> Vec<Value> {
    let (path, query) = link.split_once('?').unwrap();
    let data = served.json(&format!("{path}.json?{query}"));
    let rows = if list.is_empty() { &data } else { &data[list] };
    rows.as_array().unwrap().iter().map(|of| of[field].clone()).collect()
}

fn numbers(values: &[Value]) -> Vec<u64> {
    values.iter().map(|value| value.as_u64().unwrap_or_default()).collect()
}

#[test]
fn every_column_of_a_list_of_names_sorts_and_is_marked() {
    let (_bench, served) = served(&["famous.pgn", "annotated.pgn"]);
    for (path, fields) in [
        ("/players", &["name", "games", "last_year"][..]),
        ("/events", &["name", "games", "last_year"]),
        ("/openings", &["eco", "name", "games", "", "", "last_year"]),
    ] {
        let html = page(&served, path);
        let first = heads(&html, "names");
        assert_eq!(first.len(), fields.len(), "{path}");
        let marked: Vec<&str> = first.iter().filter_map(|(_, sorted)| sorted.as_deref()).collect();
        assert_eq!(marked, ["descending"], "{path}");
        for ((link, _), field) in first.iter().zip(fields) {
            let sorted = heads(&page(&served, link), "names");
            let again =
                sorted.iter().find(|(_, sorted)| sorted.is_some()).unwrap_or_else(|| panic!("{link}"));
            for link in [link, &again.0] {
                let is_falling = link.contains("desc=yes");
                if !matches!(*field, "games" | "last_year") {
                    continue;
                }
                let values = numbers(&data(&served, link, "", field));
                assert!(values.len() > 3, "{link}");
                assert!(
                    values.is_sorted_by(|a, b| if is_falling { a >= b } else { a <= b }),
                    "{link}: {values:?}"
                );
            }
        }
    }
    let names = column(&page(&served, "/players?sort=name"), "names", 0);
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert!(names.len() > 9 && lower[..9].is_sorted(), "{names:?}");
    let wrong = served.get("/players?sort=x");
    assert_eq!(wrong.status, 400);
    // The best fits come first, which is the order of no column.
    assert!(heads(&page(&served, "/players?q=m"), "names").iter().all(|(_, sorted)| sorted.is_none()));
}

#[test]
fn equal_rows_keep_their_order_in_both_directions() {
    let (_bench, served) = served(&["famous.pgn"]);
    let usual = served.json("/players.json");
    let usual: Vec<(u64, &str)> = usual
        .as_array()
        .unwrap()
        .iter()
        .map(|of| (of["last_year"].as_u64().unwrap_or_default(), of["name"].as_str().unwrap()))
        .collect();
    for (query, is_falling) in [("?sort=year", false), ("?sort=year&desc=yes", true)] {
        let mut expected = usual.clone();
        expected.sort_by_key(|(year, _)| if is_falling { u64::MAX - year } else { *year });
        let names: Vec<&str> = expected.iter().map(|(_, name)| *name).collect();
        assert_eq!(data(&served, &format!("/players{query}"), "", "name"), names, "{query}");
    }
}

#[test]
fn the_opponents_of_a_player_sort_by_name_games_score_and_year() {
    let (_bench, served) = served(&["famous.pgn"]);
    let html = page(&served, "/player/Morphy%2C%20Paul");
    let links = heads(&html, "opponents");
    assert_eq!(links.len(), 5);
    for (link, place, first) in
        [(&links[0].0, 0, "Anderssen, Adolf"), (&links[1].0, 1, "1"), (&links[3].0, 3, "100.0%")]
    {
        assert!(link.ends_with("#opponents"), "{link}");
        let html = page(&served, link.trim_end_matches("#opponents"));
        let marked: Vec<_> =
            heads(&html, "opponents").into_iter().filter(|(_, sorted)| sorted.is_some()).collect();
        assert!(!marked.is_empty(), "{link}");
        assert_eq!(column(&html, "opponents", place)[0], first, "{link}");
    }
    assert_eq!(served.get("/player/Morphy%2C%20Paul?sort=x").status, 400);
}

#[test]
fn the_openings_of_a_player_sort_by_name_games_and_score() {
    let (_bench, served) = served(&["famous.pgn", "annotated.pgn"]);
    let first = page(&served, "/player/Morphy%2C%20Paul");
    for table in ["openings-white", "openings-black"] {
        let links = heads(&first, table);
        let marked: Vec<_> = links.iter().filter_map(|(_, sorted)| sorted.as_deref()).collect();
        assert_eq!((links.len(), marked), (4, vec!["descending"]), "{table}");
        for (link, place) in [(&links[0].0, 0), (&links[1].0, 1), (&links[3].0, 3)] {
            assert!(link.ends_with(&format!("#{table}")), "{link}");
            let html = page(&served, link.split('#').next().unwrap());
            let number = |cell: &String| cell.trim_end_matches('%').parse::<f64>().ok();
            let cells = column(&html, table, place);
            let is_falling = link.contains("openings_desc=yes");
            let numbers: Vec<Option<f64>> = cells.iter().map(number).collect();
            assert!(cells.len() > 1, "{link}: {cells:?}");
            match (place, is_falling) {
                (0, _) => assert!(cells.is_sorted(), "{link}: {cells:?}"),
                (_, true) => assert!(numbers.iter().rev().is_sorted(), "{link}: {cells:?}"),
                (_, false) => assert!(numbers.is_sorted(), "{link}: {cells:?}"),
            }
            // The opponents keep their order.
            assert_eq!(column(&html, "opponents", 0), column(&first, "opponents", 0), "{link}");
        }
    }
    assert_eq!(served.get("/player/Morphy%2C%20Paul?openings=x").status, 400);
}

#[test]
fn each_of_several_wrong_filters_is_marked() {
    let (_bench, served) = served(&["famous.pgn"]);
    let marked = |query: &str| {
        let reply = served.get(&format!("/games?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        let html = Html::new(&reply.text());
        let wrong = html.tags().filter(|tag| tag.get("aria-invalid").is_some());
        wrong.filter_map(|tag| tag.get("name")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(marked("site=paris&plies=x&player=morphy"), ["plies"]);
    assert_eq!(marked("material=x&plies=x&player=morphy"), ["material", "plies"]);
    assert_eq!(marked("opponent=morphy&plies=x"), ["plies"]);
    assert_eq!(marked("sort=x&site=paris"), [""; 0]);
}
