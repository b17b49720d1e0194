//! A preparation that is compared with the reader's own lines: the marks of its moves, its gaps, its data; and what a
//! form may not do.
#![cfg(feature = "web")]

use std::{
    collections::BTreeSet,
    fs,
    io::{BufReader, Write},
};

use serde_json::Value;

use super::serve_pages::{assert_is_whole, html, links, page};
use crate::{
    common::{
        Bench,
        html::{Html, text_of},
        server::{Reply, Served},
    },
    editor::{FORM, form},
};

/// What Anna Opp plays with Black, in ten games.
const GAMES: [&str; 10] = [
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 0-1",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 0-1",
    "1. e4 c5 2. Nf3 d6 3. d4 Nf6 1-0",
    "1. e4 e6 2. d4 d5 1-0",
    "1. e4 e6 2. d4 d5 1/2-1/2",
    "1. e4 c5 2. Nc3 Nc6 0-1",
    "1. d4 d5 2. c4 e6 0-1",
    "1. d4 d5 2. c4 e6 0-1",
    "1. e4 d5 2. exd5 Qxd5 1-0",
    "1. e4 d5 2. Nc3 d4 1-0",
];

/// Own lines with White: nothing against 1... e6, no answer to 1... d5, and 3. Bb5+, which she has not met.
const LINES: &str = "[Event \"Mine\"]\n\n1. e4 c5 (1... e5 2. Nf3) (1... d5) 2. Nf3 d6 3. Bb5+ *\n";

