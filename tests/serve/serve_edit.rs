//! Editing an archive in the browser: what each form does, seen by another process.
#![cfg(feature = "web")]

use std::fs;

use serde_json::Value;

use crate::{
    common::{Bench, data, server::Served},
    editor::{Editor, FORM, field, form},
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
        assert_eq!((&done["change"], &done["games"]), (&Value::from(number + 2), &Value::from(1)), "{done}");
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
    assert_eq!(log.as_array().unwrap().iter().filter(|entry| entry["import"].is_null()).count(), 7);
    assert!(editor.bench.run(&["verify"]).status.success());
    editor.done("/edit/undo", &[]);
    for expected in texts.iter().rev() {
        assert_eq!(&editor.game(15), expected);
        if expected != &texts[0] {
            editor.done("/edit/undo", &[]);
        }
    }
    assert_eq!(editor.exported(), before);
    // The import remains, which can be undone too.
    assert_eq!(editor.done("/edit/undo", &[])["games"], 62);
    assert!(editor.refused("/edit/undo", &[], 409).contains("no change to undo"));
    editor.done("/edit/redo", &[]);
    assert_eq!(editor.exported(), before);
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
    assert!(location.starts_with("/edit/game/7?lang=de&ply=3&done=2-"), "{location}");
    let page = editor.page(location).text();
    assert!(page.contains("gut</textarea>"), "{page}");
    let toast = &page[page.find("class=\"toast\"").unwrap()..];
    assert!(
        toast.contains("Kommentar geändert: ") && toast.contains("action=\"/edit/undo?lang=de\""),
        "{toast}"
    );
    let (made, back) = (field(toast, "made"), field(toast, "back"));
    assert_eq!(back, "/edit/game/7?lang=de&#38;ply=3");
    let undo = [("change", "2"), ("made", &*made), ("back", "/edit/game/7?ply=3")];
    let reply = editor.send("/edit/undo", &headers, form(&undo).as_bytes());
    let location = reply.header("location").unwrap();
    assert!(location.starts_with("/edit/game/7?ply=3&done=2-"), "{location}");
    assert_eq!(editor.exported(), before);
    let page = editor.page(location).text();
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

/// The texts of the sentences in the log, the latest first.
fn sentences(page: &str) -> Vec<String> {
    let list = page.split("<ol class=\"log\">").nth(1).unwrap_or_default();
    let texts = list.split("<li>").skip(1).map(|entry| entry.split("<time").next().unwrap());
    let plain =
        |text: &str| text.split('<').map(|part| part.split('>').next_back().unwrap_or(part)).collect();
    texts.map(plain).collect()
}

#[test]
fn the_log_says_in_sentences_and_local_time_what_was_done() {
    let bench = Bench::with_games();
    let mut command = bench.command(&["serve", "-q", "--edit", "--port", "0"]);
    command.env("TZ", "UTC-5:30");
    let editor = Editor::browsing(bench, Served::of(command));
    let post = |path: &str, fields: &[(&str, &str)]| {
        editor.done(path, &[fields, &[("fingerprint", &*editor.fingerprint(3))]].concat());
    };
    let game = "/edit/game/3";
    post(game, &[("action", "tags"), ("tag.Site", "O'Hare, {game}")]);
    post(game, &[("action", "tags"), ("tag.Site", "")]);
    post(game, &[("action", "tags"), ("tag.WhiteElo", "2700"), ("tag.BlackElo", "2600")]);
    post(game, &[("action", "tags"), ("tag.WhiteElo", "2750")]);
    post(game, &[("action", "comment"), ("ply", "3"), ("text", "x")]);
    post(game, &[("action", "glyph"), ("ply", "3"), ("glyphs", "!")]);
    post(game, &[("action", "variation"), ("ply", "2"), ("moves", "h3")]);
    let text = editor.game(3).replace("[White \"", "[White \"Old ");
    post(game, &[("action", "pgn"), ("text", &text)]);
    editor.done("/edit/game/5", &[("action", "remove"), ("fingerprint", &editor.fingerprint(5))]);
    editor.bench.ok(&["remove", "7..9"]);
    editor.bench.ok(&["undo"]);
    let (log, german) = (editor.page("/log").text(), editor.page("/log?lang=de").text());
    let name = sentences(&log)[2].strip_prefix("Edited ").unwrap().to_owned();
    let removed = sentences(&log)[1].strip_prefix("Removed ").unwrap().to_owned();
    assert!(removed.contains(" – ") && removed != name, "{removed}");
    assert!(name.starts_with("Old ") && name.contains(" – ") && !name.contains("game 3"), "{name}");
    for (text, expected) in sentences(&log).iter().zip([
        "Undone: Removed 3 games (Capablanca – Marshall, New York 1918, …)",
        &format!("Removed {removed}"),
        "Edited {}",
        "Added a variation to {}",
        "Changed glyphs in {}",
        "Changed a comment in {}",
        "Changed Rating of White to 2750: {}",
        "Changed tags of {}",
        "Deleted Site of {}",
        "Changed Site to O&#39;Hare, {game}: {}",
    ]) {
        assert_eq!(text, &expected.replace("{}", &name));
    }
    let import = &sentences(&log)[10..];
    assert!(import.len() == 1 && import[0].starts_with("Imported "), "{import:?}");
    assert!(import[0].ends_with("famous.pgn: 62 games"), "{import:?}");
    assert!(sentences(&german)[0].contains("Entfernt: 3 Partien"), "{german}");
    assert!(!sentences(&log).concat().contains("plybook ") && !log.contains("UTC"), "{log}");
    // The time is that of the machine, five and a half hours later.
    let [hour, minute] = [11..13, 14..16].map(|part| {
        let made = log.split("datetime=\"").nth(1).unwrap();
        made[part].parse::<u32>().unwrap()
    });
    let local = (hour * 60 + minute + 330) % 1440;
    assert!(log.contains(&format!(" {:02}:{:02}</time>", local / 60, local % 60)), "{log}");
    // The command line has the same sentences in English, and the commands.
    let (text, commands) = (editor.bench.ok(&["log"]), editor.bench.ok(&["log", "--commands"]));
    for expected in
        ["New York 1918, …)  (undone)", &*format!("Edited {name}"), "Changed WhiteElo to 2750: ", "Imported "]
    {
        assert!(text.contains(expected) && !text.contains("plybook "), "{expected}: {text}");
    }
    assert!(commands.contains("plybook remove 7..9  (undone)"), "{commands}");
}

#[test]
fn a_variation_becomes_the_main_line_and_a_line_is_cut_without_script() {
    let editor = Editor::new();
    let (before, path) = (editor.exported(), "/edit/game/3");
    let post = |fields: &[(&str, &str)]| {
        editor.post(path, &[fields, &[("fingerprint", &*editor.fingerprint(3))]].concat())
    };
    assert_eq!(post(&[("action", "variation"), ("ply", "0"), ("moves", "h3 a5 h4")]).status, 200);
    let page = editor.page(&format!("{path}?ply=1&node=2")).text();
    assert!(page.contains("value=\"promote\"") && page.contains("name=\"node\" value=\"2\""), "{page}");
    let own = editor.page(&format!("{path}?ply=1")).text();
    assert!(!own.contains("value=\"promote\"") && own.contains("value=\"cut\""), "{own}");
    let refused = post(&[("action", "cut"), ("node", "0")]);
    assert!(refused.status == 400 && refused.text().contains("this move has variations"));
    assert_eq!(post(&[("action", "promote"), ("node", "2")]).status, 200);
    let promoted = editor.game(3);
    assert!(promoted.contains("1. h3 (1. ") && promoted.contains(") 1... a5 2. h4"), "{promoted}");
    assert_eq!(post(&[("action", "cut"), ("node", "1")]).status, 200);
    assert!(!editor.game(3).contains("(1. "), "{}", editor.game(3));
    for (address, expected) in [
        ("/log", ["Deleted moves of ", "Made a variation the main line: "]),
        ("/log?lang=de", ["Züge gelöscht: ", "Variante zur Hauptvariante gemacht: "]),
    ] {
        let log = editor.page(address).text();
        assert!(expected.iter().all(|sentence| log.contains(sentence)), "{log}");
    }
    editor.done("/edit/undo", &[]);
    assert_eq!(editor.game(3), promoted);
    editor.done("/edit/undo", &[]);
    editor.done("/edit/undo", &[]);
    assert_eq!(editor.exported(), before);
}

#[test]
fn a_move_of_a_variation_is_annotated_on_its_own_page() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "[White \"A\"]\n\n1. e4 e5 {main} (1... c5 $1 {old} 2. Nf3) 2. f4 *\n")
        .unwrap();
    bench.import(&["a.pgn"]);
    let editor = Editor::of(bench);
    let page = editor.page("/edit/game/1?ply=2&node=2").text();
    assert!(page.contains("c5</h2>") && page.contains("old</textarea>"), "{page}");
    assert_eq!(page.matches("aria-current=\"true\"").count(), 1, "{page}");
    let fields = |action, name, value: &str| {
        let fingerprint = editor.fingerprint(1);
        let fields =
            [("action", action), ("ply", "2"), ("node", "2"), (name, value), ("fingerprint", &fingerprint)];
        let reply = editor.send("/edit/game/1", &(editor.headers() + FORM), form(&fields).as_bytes());
        assert_eq!(reply.status, 303, "{}", reply.text());
        assert!(reply.header("location").unwrap().contains("node=2"));
    };
    fields("comment", "text", "new");
    fields("glyph", "glyphs", "!? $14");
    let exported = editor.exported();
    assert!(exported.contains("1. e4 e5 {main} (1... c5 $5 $14 {new} 2. Nf3) 2. f4"), "{exported}");
}

