//! Importing in the browser: what is stored, reported, and saved of what was left out.
#![cfg(feature = "web")]

use std::fs;

use serde_json::Value;

use crate::{
    common::{Bench, data, many_games},
    editor::{Editor, famous},
    scid_support::{game, scid4},
};

/// A form with files.
fn multipart<T: AsRef<[u8]>>(files: &[(&str, T)]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, bytes) in files {
        let head = format!(
            "--boundary\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes.as_ref(), b"\r\n"].concat());
    }
    body.extend(b"--boundary--\r\n");
    ("Content-Type: multipart/form-data; boundary=boundary\r\n".to_owned(), body)
}

/// Pastes games, and returns the answer.
fn pasted(editor: &Editor, query: &str, text: &str, accept: &str) -> String {
    let body = format!(
        "--boundary\r\nContent-Disposition: form-data; name=\"pgn\"\r\n\r\n{text}\r\n--boundary--\r\n"
    );
    let kind = "Content-Type: multipart/form-data; boundary=boundary\r\n";
    let headers = editor.headers() + kind + accept;
    editor.send(&format!("/edit/import{query}"), &headers, body.as_bytes()).text()
}

/// The items of the lists of problems on a page, and the heading above each.
fn problems(page: &str) -> Vec<(&str, &str)> {
    let lists = page.split("<h3").skip(1).filter_map(|part| part.split_once("</h3>"));
    lists
        .flat_map(|(heading, list)| {
            let list = list.split("</ul>").next().unwrap();
            list.split("<li>").skip(1).map(move |item| (heading.split('>').nth(1).unwrap(), item))
        })
        .collect()
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
        let (kind, body) = multipart(&[("x\\more.pgn", &*pgn), ("empty.pgn", "")]);
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
    let (report, page) = (&lines.last().unwrap()["report"], &lines.last().unwrap()["page"]);
    assert_eq!(report["seen"], 3000);
    assert!(page.as_str().unwrap().contains("id=\"report\""), "{page}");
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
fn a_base_of_several_files_is_imported_once() {
    let editor = Editor::new();
    let [index, names, games] = scid4(&[game(&[0xcf, 15]), game(&[0xbf, 15])]);
    let (kind, body) = multipart(&[("my.sg4", games), ("my.si4", index), ("my.sn4", names)]);
    let headers = editor.headers() + &kind + "Accept: application/json\r\n";
    let reply = editor.send("/edit/import", &headers, &body);
    let report: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((&report["seen"], &report["stored"]), (&Value::from(2), &Value::from(2)), "{report}");
}

#[test]
fn what_was_left_out_is_saved_as_a_file_that_can_be_imported_after_a_correction() {
    let editor = Editor::new();
    let bad = "[White \"Bad\"]\n\n1. e4 Ke4 *\n";
    let (kind, body) = multipart(&[("more.pgn", &format!("{bad}\n{}", many_games(3)))]);
    let page = editor.send("/edit/import", &(editor.headers() + &kind), &body).text();
    let path = page.split('"').find(|part| part.starts_with("/edit/left-out/")).unwrap().to_owned();
    let json = editor.send(
        "/edit/import?name=b.pgn",
        &(editor.headers() + "Accept: application/json\r\n"),
        bad.as_bytes(),
    );
    let report: Value = serde_json::from_slice(&json.body).unwrap();
    let second = format!("/edit/left-out/{}", report["left_out"]);
    assert_ne!(second, path);
    for (path, source) in [(&path, "more.pgn"), (&second, "b.pgn")] {
        let reply = editor.page(path);
        assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"left-out.pgn\""));
        let text = reply.text();
        assert!(text.starts_with('%') && text.contains(source) && !text.contains("/tmp"), "{text}");
        let bench = Bench::new();
        fs::write(bench.path("left-out.pgn"), text.replace("Ke4", "e5")).unwrap();
        assert_eq!(bench.import(&["left-out.pgn"])["stored"], 1);
    }
    // Nobody without the key gets it, and an import without such games has none.
    assert_ne!(editor.served.get(&path).status, 200);
    assert_eq!(editor.page("/edit/left-out/99").status, 404);
    let json = editor.send(
        "/edit/import?name=c.pgn",
        &(editor.headers() + "Accept: application/json\r\n"),
        b"1. a3 *\n",
    );
    let report: Value = serde_json::from_slice(&json.body).unwrap();
    assert_eq!((&report["stored"], report.get("left_out")), (&Value::from(1), None));
}

