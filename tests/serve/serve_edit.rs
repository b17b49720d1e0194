//! Editing an archive in the browser: what each form does, seen by another process.
#![cfg(feature = "web")]

use std::fs;

use serde_json::Value;

use crate::{
    common::{Bench, data, many_games, server::Served},
    editor::{Editor, FORM, famous, field, form},
};

#[test]
fn every_form_changes_the_archive_and_undo_restores_every_byte() {
    let editor = Editor::new();
    let before = editor.exported();
    let path = "/edit/game/15";
    let forms: [(&[(&str, &str)], &str); 6] = [
        (
            &[("action", "tags"), ("tag.Site", "Moscow, Hall 1"), ("name", "Annotator"), ("value", "Me")],
            "[Annotator \"Me\"]",
        ),
        (&[("action", "comment"), ("ply", "31"), ("text", "The idea\r\nof it: <b>\u{fc}</b>.")], "The idea"),
        (&[("action", "glyph"), ("ply", "31"), ("glyphs", "!? +-")], "$5 $18"),
        (&[("action", "variation"), ("ply", "2"), ("moves", "h3 {instead} a6 4. a3")], "h3 {instead}"),
        (&[("action", "comment"), ("ply", "0"), ("text", "At the start")], "{At the start}"),
        (&[("action", "tags"), ("tag.Site", "")], "[Event"),
    ];
    let mut texts = vec![editor.game(15)];
    for (number, (fields, expected)) in forms.iter().enumerate() {
        let fingerprint = editor.fingerprint(15);
        let done = editor.done(path, &[*fields, &[("fingerprint", &fingerprint)]].concat());
        assert_eq!((&done["change"], &done["games"]), (&Value::from(number + 1), &Value::from(1)), "{done}");
        assert_eq!(done["fingerprint"].as_str(), Some(&*editor.fingerprint(15)));
        assert!(done["command"].as_str().unwrap().starts_with("plybook "), "{done}");
        let text = editor.game(15);
        assert!(text.contains(expected) && !texts.contains(&text), "{expected}: {text}");
        texts.push(text);
    }
    assert!(!texts.last().unwrap().contains("Hall 1") && texts[1].contains("[Site \"Moscow, Hall 1\"]"));
    let removed = editor.done(path, &[("action", "remove"), ("fingerprint", &editor.fingerprint(15))]);
    assert_eq!(removed["games"], 1);
    assert_eq!(editor.bench.run(&["show", "15"]).status.code(), Some(2));
    assert_eq!(editor.page(path).status, 404);
    // Everything is in the log, which the command line has too.
    let log: Value = editor.bench.json(&["log", "--format", "json"]);
    assert_eq!(log.as_array().unwrap().iter().filter(|entry| entry["change"].is_number()).count(), 7);
    assert!(editor.bench.run(&["verify"]).status.success());
    editor.done("/edit/undo", &[]);
    for expected in texts.iter().rev() {
        assert_eq!(&editor.game(15), expected);
        if expected != &texts[0] {
            editor.done("/edit/undo", &[]);
        }
    }
    assert_eq!(editor.exported(), before);
    assert!(editor.refused("/edit/undo", &[], 409).contains("no change to undo"));
    editor.done("/edit/redo", &[]);
    assert_ne!(editor.exported(), before);
}

