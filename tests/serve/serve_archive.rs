//! The server never changes an archive, and sees the changes of others.
#![cfg(feature = "web")]

use std::{collections::BTreeMap, fs, path::Path, process::Stdio, time::SystemTime};

use crate::common::{self, Bench, data, many_games, server::Served};

/// All routes.
const PATHS: [&str; 9] = [
    "/masters",
    "/lichess?history=true",
    "/player?player=Morphy&color=white",
    "/masters/pgn/00000001",
    "/api/v1/info",
    "/api/v1/games?sort=date&player=morphy",
    "/api/v1/games/1",
    "/api/v1/export",
    "/api/v1/names?kind=player&q=m",
];

/// The files of a directory: their bytes and modification times.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let changed = entry.metadata().unwrap().modified().unwrap();
            (entry.file_name().into_string().unwrap(), (fs::read(entry.path()).unwrap(), changed))
        })
        .collect()
}

#[test]
fn serving_leaves_an_archive_unchanged() {
    for is_indexed in [true, false] {
        let bench = Bench::with_games();
        if is_indexed {
            bench.ok(&["index"]);
        }
        let before = files(bench.folder.path());
        let mut served = Served::new(&bench, &[]);
        for path in PATHS {
            assert_eq!(served.get(path).status, 200, "{path}");
        }
        assert!(files(bench.folder.path()) == before);
        #[cfg(unix)]
        {
            served.signal("TERM");
            assert!(
                served
                    .ended_within(std::time::Duration::from_secs(20))
                    .is_some_and(|status| status.success())
            );
        }
        drop(served);
        assert!(files(bench.folder.path()) == before);
    }
}

#[test]
fn a_running_server_answers_with_every_change() {
    for is_indexed in [true, false] {
        let bench = Bench::with_games();
        if is_indexed {
            bench.ok(&["index"]);
        }
        let served = Served::new(&bench, &[]);
        let games = |query: &str| {
            let answer = served.json(&format!("/api/v1/games?{query}"));
            answer["games"].as_array().map_or(0, Vec::len)
        };
        let replies = || served.json("/masters?play=e2e4").to_string();
        let (morphy, explored) = (games("player=morphy"), replies());
        assert!(morphy > 1);
        for side in ["--white", "--black"] {
            bench.ok(&["tag", side, "morphy", "White=X", "Black=Y"]);
        }
        assert_eq!((games("player=morphy"), games("white=X")), (0, morphy));
        bench.ok(&["remove", "--white", "X"]);
        assert_eq!(games("white=X"), 0);
        assert!(replies() != explored);
        for _ in 0..3 {
            bench.ok(&["undo"]);
        }
        assert_eq!((games("player=morphy"), replies()), (morphy, explored));
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_archive_is_served() {
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let guest = common::Guest::new(&bench, &temporary);
    let served = Served::of(guest.command(&["serve", "--bind", "127.0.0.1:0", "-q"]));
    for path in PATHS {
        assert_eq!(served.get(path).status, 200, "{path}");
    }
}

#[test]
fn games_imported_meanwhile_are_visible() {
    let bench = Bench::new();
    for (name, count) in [("a.pgn", 100), ("b.pgn", 2_000)] {
        fs::write(bench.path(name), many_games(count)).unwrap();
    }
    bench.run(&["import", "-q", "a.pgn", "--index"]);
    let served = Served::new(&bench, &[]);
    let counts = || {
        let printed = served.json("/masters");
        let games =
            ["white", "draws", "black"].iter().map(|name| printed[name].as_u64().unwrap()).sum::<u64>();
        [served.json("/api/v1/info")["games"].as_u64().unwrap(), games]
    };
    let first = counts();
    let arguments = ["import", "-q", "b.pgn", "--commit-every", "100"];
    let mut import = bench.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let mut last = first;
    while import.try_wait().unwrap().is_none() {
        let now = counts();
        assert!(now[0] >= last[0] && now[1] >= last[1], "{now:?} after {last:?}");
        last = now;
    }
    let after = counts();
    let listed = bench.ok(&["games", "--format", "ids"]).lines().count() as u64;
    assert!(after[0] == listed && after[1] > first[1], "{after:?} of {listed}");
    // The caches are updated too.
    assert_eq!(served.json("/api/v1/games?limit=1")["total"].as_u64(), Some(listed));
}

#[cfg(unix)]
#[test]
fn an_archive_that_replaces_another_is_served() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "1. e4 e5 1-0\n\n").unwrap();
    fs::write(bench.path("b.pgn"), "1. d4 d5 0-1\n\n").unwrap();
    fs::write(bench.path("c.pgn"), many_games(40)).unwrap();
    for name in ["a", "b", "c"] {
        bench.run(&["import", "-q", "--index", &format!("{name}.pgn"), "-a", &format!("{name}.db")]);
    }
    fs::copy(bench.path("a.db"), bench.path("plybook.db")).unwrap();
    let served = Served::new(&bench, &[]);
    let mut tags = Vec::new();
    for (name, is_link) in [("b", false), ("a", false), ("c", false), ("b", true), ("a", true), ("c", false)]
    {
        let file = format!("{name}.db");
        if is_link {
            std::os::unix::fs::symlink(&file, bench.path("new.db")).unwrap();
        } else {
            fs::copy(bench.path(&file), bench.path("new.db")).unwrap();
        }
        let before = served.get("/masters");
        fs::rename(bench.path("new.db"), bench.path("plybook.db")).unwrap();
        // Two archives with one game each may have the same numbers everywhere.
        let expected = Served::new(&bench, &["-a", &file]);
        for path in ["/masters", "/api/v1/games?sort=date", "/api/v1/games/1", "/lichess?history=true"] {
            assert_eq!(served.json(path), expected.json(path), "{path} of {name}");
        }
        let known = format!("If-None-Match: {}\r\n", before.header("etag").unwrap());
        assert_eq!(served.get_with("/masters", &known).status, 200);
        tags.push(served.get("/masters").header("etag").unwrap().to_owned());
    }
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 6);
    fs::remove_file(bench.path("plybook.db")).unwrap();
    assert_eq!(served.get("/masters").status, 500);
}

