//! Several archives that are read as one give the same answers as one archive with all games.

use std::{fs, path::PathBuf};

use crate::common::{Bench, corpus, data, server::Served, text};
use serde_json::Value;

/// The sources of each part, in order.
const PARTS: [&[&str]; 3] = [&["famous.pgn"], &["annotated.pgn", "chess960.pgn"], &["setup.pgn", "made.pgn"]];

/// Commands whose output must be byte for byte the same, apart from the archive options.
const QUESTIONS: &[&str] = &[
    "games",
    "games --limit 5",
    "games --offset 60 --limit 10",
    "games --offset 100000",
    "games --desc --limit 30 --offset 3",
    "games --desc --format ids",
    "games --sort date --format csv",
    "games --sort date --desc --offset 7 --limit 50",
    "games --sort white --format csv",
    "games --sort black --desc --limit 40",
    "games --sort event --limit 90 --offset 30 --format csv",
    "games --sort site --desc --format csv",
    "games --sort elo --desc --limit 20",
    "games --sort eco --format csv",
    "games --sort result --format ids",
    "games --sort plies --desc --format ids",
    "games --sort bytes --format ids",
    "games --player kasparov --sort date",
    "games --player garry --format csv",
    "games --player garry --sort plies --desc",
    "games --player garry --offset 2 --limit 3",
    "games --player jose --format csv",
    "games --sort date --limit 4 --date 1900..",
    "games --sort white --desc --limit 3 --offset 640",
    "games --white fischer;tal --format csv",
    "games --player kasparov --opponent karpov --limit 3 --offset 1",
    "games --event london* --format csv",
    "games --date 1900..1950 --result 1-0",
    "games --elo 2600.. --format ids",
    "games --id 1..5,60..70,2000",
    "games --id 40..200 --limit 12 --offset 30",
    "games --source made* --limit 4",
    "games --variant chess960",
    "games --speed blitz --format ids",
    "games --eco B9,C4 --format csv",
    "games --opening sicilian --opening-names --format csv",
    "games --tag Annotator=* --format ids",
    "games --comment mate --format ids",
    "games --position 1._e4_c5 --sort white --limit 25",
    "find 1._e4",
    "find 1._e4_c5_2._Nf3 --format csv --limit 20 --offset 5",
    "find 1._e4_e5_2._Nf3_Nc6 --count",
    "find sicilian --player fischer --format lines",
    "find 63:10 --format pgn",
    "find --material KRP_KR --format csv",
    "find --pattern */*/*/*/3P4/*/*/* --count",
    "find 1._d4_Nf6 --sort date --desc --limit 9",
    "explore",
    "explore 1._e4 --format json",
    "explore 1._e4_c5 --format csv --player kasparov",
    "explore 1._d4 --date 1950..2000 --elo 2400..",
    "explore --tree 6 --min-share 5",
    "explore 1._e4 --tree 4 --format json --colour white --player fischer",
    "report",
    "report --format json",
    "report --player kasparov",
    "report --player karpov --format json",
    "report --player garry --colour white --format csv",
    "report --event london*",
    "prepare --against kasparov --as black",
    "prepare --against fischer --as white --format json",
    "novelty 1 60 70 --format csv",
    "novelty --player kasparov --any-date --games 3 --format csv",
    "annotate 63",
    "stats",
    "stats --codec index-bare --format json",
    "stats --openings --format csv",
    "stats --player kasparov --format json",
    "export",
    "export --player kasparov --sort date",
    "export --comment mate --roster",
    "export --id 55..75 --original",
    "export --format csv --moves san",
    "export --format epd --to-ply 9 --limit 99",
    "export --format jsonl --desc --limit 5 --offset 70",
    "show 1",
    "show 63 --format pgn",
    "show 70 --ply 4 --format fen",
    "show 100 --format json",
    "show 100000",
    "show 0",
    "position encode 64:12 --codec fen",
    "game encode 66",
];

/// An archive of all games, and the archives of the parts, each with or without an index.
fn bench(indexed: [bool; 4]) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("made.pgn"), made(&bench)).unwrap();
    for name in ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn"] {
        fs::copy(data(name), bench.path(name)).unwrap();
    }
    let all: Vec<&str> = PARTS.iter().flat_map(|sources| sources.iter().copied()).collect();
    for (number, sources) in std::iter::once(&all[..]).chain(PARTS).enumerate() {
        let archive = format!("{number}.db");
        let options = ["import", "-q", "-a", &archive];
        bench.ok(&[&options[..], sources].concat());
        if indexed[number] {
            bench.ok(&["index", "-q", "-a", &archive]);
        }
    }
    bench
}

/// Generated games with names that the other parts have too.
fn made(bench: &Bench) -> String {
    bench.ok(&["generate", "--games", "600", "--seed", "5"])
}

