//! A server whose archive has a corrupt index, or one of an earlier release: every route answers as without an index, and the log has one line.
#![cfg(feature = "web")]

use std::{fs, thread};

use rusqlite::Connection;

use crate::{
    common::{Bench, server::Served},
    editor::Editor,
};

const PATHS: [&str; 24] = [
    "/game/1?ply=20",
    "/game/9",
    "/game/30?ply=4&in=games%3Fplayer%3Dmorphy%26sort%3Ddate",
    "/",
    "/explorer?play=e2e4",
    "/explorer?play=e2e4&player=morphy",
    "/games?position=1.+e4+e5",
    "/games?sort=elo&desc=yes",
    "/games?material=KR+KR",
    "/players",
    "/player/Morphy,%20Paul",
    "/events",
    "/openings",
    "/opening/Ruy%20Lopez",
    "/prepare?opponent=morphy&colour=white",
    "/report?player=morphy",
    "/search?q=1.+e4+e5",
    "/masters?play=e2e4",
    "/lichess?history=true",
    "/player?player=Morphy&color=white",
    "/api/v1/games?opening=french",
    "/api/v1/report?player=morphy",
    "/api/v1/suggest?q=sicilian",
    "/api/v1/export?position=1.+e4+e5",
];

/// Damages blocks of the index in their middle.
const FLIP: &str = "UPDATE segment_block SET data = CAST(substr(data, 1, length(data) / 2) || x'55' ||
    substr(data, length(data) / 2 + 2) AS BLOB) WHERE ";

fn indexed() -> Bench {
    let bench = Bench::with_games();
    bench.ok(&["index", "-q"]);
    bench
}

fn damage(bench: &Bench, sql: &str) {
    Connection::open(bench.path("plybook.db")).unwrap().execute_batch(sql).unwrap();
}

/// A server with some options, whose log is a file.
fn served(bench: &Bench, options: &[&str]) -> Served {
    let mut command = bench.command(&[&["serve", "--quiet", "--port", "0"], options].concat());
    command.stderr(fs::File::create(bench.path("log")).unwrap());
    Served::of(command)
}

fn logged(bench: &Bench) -> Vec<String> {
    fs::read_to_string(bench.path("log")).unwrap().lines().map(str::to_owned).collect()
}

/// The answers to all paths, asked from several threads at the same time.
fn answers(served: &Served) -> Vec<(u16, String)> {
    let answer = |path: &str| {
        let reply = served.get(path);
        (reply.status, reply.text())
    };
    thread::scope(|threads| {
        let asked: Vec<_> = PATHS.iter().map(|path| threads.spawn(|| answer(path))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    })
}

#[test]
fn every_route_answers_while_an_index_of_an_earlier_release_is_rebuilt() {
    // Some pages have more with an index, such as the first new move of a game.
    let [without, with] = [Bench::with_games(), indexed()].map(|bench| answers(&served(&bench, &[])));
    let bench = indexed();
    damage(&bench, "UPDATE segment SET kind = kind - 2");
    let served = served(&bench, &[]);
    assert!(answers(&served) == without);
    thread::scope(|threads| {
        let building = threads.spawn(|| bench.ok(&["index", "-q"]));
        while !building.is_finished() {
            answers(&served)
                .iter()
                .zip(PATHS)
                .for_each(|((status, _), path)| assert!(*status < 400, "{path}"));
        }
    });
    assert!(answers(&served) == with);
    let log = logged(&bench);
    assert!(log.len() == 1 && log[0].contains("built by an earlier release"), "{log:?}");
}

#[test]
fn every_route_answers_without_a_corrupt_index_and_one_line_is_logged() {
    let expected = answers(&served(&Bench::with_games(), &[]));
    let bench = indexed();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let mut parts = db.prepare("SELECT DISTINCT id >> 24 FROM segment_block").unwrap();
    let parts: Vec<i64> = parts.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(parts.len() > 6, "{parts:?}");
    let of_parts = parts.iter().map(|part| format!("{FLIP} id >> 24 = {part}"));
    let others = ["UPDATE segment SET games = games + 1", "DELETE FROM segment_block WHERE id & 1 = 0"];
    let mut reported = 0;
    for sql in of_parts.chain(others.map(str::to_owned)) {
        let bench = bench.twin();
        damage(&bench, &sql);
        let served = served(&bench, &[]);
        let found = answers(&served);
        let log = logged(&bench);
        assert!(log.len() <= 1, "{sql}: {log:?}");
        for (path, (found, expected)) in PATHS.iter().zip(found.iter().zip(&expected)) {
            assert_eq!(found.0, expected.0, "{sql}: {path}");
            // Pages and suggestions show less without an index; other data is the same.
            let is_data = ["/api/", "/masters", "/lichess", "/player?"].iter().any(|of| path.starts_with(of))
                && !path.contains("suggest");
            assert!(!is_data || found.1 == expected.1, "{sql}: {path}");
        }
        reported += log.len();
        assert!(log.iter().all(|line| line.contains("the index is damaged, so all games are searched")));
        assert_eq!(answers(&served).len(), PATHS.len());
        assert_eq!(logged(&bench), log, "{sql}");
    }
    assert!(reported > 4, "{reported}");
}

#[test]
fn changes_beside_a_corrupt_index_log_nothing_more_until_it_is_rebuilt() {
    let bench = indexed();
    damage(&bench, &format!("{FLIP} 1"));
    let server = served(&bench, &["--edit"]);
    let editor = Editor::browsing(bench, server);
    for round in 0..4 {
        assert!(answers(&editor.served).iter().all(|(status, _)| *status < 500), "{round}");
        let fields = [("action", "comment"), ("ply", "1"), ("text", &*format!("round {round}"))];
        let fingerprint = editor.fingerprint(3);
        editor.done("/edit/game/3", &[&fields[..], &[("fingerprint", &fingerprint)]].concat());
        editor.bench.ok(&["tag", "7", &format!("Round={round}")]);
        assert_eq!(logged(&editor.bench).len(), 1, "{round}: {:?}", logged(&editor.bench));
    }
    let page = |path| editor.served.get(path).text();
    let without = page("/game/9?ply=8");
    editor.bench.ok(&["index", "--drop"]);
    editor.bench.ok(&["index", "-q"]);
    let with = page("/game/9?ply=8");
    assert!(with != without);
    assert_eq!(logged(&editor.bench).len(), 1);
    damage(&editor.bench, &format!("{FLIP} 1"));
    assert!(answers(&editor.served).iter().all(|(status, _)| *status < 500));
    assert_eq!(logged(&editor.bench).len(), 2, "{:?}", logged(&editor.bench));
}
