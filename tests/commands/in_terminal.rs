//! In a terminal: lists fit its width, `show` steps through a game, and the terminal is restored.
#![cfg(unix)]

use std::{path::Path, process::Command};

use crate::common::{
    Bench, corpus, data, listed_commands, must,
    terminal::{in_terminal, plain, rows},
    text,
};
use unicode_width::UnicodeWidthStr;

/// Every list of an archive, at 80 columns and at fewer.
fn lists_fit(bench: &Bench, archive: &str) {
    for columns in [80, 50] {
        for arguments in [
            &["games", "--limit", "200"][..],
            &["games", "--limit", "50", "--opening-names"],
            &["find", "1. e4 c5", "--limit", "50"],
            &["explore", "1. e4 c5"],
            &["novelty", "--limit", "20"],
            &["sql", "SELECT * FROM games LIMIT 20"],
            &["stats", "--openings"],
            &["info"],
            &["codecs"],
        ] {
            // Lists without text to cut keep their width.
            if columns < 80 && !matches!(arguments[0], "games" | "find" | "sql") {
                continue;
            }
            let mut asked = arguments.to_vec();
            if arguments[0] != "codecs" {
                asked.extend(["-a", archive]);
            }
            let Some(run) = in_terminal(bench, columns, &[], &asked) else {
                return;
            };
            assert!(matches!(run.code, 0 | 1), "{arguments:?}: {:?}", run.shown);
            let shown = plain(&run.shown.concat());
            let rows: Vec<&str> = shown.split(['\r', '\n']).filter(|row| !row.is_empty()).collect();
            assert!(rows.len() > 1, "{arguments:?}: {shown}");
            for row in rows.into_iter().filter(|row| !row.starts_with("plybook: ")) {
                assert!(row.width() <= columns, "{arguments:?}, {columns} columns: {row:?}");
            }
        }
    }
}

#[test]
fn no_row_of_a_list_is_wider_than_the_terminal() {
    let bench = Bench::new();
    let name = |letters: &str| {
        format!("[White \"{letters}\"]\n[Event \"{letters}\"]\n[WhiteElo \"2500\"]\n\n1. e4 c5 *\n\n")
    };
    let names =
        ["王晨昕".repeat(9), "Ж".repeat(70), "e\u{301}".repeat(60), "羽生善治".to_owned(), "👨‍👩‍👧‍👦".repeat(9)];
    std::fs::write(bench.path("wide.pgn"), names.map(|letters| name(&letters)).concat()).unwrap();
    bench.ok(&[
        "import",
        "-q",
        "wide.pgn",
        data("famous.pgn").to_str().unwrap(),
        data("xelto").to_str().unwrap(),
    ]);
    lists_fit(&bench, "plybook.db");
    for collection in ["lichess.pgn.zst"] {
        let Some(source) = corpus(collection) else { continue };
        bench.ok(&["import", "-q", source.to_str().unwrap(), "-a", "large.db"]);
        lists_fit(&bench, "large.db");
    }
    // In a pipe, names are complete.
    assert!(bench.ok(&["games"]).contains(&"王晨昕".repeat(9)));
}