#[test]
fn a_wrong_value_returns_the_form_with_the_reason_at_its_field() {
    let editor = Editor::new();
    let before = editor.exported();
    let (headers, fingerprint) = (editor.headers() + FORM, editor.fingerprint(3));
    for (language, fields, reason) in [
        (
            "en",
            vec![("action", "tags"), ("tag.Date", "1984.03.32"), ("tag.Site", "Here")],
            "March has 31 days",
        ),
        ("de", vec![("action", "tags"), ("tag.Date", "1985.02.29")], "Der Februar hat 28 Tage"),
        ("en", vec![("action", "tags"), ("tag.Date", "1984.13.01")], "a year has 12 months"),
        ("en", vec![("action", "tags"), ("tag.Date", "soon")], "a date is written as 1984.12.29"),
        ("en", vec![("action", "tags"), ("tag.Date", "10.11.2026")], "2026.11.10 or 2026.10.11"),
        ("de", vec![("action", "tags"), ("tag.Date", "10/11/2026")], "2026.11.10 und 2026.10.11"),
        ("en", vec![("action", "tags"), ("tag.WhiteElo", "strong")], "a rating is a number"),
        ("en", vec![("action", "tags"), ("name", "No name"), ("value", "x")], "is not the name of a tag"),
        ("en", vec![("action", "comment"), ("ply", "3"), ("text", "a } b")], "must not contain }"),
        (
            "en",
            vec![("action", "glyph"), ("ply", "3"), ("glyphs", "$1"), ("glyphs", "wow")],
            "is not a glyph",
        ),
        (
            "en",
            vec![("action", "variation"), ("ply", "3"), ("moves", "Ke5 <i>")],
            "the variation cannot be read",
        ),
        ("en", vec![("action", "pgn"), ("text", "1. e4 Ke4 *")], "line 1"),
    ] {
        let fields = [&fields[..], &[("fingerprint", &*fingerprint)]].concat();
        let reply = editor.send(&format!("/edit/game/3?lang={language}"), &headers, form(&fields).as_bytes());
        let page = reply.text();
        assert_eq!((reply.status, reply.header("cache-control")), (400, Some("no-store")), "{page}");
        let alert = page.split("role=\"alert\">").nth(1).unwrap_or_else(|| panic!("{reason}: {page}"));
        assert!(alert.split('<').next().unwrap().contains(reason), "{reason}: {alert}");
        // The field is marked, and has what was entered; so have the others of its form.
        let marked = page.split('<').find(|tag| tag.contains("aria-invalid=\"true\"")).unwrap();
        let (field, value) = fields
            .iter()
            .rev()
            .find(|(name, _)| !matches!(*name, "fingerprint" | "ply" | "tag.Site"))
            .unwrap();
        assert!(marked.contains(&format!("name=\"{field}\"")), "{marked}");
        let value = value.replace('<', "&#60;").replace('>', "&#62;");
        assert!(field == &"glyphs" || page.contains(&value), "{value}: {page}");
        assert!(!fields.contains(&("tag.Site", "Here")) || page.contains("value=\"Here\""), "{page}");
        assert!(!page.contains("search is not valid") && !page.contains("Suche ist"), "{page}");
        assert_eq!(crate::editor::field(&page, "fingerprint"), fingerprint);
    }
    for (path, fields) in [("/edit/undo", "change=x"), ("/edit/remove", "game=5")] {
        let page = editor.send(path, &headers, fields.as_bytes()).text();
        assert!(page.contains("cannot be changed like that") && !page.contains("search is not"), "{page}");
    }
    // What a game has already is no reason to refuse another change.
    let text = editor.game(3).replacen("[Date \"", "[Date \"1984.03.32\"]\n[OldDate \"", 1);
    let fields = [("action", "pgn"), ("fingerprint", &*editor.fingerprint(3)), ("text", &*text)];
    editor.done("/edit/game/3", &fields);
    let fields = [
        ("tag.Date", "1984.03.32"),
        ("tag.Site", "Here"),
        ("action", "tags"),
        ("fingerprint", &*editor.fingerprint(3)),
    ];
    editor.done("/edit/game/3", &fields);
    editor.bench.ok(&["undo"]);
    editor.bench.ok(&["undo"]);
    assert_eq!(editor.exported(), before);
}

