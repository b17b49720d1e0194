//! The API of the pages: paged lists of games, games with all their variations, exports, names.
#![cfg(feature = "web")]

use std::{
    collections::HashSet,
    io::{BufReader, Read, Write},
    time::Duration,
};

use crate::common::{
    self, Bench,
    html::Html,
    many_games,
    server::{Reply, Served},
};
use serde_json::Value;

/// All ids of a list, page by page.
fn paged(served: &Served, query: &str, limit: usize) -> Vec<i64> {
    let (mut ids, mut after) = (Vec::new(), String::new());
    loop {
        let page = served.json(&format!("/api/v1/games?{query}&limit={limit}{after}"));
        let games = page["games"].as_array().unwrap();
        assert!(games.len() <= limit);
        ids.extend(games.iter().map(|game| game["id"].as_i64().unwrap()));
        let Some(next) = page["next"].as_str() else {
            assert_eq!(page["total"].as_u64(), Some(ids.len() as u64), "{query}");
            return ids;
        };
        after = format!("&after={next}");
    }
}

/// The same from the command line.
fn listed(bench: &Bench, arguments: &[&str]) -> Vec<i64> {
    let output = bench.run(&[&["games", "--format", "ids"], arguments].concat());
    common::text(&output.stdout).lines().map(|id| id.parse().unwrap()).collect()
}

#[test]
fn pages_of_a_list_add_up_to_the_list() {
    let bench = Bench::new();
    std::fs::write(bench.path("a.pgn"), many_games(400)).unwrap();
    bench.run(&["import", "-q", "a.pgn", "--index"]);
    let served = Served::new(&bench, &[]);
    for (query, arguments) in [
        ("", &[][..]),
        ("desc=true", &["--desc"]),
        ("sort=id&desc=1", &["--desc"]),
        ("sort=date", &["--sort", "date"]),
        ("sort=result&desc=yes", &["--sort", "result", "--desc"]),
        ("sort=white", &["--sort", "white"]),
        ("sort=elo&desc=true", &["--sort", "elo", "--desc"]),
        ("player=morphy&color=white", &["--player", "morphy", "--colour", "white"]),
        ("player=morphy&sort=plies", &["--player", "morphy", "--sort", "plies"]),
        (
            "result=1-0&date=..1900&plies=20..60",
            &["--result", "1-0", "--date", "..1900", "--plies", "20..60"],
        ),
        ("player=morphy&result=won", &["--player", "morphy", "--result", "won"]),
        (
            "material=QRRBBNNP%7B7%7D+QRRBBNNP%7B8%7D&result=lost&sort=date",
            &["--material", "QRRBBNNP{7} QRRBBNNP{8}", "--result", "lost", "--sort", "date"],
        ),
        ("eco=C&event=*%201*", &["--eco", "C", "--event", "* 1*"]),
        ("white=nobody", &["--white", "nobody"]),
        ("play=e2e4,e7e5&sort=date", &["--position", "1. e4 e5", "--sort", "date"]),
        ("opening=sicilian&desc=true", &["--opening", "sicilian", "--desc"]),
        ("speed=blitz", &["--speed", "blitz"]),
        ("variant=Standard&site=*", &["--variant", "Standard", "--site", "*"]),
        (
            "pattern=*/*/*/*/%3F%3F%3F%3FP*/*/*/*&not_pattern=*/*/*/*/%3F%3F%3FP*/*/*/*&sort=date",
            &["--pattern", "*/*/*/*/????P*/*/*/*", "--not-pattern", "*/*/*/*/???P*/*/*/*", "--sort", "date"],
        ),
        (
            "material=QRRBBNNP%7B7%7D+QRRBBNNP%7B8%7D&min_plies=2",
            &["--material", "QRRBBNNP{7} QRRBBNNP{8}", "--min-plies", "2"],
        ),
        (
            "pattern=*/*/*/*/????P*/*/*/*&then=*/*/*/????P*/*/*/*/*&within=9&mirror=true",
            &[
                "--pattern",
                "*/*/*/*/????P*/*/*/*",
                "--then",
                "*/*/*/????P*/*/*/*/*",
                "--within",
                "9",
                "--mirror",
            ],
        ),
        (
            "pattern=*/*/*/*/%3F%3FP%3FP*/*/*/*&any_file=yes",
            &["--pattern", "*/*/*/*/??P?P*/*/*/*", "--any-file"],
        ),
        ("ends_in=mate&white_castles=no", &["--ends-in", "mate", "--white-castles", "no"]),
        ("tag=Site%3D*usa&id=1,3..40,60", &["--tag", "Site=*usa", "--id", "1,3..40,60"]),
        ("eco=B,C4&player=morphy;%20anderssen", &["--eco", "B,C4", "--player", "morphy; anderssen"]),
        ("comment=x", &["--comment", "x"]),
    ] {
        let expected = listed(&bench, arguments);
        for limit in [7, 50, 200] {
            assert_eq!(paged(&served, query, limit), expected, "{query} by {limit}");
        }
    }
    let page = served.json("/api/v1/games?limit=9999");
    assert_eq!(page["games"].as_array().unwrap().len(), 200);
    assert_eq!(served.json("/api/v1/games")["games"].as_array().unwrap().len(), 50);
    for query in [
        "sort=colour",
        "elo=x",
        "after=x",
        "limit=x",
        "colour=red&player=a",
        "nonsense=1",
        "offset=3",
        "fen=x",
        "casual=maybe",
        "result=won",
        "result=lost&player=a&material=K+K",
    ] {
        let reply = served.get(&format!("/api/v1/games?{query}"));
        assert_eq!(reply.status, 400, "{query}: {}", reply.text());
    }
    for path in ["games?offset=3", "export?offset=3", "export?limit=3", "report?limit=3"] {
        let reply = served.get(&format!("/api/v1/{path}"));
        let name = path.split(['?', '=']).nth(1).unwrap();
        assert_eq!(reply.status, 400, "{path}");
        let error: Value = serde_json::from_slice(&reply.body).unwrap();
        let why = error["error"].as_str().unwrap();
        assert!(why.starts_with(&format!("bad request: {name}: ")), "{path}: {why}");
    }
}