#[test]
fn on_a_terminal_the_event_is_cut_first_and_dates_results_and_numbers_stay_complete() {
    let bench = Bench::new();
    let game = "[Event \"World Championship match 2021\"]\n[Date \"2021.12.03\"]\n[White \"Nepomniachtchi, Ian\"]\n\
        [Black \"Carlsen, Magnus Øen\"]\n[WhiteElo \"2782\"]\n[BlackElo \"2855\"]\n[ECO \"C88\"]\n\n1. e4 e5 1/2-1/2\n\n";
    std::fs::write(bench.path("a.pgn"), game.to_owned() + &game.replace("2021.12.03", "2021.??.??")).unwrap();
    bench.ok(&["import", "-q", "a.pgn"]);
    for (columns, event, names) in [
        (150, "World Championship match 2021", ["Nepomniachtchi, Ian", "Carlsen, Magnus Øen"]),
        (103, "World Champ…", ["Nepomniachtchi, Ian", "Carlsen, Magnus Øen"]),
        (95, "", ["Nepomniachtchi, Ian", "Carlsen, Magnus Øen"]),
        (80, "", ["Nepomniachtchi…", "Carlsen, Magn…"]),
        (62, "", ["Nepom…", "Carl…"]),
    ] {
        let Some(rows) = rows(&bench, columns, &["games"]) else { return };
        assert_eq!(rows.len(), 4, "{rows:?}");
        assert_eq!(rows[0].contains("event"), !event.is_empty(), "{columns}: {rows:?}");
        for word in ["2782", "2855", "1/2-1/2", "2021.12.03", "C88", event, names[0], names[1]] {
            assert!(rows[1].contains(word), "{columns}: {word} in {rows:?}");
        }
        assert!(rows[2].contains(" 2021 ") && !rows[2].contains('?'), "{rows:?}");
    }
    // Other formats have the date as in PGN.
    for format in ["csv", "json", "jsonl"] {
        assert!(bench.ok(&["games", "--format", format]).contains("2021.??.??"), "{format}");
    }
    assert!(bench.ok(&["export"]).contains("2021.??.??"));
    assert!(
        bench.ok(&["show", "2"]).contains(", 2021, C88\n")
            && bench.ok(&["info"]).contains("dates     2021 to")
    );
}

#[test]
fn output_to_a_file_or_a_pipe_is_never_cut() {
    let bench = Bench::with_games();
    let long = format!(
        "[White \"{}\"]\n[Event \"Long\"]\n\n1. Nf3 Nc6 2. Ng1 Nb8 3. Nf3 Nc6 4. Ng1 Nb8 5. e4 1-0\n\n",
        "Long ".repeat(100)
    );
    std::fs::write(bench.path("a.pgn"), &long).unwrap();
    let line = long.replace("5. e4", "5. d4 d5 6. c4 dxc4 7. Nf3 Nf6 8. e3 e6 9. Bxc4 c5 10. O-O");
    std::fs::write(bench.path("line.pgn"), &line).unwrap();
    std::fs::write(bench.path("b.pgn"), line.replace("10. O-O", "10. dxc5")).unwrap();
    bench.ok(&["import", "-q", "a.pgn", "b.pgn"]);
    for arguments in [
        &["games"][..],
        &["find", "1. Nf3"],
        &["prepare", "--against", "fischer", "--min-games", "1", "--tree", "40"],
        &["report", "--event", "Long"],
        &["report", "--player", "fischer"],
        &["report", "--lines", "40"],
        &["explore", "--tree", "20", "--min-share", "0"],
        &["repertoire", "line.pgn", "--as", "white"],
        &["repertoire", "line.pgn", "--as", "white", "--by-game"],
        &["novelty"],
    ] {
        let Some(shown) = rows(&bench, 80, arguments) else { return };
        assert!(
            shown.iter().any(|row| row.contains('…')),
            "{arguments:?} is too short for this test: {shown:?}"
        );
        let piped = bench.run(arguments);
        assert!(!text(&piped.stdout).contains('…'), "{arguments:?}: {}", text(&piped.stdout));
        bench.run(&[arguments, &["-o", "file.txt", "--force"]].concat());
        assert_eq!(std::fs::read(bench.path("file.txt")).unwrap(), piped.stdout, "{arguments:?}");
    }
}

#[test]
fn a_quick_answer_shows_no_time_left() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "3000", "-o", "many.pgn"]);
    bench.ok(&["import", "-q", "many.pgn"]);
    for (arguments, progress) in [
        (&["explore", "1. e4"][..], "of 3,000 games"),
        (&["report"], "of 3,000 games"),
        (&["report", "--date", "1900.."], " games"),
        (&["verify"], "of 3,000 games"),
        (&["import", "--again", "many.pgn"], "games/s"),
    ] {
        let Some(run) = in_terminal(&bench, 100, &[], arguments) else { return };
        let shown = plain(&run.shown.concat());
        assert!(shown.contains(progress), "{arguments:?}: {shown}");
        // "12s left", but not "Pieces left at the end".
        let before: Vec<&str> = shown.split(" left").collect();
        let is_time =
            |text: &&str| text.trim_end_matches(['s', 'm', 'h']).ends_with(|c: char| c.is_ascii_digit());
        assert!(!before[..before.len() - 1].iter().any(is_time), "{arguments:?}: {shown}");
    }
}