#[test]
fn forms_work_without_script_and_offer_to_undo() {
    let editor = Editor::new();
    let before = editor.exported();
    let headers = editor.headers() + FORM;
    let page = editor.page("/edit/game/7?ply=3&lang=de").text();
    let fingerprint = field(&page, "fingerprint");
    let fields = [("action", "comment"), ("ply", "3"), ("text", "gut"), ("fingerprint", &*fingerprint)];
    let reply = editor.send("/edit/game/7?lang=de", &headers, form(&fields).as_bytes());
    assert_eq!(reply.status, 303, "{}", reply.text());
    let location = reply.header("location").unwrap();
    assert_eq!(location, "/edit/game/7?lang=de&ply=3&done=1");
    let page = editor.page(location).text();
    assert!(page.contains("gut</textarea>"), "{page}");
    let toast = &page[page.find("class=\"toast\"").unwrap()..];
    assert!(toast.contains("comment 7 3 gut") && toast.contains("action=\"/edit/undo?lang=de\""), "{toast}");
    let made = field(toast, "made");
    let undo = [("change", "1"), ("made", &*made), ("game", "7"), ("ply", "3")];
    let reply = editor.send("/edit/undo", &headers, form(&undo).as_bytes());
    assert_eq!(reply.header("location"), Some("/edit/game/7?ply=3&undone=1"), "{}", reply.text());
    assert_eq!(editor.exported(), before);
    let page = editor.page("/edit/game/7?ply=3&undone=1").text();
    assert!(page.contains("action=\"/edit/redo\""));
    // A change that changes nothing says so.
    let same = [("action", "comment"), ("ply", "3"), ("text", ""), ("fingerprint", &*fingerprint)];
    let reply = editor.send("/edit/game/7", &headers, form(&same).as_bytes());
    let location = reply.header("location").unwrap();
    assert_eq!(location, "/edit/game/7?ply=3&done=0");
    assert!(editor.page(location).text().contains("Nothing to change."));
    // What was entered is not lost when it is refused.
    let wrong = [("action", "variation"), ("ply", "3"), ("moves", "Ke5 <i>"), ("fingerprint", &*fingerprint)];
    let reply = editor.send("/edit/game/7", &headers, form(&wrong).as_bytes());
    assert!(reply.status == 400 && reply.text().contains("Ke5 &#60;i&#62;"), "{}", reply.text());
}

#[test]
fn the_whole_text_of_a_game_can_be_edited() {
    let editor = Editor::new();
    let text = editor.game(3);
    let page = editor.page("/edit/game/3").text();
    assert!(page.contains("value=\"pgn\""), "{page}");
    let fingerprint = editor.fingerprint(3);
    let post = |text: &str, status| {
        let reply =
            editor.post("/edit/game/3", &[("action", "pgn"), ("fingerprint", &*fingerprint), ("text", text)]);
        assert_eq!(reply.status, status, "{}", reply.text());
        serde_json::from_slice::<Value>(&reply.body).unwrap()
    };
    assert_eq!(post("1. e4 Ke4 *", 400)["status"], 400);
    assert_eq!(post("1. e4 *\n\n1. d4 *", 400)["status"], 400);
    assert_eq!(post(&text, 200)["change"], Value::Null);
    assert_eq!(post("[White \"Me\"]\n\n1. e4 {new} e5 *", 200)["change"], 1);
    assert!(editor.game(3).contains("1. e4 {new}"));
    editor.done("/edit/undo", &[("change", "1")]);
    assert_eq!(editor.game(3), text);
}