#[test]
fn a_served_collection_shows_new_grown_and_replaced_parts() {
    let bench = Bench::new();
    for (name, count) in [("a", 40), ("b", 60), ("c", 25), ("d", 90)] {
        fs::write(
            bench.path(&format!("{name}.pgn")),
            many_games(count).replace("[Event \"", &format!("[Event \"{name} ")),
        )
        .unwrap();
    }
    bench.run(&["import", "-q", "--index", "a.pgn", "--into", "parts"]);
    let served = Served::of(bench.command(&["serve", "-q", "--bind", "127.0.0.1:0", "parts"]));
    let mut seen = Vec::new();
    let mut has_all = |what: &str| {
        let listed = bench.ok(&["games", "-a", "parts", "--format", "ids"]).lines().count() as u64;
        let explored = bench.ok(&["explore", "-a", "parts", "--format", "json"]);
        let explored: serde_json::Value = serde_json::from_str(&explored).unwrap();
        let info = served.json("/api/v1/info")["games"].as_u64();
        let games = served.json("/api/v1/games?sort=date&limit=200");
        assert_eq!((info, games["total"].as_u64()), (Some(listed), Some(listed)), "{what}");
        assert_eq!(games["games"].as_array().unwrap().len() as u64, listed.min(200), "{what}");
        let start = served.json("/masters");
        let of_start = ["white", "draws", "black"].map(|name| start[name].as_u64().unwrap());
        let expected = ["white", "draws", "black"].map(|name| explored[name].as_u64().unwrap());
        assert_eq!(of_start, expected, "{what}");
        let page = served.get("/events");
        assert_eq!(page.status, 200, "{what}");
        let tag = served.get("/masters").header("etag").unwrap().to_owned();
        assert!(!seen.contains(&tag), "{what}");
        seen.push(tag);
        listed
    };
    let first = has_all("the first part");
    bench.run(&["import", "-q", "--index", "b.pgn", "--into", "parts"]);
    let second = has_all("a second part");
    fs::rename(bench.path("parts/part-0001.db"), bench.path("grown.db")).unwrap();
    bench.run(&["import", "-q", "c.pgn", "-a", "grown.db"]);
    fs::rename(bench.path("grown.db"), bench.path("parts/part-0001.db")).unwrap();
    // The catalogue has the size that the part had; the program accepts it only after it is listed again.
    let grown = served.json("/api/v1/info")["games"].as_u64().unwrap();
    bench.ok(&["catalogue", "parts"]);
    let third = has_all("a part with more games");
    assert!(first < second && second < third && grown == third);
    bench.run(&["import", "-q", "--index", "d.pgn", "-a", "d.db"]);
    fs::rename(bench.path("d.db"), bench.path("parts/part-0002.db")).unwrap();
    let replaced = served.json("/api/v1/info")["games"].as_u64().unwrap();
    bench.ok(&["catalogue", "parts"]);
    assert!(has_all("another second part") == replaced && replaced != third);
    // Without its catalogue it is no collection, until there is one again.
    fs::rename(bench.path("parts/catalogue.json"), bench.path("catalogue.json")).unwrap();
    assert_eq!(served.get("/masters").status, 500);
    fs::rename(bench.path("catalogue.json"), bench.path("parts/catalogue.json")).unwrap();
    assert_eq!(served.json("/api/v1/info")["games"].as_u64(), Some(replaced));
}

