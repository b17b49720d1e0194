//! Tag values count as what their writer meant, while the tags are kept as written.

use crate::common::{Bench, text};

/// An archive of games with these tags, each with different moves, with ids in their order from 1.
fn archive_of(games: &[&str]) -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("games.pgn"), pgn(games)).unwrap();
    assert_eq!(bench.import(&["games.pgn"])["stored"], games.len());
    bench
}

fn pgn(games: &[&str]) -> String {
    let moves = ["e4 e5", "d4 d5", "c4 c5", "f4 f5", "g4 g5", "b4 b5", "a4 a5", "h4 h5"];
    let number = |number: usize| format!("1. {} 2. {} *", moves[number % 8], ["Nf3", "Nc3"][number / 8]);
    games.iter().enumerate().map(|(at, tags)| format!("{tags}\n\n{}\n\n", number(at))).collect()
}

/// The games that pass, and a column of each as the list, the view and the export of tables have it.
fn column(bench: &Bench, name: &str) -> Vec<String> {
    let of = |arguments: &[&str]| -> Vec<String> {
        bench.ok(arguments).lines().skip(1).map(str::to_owned).collect()
    };
    let listed = of(&["games", "--format", "csv", "--columns", name, "--sort", "id"]);
    let sql = format!("select {name} from games order by id");
    assert_eq!(of(&["sql", "--format", "csv", &sql]), listed);
    let exported = bench.ok(&["export", "--format", "jsonl"]);
    let exported =
        exported.lines().map(|line| match &serde_json::from_str::<serde_json::Value>(line).unwrap()[name] {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        });
    let exported: Vec<String> =
        exported.map(|text| if text == "null" { String::new() } else { text }).collect();
    assert_eq!(exported, listed);
    listed
}

/// The number of games that pass a filter, which is the same with an index.
fn count(bench: &Bench, filter: &[&str]) -> usize {
    let output = bench.run(&[&["games", "--format", "ids"], filter].concat());
    text(&output.stdout).lines().count()
}