#[test]
fn selected_games_are_removed_after_their_page_has_shown_them() {
    let editor = Editor::new();
    let before = editor.exported();
    let page = editor.page("/edit/remove?id=2&id=5&id=9").text();
    let games: Vec<String> = page
        .split("name=\"game\" value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect();
    assert!(games.len() == 3 && games[1].starts_with("5-"), "{games:?}");
    let fields: Vec<(&str, &str)> = games.iter().map(|game| ("game", game.as_str())).collect();
    // One of them has been changed in the meantime.
    editor.bench.ok(&["tag", "9", "Site=Elsewhere"]);
    assert!(editor.refused("/edit/remove", &fields, 409).contains("game 9 has been changed"));
    editor.bench.ok(&["undo"]);
    let done = editor.done("/edit/remove", &fields);
    assert_eq!((&done["games"], done["command"].as_str()), (&Value::from(3), Some("plybook remove 2 5 9")));
    assert_eq!(editor.served.json("/api/v1/info")["games"], 59);
    editor.refused("/edit/remove", &fields, 404);
    editor.done("/edit/undo", &[("change", "2")]);
    assert_eq!(editor.exported(), before);
    for (path, status) in [("/edit/remove", 400), ("/edit/remove?id=x", 400), ("/edit/remove?id=99999", 404)]
    {
        assert_eq!(editor.page(path).status, status, "{path}");
    }
    for wrong in ["", "5", "5-", "5-xyz", "x-0123456789abcdef"] {
        editor.refused("/edit/remove", &[("game", wrong)], 400);
    }
}

#[test]
fn the_server_follows_its_own_changes_with_and_without_an_index() {
    for is_indexed in [true, false] {
        let bench = Bench::with_games();
        if is_indexed {
            bench.ok(&["index"]);
        }
        let editor = Editor::of(bench);
        let games = |query: &str| {
            editor.served.json(&format!("/api/v1/games?{query}"))["games"].as_array().unwrap().len()
        };
        let (morphy, moves) = (games("player=morphy"), editor.served.json("/masters?play=e2e4").to_string());
        let first =
            editor.served.json("/api/v1/games?player=morphy&limit=1")["games"][0]["id"].as_i64().unwrap();
        let path = format!("/edit/game/{first}");
        let fields = [
            ("action", "tags"),
            ("tag.White", "X"),
            ("tag.Black", "Y"),
            ("fingerprint", &*editor.fingerprint(first)),
        ];
        editor.done(&path, &fields);
        assert_eq!((games("player=morphy"), games("white=X")), (morphy - 1, 1));
        editor.done(&path, &[("action", "remove"), ("fingerprint", &editor.fingerprint(first))]);
        assert_eq!(games("white=X"), 0);
        assert_ne!(editor.served.json("/masters?play=e2e4").to_string(), moves);
        editor.done("/edit/undo", &[]);
        editor.done("/edit/undo", &[]);
        assert_eq!(
            (games("player=morphy"), editor.served.json("/masters?play=e2e4").to_string()),
            (morphy, moves)
        );
        assert_eq!(editor.served.json("/api/v1/info")["is_indexed"], is_indexed);
    }
}

/// A form with files.
fn multipart(files: &[(&str, &str)]) -> (String, Vec<u8>) {
    let mut body = String::new();
    for (name, text) in files {
        body += &format!(
            "--boundary\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n{text}\r\n"
        );
    }
    (
        "Content-Type: multipart/form-data; boundary=boundary\r\n".to_owned(),
        (body + "--boundary--\r\n").into_bytes(),
    )
}

#[test]
fn uploaded_files_are_imported_and_reported() {
    for is_indexed in [true, false] {
        let bench = Bench::with_games();
        if is_indexed {
            bench.ok(&["index"]);
        }
        let editor = Editor::of(bench);
        let before = editor.served.json("/api/v1/info")["games"].as_u64().unwrap();
        let pgn = many_games(30) + "\n[White \"Bad\"]\n\n1. e4 Ke4 *\n\n" + &famous();
        // Games that the command line would add.
        let other = Bench::with_games();
        fs::write(other.path("more.pgn"), &pgn).unwrap();
        let expected = other.import(&["more.pgn"]);
        let (kind, body) = multipart(&[("x\\more.pgn", &pgn), ("empty.pgn", "")]);
        let headers = editor.headers() + &kind + "Accept: application/json\r\n";
        let reply = editor.send("/edit/import", &headers, &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let report: Value = serde_json::from_slice(&reply.body).unwrap();
        for count in ["seen", "stored", "duplicate", "rejected", "rejects"] {
            assert_eq!(report[count], expected[count], "{count}");
        }
        assert_eq!(
            (&report["rejected"], &report["rejects"][0]["source"]),
            (&Value::from(1), &Value::from("more.pgn"))
        );
        assert!(report["rejects"][0]["line"].as_u64().unwrap() > 1);
        let stored = report["stored"].as_u64().unwrap();
        let info = editor.served.json("/api/v1/info");
        assert_eq!(
            (info["games"].as_u64(), &info["is_indexed"]),
            (Some(before + stored), &Value::from(is_indexed))
        );
        assert_eq!(editor.bench.ok(&["games", "--source", "more.pgn", "--count"]).trim(), stored.to_string());
        // The same again, as a page.
        let page = editor.send("/edit/import", &(editor.headers() + &kind), &body);
        assert!(page.status == 200 && page.header("content-type").unwrap().starts_with("text/html"));
        assert!(page.text().contains("has been imported before"), "{}", page.text());
        assert_eq!(editor.served.json("/api/v1/info")["games"].as_u64(), Some(before + stored));
        assert!(editor.bench.run(&["verify"]).status.success());
    }
}

#[test]
fn a_body_is_imported_with_its_progress() {
    let editor = Editor::new();
    let pgn = many_games(3000);
    let headers =
        editor.headers() + "Content-Type: application/x-chess-pgn\r\nAccept: application/x-ndjson\r\n";
    let reply = editor.send("/edit/import?name=../many.pgn", &headers, pgn.as_bytes());
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/x-ndjson")));
    let lines: Vec<Value> = reply.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let report = &lines.last().unwrap()["report"];
    assert_eq!(report["seen"], 3000);
    for progress in &lines[..lines.len() - 1] {
        assert_eq!(
            (&progress["source"], &progress["total_bytes"]),
            (&Value::from("many.pgn"), &Value::from(pgn.len()))
        );
    }
    for (body, status, reason) in [("", 400, "no file"), ("no games at all", 400, "not a PGN file")] {
        let reply = editor.send("/edit/import", &headers, body.as_bytes());
        let text = reply.text();
        assert!(text.contains(reason) && !text.contains("/tmp"), "{text}");
        assert!(reply.status == status || text.contains("\"error\""), "{text}");
    }
}

#[test]
fn an_archive_can_be_uploaded_too() {
    let editor = Editor::new();
    let other = Bench::new();
    other.ok(&["import", "-q", data("chess960.pgn").to_str().unwrap()]);
    let count: u64 = other.ok(&["games", "--count"]).trim().parse().unwrap();
    let headers = editor.headers() + "Accept: application/json\r\n";
    let reply =
        editor.send("/edit/import?name=other.db", &headers, &fs::read(other.path("plybook.db")).unwrap());
    let report: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(report["stored"].as_u64(), Some(count), "{report}");
}

#[test]
fn editing_is_refused_at_the_start_where_it_is_not_possible() {
    let bench = Bench::with_games();
    fs::copy(bench.path("plybook.db"), bench.path("b.db")).unwrap();
    fs::copy(data("famous.pgn"), bench.path("games.pgn")).unwrap();
    fs::copy(data("archives/v1.db"), bench.path("old.db")).unwrap();
    bench.ok(&["split", "b.db", "--parts", "2", "--into", "parts"]);
    for (arguments, reason) in [
        (&["--bind", "0.0.0.0:0"][..], "only"),
        (&["--bind", "[::]:0"], "only"),
        (&["--port", "0", "parts"], "merge"),
        (&["--port", "0", "plybook.db", "b.db"], "one archive"),
        (&["--port", "0", "games.pgn"], "one archive"),
        (&["--port", "0", "old.db"], "plybook migrate"),
        (&["--port", "0", "-a", "old.db"], "plybook migrate"),
        (&["--port", "0", "-a", "missing.db"], "missing.db"),
    ] {
        let refused = bench.refused(&[&["serve", "--edit"], arguments].concat());
        assert!(refused.contains(reason), "{arguments:?}: {refused}");
    }
    let before = fs::read(bench.path("old.db")).unwrap();
    assert_eq!(before, fs::read(data("archives/v1.db")).unwrap());
    let served = Served::of(bench.command(&["serve", "-q", "--edit", "--bind", "[::1]:0", "b.db"]));
    assert!(served.url.contains("@[::1]:") && served.url.ends_with("/edit"));
}

#[cfg(unix)]
#[test]
fn a_read_only_archive_is_not_edited() {
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let guest = crate::common::Guest::new(&bench, &temporary);
    let output = guest.run(&["serve", "--edit", "--port", "0"]);
    let error = crate::common::text(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("read-only"), "{error}");
}

#[test]
fn pages_link_to_editing_only_where_it_is_possible() {
    let editor = Editor::new();
    let plain = Served::new(&editor.bench, &[]);
    for path in ["/game/7", "/games", "/explorer"] {
        let [with, without] = [&editor.served, &plain].map(|served| served.get(path).text());
        assert!(with.contains("href=\"/import\"") && !without.contains("/import"), "{path}");
        assert_eq!(with.contains("/edit/game/7"), path == "/game/7");
        assert_eq!(with.contains("formaction=\"/edit/remove\""), path == "/games");
        assert!(!without.contains("/edit/"), "{path}");
    }
    for path in ["/edit/game/7", "/edit/game/7?ply=4", "/log", "/import", "/edit/remove?id=7"] {
        let page = editor.page(path);
        assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")), "{path}");
        assert_eq!((page.header("etag"), plain.get(path).status), (None, 404), "{path}");
    }
}

#[test]
fn every_game_of_the_data_can_be_shown_for_editing() {
    let bench = Bench::new();
    bench.ok(&["import", "-q", data("").to_str().unwrap()]);
    let editor = Editor::of(bench);
    let ids = editor.bench.ok(&["games", "--format", "ids"]);
    for id in ids.lines() {
        for ply in ["0", "1", "9999"] {
            let page = editor.page(&format!("/edit/game/{id}?ply={ply}"));
            assert_eq!(page.status, 200, "{id}: {}", page.text());
        }
    }
    assert!(ids.lines().count() > 60);
}