#[test]
fn files_and_directories_are_served_from_a_temporary_archive() {
    let (bench, temporary) = (Bench::new(), Bench::new());
    fs::create_dir(bench.path("games")).unwrap();
    fs::write(bench.path("games/a.pgn"), many_games(30)).unwrap();
    fs::copy(common::data("famous.pgn"), bench.path("b.pgn")).unwrap();
    let mut command = bench.command(&["serve", "--bind", "127.0.0.1:0", "-q", "games", "b.pgn"]);
    let mut served = Served::of({
        command.env("TMPDIR", temporary.folder.path());
        command
    });
    let info = served.json("/api/v1/info");
    assert!(info["games"].as_u64().unwrap() > 62 && info["is_indexed"] == true, "{info}");
    #[cfg(unix)]
    {
        assert_eq!(fs::read_dir(temporary.folder.path()).unwrap().count(), 1);
        served.signal("INT");
        assert!(
            served.ended_within(std::time::Duration::from_secs(20)).is_some_and(|status| status.success())
        );
        assert_eq!(fs::read_dir(temporary.folder.path()).unwrap().count(), 0);
    }
    assert!(!bench.path("plybook.db").exists());
    // The path of an archive serves that archive.
    bench.ok(&["import", "-q", "b.pgn", "-a", "other.db"]);
    let served = Served::new(&bench, &["other.db"]);
    assert_eq!(served.json("/api/v1/info")["name"], "other.db");
}

#[test]
fn errors_of_serve_are_one_line() {
    let bench = Bench::with_games();
    assert!(bench.refused(&["serve", "-a", "missing.db"]).contains("missing.db"));
    fs::write(bench.path("no.db"), "no archive at all, but long enough to be one".repeat(20)).unwrap();
    assert!(bench.refused(&["serve", "-a", "no.db"]).contains("not a plybook archive"));
    assert!(bench.refused(&["serve", "missing.pgn"]).contains("missing.pgn"));
    assert!(bench.refused(&["serve", "--bind", "nonsense"]).contains("nonsense"));
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    assert!(bench.refused(&["serve"]).contains("update plybook"));
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let taken = bench.refused(&["serve", "-q", "--bind", &served.address.to_string()]);
    assert!(taken.contains(&served.address.to_string()), "{taken}");
    let taken = bench.refused(&["serve", "-q", "--port", &served.address.port().to_string()]);
    assert!(taken.contains(&served.address.to_string()) && taken.contains("--port"), "{taken}");
    bench.refused_usage(&["serve", "--port", "65536"]);
    bench.refused_usage(&["serve", "--port", "9002", "--bind", "127.0.0.1:9002"]);
}