#[test]
fn the_transcript_shows_every_command_as_it_is_in_80_columns() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/transcript.py");
    let made = Command::new("python3").arg(&script).arg(env!("CARGO_BIN_EXE_plybook")).output();
    if !must(made.is_ok(), "python3, which simulates a terminal, is missing") {
        return;
    }
    let made = made.unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    let transcript = std::fs::read_to_string(script.with_extension("md")).unwrap();
    let how = "to regenerate it: docs/transcript.py target/debug/plybook > docs/transcript.md";
    assert!(text(&made.stdout) == transcript, "docs/transcript.md is not what is shown; {how}");
    // Program output (PGN, FEN, completions) and typed commands may be wider.
    let mut command = "";
    for row in
        transcript.split("```text\n").skip(1).flat_map(|block| block.split("\n```").next().unwrap().lines())
    {
        match row.strip_prefix("$ ") {
            Some(typed) => command = typed,
            None => assert!(row.width() <= 80, "{command}: {row}"),
        }
    }
    for name in listed_commands(&Bench::new().ok(&["--help"])) {
        assert!(transcript.contains(&format!("$ plybook {name}")), "{name}");
    }
}

#[test]
fn the_progress_of_an_import_stays_on_its_line_and_is_cleared() {
    let Some(source) = corpus("lichess.pgn.zst") else { return };
    let bench = Bench::new();
    let long = format!("{}.pgn.zst", "long-name-".repeat(12));
    std::fs::copy(source, bench.path(&long)).unwrap();
    let Some(run) = in_terminal(&bench, 80, &[], &["import", &long]) else { return };
    assert_eq!(run.code, 0, "{:?}", run.shown);
    let shown = plain(&run.shown.concat());
    let (progress, report) = shown.split_once("seen ").unwrap();
    for line in progress.split(['\r', '\n']) {
        assert!(line.width() <= 80, "{line:?}");
    }
    // The progress line is cleared before the report begins.
    assert!(run.shown.concat().contains("\x1b[2K") || progress.trim().is_empty());
    assert!(report.contains("stored"));
}

#[test]
fn show_steps_through_a_game_with_keys_and_restores_the_terminal() {
    let bench = Bench::with_games();
    let (right, up, end) = ("\x1b[C", "\x1b[A", "\x1b[F");
    let keys = [right, right, end, up, "f", "q"];
    let Some(run) = in_terminal(&bench, 80, &keys, &["show", "3"]) else { return };
    assert_eq!((run.code, run.restored, run.shown.len()), (0, true, 7), "{:?}", run.shown);
    let plies = [0, 1, 2, 33, 23, 23];
    for (shown, ply) in run.shown.iter().zip(plies) {
        let fen = bench.ok(&["show", "3", "--ply", &ply.to_string(), "--format", "fen"]);
        assert!(shown.contains(fen.trim()), "ply {ply}: {shown:?}");
        assert!(shown.contains("q quit"), "{shown:?}");
    }
    assert!(plain(&run.shown[5]).contains("h  g  f  e  d  c  b  a"), "it is turned");
    assert!(run.shown[0].contains("\x1b[?1049h") && run.shown[6].contains("\x1b[?1049l"));
    // Xelto games as well; in a small terminal nothing wraps.
    bench.ok(&["import", "-q", data("xelto").to_str().unwrap()]);
    let Some(run) = in_terminal(&bench, 30, &[right, "\x03"], &["show", "63"]) else { return };
    assert_eq!((run.code, run.restored), (130, true), "{:?}", run.shown);
    assert!(run.shown[1].contains("ply 1 of"), "{:?}", run.shown);
    // A missing game is reported before the screen changes.
    let Some(run) = in_terminal(&bench, 80, &[], &["show", "999"]) else { return };
    assert!(run.code == 2 && !run.shown.concat().contains("1049"), "{:?}", run.shown);
}
