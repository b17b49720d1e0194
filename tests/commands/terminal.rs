//! Text output cannot take over a terminal: control characters, direction marks and invisible characters in tags,
//! comments, file names and arguments are escaped, and columns stay aligned. Other formats contain them unchanged.

use std::{fs, process::Output};

use crate::common::{Bench, data, text};
use unicode_width::UnicodeWidthStr;

/// A file name or argument with colours, a title, direction marks and a line break.
const NAME: &str = "x\x1b[31m\x1b]0;t\x07\u{9b}2J\u{202e}\u{200b}\u{2028}\nplybook: y\r";

/// Characters that a terminal interprets or does not show, other than line feeds; independent of the program's own
/// list.
fn harmful(text: &str) -> Option<char> {
    text.chars().find(|&c| {
        let code = u32::from(c);
        let control = code < 0x20 && c != '\n' || (0x7f..0xa0).contains(&code);
        control
            || (0x200b..=0x200f).contains(&code)
            || (0x2028..=0x202e).contains(&code)
            || (0x2060..=0x2069).contains(&code)
            || code == 0xfeff
    })
}

fn assert_harmless(output: &Output, about: &[&str]) -> String {
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(harmful(&all), None, "{about:?}: {all:?}");
    // A line break in a name would start a new line. (Errors in arguments take several lines.)
    assert!(
        all.starts_with("error: ") || !all.lines().any(|line| line.starts_with("plybook: y")),
        "{about:?}: {all:?}"
    );
    all
}

/// The specimens imported from a file with a hostile name, and the messages of the import.
fn hostile() -> (Bench, String) {
    let bench = Bench::new();
    let pgn = format!("{NAME}.pgn");
    let specimens = ["controls.txt", "wide.txt"].map(|name| fs::read(data("escapes").join(name)).unwrap());
    let odd = b"\n\n[Event \"x\"]\n\n1. e4 d5 2. ed5 *\n";
    fs::write(bench.path(&pgn), [&specimens[0][..], &specimens[1], odd].concat()).unwrap();
    let printed = assert_harmless(&bench.run(&["import", &pgn]), &["import"]);
    (bench, printed)
}

fn count(bench: &Bench) -> usize {
    bench.ok(&["games", "--format", "ids"]).lines().count()
}

#[test]
fn the_archive_and_program_formats_contain_what_text_output_escapes() {
    let (bench, report) = hostile();
    assert!(
        report
            .contains(r"x\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}2J\u{202e}\u{200b}\u{2028}\u{a}plybook: y\u{d}.pgn"),
        "{report}"
    );
    assert!(report.contains("rejected: x") && report.contains("note: "), "{report}");
    let raw = ["\x1b[2J\x1b[H", "\x1b]0;HACKED\x07", "\u{202e} evil", "\u{85}"];
    for form in [&["games", "--format", "csv"][..], &["export"]] {
        let text = bench.ok(form);
        for raw in raw {
            assert!(text.contains(raw), "{form:?}: {raw:?} in {text:?}");
        }
        assert!(harmful(&text).is_some());
    }
    let white = bench.json(&["show", "1", "--format", "json"])["tags"]["White"].clone();
    assert_eq!(white, "Tal\x1b[2J\x1b[H");
    let list = bench.json(&["games", "--format", "json"]);
    assert_eq!(list[0]["white"], "Tal\x1b[2J\x1b[H");
    assert!(bench.ok(&["games"]).contains(r"Tal\u{1b}[2J\u{1b}[H"));
    assert!(bench.ok(&["show", "1"]).contains(r"Tal\u{1b}[2J\u{1b}[H"));
    assert!(bench.ok(&["show", "1", "--ply", "1"]).contains(r"c \u{1b}]8;;http://evil\u{7}x \u{0} y"));
}

#[test]
fn text_output_is_harmless() {
    let (bench, _) = hostile();
    let db = format!("{NAME}.db");
    fs::copy(bench.path("plybook.db"), bench.path(&db)).unwrap();
    let pgn = format!("{NAME}.pgn");
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["games"],
        vec!["stats"],
        vec!["verify"],
        vec!["import", &pgn],
        vec!["import", &pgn, "--again", "--rejects", NAME],
        vec!["import", "--again", "--letters", NAME, &pgn],
        vec!["import", NAME],
        vec!["import", "-a", &db, &pgn],
        vec!["verify", "-a", &db],
        vec!["migrate", "-a", &db],
        vec!["backup", "-a", &db, NAME],
        vec!["salvage", "-a", &db, NAME],
        vec!["export", "--white", NAME],
        vec!["export", "-o", "no/such\x1b/folder"],
        vec!["games", "--date", NAME],
        vec!["games", "--result", NAME],
        vec!["games", "--variant", NAME],
        vec!["stats", "--codec", NAME],
        vec!["position", "encode", "--codec", NAME, "1. e4"],
        vec!["position", "encode", "--codec", "fen", NAME],
        vec!["position", "decode", "--codec", "ranked", NAME],
        vec!["position", "compare", NAME],
        vec!["path", NAME],
        vec!["find", NAME],
        vec!["find", "1. e4"],
        vec!["games", "--position", NAME],
        vec!["explore", NAME],
        vec!["explore", "--player", NAME],
        vec!["game", "decode", "--variant", NAME],
        vec!["game", "decode", "--fen", NAME],
        vec!["xelto", "board", NAME],
        vec!["show", NAME],
        vec![NAME],
        vec!["games", NAME],
    ];
    let missing = format!("{NAME}-missing.db");
    for reader in ["games", "verify", "stats", "export", "backup", "migrate"] {
        commands.push(vec![reader, "-a", &missing]);
    }
    let ids: Vec<String> = (1..=count(&bench)).map(|id| id.to_string()).collect();
    for id in &ids {
        commands.push(vec!["show", id]);
        commands.push(vec!["show", id, "--ply", "1"]);
    }
    for command in &commands {
        assert_harmless(&bench.run(command), command);
    }
}