fn served() -> (Bench, Served) {
    let bench = Bench::new();
    import(&bench, ["X", "Opp, Anna"], &GAMES);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

/// Imports games between two players, with a round each, since an archive has equal games only once.
fn import(bench: &Bench, [white, black]: [&str; 2], games: &[&str]) {
    let game = |(round, moves): (usize, &&str)| {
        let result = moves.rsplit(' ').next().unwrap();
        format!(
            "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2001.??.??\"]\n[Result \"{result}\"]\n\n{moves}\n\n"
        )
    };
    fs::write(bench.path("a.pgn"), games.iter().enumerate().map(game).collect::<String>()).unwrap();
    bench.ok(&["import", "-q", "a.pgn"]);
}

/// Sends a body with some headers.
fn send(served: &Served, path: &str, headers: &str, body: &[u8]) -> Reply {
    let mut stream = served.connect();
    let length = body.len();
    let head =
        format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // The server may refuse a body before its end.
    let _ = stream.write_all(body);
    Reply::read(&mut BufReader::new(stream)).expect("no answer")
}

/// Compares lines with the games of Anna Opp, as a form without a file.
fn compared(served: &Served, path: &str, colour: &str, pgn: &str) -> Reply {
    let fields = [("opponent", "opp"), ("colour", colour), ("since", ""), ("pgn", pgn)];
    send(served, path, FORM, form(&fields).as_bytes())
}

/// A form as browsers send it: fields, and one with a file.
fn multipart(fields: &[(&str, &str)], file: &str) -> Vec<u8> {
    let part = |(name, value): &(&str, &str)| {
        format!("--xyz\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let fields: String = fields.iter().map(part).collect();
    let file_name = if file.is_empty() { "" } else { "lines.pgn" };
    format!(
        "{fields}--xyz\r\nContent-Disposition: form-data; name=\"pgn\"; filename=\"{file_name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n{file}\r\n--xyz--\r\n"
    )
    .into_bytes()
}

const MULTIPART: &str = "Content-Type: multipart/form-data; boundary=xyz\r\n";

/// The moves of the tree with their marks and numbers of games.
fn marks(html: &Html) -> Vec<[String; 3]> {
    let moves = html.texts(|tag| tag.has_class("t-move"));
    let rows = html.within(|tag| tag.has_class("t-row")).into_iter().map(<[_]>::to_vec);
    let rows = rows.map(|parts| {
        let row = Html { parts };
        let [mark, games] = ["mark", "num"].map(|class| row.texts(|tag| tag.has_class(class)));
        [mark.first().cloned().unwrap_or_default(), games.first().cloned().unwrap_or_default()]
    });
    moves.into_iter().zip(rows).map(|(m, [mark, games])| [m, mark, games]).collect()
}

#[test]
fn a_comparison_has_the_chosen_language_and_date_in_its_links() {
    let (_bench, served) = served();
    let target = |language: &str| {
        let html = page(&served, &format!("/prepare?opponent=opp{language}"));
        let form = html.named("form").find(|tag| tag.get("id") == Some("prepare")).unwrap();
        form.get("action").unwrap().to_owned()
    };
    // The script opens a page in the remembered language, without the form, if its URL has none.
    assert_eq!([target(""), target("&lang=en")], ["/prepare", "/prepare?lang=en"]);
    let fields = [("opponent", "opp"), ("colour", "white"), ("since", "0001"), ("pgn", LINES)];
    let found = html(&send(&served, "/prepare?lang=en", FORM, form(&fields).as_bytes()));
    let lines: Vec<String> = links(&found).into_iter().filter(|link| link.contains("play=")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|link| link.contains("date=0001..")), "{lines:?}");
}

#[test]
fn the_tree_shows_own_moves_prepared_replies_and_gaps() {
    let (_bench, served) = served();
    let reply = compared(&served, "/prepare", "white", LINES);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let found = html(&reply);
    assert_is_whole(&found, "/prepare");
    let expected = [
        ["1.e4", "✓ your move", "8"],
        ["1…c5", "✓ in your PGN", "4"],
        ["2.Nf3", "✓ your move", "3"],
        ["2…d6", "✓ in your PGN", "3"],
        ["3.d4", "", "3"],
        ["3…cxd4", "", "2"],
        ["3.Bb5+", "✓ your move", "–"],
        ["1…d5", "✗ no answer in your PGN", "2"],
        ["1…e6", "✗ not in your PGN", "2"],
        ["2.d4", "", "2"],
        ["2…d5", "", "2"],
        ["1.d4", "", "2"],
        ["1…d5", "", "2"],
        ["2.c4", "", "2"],
        ["2…e6", "", "2"],
    ];
    assert_eq!(marks(&found), expected.map(|row| row.map(str::to_owned)));
    // Without lines there are no marks, and the same rows without those of the reader.
    let plain = marks(&page(&served, "/prepare?opponent=opp&colour=white"));
    assert_eq!(plain.len(), expected.len() - 1);
    assert!(plain.iter().all(|[_, mark, _]| mark.is_empty()));
    // The form keeps its fields, also for another opponent.
    assert_eq!(
        found.texts(|tag| tag.name == "textarea"),
        [LINES.split_whitespace().collect::<Vec<_>>().join(" ")]
    );
    assert!(found.named("input").any(|tag| tag.get("value") == Some("opp")));
    let german = send(
        &served,
        "/prepare",
        &format!("Accept-Language: de\r\n{FORM}"),
        form(&[("opponent", "opp"), ("pgn", LINES)]).as_bytes(),
    );
    assert!(german.text().contains("✗ nicht im eigenen PGN"), "{}", german.text());
}

#[test]
fn the_opponents_own_colour_decides_which_moves_are_gaps() {
    let (bench, _) = served();
    import(&bench, ["Opp, Anna", "X"], &["1. e4 c5 *", "1. e4 c5 *", "1. d4 *", "1. d4 *"]);
    let served = Served::new(&bench, &[]);
    let found = html(&compared(&served, "/prepare", "black", "1. e4 e5 *"));
    let expected = [
        ["1.d4", "✗ not in your PGN", "2"],
        ["1.e4", "✓ in your PGN", "2"],
        ["1…c5", "", "2"],
        ["1…e5", "✓ your move", "–"],
    ];
    let mut found = marks(&found);
    // Both first moves have two games.
    if found[0][0] == "1.e4" {
        found.rotate_left(3);
    }
    assert_eq!(found, expected.map(|row| row.map(str::to_owned)));
}

#[test]
fn the_summary_counts_games_and_lists_the_gaps_with_their_positions() {
    let (_bench, served) = served();
    let found = html(&compared(&served, "/prepare", "white", LINES));
    // Three games with 3. d4, one with 2. Nc3 and two with 1. d4 leave by White's moves; two each with 1... e6 and
    // 1... d5 by Black's.
    let of_lines = |html: &Html| html.texts(|tag| tag.name == "dd")[..4].to_vec();
    assert_eq!(of_lines(&found), ["0 games · 0.0%", "4 games · 40.0%", "6 games · 60.0%", "0 games · 0.0%"]);
    let gaps = found.rows("gaps");
    assert_eq!(gaps, [["2", "25.0%", "1. e4 e6"], ["2", "0.0%", "1. e4 d5 no answer in your PGN"]]);
    for (play, games) in [("e2e4,e7e6", 2), ("e2e4,d7d5", 2)] {
        let link = links(&found)
            .into_iter()
            .find(|link| link.starts_with("/explorer") && link.ends_with(&format!("play={play}")));
        let explorer = page(&served, &link.unwrap());
        assert!(text_of(&explorer.parts).contains(&format!("{games} games")), "{play}");
    }
    // A game stays in the lines if it reaches their end; the moves after it are gaps too.
    let short = html(&compared(&served, "/prepare", "white", "1. e4 d5 2. exd5 *"));
    assert_eq!(of_lines(&short), ["1 game · 10.0%", "6 games · 60.0%", "3 games · 30.0%", "0 games · 0.0%"]);
    assert_eq!(
        short.rows("gaps"),
        [["4", "75.0%", "1. e4 c5"], ["2", "25.0%", "1. e4 e6"], ["1", "0.0%", "1. e4 d5 2. exd5 Qxd5"]]
    );
    // Lines that begin in another position are linked as well.
    let chapter = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2\"]\n\n2... c5 3. d5 *\n";
    let found = html(&compared(&served, "/prepare", "white", chapter));
    assert_eq!(found.rows("gaps"), [["2", "25.0%", "2... d5"]]);
    let link = links(&found).into_iter().find(|link| link.contains("fen=")).unwrap();
    assert!(text_of(&page(&served, &link).parts).contains("2 games"), "{link}");
}

#[test]
fn own_moves_below_the_share_limit_have_their_games_and_lines_without_games_are_listed() {
    let bench = Bench::new();
    let mut games = vec!["1. e4 c5 2. Nf3 d6 0-1"; 98];
    games.extend(["1. d4 d5 2. c4 1-0", "1. d4 d5 2. Nf3 1-0"]);
    import(&bench, ["X", "Opp, Anna"], &games);
    let served = Served::new(&bench, &[]);
    let pgn = "1. e4 c5 2. Nf3 d6 (2... a6 3. c3) 3. d4 (3. Bb5+) *\n\n1. d4 d5 2. c4 e6 3. Nc3 *\n\n\
               [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    let found = html(&compared(&served, "/prepare", "white", pgn));
    let rows = marks(&found);
    // Two of a hundred games are fewer than the tree shows.
    assert!(rows.contains(&["1.d4", "✓ your move", "2"].map(str::to_owned)), "{rows:?}");
    assert!(rows.contains(&["3.d4", "✓ your move", "–"].map(str::to_owned)), "{rows:?}");
    let titles = found.texts(|tag| tag.name == "h3");
    assert!(titles.contains(&"Your lines that the opponent never met (5)".to_owned()), "{titles:?}");
    let unmet = found.within(|tag| tag.get("id") == Some("unmet"));
    let unmet = Html { parts: unmet[0].to_vec() };
    let expected = [
        "1. e4 c5 2. Nf3 a6",
        "1. e4 c5 2. Nf3 d6 3. d4",
        "1. e4 c5 2. Nf3 d6 3. Bb5+",
        "1. d4 d5 2. c4 e6",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ];
    let lines: BTreeSet<String> = unmet.texts(|tag| tag.name == "a").into_iter().collect();
    assert_eq!(lines, expected.map(str::to_owned).into());
    for link in links(&unmet) {
        assert!(page(&served, &link).text("summary").starts_with("0 games"), "{link}");
    }
}

#[test]
fn the_comparison_as_data_is_that_of_the_command_line() {
    let (bench, served) = served();
    fs::write(bench.path("lines.pgn"), LINES).unwrap();
    let printed = bench.json(&[
        "repertoire",
        "lines.pgn",
        "--as",
        "white",
        "--player",
        "opp",
        "--colour",
        "black",
        "--format",
        "json",
    ]);
    let plain = served.json("/prepare.json?opponent=opp&colour=white");
    let fields = [("opponent", "opp"), ("colour", "white")];
    for reply in [
        compared(&served, "/prepare.json", "white", LINES),
        send(&served, "/prepare.json", MULTIPART, &multipart(&fields, LINES)),
        send(&served, "/prepare.json?opponent=opp&colour=white", FORM, form(&[("pgn", LINES)]).as_bytes()),
        // A file replaces the text.
        send(&served, "/prepare.json", MULTIPART, &multipart(&[fields[0], ("pgn", "1. a3 *")], LINES)),
    ] {
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
        let mut data: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(data.as_object_mut().unwrap().remove("repertoire"), Some(printed.clone()));
        assert_eq!(data, plain);
    }
    assert_eq!(plain, bench.json(&["prepare", "--against", "opp", "--as", "white", "--format", "json"]));
}

#[test]
fn a_form_without_a_pgn_leads_to_the_page_with_a_url() {
    let (_bench, served) = served();
    let fields = [
        ("opponent", "Opp, Anna"),
        ("colour", "white"),
        ("since", " 1900 "),
        ("lang", "de"),
        ("pgn", " \r\n"),
    ];
    let reply = send(&served, "/prepare", MULTIPART, &multipart(&fields, ""));
    let url = "/prepare?opponent=Opp%2C+Anna&colour=white&since=1900&lang=de".replace("%2C", ",");
    assert_eq!((reply.status, reply.header("location")), (303, Some(url.as_str())));
    // As data it is an error.
    assert_eq!(send(&served, "/prepare.json", MULTIPART, &multipart(&fields, "")).status, 400);
    // An opponent without games keeps the lines in the form.
    let none =
        html(&send(&served, "/prepare", FORM, form(&[("opponent", "nobody"), ("pgn", LINES)]).as_bytes()));
    assert!(none.texts(|tag| tag.name == "textarea")[0].contains("Bb5+"));
}

/// The error of an answer as JSON.
fn error(reply: &Reply) -> String {
    let error: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(error["status"], reply.status);
    error["error"].as_str().unwrap().to_owned()
}

#[test]
fn a_pgn_that_cannot_be_read_is_an_error_with_its_game_and_line() {
    let (_bench, served) = served();
    let second = "1. e4 c5 *\n\n[White \"A\"]\n\n1. e4 e5\n2. Nf3 Nf7 *\n";
    let atomic = "[Variant \"Atomic\"]\n\n1. Nf3 *\n";
    for (pgn, why) in [
        (second, "game 2, line 6: 2...Nf7 is not a legal move"),
        ("1. e4 (1. d4 *", "game 1, line 1: the parentheses of the variations are not balanced"),
        ("hello", "game 1, line 1: "),
        (&[LINES, atomic].concat(), "game 2, "),
        (atomic, "only games of standard chess can be compared"),
        (&long_line(), "a line in it is longer than 2,000 half-moves"),
        ("*", "it contains no moves"),
        ("%PDF-1.7", "this is a PDF document"),
    ] {
        let reply = compared(&served, "/prepare.json", "white", pgn);
        let error = error(&reply);
        assert!(reply.status == 400 && error.contains(why), "{pgn:?}: {error}");
        let shown = compared(&served, "/prepare", "white", pgn);
        assert_eq!((shown.status, shown.header("cache-control")), (400, Some("no-store")));
        let shown = html(&shown);
        assert!(!shown.texts(|tag| tag.has_class("error"))[0].starts_with(':'), "{pgn:?}");
        assert_eq!(shown.texts(|tag| tag.name == "h1"), ["This PGN cannot be compared"]);
        assert!(shown.texts(|tag| tag.has_class("error"))[0].contains(why), "{pgn:?}");
    }
    let headers = format!("Accept-Language: de\r\n{FORM}");
    let german =
        send(&served, "/prepare", &headers, form(&[("opponent", "opp"), ("pgn", second)]).as_bytes());
    assert!(german.text().contains("Partie 2, Zeile 6: "), "{}", german.text());
    let green = compared(&served, "/prepare.json", "green", LINES);
    assert_eq!(
        (green.status, error(&green)),
        (400, "bad request: colour: must be white or black".to_owned())
    );
}

/// A line of more than 2,000 half-moves without a repetition: kings go round, and pawns step forward.
fn long_line() -> String {
    let kings =
        [&["f1", "g1", "h1", "h2", "h3", "g3", "f3", "f2"][..], &["f8", "g8", "h8", "h7", "h6", "g6", "f7"]];
    let mut kings = kings.map(|squares| squares.iter().cycle().skip(1));
    let mut line = "[SetUp \"1\"]\n[FEN \"5k2/8/8/8/8/8/PPPPP3/5K2 w - - 0 1\"]\n\n".to_owned();
    for step in 3..=6 {
        for file in "abcde".chars().filter(|file| step < 6 || *file != 'e') {
            for _ in 0..55 {
                kings.iter_mut().for_each(|king| line += &format!("K{} ", king.next().unwrap()));
            }
            line += &format!("{file}{step} K{} ", kings[1].next().unwrap());
        }
    }
    line + "*"
}

#[test]
fn forms_are_limited_in_size_and_kind() {
    let (_bench, served) = served();
    let most = 1 << 20;
    let of_size = |size: usize| {
        let begin = "opponent=opp&pgn=1.+e4+e5+*+;";
        format!("{begin}{}", "x".repeat(size - begin.len())).into_bytes()
    };
    assert_eq!(send(&served, "/prepare", FORM, &of_size(most)).status, 200);
    for size in [most + 1, 5 * most] {
        let reply = send(&served, "/prepare", &format!("Accept-Language: de\r\n{FORM}"), &of_size(size));
        assert_eq!((reply.status, reply.header("connection")), (413, Some("close")), "{size}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let found = html(&reply);
        assert_is_whole(&found, "/prepare");
        assert!(found.texts(|tag| tag.has_class("error"))[0].contains("1 MiB"));
        let reply = send(&served, "/prepare.json", FORM, &of_size(size));
        assert!(reply.status == 413 && error(&reply).contains("1 MiB"), "{}", reply.text());
    }
    for headers in ["", "Content-Type: text/plain\r\n", "Content-Type: multipart/form-data\r\n", MULTIPART] {
        let reply = send(&served, "/prepare", headers, b"pgn=1. e4 *");
        assert_eq!((reply.status, reply.header("connection")), (400, Some("close")), "{headers}");
    }
    for method in ["PUT", "DELETE"] {
        let reply = served.send(format!("{method} /prepare HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD, OPTIONS, POST")));
    }
}

#[test]
fn pages_of_other_sites_may_not_send_forms() {
    let (_bench, served) = served();
    for (headers, status) in [
        ("Origin: https://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\n", 403),
        ("Sec-Fetch-Site: same-site\r\nOrigin: http://localhost\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", 403),
        ("Origin: http://localhost\r\n", 200),
        ("Sec-Fetch-Site: same-origin\r\nOrigin: http://localhost\r\n", 200),
    ] {
        for path in ["/prepare", "/prepare.json"] {
            let fields = form(&[("opponent", "opp"), ("pgn", LINES)]);
            let reply = send(&served, path, &format!("{headers}{FORM}"), fields.as_bytes());
            assert_eq!(reply.status, status, "{path} {headers}");
        }
    }
}

#[test]
fn nothing_of_a_comparison_is_stored() {
    let (bench, temporary) = (served().0, Bench::new());
    let mut command = bench.command(&["serve", "-q", "--port", "0"]);
    command.env("TMPDIR", temporary.folder.path());
    let served = Served::of(command);
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let files = || fs::read_dir(bench.folder.path()).unwrap().count();
    let (names, plain) = (files(), served.get("/prepare?opponent=opp&colour=white"));
    assert!(plain.header("etag").is_some() && plain.header("cache-control") == Some("no-cache"));
    for path in ["/prepare", "/prepare.json"] {
        let reply = compared(&served, path, "white", LINES);
        assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-store")));
        assert_eq!((reply.header("etag"), reply.header("set-cookie")), (None, None));
        assert!(reply.text().contains("Bb5+"));
    }
    // Other lines have another answer, and the page itself is what it was.
    assert!(!compared(&served, "/prepare.json", "white", "1. d4 *").text().contains("Bb5+"));
    let again = served.get("/prepare?opponent=opp&colour=white");
    assert_eq!(
        (again.body, again.headers.iter().find(|(name, _)| name == "etag")),
        (plain.body, plain.headers.iter().find(|(name, _)| name == "etag"))
    );
    assert_eq!((fs::read(bench.path("plybook.db")).unwrap(), files()), (before, names));
    assert!(fs::read_dir(temporary.folder.path()).unwrap().next().is_none());
}

#[test]
fn text_of_a_pgn_is_text_on_the_page() {
    let (_bench, served) = served();
    let evil = "</textarea><script>alert(1)</script>\"><img src=x onerror=alert(1)>";
    let pgn = format!("[Event \"{}\"]\n\n1. e4 {{ {evil} }} c5 2. Nf3 *\n", evil.replace('"', "'"));
    let reply = compared(&served, "/prepare", "white", &pgn);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let found = html(&reply);
    assert_is_whole(&found, "/prepare");
    assert!(
        found.named("img").next().is_none() && found.texts(|tag| tag.name == "textarea")[0].contains(evil)
    );
    let wrong = html(&compared(&served, "/prepare", "white", &format!("1. e4 {}", evil.replace(' ', ""))));
    assert_is_whole(&wrong, "/prepare");
}
