//! Who may not edit: requests without all that a page of the server has, bodies that are too large or too slow, and
//! changes of what nobody has seen.
#![cfg(feature = "web")]

use std::{
    fs,
    io::{BufReader, Read, Write},
    thread,
    time::{Duration, Instant},
};

use data_encoding::BASE64;
use serde_json::Value;

use crate::{
    common::{
        Bench,
        server::{Reply, Served},
    },
    editor::{Editor, FORM, form, key},
};

/// Fields that would change a game.
fn tags<'a>(fingerprint: &'a str, site: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![("action", "tags"), ("tag.Site", site), ("fingerprint", fingerprint)]
}

#[test]
fn a_key_works_once_and_becomes_a_cookie() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &["--edit"]);
    let key = key(&served.url);
    assert!(served.url.ends_with(&format!("@{}/edit", served.address)));
    // A browser is asked for the key of a URL.
    let asked = served.get("/edit");
    assert_eq!((asked.status, asked.header("www-authenticate")), (401, Some("Basic realm=\"plybook\"")));
    // None of these uses it up.
    let head = format!("HEAD /edit HTTP/1.1\r\nHost: localhost\r\n{key}Connection: close\r\n\r\n");
    let mut stream = served.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let reply = Reply::read_head(&mut BufReader::new(stream)).unwrap();
    assert!(reply.header("set-cookie").is_none());
    let ahead = served.get_with("/edit", &format!("{key}Sec-Purpose: prefetch\r\n"));
    assert!(ahead.header("set-cookie").is_none());
    let refused = served.send(format!("GET /edit HTTP/1.1\r\nHost: evil.example\r\n{key}\r\n"));
    assert_eq!((refused.status, refused.header("set-cookie")), (403, None));
    let twice = format!("{key}{key}");
    for wrong in
        ["", "Authorization: Basic\r\n", "Authorization: Basic Og==\r\n", &key.to_lowercase(), &twice]
    {
        let reply = served.get_with("/edit", wrong);
        assert_eq!((reply.status, reply.header("set-cookie")), (401, None), "{wrong}");
        assert!(reply.text().contains("press Enter") || reply.text().contains("Press Enter"));
    }
    let reply = served.get_with("/edit?lang=de", &key);
    assert_eq!((reply.status, reply.header("location")), (303, Some("http://localhost/?lang=de")));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let set = reply.header("set-cookie").unwrap();
    let name = format!("plybook-{}=", served.address.port());
    for part in [&*name, "; SameSite=Strict", "; HttpOnly", "; Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Domain"));
    // The second time it does not work, except for the browser that has the cookie.
    let again = served.get_with("/edit", &key);
    assert_eq!(
        (again.status, again.header("set-cookie"), again.header("cache-control")),
        (401, None, Some("no-store"))
    );
    let pair = set.split(';').next().unwrap();
    let reload = served.get_with("/edit", &format!("{key}Cookie: {pair}\r\n"));
    assert_eq!(
        (reload.status, reload.header("location"), reload.header("set-cookie")),
        (303, Some("http://localhost/"), None)
    );
}

/// Browsers send cookies to all ports of a host, so any server on this machine may know the cookie.
#[test]
fn a_server_that_receives_the_cookie_can_neither_change_anything_nor_find_the_key() {
    let editor = Editor::new();
    let (before, fingerprint) = (editor.exported(), editor.fingerprint(1));
    let (address, cookie) = (editor.served.address, &editor.cookie);
    let value = cookie.split_once('=').unwrap().1;
    let password = editor.served.url["http://".len()..].split(['@', ':']).nth(1).unwrap();
    let basic = |text: &str| format!("Authorization: Basic {}\r\n", BASE64.encode(text.as_bytes()));
    let own = format!(
        "Host: {address}\r\nCookie: {cookie}\r\nOrigin: http://{address}\r\nSec-Fetch-Site: same-origin\r\n"
    );
    let split = format!("{}:{}", &value[..8], &value[8..]);
    let guesses = [
        String::new(),
        format!("Authorization: Bearer {value}\r\n"),
        basic(value),
        basic(&split),
        basic(&format!(":{value}")),
        basic(":"),
        format!("Referer: http://{address}/edit/game/1\r\n"),
    ];
    let body = form(&tags(&fingerprint, "Hacked"));
    for guess in &guesses {
        for path in [
            "/edit/game/1",
            "/edit/remove",
            "/edit/duplicates",
            "/edit/undo",
            "/edit/redo",
            "/edit/import",
            "/edit/import?name=a.pgn",
        ] {
            let reply = editor.send(path, &format!("{own}{guess}{FORM}"), body.as_bytes());
            assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{path} {guess}");
        }
        for path in ["/edit", "/edit/game/1", "/edit/remove?id=1", "/log", "/import", "/edit?key=x"] {
            let reply = editor.served.send(format!("GET {path} HTTP/1.1\r\n{own}{guess}\r\n"));
            assert!(
                matches!(reply.status, 401 | 403) && reply.header("set-cookie").is_none(),
                "{path} {guess}"
            );
            assert!(!reply.text().contains(&fingerprint), "{path}");
        }
    }
    // No page that the cookie opens, and no page for editing, has the key.
    for path in ["/", "/game/1", "/games", "/explorer", "/about", "/editor", "/edit", "/api/v1/info"] {
        let reply = editor.served.send(format!("GET {path} HTTP/1.1\r\n{own}\r\n"));
        assert!(!format!("{:?}{}", reply.headers, reply.text()).contains(password), "{path}");
    }
    for path in ["/edit/game/1", "/log", "/import", "/edit"] {
        let reply = editor.page(path);
        assert!(!format!("{:?}{}", reply.headers, reply.text()).contains(password), "{path}");
    }
    assert_eq!(editor.exported(), before);
}

