//! The page of near duplicates: pairs side by side, and resolved with a click.
#![cfg(feature = "web")]

use std::{fs, thread, time::Duration};

use crate::{
    common::{Bench, html::Html, server::Served},
    editor::{Editor, FORM, field, form},
    serve_pages::assert_is_whole,
};

/// The page, once the search has ended.
fn page(of: impl Fn() -> crate::common::server::Reply) -> String {
    for _ in 0..500 {
        let reply = of();
        assert_eq!(reply.status, 200, "{}", reply.text());
        match reply.header("refresh") {
            None => return reply.text(),
            Some(seconds) => assert_eq!(seconds, "2"),
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("the search does not end");
}

/// The games of the first pair, as its form has them.
fn first_pair(page: &str) -> [String; 2] {
    let games = page.split("name=\"game\" value=\"").skip(1).take(2);
    let games: Vec<String> = games.map(|part| part.split('"').next().unwrap().to_owned()).collect();
    games.try_into().unwrap()
}

fn id(game: &str) -> &str {
    game.split('-').next().unwrap()
}

/// How many pairs the page says there are.
fn count(page: &str) -> usize {
    page.split("<b class=\"num\">").nth(1).map_or(0, |part| part.split('<').next().unwrap().parse().unwrap())
}

#[test]
fn pairs_are_shown_side_by_side_with_what_differs() {
    let bench = Bench::with_near_duplicates();
    let pairs: usize = bench.ok(&["duplicates", "--count"]).trim().parse().unwrap();
    let served = Served::new(&bench, &[]);
    let shown = page(|| served.get("/duplicates"));
    assert!(pairs > 25 && count(&shown) == pairs, "{pairs}");
    assert_eq!(shown.matches("<section class=\"card twins\">").count(), 20);
    assert!(shown.contains("<tr class=\"differs\"><th scope=\"row\">Site <span"), "{shown}");
    assert!(shown.contains("<tr><th scope=\"row\">White</th>"));
    assert_is_whole(&Html::new(&shown), "/duplicates");
    // Without editing, there is nothing to click.
    assert!(!shown.contains("<form class=\"body row\"") && !shown.contains("fingerprint"));
    let next = page(|| served.get("/duplicates?page=2&lang=de"));
    assert!(next.contains("Fast gleiche Partien") && next.contains("(verschieden)"), "{next}");
    assert_ne!(next.matches("<section class=\"card twins\">").count(), 0);
    // Games that are added begin another search.
    fs::write(bench.path("more.pgn"), "1. e4 *\n").unwrap();
    bench.import(&["more.pgn"]);
    assert_eq!(count(&page(|| served.get("/duplicates"))), pairs);
}

#[test]
fn a_click_resolves_a_pair_and_undo_brings_it_back() {
    let editor = Editor::of(Bench::with_near_duplicates());
    let before = editor.exported();
    let shown = || page(|| editor.page("/duplicates"));
    let pairs = count(&shown());
    assert_is_whole(&Html::new(&shown()), "/duplicates");
    let [one, two] = first_pair(&shown());
    let games = [("game", &*one), ("game", &*two)];
    for (button, left) in [
        (("keep", id(&one)), Some([id(&one), id(&two)])),
        (("keep", id(&two)), Some([id(&two), id(&one)])),
        (("action", "join"), Some([id(&one), id(&two)])),
        (("action", "different"), None),
    ] {
        let done = editor.done("/edit/duplicates", &[&games[..], &[button]].concat());
        assert!(done["change"].is_number(), "{done}");
        if let Some([kept, gone]) = left {
            editor.bench.ok(&["show", kept]);
            assert_eq!(editor.bench.run(&["show", gone]).status.code(), Some(2), "{button:?}");
        }
        let now = shown();
        assert!(count(&now) == pairs - 1 && first_pair(&now)[0] != one, "{button:?}");
        editor.done("/edit/undo", &[]);
        assert!(editor.exported() == before && count(&shown()) == pairs, "{button:?}");
        assert!(editor.bench.ok(&["verify"]).contains("all intact"));
    }
}

#[test]
fn a_form_leads_back_to_the_page_with_a_message_that_undoes() {
    let editor = Editor::of(Bench::with_near_duplicates());
    let shown = page(|| editor.page("/duplicates?page=2&lang=de"));
    let [one, two] = first_pair(&shown);
    assert_eq!(field(&shown, "back"), "/duplicates?page=2&#38;lang=de");
    let fields =
        [("back", "/duplicates?page=2&lang=de"), ("game", &*one), ("game", &*two), ("action", "different")];
    let headers = editor.headers() + FORM;
    let reply = editor.send("/edit/duplicates?lang=de", &headers, form(&fields).as_bytes());
    let location = reply.header("location").unwrap().to_owned();
    assert!(reply.status == 303 && location.starts_with("/duplicates?page=2&lang=de&done="), "{location}");
    let after = page(|| editor.page(&location));
    assert!(after.contains("Als verschieden markiert: 2 Partien"), "{after}");
    assert!(after.contains("action=\"/edit/undo?lang=de\""));
}

#[test]
fn what_was_not_shown_is_not_changed() {
    let editor = Editor::of(Bench::with_near_duplicates());
    let [one, two] = first_pair(&page(|| editor.page("/duplicates")));
    let before = editor.exported();
    let post = |fields: &[(&str, &str)], status| editor.refused("/edit/duplicates", fields, status);
    let wrong = format!("{}-0000000000000000", id(&two));
    for button in [("keep", id(&one)), ("action", "join"), ("action", "different")] {
        post(&[("game", &one), ("game", &wrong), button], 409);
    }
    for fields in [
        &[("game", &*one), ("action", "join")][..],
        &[("game", &one), ("game", &two)],
        &[("game", &one), ("game", &two), ("action", "burn")],
        &[("game", &one), ("game", &two), ("keep", "999")],
        &[("action", "join")],
    ] {
        post(fields, 400);
    }
    assert!(editor.exported() == before);
    // Games with other start positions.
    editor.bench.ok(&["add", "[FEN \"7k/8/8/8/8/8/8/KR6 w - - 0 1\"]\n\n1. Rb2 *"]);
    let last = editor.bench.json(&["info", "--format", "json"])["games"].as_i64().unwrap();
    let set_up = format!("{last}-{}", editor.fingerprint(last));
    let why = post(&[("game", &one), ("game", &set_up), ("action", "join")], 400);
    assert!(why.contains("cannot be joined: they do not start from the same position"), "{why}");
}