#[test]
fn the_report_of_an_import_says_which_games_were_removed_before() {
    let editor = Editor::new();
    let before = editor.exported();
    let game = before.split("\n[Event ").next().unwrap();
    editor.done("/edit/game/1", &[("action", "remove"), ("fingerprint", &editor.fingerprint(1))]);
    let (kind, body) = multipart(&[("again.pgn", game)]);
    let page = editor.send("/edit/import", &(editor.headers() + &kind), &body).text();
    assert!(page.contains("1 of these were removed or edited here before"), "{page}");
    // Without a list of changes, since this page does not know them.
    assert!(!page.contains("Nothing has been changed yet"), "{page}");
}

#[test]
fn every_pasted_text_is_read_whatever_was_pasted_before() {
    let editor = Editor::new();
    for (text, stored) in [("1. a3 *\n", 1), ("1. b3 *\n", 1), ("1. a3 *\n\n1. c3 *\n", 1)] {
        let report: Value =
            serde_json::from_str(&pasted(&editor, "", text, "Accept: application/json\r\n")).unwrap();
        assert_eq!((&report["stored"], &report["met"]), (&Value::from(stored), &Value::Array(Vec::new())));
    }
}

#[test]
fn a_pasted_game_that_is_not_fully_understood_is_named_and_linked_and_is_not_pasted_again() {
    let editor = Editor::new();
    let broken = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5\n(1... c5 2. Ke3) *\n";
    let rejected = "[White \"Cy\"]\n\n1. e4 Ke4 *";
    let text = format!("{broken}\n{rejected}\n\n[White \"Dee\"]\n\n1. h4 h5 *\n");
    let page = pasted(&editor, "", &text, "");
    let id = editor.served.json("/api/v1/games?white=Ann")["games"][0]["id"].clone();
    let [(not_understood, first), (stored, second)] = problems(&page)[..] else { panic!("{page}") };
    assert_eq!(not_understood, "Not understood");
    assert!(first.contains("1...Ke4 is not a legal move") && first.contains("Line 9"), "{first}");
    assert_eq!(stored, "Stored, with something not understood");
    for part in
        ["Ann – Bob", "2.Ke3 is not", &format!(">stored as game {id}<"), &format!("\"/edit/game/{id}\"")]
    {
        assert!(second.contains(part), "{part}: {second}");
    }
    assert!(!first.contains("pasted-") && !second.contains("pasted-"), "{page}");
    let field = page.split("<textarea").nth(1).unwrap().split_once('>').unwrap().1;
    assert_eq!(field.split("</textarea>").next().unwrap().trim().replace("&#34;", "\""), rejected);
    let german = pasted(&editor, "?lang=de", &broken.replace("Ann", "Eve"), "");
    assert!(german.contains("Gespeichert, aber nicht alles verstanden"), "{german}");
    assert!(editor.page("/log").text().contains("Imported pasted text: 2 games"));
    // A duplicate was not stored now.
    assert!(problems(&pasted(&editor, "", broken, "")).is_empty());
}

#[test]
fn a_pasted_text_without_games_stays_in_the_field_with_the_reason() {
    let editor = Editor::new();
    let page = pasted(&editor, "", "hello <b>", "");
    let [(heading, row)] = problems(&page)[..] else { panic!("{page}") };
    assert_eq!(heading, "Not understood");
    assert!(row.contains("not a PGN game"), "{row}");
    assert!(page.contains("hello &#60;b&#62;</textarea>"), "{page}");
}