/// Checks the games that filters find, without an index and with one.
fn finds(bench: &Bench, expected: &[(&str, &str, usize)]) {
    for indexed in [false, true] {
        if indexed {
            bench.ok(&["index"]);
        }
        for &(option, value, games) in expected {
            assert_eq!(count(bench, &[option, value]), games, "{option} {value}, indexed: {indexed}");
        }
    }
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn utc_date_counts_where_the_date_is_missing_or_unknown() {
    let games = [
        "[Event \"a\"]\n[White \"first\"]\n[UTCDate \"2013.01.31\"]",
        "[Event \"a\"]\n[Date \"????.??.??\"]\n[White \"first\"]\n[UTCDate \"2014.02.28\"]",
        "[Event \"a\"]\n[Date \"1972.07.11\"]\n[White \"first\"]\n[UTCDate \"2023.11.17\"]",
        "[Event \"a\"]\n[Date \"1972.??.??\"]\n[White \"first\"]\n[UTCDate \"1972.11.17\"]",
    ];
    let bench = archive_of(&games);
    assert_eq!(column(&bench, "date"), ["2013.01.31", "2014.02.28", "1972.07.11", "1972.??.??"]);
    finds(
        &bench,
        &[("--date", "2013", 1), ("--date", "2014", 1), ("--date", "1972", 2), ("--date", "2023", 0)],
    );
    assert_eq!(bench.ok(&["games", "--sort", "date", "--format", "ids"]), "4\n3\n1\n2\n");
    assert!(bench.ok(&["names", "first"]).contains("1972–2014"), "{}", bench.ok(&["names", "first"]));
    let exported = bench.ok(&["export"]);
    assert!(
        exported.contains("[Date \"????.??.??\"]") && exported.matches("[Date ").count() == 3,
        "{exported}"
    );
    assert!(bench.ok(&["show", "1"]).contains("2013.01.31"));
}

#[test]
fn dates_with_other_marks_are_read_and_kept_as_written() {
    let dates = [
        "2024-12-28",
        "2025-01-02",
        "2025/02/24",
        "2025.3.4",
        "20250305",
        "06.05.2024",
        "2011.20.11",
        "12345.01.01",
    ];
    let tags = dates.map(|date| {
        format!("[Event \"congress\"]\n[Site \"Town\"]\n[Date \"{date}\"]\n[White \"A\"]\n[Black \"B\"]")
    });
    let bench = archive_of(&tags.each_ref().map(String::as_str));
    let meant = [
        "2024.12.28",
        "2025.01.02",
        "2025.02.24",
        "2025.03.04",
        "2025.03.05",
        "2024.??.??",
        "2011.??.??",
        "",
    ];
    assert_eq!(column(&bench, "date"), meant);
    finds(
        &bench,
        &[
            ("--date", "2024.12", 1),
            ("--date", "2025.03", 2),
            ("--date", "2025.02.24", 1),
            ("--date", "2011", 1),
            ("--date", "1234", 0),
        ],
    );
    let exported = bench.ok(&["export"]);
    for date in dates {
        assert!(exported.contains(&format!("[Date \"{date}\"]")), "{date}");
    }
    let notes = bench.import(&["games.pgn", "-a", "again.db"])["notes"].clone();
    assert_eq!((&notes["odd_dates"], &notes["impossible_dates"]), (&5.into(), &3.into()));
    assert_eq!(bench.import(&["games.pgn", "--strict", "--allow-rejects", "-a", "strict.db"])["rejected"], 5);

    // A winter event is one event.
    let winter = archive_of(&[&tags[0], &tags[1]]);
    let report = winter.ok(&["report", "--event", "congress"]);
    assert_eq!(report.matches("congress").count(), 1, "{report}");
}

#[test]
fn an_eco_code_with_more_behind_it_counts_as_the_code() {
    let codes = ["D85", "D85/07", "D85r", "D85r1", "D850", "B90a"];
    let tags = codes.map(|code| format!("[ECO \"{code}\"]"));
    let bench = archive_of(&tags.each_ref().map(String::as_str));
    assert_eq!(column(&bench, "eco"), ["D85", "D85", "D85", "D85", "", "B90"]);
    let expected = [
        ("--eco", "D85", 4),
        ("--eco", "D8", 4),
        ("--eco", "D80..D89", 4),
        ("--eco", "D", 4),
        ("--eco", "B", 1),
    ];
    finds(&bench, &expected);
    assert!(bench.ok(&["export"]).contains("[ECO \"D85/07\"]"));
    let report = bench.import(&["games.pgn", "--strict", "-a", "strict.db"]);
    assert_eq!((&report["stored"], &report["notes"]["long_eco_codes"]), (&6.into(), &4.into()));
}

#[test]
fn a_rating_with_marks_counts_as_its_leading_number() {
    let ratings = ["1820", "1820?", "1820P", "1820 (FIDE)", " 1820 ", "18200", "4500"];
    let tags = ratings.map(|rating| format!("[WhiteElo \"{rating}\"]"));
    let bench = archive_of(&tags.each_ref().map(String::as_str));
    assert_eq!(column(&bench, "white_elo"), ["1820", "1820", "1820", "1820", "1820", "", "4500"]);
    finds(&bench, &[("--white-elo", "1820", 5), ("--white-elo", "5000..", 0), ("--white-elo", "4500", 1)]);
    assert!(bench.ok(&["export"]).contains("[WhiteElo \" 1820 \"]"));
    let notes = bench.import(&["games.pgn", "-a", "again.db"])["notes"].clone();
    assert_eq!((&notes["odd_ratings"], &notes["long_ratings"]), (&4.into(), &1.into()));
    assert_eq!(bench.import(&["games.pgn", "--strict", "--allow-rejects", "-a", "strict.db"])["rejected"], 4);
}

#[test]
fn an_edited_tag_counts_by_the_same_rules() {
    let bench = archive_of(&["[Date \"2020.01.01\"]", "[WhiteElo \"2000\"]", "[ECO \"A00\"]"]);
    for (id, tag) in [("1", "Date=2025-02-24"), ("2", "WhiteElo=1820?"), ("3", "ECO=B90a")] {
        bench.ok(&["tag", id, tag]);
    }
    finds(&bench, &[("--date", "2025.02.24", 1), ("--white-elo", "1820", 1), ("--eco", "B90", 1)]);
}

#[test]
fn a_fen_tag_with_operations_is_stored_as_fen() {
    let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let rests = ["hmvc 1; fmvn 7;", "0 2; after a FEN", "bm Nf3; id \"x\";", ";"];
    let games = rests.map(|rest| {
        let rest = rest.replace('"', "\\\"");
        format!("[Event \"{}\"]\n[FEN \"{position} {rest}\"]\n\n1. Nf3 Nc6 *\n\n", rest.len())
    });
    let games = games.concat();
    let bench = Bench::new();
    std::fs::write(bench.path("games.pgn"), &games).unwrap();
    let report = bench.import(&["games.pgn"]);
    assert_eq!((&report["stored"], &report["notes"]["odd_fens"]), (&4.into(), &4.into()), "{report}");
    let exported = bench.ok(&["export"]);
    for clocks in ["1 7", "0 2", "0 1"] {
        assert!(exported.contains(&format!("[FEN \"{position} {clocks}\"]")), "{exported}");
    }
    assert_eq!(bench.ok(&["export", "--original"]).trim(), games.trim());
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert_eq!(bench.import(&["games.pgn", "--strict", "--allow-rejects", "-a", "strict.db"])["rejected"], 4);
}

#[test]
fn find_reads_lines_of_epd() {
    let bench = archive_of(&["[White \"A\"]"]);
    let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let rests = [
        "bm Nf3; id \"plain EPD\";",
        "hmvc 0; fmvn 2; bm Nf3;",
        "c0 \"semicolon; in text\";",
        "0 2; text",
        ";",
    ];
    let lines: String = rests.iter().map(|rest| format!("{position} {rest}\n")).collect();
    let exported = bench.ok(&["export", "--format", "epd"]);
    for (lines, count) in [(&lines, 5), (&exported, 4)] {
        let output = bench.feed(&["find", "-", "--count"], lines.as_bytes());
        assert_eq!(text(&output.stdout), "1\n".repeat(count), "{}", text(&output.stderr));
    }
}

#[test]
fn castling_rights_of_chess960_make_a_game_chess960() {
    let fens = [
        "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
        "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w HBhb - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
    ];
    let games = fens.map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")).concat();
    let bench = Bench::new();
    std::fs::write(bench.path("games.pgn"), &games).unwrap();
    assert_eq!(bench.import(&["games.pgn", "--strict"])["notes"]["chess960_by_fen"], 2);
    finds(&bench, &[("--variant", "chess960", 2), ("--variant", "standard", 1)]);
    let exported = bench.ok(&["export"]);
    assert!(!exported.contains("[Variant"), "{exported}");
    std::fs::write(bench.path("exported.pgn"), exported).unwrap();
    assert_eq!(bench.import(&["exported.pgn"])["duplicate"], 3);
}