#[test]
fn games_added_between_two_pages_do_no_harm() {
    let bench = Bench::new();
    for (name, count) in [("a.pgn", 100), ("b.pgn", 140)] {
        std::fs::write(bench.path(name), many_games(count)).unwrap();
    }
    bench.run(&["import", "-q", "a.pgn"]);
    let served = Served::new(&bench, &[]);
    let first = served.json("/api/v1/games?sort=date&limit=30");
    bench.run(&["import", "-q", "b.pgn"]);
    let mut seen: Vec<i64> =
        first["games"].as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect();
    let mut next = first["next"].as_str().map(str::to_owned);
    while let Some(after) = next {
        let page = served.json(&format!("/api/v1/games?sort=date&limit=30&after={after}"));
        seen.extend(page["games"].as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()));
        next = page["next"].as_str().map(str::to_owned);
    }
    let once: HashSet<i64> = seen.iter().copied().collect();
    assert_eq!(once.len(), seen.len());
    let before: HashSet<i64> =
        listed(&bench, &[]).into_iter().filter(|id| *id <= first["total"].as_i64().unwrap()).collect();
    assert!(before.is_subset(&once));
}

#[test]
fn a_game_has_its_tags_in_order_and_every_variation() {
    let bench = Bench::new();
    let pgn = "[Event \"E\"]\n[White \"<b>W</b>\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Zebra \"1\"]\n[Apple \"2\"]\n\n\
               {before} 1. e4 $1 {good [%clk 0:01:00] [%eval 0.3]} 1... e5 (1... c5 $5 (1... Nf6) 2. Nf3 {open} 2... d6 *) ({or} 1... e6) 2. Nf3 -- 3. Nc3 1-0\n";
    std::fs::write(bench.path("a.pgn"), pgn).unwrap();
    bench.ok(&["import", "-q", "a.pgn"]);
    let served = Served::new(&bench, &[]);
    let game = served.json("/api/v1/games/1");
    let text = served.get("/api/v1/games/1").text();
    assert!(text.contains(r#""Zebra":"1","Apple":"2""#), "{text}");
    assert_eq!(game, bench.json(&["show", "1", "--format", "json"]), "one form for both");
    assert_eq!(served.json("/api/v1/games/1?ply=2w")["last_move"]["san"], "Nf3");
    assert_eq!(
        (game["result"].as_str(), game["start_fen"].as_str()),
        (Some("1-0"), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    );
    let tree = &game["tree"];
    assert_eq!(tree["comments"][0], "before");
    let moves = tree["moves"].as_array().unwrap();
    let san = |line: &Value| -> Vec<String> {
        line["moves"].as_array().unwrap().iter().map(|m| m["san"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(san(tree), ["e4", "e5", "Nf3", "--", "Nc3"]);
    assert_eq!(
        (&moves[0]["uci"], &moves[0]["nags"][0], &moves[0]["clock"], &moves[0]["eval"]),
        (&"e2e4".into(), &1.into(), &"0:01:00".into(), &"0.3".into())
    );
    assert_eq!(moves[0]["comments"][0], "good [%clk 0:01:00] [%eval 0.3]");
    assert_eq!(moves[0]["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let variations = moves[1]["variations"].as_array().unwrap();
    assert_eq!(
        (san(&variations[0]), san(&variations[1])),
        (vec!["c5".to_owned(), "Nf3".to_owned(), "d6".to_owned()], vec!["e6".to_owned()])
    );
    assert_eq!((&variations[0]["result"], &variations[1]["comments"][0]), (&"*".into(), &"or".into()));
    let inner = &variations[0]["moves"][0];
    assert_eq!(
        (inner["ply"].as_u64(), &inner["nags"][0], san(&inner["variations"][0])),
        (Some(2), &5.into(), vec!["Nf6".to_owned()])
    );
    assert_eq!(moves[3]["uci"], "0000");
    let file = served.get("/api/v1/games/1.pgn");
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"game-1.pgn\""));
    assert_eq!(file.text().trim_end(), bench.ok(&["export"]).trim_end());
    for (path, status) in [
        ("2", 404),
        ("2.pgn", 404),
        ("0", 404),
        ("-1", 404),
        ("2.svg", 404),
        ("x.png", 400),
        ("x", 400),
        ("1.txt", 400),
        ("99999999999999999999", 400),
    ] {
        assert_eq!(served.get(&format!("/api/v1/games/{path}")).status, status, "{path}");
    }
}

#[test]
fn an_image_of_a_game_equals_that_of_the_command_line() {
    let bench = Bench::new();
    bench.ok(&["import", "-q", common::data("famous.pgn").to_str().unwrap()]);
    bench.ok(&["import", "-q", common::data("xelto").to_str().unwrap()]);
    let served = Served::new(&bench, &[]);
    for (query, arguments) in [
        ("", &[][..]),
        ("?ply=24", &["--ply", "24"]),
        ("?ply=0&flip=1", &["--ply", "0", "--flip"]),
        ("?ply=-3&theme=print", &["--ply", "-3", "--theme", "print"]),
        ("?ply=12w&size=480", &["--ply", "12w", "--size", "480"]),
        ("?size=99999&flip=no", &["--size", "1200"]),
    ] {
        for (name, media) in [("svg", "image/svg+xml"), ("png", "image/png")] {
            let drawn = bench.run(&[&["show", "7", "--format", name], arguments].concat()).stdout;
            let path = format!("/api/v1/games/7.{name}{query}");
            let reply = served.get(&path);
            assert_eq!((reply.status, reply.header("content-type")), (200, Some(media)), "{path}");
            assert!(reply.body == drawn, "{path}");
            // A browser that has it gets status 304.
            assert_eq!(reply.header("cache-control"), Some("no-cache"));
            let tag = format!("If-None-Match: {}\r\n", reply.header("etag").unwrap());
            assert_eq!(served.get_with(&path, &tag).status, 304);
        }
    }
    for (query, why) in [
        ("7.svg?ply=72", "game 7 has no ply 72: it has 71 plies"),
        ("7.png?ply=-73", "game 7 has no ply -73"),
        ("7.svg?ply=x", "ply: \"x\" is not a valid ply"),
        ("7.svg?theme=x", "theme: unknown theme \"x\""),
        ("7.svg?flip=x", "flip: \"x\" is not a valid value; use yes or no"),
        ("7.png?size=x", "size: \"x\" is not a valid number"),
        ("63.svg", "game 63 is a Xelto game; images are available only for chess"),
    ] {
        let reply = served.get(&format!("/api/v1/games/{query}"));
        let error: Value = serde_json::from_slice(&reply.body).unwrap();
        let said = error["error"].as_str().unwrap();
        assert!(reply.status == 400 && said.starts_with(&format!("bad request: {why}")), "{query}: {said}");
    }
}

#[test]
fn a_page_of_an_allowed_origin_shows_an_image() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &["--cors", "https://club.example"]);
    let ask = |origin: &str| {
        let headers = format!("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n{origin}");
        served.get_with("/api/v1/games/7.svg?ply=24", &headers)
    };
    let shown = ask("Origin: https://club.example\r\n");
    assert_eq!((shown.status, shown.header("cross-origin-resource-policy")), (200, Some("cross-origin")));
    assert_eq!(shown.header("access-control-allow-origin"), Some("https://club.example"));
    assert_eq!([ask("").status, ask("Origin: https://other.example\r\n").status], [403, 403]);
}

#[test]
fn a_study_without_names_has_its_event_as_its_title_everywhere() {
    let bench = Bench::new();
    let pgn = "[Event \"Rook endings: Lucena\"]\n[Site \"https://lichess.org/study/x\"]\n\n1. e4 e5 *\n\n\
               [Event \"E\"]\n[White \"A\"]\n[WhiteElo \"2000\"]\n\n1. e4 c5 *\n\n\
               [Site \"S\"]\n[White \"?\"]\n[Black \"\"]\n\n1. e4 d5 *\n\n1. e4 a5 *\n\n";
    std::fs::write(bench.path("a.pgn"), pgn).unwrap();
    bench.ok(&["import", "-q", "a.pgn"]);
    let titles = ["Rook endings: Lucena", "A – ?", "S", "?"];
    let of = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|game| game["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of(&bench.json(&["games", "--format", "json"])), titles);
    assert_eq!(of(&bench.json(&["find", "1. e4", "--format", "json"])), titles);
    let served = Served::new(&bench, &[]);
    assert_eq!(of(&served.json("/api/v1/games")["games"]), titles);
    for (id, title) in (1..).zip(titles) {
        assert_eq!(served.json(&format!("/api/v1/games/{id}"))["title"], title);
        assert_eq!(bench.json(&["show", &id.to_string(), "--format", "json"])["title"], title);
    }
    let heading = |id: u8| {
        let page = Html::new(&served.get(&format!("/game/{id}")).text());
        [page.texts(|tag| tag.name == "title")[0].clone(), page.texts(|tag| tag.name == "h1")[0].clone()]
    };
    assert_eq!(heading(1), ["Rook endings: Lucena · plybook", "Rook endings: Lucena"]);
    assert_eq!(heading(2), ["A – ? · plybook", "A – ?"]);
    let list = served.get("/games").text();
    assert!(list.contains("aria-label=\"Rook endings: Lucena, *\""), "{list}");
}

#[test]
fn an_export_equals_that_of_the_command_line() {
    let bench = Bench::new();
    std::fs::write(bench.path("a.pgn"), many_games(500)).unwrap();
    bench.run(&["import", "-q", "a.pgn"]);
    let served = Served::new(&bench, &[]);
    for (query, arguments) in [
        ("", &["export"][..]),
        ("player=morphy&sort=date&desc=true", &["export", "--player", "morphy", "--sort", "date", "--desc"]),
        ("white=nobody", &["export", "--white", "nobody"]),
    ] {
        let reply = served.get(&format!("/api/v1/export?{query}"));
        assert_eq!(
            (reply.status, reply.header("content-disposition")),
            (200, Some("attachment; filename=\"games.pgn\""))
        );
        assert_eq!(reply.text(), common::text(&bench.run(arguments).stdout), "{query}");
    }
    assert_eq!(served.get("/api/v1/export?elo=x").status, 400);
    // Clients that disconnect or read nothing do not block others.
    let slow: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(b"GET /api/v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            stream.read_exact(&mut [0; 100]).unwrap();
            stream
        })
        .collect();
    assert_eq!(served.get("/api/v1/info").status, 200);
    drop(slow);
    let again = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        served.get("/api/v1/export").status == 200
    });
    assert!(again);
}

#[test]
fn names_are_completed() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let counted = |query: &str| served.json(&format!("/api/v1/names?{query}")).as_array().unwrap().clone();
    let names = |query: &str| -> Vec<String> {
        counted(query).iter().map(|name| name["name"].as_str().unwrap().to_owned()).collect()
    };
    for name in counted("kind=player&q=morphy") {
        let whole = format!("\"{}\"", name["name"].as_str().unwrap());
        let listed = bench.ok(&["games", "--player", &whole, "--format", "ids"]).lines().count() as u64;
        assert_eq!(name["games"], listed, "{name}");
        assert!(name["first_year"].as_u64() <= name["last_year"].as_u64(), "{name}");
    }
    let morphy = names("kind=player&q=MORPH");
    assert!(
        !morphy.is_empty() && morphy.iter().all(|name| name.to_lowercase().contains("morph")),
        "{morphy:?}"
    );
    assert!(names("kind=player&q=").len() <= 20);
    assert_eq!(names("kind=event&q=no%20such%20event"), Vec::<String>::new());
    for query in ["q=a", "kind=moves&q=a"] {
        assert_eq!(served.get(&format!("/api/v1/names?{query}")).status, 400);
    }
}

#[test]
fn a_damaged_game_is_its_own_error() {
    let bench = Bench::with_games();
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE game SET moves = x'ffffffffffffffffffffffffffffffff' WHERE id = 7").unwrap();
    drop(db);
    let served = Served::new(&bench, &[]);
    for path in [
        "/api/v1/games/7",
        "/api/v1/games/7.pgn",
        "/api/v1/games/7.svg?ply=1",
        "/masters/pgn/00000007",
        "/game/7",
        "/game/7?ply=9",
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, 500, "{path}");
        assert!(reply.text().contains("game 7: the stored moves are damaged"), "{path}: {}", reply.text());
    }
    for path in
        ["/api/v1/games/8", "/game/8", "/game/6", "/", "/games", "/masters", "/api/v1/games", "/api/v1/info"]
    {
        assert_eq!(served.get(path).status, 200, "{path}");
    }
    let mut stream = BufReader::new(served.connect());
    stream.get_mut().write_all(b"GET /api/v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let games = Reply::read(&mut stream).unwrap().text().matches("[Event ").count();
    assert_eq!(games, 61);
}

#[test]
fn a_report_equals_that_of_the_command_line() {
    let bench = Bench::new();
    std::fs::write(bench.path("a.pgn"), many_games(200)).unwrap();
    bench.run(&["import", "-q", "a.pgn", "--index"]);
    let served = Served::new(&bench, &[]);
    let names = bench.json(&["report", "--player", "*", "--lines", "1", "--format", "json"]);
    let name = format!("\"{}\"", names["names"][0]["name"].as_str().unwrap());
    let encoded = name.replace('"', "%22").replace(' ', "+");
    for (query, arguments) in [
        ("lines=3".to_owned(), &["--lines", "3"][..]),
        (format!("player={encoded}"), &["--player", &name]),
        (format!("player={encoded}&colour=black"), &["--player", &name, "--colour", "black"]),
        ("player=nobody".to_owned(), &["--player", "nobody"]),
    ] {
        let mut printed = served.json(&format!("/api/v1/report?{query}"));
        // The command line reports these on standard error.
        let unknown = printed.as_object_mut().unwrap().remove("unknown_names");
        assert_eq!(unknown.is_some(), query == "player=nobody");
        let output = bench.run(&[&["report", "--format", "json"], arguments].concat());
        let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed, expected, "{query}");
    }
    for wrong in ["lines=x", "player=a&colour=red", "color=white&white=a&player=b", "date=x", "nothing=1"] {
        assert_eq!(served.get(&format!("/api/v1/report?{wrong}")).status, 400, "{wrong}");
    }
}
