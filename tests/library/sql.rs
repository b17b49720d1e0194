//! `plybook sql`: results come from what is stored, functions agree with the commands and with a replay, and nothing
//! changes.

use std::fs;

use crate::common::{Bench, Random, data, text};
use plybook::{
    archive::{Archive, SQL_EXAMPLES, SqlArchive, SqlLimits, SqlValue},
    record::{Ply, fen},
};

/// An archive of the sample games.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.ok(&["import", data("").to_str().unwrap()]);
    bench
}

/// The rows of a statement, as JSON.
fn rows(bench: &Bench, statement: &str) -> Vec<serde_json::Value> {
    let printed = bench.ok(&["sql", statement, "--format", "jsonl"]);
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn positions_of_all_games_equal_those_of_a_replay() {
    let bench = bench();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let asked = "SELECT id, variant, plies(moves, fen, variant) AS plies, fen(moves, 20, fen, variant) AS twenty, \
                 fen(moves, -1, fen, variant) AS last, result(moves, fen, variant) AS result FROM games";
    let mut compared = 0;
    for row in rows(&bench, asked) {
        let game = archive.game(row["id"].as_i64().unwrap()).unwrap();
        if row["variant"] == "Xelto" {
            assert!(row["plies"].is_null() && row["twenty"].is_null() && row["last"].is_null(), "{row}");
            continue;
        }
        assert_eq!(row["plies"], game.plies);
        assert_eq!(row["last"], fen(&game.position_at(Ply::FromEnd(1)).unwrap()));
        let twenty = game.position_at(Ply::After(20)).ok().map(|position| fen(&position));
        assert_eq!(row["twenty"].as_str(), twenty.as_deref());
        assert_eq!(row["result"], game.result.as_str());
        compared += 1;
    }
    assert!(compared > 60);
}

#[test]
fn games_of_other_variants_or_start_positions_need_these_as_arguments() {
    let bench = bench();
    for name in ["carlsen_960.pgn", "atomic.pgn"] {
        let (start, variant) = match name {
            "atomic.pgn" => ("", "[Variant \"Atomic\"]\n"),
            _ => (
                "[SetUp \"1\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n",
                "[Variant \"Chess960\"]\n",
            ),
        };
        fs::write(bench.path(name), format!("[White \"{name}\"]\n{variant}{start}\n1. e4 e5 *\n")).unwrap();
        bench.ok(&["import", name]);
    }
    let asked =
        "SELECT id, variant, fen, fen(moves, 0) AS plain, fen(moves, 0, fen, variant) AS told FROM games";
    let mut others = 0;
    for row in rows(&bench, asked) {
        let is_usual = row["variant"] == "Standard" && row["fen"].is_null();
        assert_eq!(row["plain"].is_null(), !is_usual, "{row}");
        assert_eq!(row["told"].is_null(), row["variant"] == "Xelto", "{row}");
        others += u32::from(!is_usual);
    }
    assert!(others >= 5, "{others}");
}

#[test]
fn functions_agree_with_the_commands() {
    let bench = bench();
    let opera = "SELECT reaches(moves, fen(moves, 12)) AS ply, san(moves, 12) AS san, movetext(moves) AS text FROM games WHERE id = 5";
    let row = rows(&bench, opera).remove(0);
    assert_eq!((row["ply"].as_i64(), row["san"].as_str()), (Some(12), Some("Nf6")));
    let shown: serde_json::Value =
        serde_json::from_str(&bench.ok(&["show", "5", "--format", "json"])).unwrap();
    assert!(row["text"].as_str().unwrap().starts_with("1. e4 e5 2. Nf3 d6 3. d4 Bg4"), "{shown}");
    let by_command = bench.ok(&["games", "--player", "tal*", "--format", "ids"]);
    let by_function = rows(
        &bench,
        "SELECT id FROM games WHERE same_player(white, 'tal*') OR same_player(black, 'tal*') ORDER BY id",
    );
    let ids: Vec<String> = by_function.iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(ids, by_command.lines().collect::<Vec<_>>());
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let found = bench.ok(&["find", sicilian, "--count"]);
    let counted = rows(
        &bench,
        &format!(
            "SELECT count(reaches(moves, '{sicilian}', fen, variant)) AS games FROM games
             WHERE variant IN ('Standard', 'Chess960')"
        ),
    );
    assert_eq!(found.trim(), counted[0]["games"].to_string());
    assert_ne!(found.trim(), "0");
    // The table of positions contains the game, position by position.
    let same = "SELECT count(*) AS rows, sum(p.fen = fen(g.moves, p.ply)) AS same, sum(p.key = position_key(p.fen)) AS keys \
                FROM games AS g, positions(g.moves) AS p WHERE g.id = 16";
    let row = rows(&bench, same).remove(0);
    assert_eq!(row["rows"], 88);
    assert_eq!((&row["rows"], &row["rows"]), (&row["same"], &row["keys"]));
}

#[test]
fn a_key_by_moves_and_ply_equals_that_of_the_fen() {
    let bench = bench();
    let mixed = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                 [FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n\n1. e4 e5 2. Ng3 Ng6 3. Qe2 *\n\n\
                 [Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@d3 4. cxd3 *\n";
    fs::write(bench.path("mixed.pgn"), mixed).unwrap();
    bench.ok(&["import", "mixed.pgn"]);
    // Every ply of every game, and one after its end.
    let asked = "WITH RECURSIVE ply(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ply WHERE n < 300)
        SELECT variant, count(*) AS plies,
            sum(position_key(moves, n, fen, variant) IS position_key(fen(moves, n, fen, variant), variant)) AS same,
            sum(position_key(moves, n, fen, variant) IS NULL) AS none,
            sum(position_key(moves, n) IS position_key(fen(moves, n))) AS plain
        FROM games JOIN ply ON n <= plies + 1 WHERE variant <> 'Xelto' GROUP BY variant";
    let rows = rows(&bench, asked);
    let games = "SELECT variant, count(*) AS games FROM games WHERE variant <> 'Xelto' GROUP BY variant";
    for (row, games) in rows.iter().zip(self::rows(&bench, games)) {
        assert_eq!((&row["plies"], &row["plies"]), (&row["same"], &row["plain"]), "{row}");
        assert_eq!((&row["variant"], &row["none"]), (&games["variant"], &games["games"]), "{row}");
    }
    assert!(rows.len() >= 3, "{rows:?}");
}

#[test]
fn the_examples_of_the_help_are_valid() {
    let bench = bench();
    let help = bench.ok(&["sql", "--help"]);
    let example =
        |line: &str| Some(line.trim().strip_prefix("plybook sql '")?.split_once('\'')?.0.to_owned());
    let examples: Vec<String> = help.lines().filter_map(example).collect();
    assert!(examples.len() > 3, "{help}");
    for statement in examples {
        bench.ok(&["sql", &statement, "--param", "p=8/8/4k3/8/8/4K3/4P3/8 w - -"]);
    }
}

#[test]
fn prompt_examples_return_rows() {
    let bench = bench();
    for statement in SQL_EXAMPLES.split_inclusive(";\n") {
        assert!(!rows(&bench, statement).is_empty(), "{statement}");
    }
}

#[test]
fn statements_are_read_only_and_access_no_other_file() {
    let bench = bench();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    for statement in [
        "DELETE FROM game",
        "DROP VIEW games",
        "CREATE TABLE mine (x)",
        "CREATE TEMP TABLE mine (x)",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'other.db'",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA query_only = OFF",
        "REINDEX",
        "BEGIN IMMEDIATE",
        "SELECT 1; UPDATE game SET result = 0",
    ] {
        let why = bench.refused(&["sql", statement]);
        assert!(why.contains("read-only"), "{statement}: {why}");
    }
    assert_eq!(fs::read(bench.path("plybook.db")).unwrap(), before);
    assert!(!bench.path("other.db").exists());
}

#[test]
fn sql_errors_are_reported_with_their_position() {
    let bench = bench();
    for (statement, why) in [
        ("SELECT id\n  FORM games", "(line 2,"),
        ("SELECT nowhere FROM games", "no such column"),
        ("SELECT fen(moves) FROM games", "wrong number of arguments"),
        ("SELECT fen('e4', 1)", "moves must be a blob"),
        ("SELECT fen(moves, 'x') FROM games", "is not a valid ply"),
        ("SELECT reaches(moves, 'x') FROM games", "invalid FEN"),
        ("SELECT * FROM positions('x')", "moves must be a blob"),
        ("SELECT :who", "--param who="),
    ] {
        let printed = bench.refused(&["sql", statement]);
        assert!(printed.contains(why), "{statement}: {printed}");
    }
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    let printed = bench.refused(&["sql", endless, "--time-limit", "0.2"]);
    assert!(printed.contains("0.2 seconds"), "{printed}");
}

#[test]
fn statements_come_from_files_and_pipes_with_parameters() {
    let bench = bench();
    let statement = "SELECT white FROM games WHERE id = :id AND white LIKE @name;";
    fs::write(bench.path("question.sql"), statement).unwrap();
    let given = ["--param", "id=5", "--param", "name=Mor%", "--format", "csv"];
    let answer = "white\n\"Morphy, Paul\"\n";
    assert_eq!(bench.ok(&[&["sql", "--file", "question.sql"], &given[..]].concat()), answer);
    assert_eq!(bench.ok(&[&["sql", statement], &given[..]].concat()), answer);
    let piped = bench.feed(&[&["sql", "-"], &given[..]].concat(), statement.as_bytes());
    assert_eq!(text(&piped.stdout), answer);
    assert_eq!(
        bench.ok(&["sql", "SELECT 1 AS one; SELECT NULL AS two, 0.5 AS half", "--format", "jsonl"]),
        "{\"one\":1}\n{\"two\":null,\"half\":0.5}\n"
    );
    assert_eq!(bench.ok(&["sql", ""]), "");
}

/// A SQL value: any, or one similar to what functions accept.
fn value(random: &mut Random) -> String {
    let bytes = |random: &mut Random, most: usize| -> String {
        (0..random.below(most)).map(|_| format!("{:02x}", random.below(256))).collect()
    };
    match random.below(12) {
        0 => "NULL".to_owned(),
        1 => [i64::MIN, -1, 0, 1, 20, 65_535, i64::MAX][random.below(7)].to_string(),
        2 => ["1e999", "-0.5", "9e18", "0.0"][random.below(4)].to_owned(),
        3 => {
            ["'Chess960'", "'atomic'", "'Xelto'", "'horde'", "''", "'crazyhouse'"][random.below(6)].to_owned()
        }
        4 => ["'12w'", "'-1'", "'99999999999999999999b'", "'0'"][random.below(4)].to_owned(),
        5 => "'8/8/8/8/8/8/8/8 w - -'".to_owned(),
        6 => "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'".to_owned(),
        7 => "'k7/8/8/8/8/8/8/K6R[QQqq] w H - 5+3 0 4294967295'".to_owned(),
        8 => format!("CAST(x'{}' AS TEXT)", bytes(random, 60)),
        9 => format!("zeroblob({})", [0, 1, 2, 3, 300_000][random.below(5)]),
        10 => format!("CAST(x'{}' || x'{:02x}00' AS BLOB)", bytes(random, 90), random.below(6)),
        _ => format!("x'{}'", bytes(random, 200)),
    }
}

#[test]
fn no_bytes_and_no_arguments_crash_the_program() {
    let bench = bench();
    let names = [
        "fen",
        "san",
        "uci",
        "movetext",
        "board",
        "plies",
        "result",
        "reaches",
        "eco_name",
        "material",
        "position_key",
        "same_player",
        "positions",
    ];
    let mut archive =
        SqlArchive::new(Archive::open(bench.path("plybook.db")).unwrap(), SqlLimits::default()).unwrap();
    let (mut random, mut answered, mut refused) = (Random(19), 0, 0);
    for _ in 0..10_000 {
        let name = names[random.below(names.len())];
        let given: Vec<String> = (0..1 + random.below(4)).map(|_| value(&mut random)).collect();
        let call = format!("{name}({})", given.join(", "));
        let statement =
            if name == "positions" { format!("SELECT * FROM {call}") } else { format!("SELECT {call}") };
        let ran = archive.run(&statement, &[], &mut |mut rows| {
            while let Some(row) = rows.next_row()? {
                assert!(!row.contains(&SqlValue::Text("panic".to_owned())));
            }
            Ok(())
        });
        match ran {
            Ok(()) => answered += 1,
            Err(error) => {
                let why = error.to_string();
                assert!(!why.contains("panic") && !why.is_empty(), "{statement}: {why}");
                refused += 1;
            }
        }
    }
    assert!(answered > 500 && refused > 500, "{answered} {refused}");
}

/// The types of `round` and of the values of other tags.
const TYPES: &str =
    "SELECT DISTINCT typeof(round) FROM games UNION SELECT DISTINCT typeof(value) FROM other_tag";

#[test]
fn rounds_and_values_are_text() {
    let bench = Bench::new();
    let rounds = ["[Round \"1\"]", "[Round \"1.10\"]", "[Round \"?\"]", "[Round \"01\"]", ""];
    let game = |(number, round): (usize, &&str)| {
        format!("[White \"{number}\"]\n{round}\n[BlackRatingDiff \"+5\"]\n\n*\n\n")
    };
    fs::write(bench.path("rounds.pgn"), rounds.iter().enumerate().map(game).collect::<String>()).unwrap();
    bench.ok(&["import", "rounds.pgn"]);
    let read: Vec<_> =
        rows(&bench, "SELECT round FROM games ORDER BY id").iter().map(|row| row["round"].clone()).collect();
    assert_eq!(read, ["1".into(), "1.10".into(), "?".into(), "01".into(), serde_json::Value::Null]);
    assert_eq!(rows(&bench, "SELECT id FROM games WHERE round = '1'").len(), 1);
    assert_eq!(bench.ok(&["sql", TYPES, "--format", "csv"]), "typeof(round)\nnull\ntext\n");
}

#[test]
fn views_of_earlier_releases_are_read_as_text_and_are_not_faults() {
    let bench = Bench::new();
    fs::copy(data("archives/v4.db"), bench.path("plybook.db")).unwrap();
    let mut permissions = fs::metadata(bench.path("plybook.db")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(bench.path("plybook.db"), permissions).unwrap();
    assert_eq!(bench.ok(&["sql", TYPES, "--format", "csv"]), "typeof(round)\ntext\n");
    bench.ok(&["verify"]);
    fs::copy(data("archives/v4.db"), bench.path("second.db")).unwrap();
    let both = bench.ok(&["sql", TYPES, "--format", "csv", "-a", "plybook.db", "-a", "second.db"]);
    assert_eq!(both, "typeof(round)\ntext\n");
    assert_eq!(bench.ok(&["sql", SqlArchive::TABLES]).matches("games").count(), 1);
}