#[test]
fn changes_need_key_cookie_origin_and_a_page_of_the_server() {
    let editor = Editor::new();
    let (address, key, cookie) = (editor.served.address, &editor.key, &editor.cookie);
    let before = editor.exported();
    let fingerprint = editor.fingerprint(1);
    let body = form(&tags(&fingerprint, "Hacked"));
    let name = cookie.split('=').next().unwrap();
    let host = format!("Host: {address}\r\n");
    let sent = format!("{key}Cookie: {cookie}\r\n");
    let origin = format!("Origin: http://{address}\r\n");
    let site = "Sec-Fetch-Site: same-origin\r\n".to_owned();
    let port = address.port();
    let other = |text: &str| format!("{text}\r\n");
    let cases: Vec<Vec<String>> = vec![
        vec![host.clone(), origin.clone(), site.clone()],
        vec![host.clone(), format!("{key}Cookie: {name}=forged\r\n"), origin.clone(), site.clone()],
        vec![host.clone(), format!("{key}Cookie: other-{cookie}\r\n"), origin.clone(), site.clone()],
        vec![host.clone(), key.clone(), origin.clone(), site.clone()],
        vec![host.clone(), sent.clone(), site.clone()],
        vec![host.clone(), sent.clone(), origin.clone()],
        vec![host.clone(), sent.clone()],
        vec![host.clone(), sent.clone(), other("Origin: null"), site.clone()],
        vec![host.clone(), sent.clone(), other("Origin: https://evil.example"), site.clone()],
        vec![host.clone(), sent.clone(), other(&format!("Origin: https://{address}")), site.clone()],
        vec![host.clone(), sent.clone(), other("Origin: http://127.0.0.1:1"), site.clone()],
        vec![host.clone(), sent.clone(), other(&format!("Origin: http://localhost:{port}")), site.clone()],
        vec![host.clone(), sent.clone(), other(&format!("Origin: http://{address}/")), site.clone()],
        vec![host.clone(), sent.clone(), origin.clone(), origin.clone(), site.clone()],
        vec![host.clone(), sent.clone(), origin.clone(), other("Sec-Fetch-Site: same-site")],
        vec![host.clone(), sent.clone(), origin.clone(), other("Sec-Fetch-Site: cross-site")],
        vec![host.clone(), sent.clone(), origin.clone(), other("Sec-Fetch-Site: none")],
        vec![host.clone(), sent.clone(), origin.clone(), site.clone(), other("Sec-Fetch-Site: cross-site")],
        // A name of another site that resolves to this machine.
        vec![
            other(&format!("Host: evil.example:{port}")),
            sent.clone(),
            other(&format!("Origin: http://evil.example:{port}")),
            site.clone(),
        ],
        vec![other("Host: 10.0.0.1"), sent.clone(), other("Origin: http://10.0.0.1"), site.clone()],
        vec![other(&format!("Host: evil.example:{port}")), sent.clone(), origin.clone(), site.clone()],
    ];
    for path in
        ["/edit/game/1", "/edit/remove", "/edit/duplicates", "/edit/undo", "/edit/redo", "/edit/import"]
    {
        for headers in &cases {
            let reply = editor.send(path, &(headers.concat() + FORM), body.as_bytes());
            assert_eq!(reply.status, 403, "{path} {headers:?}: {}", reply.text());
            assert_eq!(reply.text().lines().count(), 1, "{path}: {}", reply.text());
            assert_eq!(
                (reply.header("set-cookie"), reply.header("access-control-allow-origin")),
                (None, None)
            );
        }
    }
    // No page for others either.
    for path in ["/edit/game/1", "/edit/remove?id=1", "/log", "/import"] {
        let reply = editor.served.get(path);
        assert_eq!((reply.status, reply.header("cache-control")), (403, Some("no-store")), "{path}");
        assert!(!reply.text().contains(&fingerprint), "{path}");
        let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
        assert_eq!(editor.served.get_with(path, &(sent.clone() + visit)).status, 403);
    }
    for method in ["PUT", "DELETE", "PATCH", "BREW"] {
        let head = format!("{method} /edit/game/1 HTTP/1.1\r\n{}\r\n", editor.headers());
        let reply = editor.served.send(head);
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, Some("GET, HEAD, OPTIONS, POST")),
            "{method}"
        );
    }
    let redo = editor.served.send(format!("GET /edit/redo HTTP/1.1\r\n{}\r\n", editor.headers()));
    assert_eq!((redo.status, redo.header("allow")), (405, Some("OPTIONS, POST")));
    assert_eq!(editor.exported(), before);
    // With all of it, the same form is accepted, also under the other name of this machine.
    let local = format!(
        "Host: localhost:{port}\r\n{key}Cookie: a=b; {cookie}\r\nOrigin: http://localhost:{port}\r\n{site}{FORM}"
    );
    assert_eq!(editor.send("/edit/game/1", &local, body.as_bytes()).status, 303);
    assert_ne!(editor.exported(), before);
}