#[test]
fn messages_about_standard_input_are_harmless() {
    let (bench, _) = hostile();
    let specimen = fs::read(data("escapes/controls.txt")).unwrap();
    let commands: [&[&str]; 9] = [
        &["import", "-"],
        &["game", "encode"],
        &["game", "compare"],
        &["game", "decode"],
        &["position", "encode", "--codec", "fen", "-"],
        &["position", "decode", "--codec", "ranked", "-"],
        &["position", "compare", "-"],
        &["xelto", "board"],
        &["xelto", "decode", "--codec", "url"],
    ];
    for command in commands {
        for input in [&specimen[..], NAME.as_bytes(), b"\x1b[2J\xff\x1b[2J\n"] {
            assert_harmless(&bench.feed(command, input), command);
        }
    }
}

#[test]
fn faults_of_a_damaged_archive_are_reported_harmlessly() {
    let (bench, _) = hostile();
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    // A name that differs from the one in the fingerprint, and a source whose name contains a line break.
    db.execute("UPDATE source SET name = ?1", [NAME]).unwrap();
    db.execute("UPDATE game SET moves = x'1b5b' WHERE id = 1", []).unwrap();
    db.close().unwrap();
    for command in [
        &["verify"][..],
        &["show", "1"],
        &["export", "-o", "all.pgn"],
        &["salvage", "new.db"],
        &["import", "plybook.db"],
    ] {
        assert_harmless(&bench.run(command), command);
    }
}

#[test]
fn columns_stay_aligned_whatever_they_contain() {
    let (bench, _) = hostile();
    let wide = "王".repeat(10_000);
    let marks = "e\u{301}\u{302}\u{303}".repeat(5_000);
    let games: Vec<String> = [wide.as_str(), &marks, &"\u{202e}".repeat(5_000), "👨‍👩‍👧‍👦", "♟️ Master"]
        .iter()
        .map(|long| {
            let tags = ["Event", "Date", "White", "Black", "ECO", "WhiteElo", "Round"];
            let tags: String = tags.iter().map(|name| format!("[{name} \"{long}\"]\n")).collect();
            format!("{tags}\n1. e4 *\n")
        })
        .collect();
    fs::write(bench.path("wide.pgn"), games.join("\n")).unwrap();
    bench.ok(&["import", "wide.pgn"]);
    let table = bench.ok(&["games"]);
    assert!(table.contains(&wide) && !table.contains('…'));
    let lines: Vec<&str> = table.lines().collect();
    let (_, rows) = lines.split_last().unwrap();
    assert_eq!(rows.len(), 1 + count(&bench));
    // The last column is right-aligned numbers: all lines end in the same column, except those with names of unknown
    // width.
    let (long, rows): (Vec<&str>, Vec<&str>) = rows.iter().partition(|row| row.len() > 5_000);
    assert_eq!(long.len(), 3);
    for row in rows {
        assert_eq!(row.width(), lines[0].width(), "{row}");
        assert!(row.width() <= 4 * 100, "{row}");
    }
}

#[test]
fn csv_cells_are_not_formulas_with_the_spreadsheet_option() {
    let (bench, _) = hostile();
    let formula = "=cmd|' /C calc'!A0";
    assert!(bench.ok(&["games", "--format", "csv"]).contains(&format!(",{formula},")));
    let safe = bench.ok(&["games", "--format", "csv", "--spreadsheet"]);
    assert!(safe.contains(&format!(",'{formula},")) && !safe.contains(&format!(",{formula},")), "{safe}");
}

#[test]
fn rejected_games_from_a_source_with_a_hostile_name_add_no_games() {
    let bench = Bench::new();
    let name = "a\n[Event \"none\"]\n\n1. e4 *.pgn";
    fs::write(bench.path(name), "1. e4 Ke8 *\n").unwrap();
    let report = bench.import(&[name, "--rejects", "rejects.pgn"]);
    assert_eq!(report["rejected"], 1);
    let again = bench.import(&["rejects.pgn", "-a", "other.db"]);
    assert_eq!((&again["seen"], &again["rejected"]), (&1.into(), &1.into()));
}