#[test]
fn dates_of_pasted_games_are_read_as_they_are_typed_and_those_of_files_stay() {
    let editor = Editor::new();
    let game = |white: &str, date: &str| format!("[White \"{white}\"]\n[Date \"{date}\"]\n\n1. e4 *\n\n");
    let text =
        game("Ann", "20.11.2026") + &game("Bob", "10.11.2026") + &game("Cy", "2026-1-2") + &game("Di", "?");
    let page = pasted(&editor, "", &text, "");
    let [(heading, row)] = problems(&page)[..] else { panic!("{page}") };
    assert_eq!(heading, "Stored, with something not understood");
    for part in ["Bob – ?", "Line 7", "the date is kept as text", "2026.11.10 or 2026.10.11"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    let german = pasted(&editor, "?lang=de", &game("Dee", "10.11.2026"), "");
    assert!(german.contains("das Datum bleibt als Text erhalten"), "{german}");
    let (kind, body) = multipart(&[("pasted-1.pgn", &game("Eve", "20.11.2026"))]);
    editor.send("/edit/import", &(editor.headers() + &kind), &body);
    for (white, date) in
        [("Ann", "2026.11.20"), ("Bob", "10.11.2026"), ("Cy", "2026.01.02"), ("Eve", "20.11.2026")]
    {
        let game = editor.bench.ok(&["export", "--white", white]);
        assert!(game.contains(&format!("[Date \"{date}\"]")), "{game}");
    }
}

#[test]
fn a_broken_game_is_imported_up_to_its_fault_if_the_box_is_ticked() {
    let editor = Editor::new();
    let part = |name: &str, text: &str| {
        format!("--boundary\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let game = part("pgn", "1. e4 e5 2. Ke3 Nc6 *\n");
    for (box_ticked, counts) in [("", [0, 1]), (&*part("keep_broken", "on"), [1, 0])] {
        let body = format!("{box_ticked}{game}--boundary--\r\n");
        let kind = "Content-Type: multipart/form-data; boundary=boundary\r\nAccept: application/json\r\n";
        let reply = editor.send("/edit/import", &(editor.headers() + kind), body.as_bytes());
        let report: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!([&report["stored"], &report["rejected"]], counts, "{report}");
        assert!(report.to_string().contains("Ke3"), "{report}");
    }
    assert_eq!(editor.bench.ok(&["games", "--tag", "Broken", "--count"]), "1\n");
    assert_eq!(editor.page("/import").text().matches("name=\"keep_broken\"").count(), 2);
}

#[test]
fn a_german_page_says_in_german_why_games_were_rejected_and_what_was_noted() {
    let editor = Editor::new();
    let (rejected, noted) = ("kein legaler Zug", "Partien mit Zügen in langer Notation oder UCI");
    for accept in ["text/html", "application/json", "application/x-ndjson"] {
        let headers = format!("{}Accept: {accept}\r\n", editor.headers());
        let pgn = format!("[Site \"{accept}\"]\n\n1. e4 Ke4 *\n\n[Site \"{accept}\"]\n\n1. Ng1-f3 *\n");
        let text = editor.send("/edit/import?lang=de", &headers, pgn.as_bytes()).text();
        assert!(text.contains(rejected) && !text.contains("is not a legal move"), "{accept}: {text}");
        assert!(text.contains(noted), "{accept}: {text}");
    }
}

#[test]
fn a_german_page_says_in_german_what_is_missing() {
    let editor = Editor::new();
    for (path, why) in [
        ("/game/9999999?lang=de", "Partie 9999999 ist nicht im Archiv"),
        ("/nowhere?lang=de", "Diese URL gibt es nicht"),
        ("/edit/undo?change=77&lang=de", "Eine solche Änderung ist nicht in Kraft"),
        ("/edit/remove?id=9999999&lang=de", "Diese Partien sind nicht im Archiv"),
    ] {
        let headers = format!("{}Cookie: {}\r\nAccept: text/html\r\n", editor.key, editor.cookie);
        let reply = editor.served.get_with(path, &headers);
        assert!(reply.status == 404 && reply.text().contains(why), "{path}: {}", reply.text());
    }
}

#[test]
fn a_mistake_inside_a_variation_is_named_with_its_place_like_one_in_the_game() {
    let editor = Editor::new();
    let (kind, body) = multipart(&[("a.pgn", "[White \"A\"]\n\n1. e4 e5\n(1... c5 2. Ke3) *\n")]);
    let page = editor.send("/edit/import", &(editor.headers() + &kind), &body).text();
    let (_, row) = problems(&page)[0];
    for part in [">a.pgn<", ">Game 1<", ">Line 4<", "2.Ke3 is not a legal move"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    let (kind, body) = multipart(&[("c.pgn", "[White \"C\"]\n\n1. e4 e5\n(1... c5 2. Ke3) *\n")]);
    let page = editor.send("/edit/import?lang=de", &(editor.headers() + &kind), &body).text();
    assert!(page.contains("kein legaler Zug") && !page.contains("is not a legal move"), "{page}");
    let headers = editor.headers() + "Accept: application/json\r\n";
    let reply = editor.send("/edit/import?name=b.pgn", &headers, b"1. d4 d5 (1... e5 2. Ke3) *\n");
    let report: Value = serde_json::from_slice(&reply.body).unwrap();
    let warnings = report["warnings"].as_array().unwrap();
    let broken = warnings.iter().find(|warning| warning["reason"] == "broken_variations").unwrap();
    assert!(broken["detail"].as_str().unwrap().contains("Ke3"), "{broken}");
}