#[test]
fn nothing_of_editing_exists_without_the_option() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    assert_eq!(served.url, format!("http://{}/", served.address));
    let headers =
        format!("Host: {0}\r\nOrigin: http://{0}\r\nSec-Fetch-Site: same-origin\r\n", served.address);
    for path in [
        "/edit/game/1",
        "/edit/remove",
        "/edit/duplicates",
        "/edit/undo",
        "/edit/redo",
        "/edit/import",
        "/log",
        "/import",
        "/games",
    ] {
        let body = "action=remove";
        let head =
            format!("POST {path} HTTP/1.1\r\n{headers}{FORM}Content-Length: {}\r\n\r\n{body}", body.len());
        let reply = served.send(head);
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD, OPTIONS")), "{path}");
        assert!(path == "/games" || served.get(path).status == 404, "{path}");
    }
    let page = served.get_with("/edit", "Authorization: Basic YTpi\r\n");
    assert_eq!((page.status, page.header("set-cookie"), page.header("www-authenticate")), (404, None, None));
}

#[test]
fn bodies_are_limited_in_size_and_time() {
    let editor = Editor::new();
    let before = editor.exported();
    let large = format!("action=comment&text={}", "x".repeat(64 << 10));
    let headers = editor.headers() + FORM;
    for path in ["/edit/game/1", "/edit/remove", "/edit/duplicates", "/edit/undo", "/edit/redo"] {
        assert_eq!(editor.send(path, &headers, large.as_bytes()).status, 413, "{path}");
        let chunked = format!(
            "POST {path} HTTP/1.1\r\n{headers}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
            large.len()
        );
        assert_eq!(editor.served.send(chunked).status, 413, "{path}");
        let other = editor.headers() + "Content-Type: text/plain\r\n";
        assert_eq!(editor.send(path, &other, b"action=remove").status, 415, "{path}");
    }
    let announced = format!(
        "POST /edit/import HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n",
        editor.headers(),
        (512_u64 << 20) + 1
    );
    assert_eq!(editor.served.send(announced).status, 413);
    // A body that does not arrive is not waited for, and others are answered in the meantime.
    let slow = |path: &str, begin: &str| {
        let head = format!("POST {path} HTTP/1.1\r\n{headers}Content-Length: 1000\r\n\r\n{begin}");
        let mut stream = editor.served.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let begun = Instant::now();
    let mut waiting = [slow("/edit/game/1", "action"), slow("/edit/import", "1. e4")];
    editor.done("/edit/game/2", &tags(&editor.fingerprint(2), "Here"));
    editor.done("/edit/undo", &[]);
    assert!(begun.elapsed() < Duration::from_secs(5));
    for stream in &mut waiting {
        let reply = Reply::read(&mut BufReader::new(stream)).unwrap();
        assert_eq!(reply.status, 400, "{}", reply.text());
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert_eq!(editor.exported(), before);
}

#[test]
fn an_upload_that_is_cut_off_leaves_nothing_behind() {
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let mut command = bench.command(&["serve", "-q", "--edit", "--port", "0"]);
    command.env("TMPDIR", temporary.folder.path());
    let served = Served::of(command);
    let editor = Editor::browsing(bench, served);
    let before = editor.exported();
    for _ in 0..5 {
        let head = format!(
            "POST /edit/import HTTP/1.1\r\n{}Content-Length: 1000\r\n\r\n1. e4 e5 *\n",
            editor.headers()
        );
        let mut stream = editor.served.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let is_empty = || fs::read_dir(temporary.folder.path()).unwrap().next().is_none();
    let begun = Instant::now();
    while !is_empty() && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(is_empty());
    assert_eq!(editor.exported(), before);
    let headers = editor.headers() + "Accept: application/json\r\n";
    assert_eq!(editor.send("/edit/import", &headers, b"1. a3 a6 2. h3 *\n").status, 200);
    assert!(is_empty());
}

#[test]
fn of_two_editors_only_the_first_changes_what_both_have_seen() {
    let editor = Editor::new();
    for round in 0..5 {
        let fingerprint = editor.fingerprint(3);
        let replies: Vec<Reply> = thread::scope(|threads| {
            let (editor, fingerprint) = (&editor, &fingerprint);
            let running: Vec<_> = (0..4)
                .map(|number| {
                    let site = format!("Site {round} {number}");
                    threads.spawn(move || editor.post("/edit/game/3", &tags(fingerprint, &site)))
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409]);
        for reply in replies.iter().filter(|reply| reply.status == 409) {
            assert!(reply.text().contains("game 3 has been changed in the meantime"), "{}", reply.text());
        }
    }
    let log: Value = editor.bench.json(&["log", "--format", "json"]);
    assert_eq!(log.as_array().unwrap().iter().filter(|entry| entry["import"].is_null()).count(), 5);
    // The same for a change by another program, as a page.
    let fingerprint = editor.fingerprint(3);
    editor.bench.ok(&["comment", "3", "5", "by another program"]);
    let headers = editor.headers() + FORM;
    let page = editor.send("/edit/game/3", &headers, form(&tags(&fingerprint, "X")).as_bytes());
    assert!(page.status == 409 && page.text().contains("href=\"/edit/game/3\""), "{}", page.text());
    let removed = [("action", "remove"), ("fingerprint", &*fingerprint)];
    editor.refused("/edit/game/3", &removed, 409);
}

#[cfg(unix)]
#[test]
fn an_archive_that_replaces_the_shown_one_is_not_changed_by_its_forms() {
    let editor = Editor::new();
    let fingerprint = editor.fingerprint(1);
    editor.done("/edit/game/2", &tags(&editor.fingerprint(2), "Here"));
    let made = crate::editor::field(&editor.page("/log").text(), "made");
    let other = Bench::new();
    fs::write(other.path("a.pgn"), "1. e4 e5 1-0\n\n1. d4 *\n").unwrap();
    other.ok(&["import", "-q", "a.pgn"]);
    thread::sleep(Duration::from_millis(1100));
    other.ok(&["comment", "2", "1", "x"]);
    let before = other.ok(&["export"]);
    fs::copy(other.path("plybook.db"), editor.bench.path("new.db")).unwrap();
    fs::rename(editor.bench.path("new.db"), editor.bench.path("plybook.db")).unwrap();
    editor.refused("/edit/game/1", &tags(&fingerprint, "Elsewhere"), 409);
    editor.refused("/edit/remove", &[("game", &format!("1-{fingerprint}"))], 409);
    editor.refused("/edit/undo", &[("change", "1"), ("made", &made)], 409);
    assert_eq!(editor.exported(), before);
    // One of an older version is not upgraded on the way.
    let old = crate::common::data("archives/v1.db");
    fs::copy(&old, editor.bench.path("new.db")).unwrap();
    fs::rename(editor.bench.path("new.db"), editor.bench.path("plybook.db")).unwrap();
    assert!(editor.refused("/edit/game/1", &tags(&fingerprint, "Elsewhere"), 409).contains("older version"));
    let reply =
        editor.send("/edit/import", &(editor.headers() + "Accept: application/json\r\n"), b"1. e4 *\n");
    assert_eq!(reply.status, 409, "{}", reply.text());
    assert_eq!(fs::read(editor.bench.path("plybook.db")).unwrap(), fs::read(&old).unwrap());
    fs::remove_file(editor.bench.path("plybook.db")).unwrap();
    let reply =
        editor.send("/edit/import", &(editor.headers() + "Accept: application/json\r\n"), b"1. e4 *\n");
    assert!(reply.status >= 400 && !editor.bench.path("plybook.db").exists(), "{}", reply.text());
}

#[cfg(unix)]
#[test]
fn an_archive_that_is_replaced_during_changes_is_not_damaged() {
    let editor = Editor::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                fs::copy(editor.bench.path("plybook.db"), editor.bench.path("new.db")).unwrap();
                fs::rename(editor.bench.path("new.db"), editor.bench.path("plybook.db")).unwrap();
            }
        });
        for number in 0..20 {
            let page = editor.page("/edit/game/1");
            if page.status != 200 {
                continue;
            }
            let fingerprint = crate::editor::field(&page.text(), "fingerprint");
            let reply = editor.post("/edit/game/1", &tags(&fingerprint, &format!("Site {number}")));
            assert!(matches!(reply.status, 200 | 409 | 500 | 503), "{}", reply.text());
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(editor.bench.run(&["verify"]).status.success());
}

#[test]
fn wrong_forms_are_refused_with_a_reason_and_change_nothing() {
    let editor = Editor::new();
    let before = editor.exported();
    let fingerprint = editor.fingerprint(1);
    let ok = ("fingerprint", &*fingerprint);
    let long = "x".repeat(60_000);
    for (path, fields, reason) in [
        ("/edit/game/1", vec![("action", "tags")], "fingerprint"),
        ("/edit/game/1", vec![("action", "tags"), ("fingerprint", "+123456789abcdef")], "fingerprint"),
        ("/edit/game/1", vec![ok], "action"),
        ("/edit/game/1", vec![ok, ("action", "explode")], "explode"),
        ("/edit/game/1", vec![ok, ("action", "comment")], "text"),
        ("/edit/game/1", vec![ok, ("action", "comment"), ("ply", "-1"), ("text", "x")], "ply"),
        ("/edit/game/1", vec![ok, ("action", "comment"), ("ply", "99999"), ("text", "x")], "no ply 99999"),
        ("/edit/game/1", vec![ok, ("action", "comment"), ("ply", "1"), ("text", "a } b")], "}"),
        ("/edit/game/1", vec![ok, ("action", "glyph"), ("ply", "1"), ("glyphs", "wow")], "not a glyph"),
        ("/edit/game/1", vec![ok, ("action", "glyph"), ("ply", "0"), ("glyphs", "!")], "ply 0"),
        ("/edit/game/1", vec![ok, ("action", "variation"), ("ply", "1"), ("moves", "Qh9")], "cannot be read"),
        ("/edit/game/1", vec![ok, ("action", "tags"), ("tag.Bad name", "x")], "not the name of a tag"),
        ("/edit/game/1", vec![ok, ("action", "tags"), ("tag.Result", "2-0")], "Result"),
        ("/edit/game/1", vec![ok, ("action", "tags"), ("tag.Site", "a\nb")], "control character"),
        ("/edit/game/1", vec![ok, ("action", "tags"), ("tag.FEN", "x")], "cannot have these tags"),
        ("/edit/game/x", vec![ok, ("action", "tags")], "not a valid game number"),
        ("/edit/undo", vec![("change", "x")], "change"),
    ] {
        let refused = editor.refused(path, &fields, 400);
        assert!(refused.contains(reason), "{fields:?}: {refused}");
    }
    editor.refused("/edit/game/99999", &[ok, ("action", "tags"), ("tag.Site", "x")], 404);
    editor.refused("/edit/undo", &[("change", "7")], 409);
    assert_eq!(editor.exported(), before);
    // A long comment is possible, and stays text.
    editor.done("/edit/game/1", &[ok, ("action", "comment"), ("ply", "1"), ("text", &long)]);
    assert!(editor.page("/log").status == 200 && editor.page("/edit/game/1?done=1").status == 200);
    let hostile = "<script>alert(1)</script>\"'&\u{202e}";
    let fingerprint = editor.fingerprint(2);
    editor.done("/edit/game/2", &tags(&fingerprint, hostile));
    for path in ["/edit/game/2?done=2", "/log", "/import", "/edit/remove?id=2"] {
        let page = editor.page(path).text();
        assert!(!page.contains("<script>alert"), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn enter_in_the_terminal_prints_a_new_url() {
    let bench = Bench::with_games();
    let keys = ["\r", "\r", "\u{3}"];
    let arguments = ["serve", "--edit", "--port", "0"];
    let Some(run) = crate::common::terminal::in_terminal(&bench, 120, &keys, &arguments) else { return };
    let urls: std::collections::BTreeSet<&str> = run
        .shown
        .iter()
        .flat_map(|shown| shown.split_whitespace())
        .filter(|word| word.ends_with("/edit"))
        .collect();
    assert!(urls.len() == 3 && run.code == 0, "{:?} {}", run.shown, run.code);
}