/// The output of a command, with the exit code.
fn answer(bench: &Bench, question: &str, archives: &[&str]) -> (Option<i32>, String, String) {
    let words: Vec<String> = question.split(' ').map(|word| word.replace('_', " ")).collect();
    let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    for archive in archives {
        arguments.extend(["-a", archive]);
    }
    let output = bench.run(&arguments);
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The output without file sizes, which differ.
fn without_file(
    question: &str,
    (code, printed, error): (Option<i32>, String, String),
) -> (Option<i32>, String, String) {
    if !question.starts_with("stats") {
        return (code, printed, error);
    }
    let printed = match serde_json::from_str::<Value>(&printed) {
        Ok(mut stats) => {
            assert!(
                stats.as_object_mut().is_none_or(|stats| stats.remove("archive").is_some()),
                "{question}"
            );
            stats.to_string()
        }
        Err(_) => printed.split("\nfile: ").next().unwrap_or_default().to_owned(),
    };
    (code, printed, error)
}

const SEVERAL: [&str; 3] = ["1.db", "2.db", "3.db"];

#[test]
fn several_archives_answer_every_query_like_one_with_all_games() {
    for indexed in [[true; 4], [false; 4]] {
        let bench = bench(indexed);
        for question in QUESTIONS {
            let one = without_file(question, answer(&bench, question, &["0.db"]));
            let several = without_file(question, answer(&bench, question, &SEVERAL));
            assert_eq!(several, one, "{question}, indexed: {indexed:?}");
            assert!(one.0 != Some(2) || question.starts_with("show"), "{question}: {}", one.2);
        }
    }
}

#[test]
fn parts_with_and_without_an_index_give_the_same_answers() {
    let bench = bench([true, true, false, true]);
    for question in QUESTIONS.iter().filter(|question| !question.starts_with("annotate")) {
        let one = without_file(question, answer(&bench, question, &["0.db"]));
        let several = without_file(question, answer(&bench, question, &SEVERAL));
        assert_eq!((several.0, several.1), (one.0, one.1), "{question}");
    }
}

#[test]
fn the_part_whose_index_is_of_an_earlier_release_is_named() {
    let bench = bench([true; 4]);
    let db = rusqlite::Connection::open(bench.path(SEVERAL[1])).unwrap();
    db.execute_batch("UPDATE segment SET kind = kind - 2").unwrap();
    let one = answer(&bench, "explore 1._e4", &["0.db"]);
    let (code, out, error) = answer(&bench, "explore 1._e4", &SEVERAL);
    assert_eq!((code, out), (one.0, one.1));
    let said = format!("{}: the index was built by an earlier release", SEVERAL[1]);
    assert!(error.contains(&said) && error.contains(&format!("plybook index -a {}", SEVERAL[1])), "{error}");
    assert!(answer(&bench, "info", &SEVERAL).2.contains(&format!("plybook index -a {}", SEVERAL[1])));
}

#[test]
fn books_and_repertoires_of_several_archives_match_those_of_one() {
    let bench = bench([true, true, true, true]);
    let book = |archives: &[&str], name: &str| {
        let (code, _, error) = answer(&bench, &format!("book --min-games 1 -o {name}"), archives);
        assert_eq!(code, Some(0), "{error}");
        fs::read(bench.path(name)).unwrap()
    };
    assert_eq!(book(&SEVERAL, "several.bin"), book(&["0.db"], "one.bin"));
    let question = "repertoire famous.pgn --as white --format csv";
    assert_eq!(answer(&bench, question, &SEVERAL), answer(&bench, question, &["0.db"]));
}

/// The folder "parts" with copies of the archives and their catalogue.
fn collection(bench: &Bench) -> PathBuf {
    let folder = bench.path("parts");
    fs::create_dir(&folder).unwrap();
    for (number, archive) in (1..).zip(SEVERAL) {
        fs::copy(bench.path(archive), folder.join(format!("part-{number:04}.db"))).unwrap();
    }
    assert_eq!(bench.run(&["catalogue", "parts", "-q"]).status.code(), Some(0));
    folder
}

#[test]
fn a_folder_with_a_catalogue_is_read_like_one_archive_with_all_games() {
    let bench = bench([true; 4]);
    let folder = collection(&bench);
    for question in ["games --sort white --format csv", "explore 1._e4", "find 1._d4 --format csv", "show 63"]
    {
        assert_eq!(answer(&bench, question, &["parts"]), answer(&bench, question, &["0.db"]), "{question}");
    }
    let two = answer(&bench, "games --format ids", &["parts", "1.db"]).1;
    assert_eq!(two.lines().count(), 665 + 62);
    for name in ["catalogue.json", "part-0002.db"] {
        let before = fs::read(folder.join(name)).unwrap();
        let (code, _, error) = answer(&bench, &format!("games -f -o parts/{name}"), &["parts"]);
        assert_eq!(code, Some(2), "{error}");
        assert_eq!(fs::read(folder.join(name)).unwrap(), before);
    }
    fs::remove_file(folder.join("part-0002.db")).unwrap();
    let (code, _, error) = answer(&bench, "games", &["parts"]);
    assert!(code == Some(2) && error.contains("part-0002.db"), "{error}");
}

#[test]
fn a_server_of_parts_answers_like_one_of_a_single_archive() {
    let bench = bench([true; 4]);
    collection(&bench);
    let [one, parts] = ["0.db", "parts"].map(|archive| Served::new(&bench, &[archive]));
    for path in [
        "/masters",
        "/lichess?play=e2e4,c7c5",
        "/player?player=kasparov&color=white",
        "/api/v1/games?limit=7&sort=white&desc=true",
        "/api/v1/games?player=garry&limit=3",
        "/api/v1/games/64",
        "/masters/pgn/00000064",
        "/api/v1/names?kind=player&begin=ka",
        "/api/v1/report?player=kasparov",
        "/api/v1/games?position=1.%20e4%20e5&limit=4",
    ] {
        let [one, parts] = [&one, &parts].map(|served| served.get(path));
        assert_eq!((parts.status, parts.text()), (one.status, one.text()), "{path}");
    }
    assert_eq!(one.get("/masters").status, 200);
    let export = "/api/v1/export?player=kasparov";
    assert_eq!(parts.get(export).text(), one.get(export).text());
}

#[test]
fn games_added_to_a_part_get_ids_that_no_other_game_has() {
    let bench = bench([false; 4]);
    let ids = || answer(&bench, "games --format ids", &SEVERAL).1;
    let before = ids();
    bench.ok(&["import", "-q", "-a", "1.db", "setup.pgn"]);
    let after: Vec<i64> = ids().lines().map(|id| id.parse().unwrap()).collect();
    assert!(after.len() > before.lines().count());
    assert!(after.iter().copied().eq(1..=after.len() as i64));
}

#[test]
fn an_invalid_archive_among_several_is_named() {
    let bench = bench([false; 4]);
    fs::write(bench.path("none.db"), "none").unwrap();
    let (code, _, error) = answer(&bench, "games", &["1.db", "none.db"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("none.db"), "{error}");
    for command in ["verify", "index", "migrate"] {
        let (code, _, error) = answer(&bench, command, &["1.db", "2.db"]);
        assert_eq!(code, Some(2), "{command}: {error}");
    }
}

#[test]
fn sql_statements_see_the_games_of_all_archives() {
    let bench = bench([false; 4]);
    for statement in [
        "SELECT * FROM games ORDER BY id",
        "SELECT white, black, fen(moves, 20, fen, variant) FROM games WHERE id IN (3, 70, 2000) ORDER BY id",
        "SELECT eco, count(*), sum(plies) FROM games GROUP BY 1 ORDER BY 1",
        "SELECT name, count(*), min(game), max(game) FROM other_tag GROUP BY 1 ORDER BY 1",
        "SELECT count(*), count(DISTINCT key) FROM games, positions(moves, games.fen, games.variant)",
    ] {
        let rows = |archives: &[&str]| {
            let named: Vec<&str> = archives.iter().flat_map(|archive| ["-a", archive]).collect();
            bench.ok(&[&["sql", statement, "--format", "csv"], &named[..]].concat())
        };
        let one = rows(&["0.db"]);
        assert!(one.lines().count() > 1, "{statement}");
        assert_eq!(rows(&SEVERAL), one, "{statement}");
    }
    for changing in
        ["DELETE FROM part0.game", "CREATE TEMP TABLE t (a)", "ATTACH 'x.db' AS x", "DETACH part0"]
    {
        let why = bench.refused(&["sql", changing, "-a", "1.db", "-a", "2.db"]);
        assert!(why.contains("read-only"), "{changing}: {why}");
    }
    let eleven: Vec<&str> = std::iter::repeat_n(["-a", "1.db"], 11).flatten().collect();
    let why = bench.refused(&[&["sql", "SELECT 1"], &eleven[..]].concat());
    assert!(why.contains("at most 10 archives"), "{why}");
}

#[test]
fn a_real_collection_in_parts_answers_like_one_archive() {
    let Some(path) = corpus("lichess.pgn.zst") else { return };
    let bench = Bench::new();
    bench.ok(&["import", "-q", "--index", "-a", "0.db", path.to_str().unwrap()]);
    for (number, ids) in ["1..4000", "4001..4001", "4002..9822"].iter().enumerate() {
        let (pgn, archive) = (format!("{number}.pgn"), format!("{}.db", number + 1));
        bench.ok(&["export", "-a", "0.db", "--id", ids, "-o", &pgn]);
        bench.ok(&["import", "-q", "--index", "-a", &archive, &pgn]);
    }
    for question in QUESTIONS.iter().filter(|question| !question.contains("--source")) {
        let [one, several] = [&["0.db"][..], &SEVERAL]
            .map(|archives| without_file(question, answer(&bench, question, archives)));
        if question.contains("original") || question.contains("bytes") || question.starts_with("show") {
            continue;
        }
        assert_eq!(several, one, "{question}");
    }
}