#[test]
fn a_port_is_bound_on_this_machine() {
    let bench = Bench::with_games();
    let served = Served::of(bench.command(&["serve", "-q", "--port", "0"]));
    assert!(served.address.ip().is_loopback() && served.address.port() != 0);
    let port = served.address.port();
    drop(served);
    let served = Served::of(bench.command(&["serve", "-q", "--port", &port.to_string()]));
    assert_eq!(served.url, format!("http://127.0.0.1:{port}/"));
    assert_eq!(served.json("/api/v1/info")["name"], "plybook.db");
}

#[test]
fn a_missing_index_is_reported_with_the_command_that_builds_it() {
    let bench = Bench::with_games();
    let log = |is_indexed: bool| {
        let mut command = bench.command(&["serve", "--bind", "127.0.0.1:0"]);
        command.stderr(fs::File::create(bench.path("log")).unwrap());
        let served = Served::of(command);
        assert_eq!(served.json("/api/v1/info")["is_indexed"], is_indexed);
        fs::read_to_string(bench.path("log")).unwrap()
    };
    let of_none = log(false);
    assert!(of_none.contains("plybook index -a plybook.db"), "{of_none}");
    bench.ok(&["index", "-q", "--only", "positions"]);
    let of_positions = log(true);
    assert!(
        of_positions.contains("trails") && of_positions.contains("plybook index -a plybook.db"),
        "{of_positions}"
    );
    bench.ok(&["index", "-q"]);
    assert_eq!(log(true), "");
    bench.ok(&["tag", "1", "Site=Q"]);
    assert_eq!(log(true), "");
    // Only the games that no segment has are replayed.
    bench.import(&[&data("annotated.pgn").display().to_string()]);
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.execute("DELETE FROM segment WHERE kind = 3 AND first_game > 1", ()).unwrap();
    drop(db);
    let of_some = log(false);
    assert!(of_some.contains("replays the others"), "{of_some}");
}

#[test]
fn a_corrupt_index_is_logged_and_queries_run_without_it() {
    let asked = [
        "/lichess?history=true",
        "/masters?play=e2e4",
        "/player?player=Morphy&color=white",
        "/api/v1/games?position=1.+e4+e5",
        "/api/v1/games?opening=french",
        "/api/v1/export?position=1.+e4+e5",
    ];
    let without = Bench::with_games();
    let served = Served::new(&without, &[]);
    let expected = asked.map(|path| served.get(path).body);
    for damage in [
        "UPDATE segment SET games = games + 1",
        "UPDATE segment_block SET data = CAST(substr(data, 1, length(data) - 1) || x'01' AS BLOB)",
    ] {
        let bench = Bench::with_games();
        bench.ok(&["index", "-q"]);
        rusqlite::Connection::open(bench.path("plybook.db")).unwrap().execute_batch(damage).unwrap();
        let mut command = bench.command(&["serve", "--port", "0"]);
        command.stderr(fs::File::create(bench.path("log")).unwrap());
        let served = Served::of(command);
        for (path, expected) in asked.iter().zip(&expected) {
            let reply = served.get(path);
            assert_eq!((reply.status, &reply.body == expected), (200, true), "{damage}: {path}");
        }
        let log = fs::read_to_string(bench.path("log")).unwrap();
        let line = log.lines().next().unwrap();
        assert!(
            line.contains("the index is damaged") && line.contains("--drop, then plybook index"),
            "{log}"
        );
        // It is not reported as missing, and the export, which has its own connection, does not report it again.
        assert_eq!(log.lines().count(), 1, "{log}");

        bench.ok(&["index", "--drop"]);
        bench.ok(&["index", "-q"]);
        assert!(served.get(asked[0]).body == expected[0]);
        assert_eq!(fs::read_to_string(bench.path("log")).unwrap(), log, "{damage}");
    }
}