#[test]
fn after_removing_games_one_is_back_in_the_list_which_offers_to_undo_it() {
    let editor = Editor::new();
    let before = editor.exported();
    let headers = editor.headers() + FORM;
    let list = "/games?player=morphy&sort=date";
    let page = editor.served.get(list).text();
    assert!(
        page.contains("formaction=\"/edit/remove\" name=\"in\" value=\"games?player=morphy&#38;sort=date\""),
        "{page}"
    );
    let id: i64 =
        editor.served.json("/api/v1/games?player=morphy&limit=1")["games"][0]["id"].as_i64().unwrap();
    let named = "in=games%3Fplayer%3Dmorphy%26sort%3Ddate";
    for path in [format!("/edit/game/{id}?{named}"), format!("/edit/remove?id={id}&{named}")] {
        assert!(
            editor.page(&path).text().contains("name=\"back\" value=\"/games?player=morphy&#38;sort=date\""),
            "{path}"
        );
        let fingerprint = editor.fingerprint(id);
        let game = format!("{id}-{fingerprint}");
        let fields = [("action", "remove"), ("fingerprint", &*fingerprint), ("game", &game), ("back", list)];
        let reply = editor.send(path.split('?').next().unwrap(), &headers, form(&fields).as_bytes());
        let location = reply.header("location").unwrap_or_else(|| panic!("{}", reply.text())).to_owned();
        assert!(reply.status == 303 && location.starts_with(&format!("{list}&done=")), "{location}");
        let page = editor.served.get(&location).text();
        let toast = &page[page.find("class=\"toast\"").expect("no message")..];
        assert!(toast.contains("Removed ") && toast.contains("action=\"/edit/undo\""), "{toast}");
        assert!(!page.contains("done=") && field(toast, "back") == list.replace('&', "&#38;"), "{page}");
        // Nobody finds entries of the log by their numbers.
        let change = field(toast, "change");
        for forged in [&*change, &format!("{change}-0000000000000000")] {
            let page = editor.served.get(&format!("{list}&done={forged}")).text();
            assert!(!page.contains("class=\"toast\""), "{forged}");
        }
        let made = field(toast, "made");
        let reply = editor.send(
            "/edit/undo",
            &headers,
            form(&[("change", &*change), ("made", &*made), ("back", list)]).as_bytes(),
        );
        assert!(reply.header("location").unwrap().starts_with(list), "{}", reply.text());
        assert!(editor.served.get(reply.header("location").unwrap()).text().contains("Undone: "));
    }
    assert_eq!(editor.exported(), before);
    // No form leads elsewhere.
    for back in ["//evil.example/log", "https://evil.example/log", "/assets/x", "\\evil", "log", ""] {
        let reply = editor.send("/edit/redo", &headers, form(&[("back", back)]).as_bytes());
        assert!(reply.header("location").unwrap().starts_with("/log?done="), "{back}");
        editor.done("/edit/undo", &[]);
    }
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
    assert_eq!(post("[White \"Me\"]\n\n1. e4 {new} e5 *", 200)["change"], 2);
    assert!(editor.game(3).contains("1. e4 {new}"));
    editor.done("/edit/undo", &[("change", "2")]);
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
    editor.done("/edit/undo", &[("change", "3")]);
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

#[test]
fn a_complete_list_is_removed_at_once_and_some_of_its_games_come_back() {
    let editor = Editor::new();
    let before = editor.exported();
    let headers = editor.headers() + FORM;
    let page = editor.page("/games?event=Paris").text();
    let link = page.split("href=\"").find(|part| part.starts_with("/edit/remove")).expect("no link");
    let link = link.split('"').next().unwrap().replace("&#38;", "&");
    assert!(!editor.page("/games").text().contains("/edit/remove?"), "all games are offered");
    for path in ["/event/Paris", "/event/Paris%20match"] {
        let event = editor.page(path).text();
        assert!(event.contains("/edit/remove?all=1&#38;in=games%3Fevent"), "{event}");
    }
    let page = editor.page(&link).text();
    assert!(page.contains("<bdi>Paris match · 1858-12"), "{page}");
    let games = Vec::from_iter(
        page.split("name=\"game\" value=\"").skip(1).map(|part| part.split('"').next().unwrap().to_owned()),
    );
    let of_list = editor.served.json("/api/v1/games?event=Paris");
    assert!(games.len() > 1 && games.len() as u64 == of_list["total"].as_u64().unwrap(), "{games:?}");
    let fields = Vec::from_iter(games.iter().map(|game| ("game", &**game)));
    let removed = editor.done("/edit/remove", &fields);
    let change = removed["change"].to_string();
    let log = editor.page("/log").text();
    assert!(log.contains(&format!("/edit/undo?change={change}")) && log.contains("Imported "), "{log}");
    let page = editor.page(&format!("/edit/undo?change={change}")).text();
    let ids = Vec::from_iter(games.iter().map(|game| game.split('-').next().unwrap()));
    assert!(ids.iter().all(|id| page.contains(&format!("value=\"{id}\""))), "{page}");
    assert!(page.contains(">1858-12 · Round 9</span>"), "{page}");
    let made = field(&page, "made");
    let none = form(&[("change", &*change), ("made", &*made), ("some", "1")]);
    let refused = editor.send(&format!("/edit/undo?change={change}"), &headers, none.as_bytes());
    let text = refused.text();
    assert!(refused.status == 400 && text.contains("<h1>Choose at least one game</h1>"), "{text}");
    assert!(text.contains(&format!("href=\"/edit/undo?change={change}\"")), "{text}");
    editor.done("/edit/undo", &[("change", &*change), ("made", &*made), ("some", "1"), ("id", ids[0])]);
    let left = editor.served.json("/api/v1/games?event=Paris")["games"].clone();
    assert!(left.as_array().unwrap().len() == 1 && left[0]["id"].as_i64() == ids[0].parse().ok(), "{left}");
    assert!(editor.page("/log").text().contains("Brought back "));
    // A game that is back is not offered again.
    let page = editor.page(&format!("/edit/undo?change={change}")).text();
    assert!(
        !page.contains(&format!("value=\"{}\"", ids[0])) && page.contains(&format!("value=\"{}\"", ids[1]))
    );
    editor.bench.ok(&["undo"]);
    editor.bench.ok(&["undo"]);
    assert_eq!(editor.exported(), before);
}

#[test]
fn a_text_with_a_variation_that_cannot_be_played_is_saved_only_if_it_may_be_a_comment() {
    let editor = Editor::new();
    let text = "[White \"A\"]\n\n1. e4 e5\n(1... c5 2. Ke3) *\n";
    let page = |query: &str, text: &str, keep: &str| {
        let fingerprint = editor.fingerprint(3);
        let fields = form(&[("action", "pgn"), ("fingerprint", &fingerprint), ("text", text)]);
        let path = format!("/edit/game/3{query}");
        editor.send(&path, &(editor.headers() + FORM), (fields + keep).as_bytes())
    };
    let before = editor.game(3);
    for (query, why, keep) in [
        ("", "line 4: this variation cannot be played: 2.Ke3 is not a legal move", "Save it as a comment"),
        (
            "?lang=de",
            "Zeile 4: diese Variante lässt sich nicht spielen: 2.Ke3 ist",
            "Als Kommentar speichern",
        ),
    ] {
        let reply = page(query, text, "");
        let page = reply.text();
        assert!(reply.status == 400 && page.contains(why) && page.contains(keep), "{} {page}", reply.status);
        // What was typed can be corrected.
        assert!(page.contains("(1... c5 2. Ke3) *"), "{page}");
        assert_eq!(editor.game(3), before);
    }
    let wrong = page("", &text.replace("1. e4", "1. e5"), "").text();
    assert!(wrong.contains("1.e5 is not a legal move") && !wrong.contains("Save it as a comment"), "{wrong}");
    assert_eq!(page("", text, "&keep=1").status, 303);
    assert!(editor.game(3).contains("{(1... c5 2. Ke3)}"), "{}", editor.game(3));
    assert_eq!(page("", &text.replace("Ke3", "Nf3"), "").status, 303);
    assert!(editor.game(3).contains("(1... c5 2. Nf3)"), "{}", editor.game(3));
}

#[test]
fn a_typed_date_is_stored_in_the_form_of_pgn_by_the_page_and_by_the_command_line() {
    let editor = Editor::new();
    for typed in ["2026-12-31", "31.12.2026", "12/31/2026"] {
        let fields = [("action", "tags"), ("tag.Date", typed), ("fingerprint", &*editor.fingerprint(3))];
        let done = editor.done("/edit/game/3", &fields);
        assert_eq!(done["command"], "plybook tag 3 Date=2026.12.31");
        assert!(editor.game(3).contains("[Date \"2026.12.31\"]"), "{}", editor.game(3));
        editor.bench.ok(&["undo"]);
        editor.bench.ok(&["tag", "3", &format!("Date={typed}")]);
        assert!(editor.game(3).contains("[Date \"2026.12.31\"]"), "{}", editor.game(3));
        editor.bench.ok(&["undo"]);
    }
    assert!(editor.bench.refused(&["tag", "3", "Date=10.11.2026"]).contains("2026.11.10 or 2026.10.11"));
}
