//! The games that reach a position, compared with python-chess and with slow reference implementations.

use std::{collections::HashSet, fmt::Write, fs, process::Command};

use crate::{
    common::{Bench, corpus, data, python, text, trials},
    pgn_support::each_game,
};
use serde_json::Value;

const SICILIAN: &str = "1. e4 c5";

/// The answer of python-chess for a position.
#[derive(serde::Deserialize)]
struct Asked {
    fen: String,
    board_only: bool,
    mirror: bool,
    hits: Vec<(u64, u64)>,
}

/// Runs the Python script next to this file.
fn script(python: &std::path::Path, arguments: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/positions.py");
    let output = Command::new(python).arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn an_independent_program_finds_the_same_games() {
    let Some(python) = python() else { return };
    let bench = Bench::new();
    let mut pgn = script(&python, &["make"]) + &fs::read_to_string(data("famous.pgn")).unwrap();
    for name in ["otb.pgn.zst", "lichess.pgn.zst"] {
        let Some(path) = corpus(name) else { continue };
        let mut count = 0;
        each_game(&path, trials(6_000, 60_000), |text, game| {
            count += 1;
            if game.is_ok() && count % 40 == 0 {
                writeln!(pgn, "\n{}\n", String::from_utf8_lossy(text).trim()).unwrap();
            }
        });
    }
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn"]);
    fs::write(bench.path("written.pgn"), bench.ok(&["export"])).unwrap();
    let asked = script(&python, &["ask", bench.path("written.pgn").to_str().unwrap()]);
    let asked: Vec<Asked> = serde_json::from_str(&asked).unwrap();
    same_as_asked(&bench, &asked);
    bench.ok(&["index"]);
    same_as_asked(&bench, &asked);
}

/// Compares the answers of an archive with those of python-chess.
fn same_as_asked(bench: &Bench, asked: &[Asked]) {
    for (board_only, mirror) in [(false, false), (false, true), (true, false), (true, true)] {
        let these = asked.iter().filter(|asked| (asked.board_only, asked.mirror) == (board_only, mirror));
        let these: Vec<&Asked> = these.collect();
        let mut arguments = vec!["find", "-", "--format", "lines"];
        arguments.extend(board_only.then_some("--board-only"));
        arguments.extend(mirror.then_some("--mirror"));
        let fens: String = these.iter().map(|asked| format!("{}\n", asked.fen)).collect();
        let expected = these
            .iter()
            .flat_map(|asked| asked.hits.iter().map(|(game, ply)| format!("{}\t{game}:{ply}", asked.fen)));
        let expected: Vec<String> = expected.collect();
        let found = bench.feed(&arguments, fens.as_bytes());
        assert_eq!(text(&found.stdout).lines().collect::<Vec<_>>(), expected);
        let counts = text(
            &bench.feed(&[&arguments[..2], &["--count"], &arguments[4..]].concat(), fens.as_bytes()).stdout,
        );
        let counts: Vec<usize> = counts.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(counts, these.iter().map(|asked| asked.hits.len()).collect::<Vec<_>>());
        assert!(these.len() > 5 && expected.len() > 20, "{} {}", these.len(), expected.len());
    }
}

#[test]
fn limit_offset_and_order_apply_to_the_hits_with_and_without_an_index() {
    let bench = Bench::with_games();
    let asked: [&[&str]; 6] = [
        &["games", "--position", SICILIAN, "--limit", "2", "--offset", "1", "--format", "ids"],
        &["games", "--position", SICILIAN, "--sort", "date", "--desc", "--limit", "3", "--format", "ids"],
        &["find", SICILIAN, "--count", "--offset", "1"],
        &["find", SICILIAN, "--count", "--limit", "2"],
        &["find", "1. e4", "--position", SICILIAN, "--limit", "2", "--format", "ids"],
        &["export", "--position", SICILIAN, "--limit", "1"],
    ];
    let answers = || asked.map(|arguments| bench.ok(arguments));
    let by_scan = answers();
    bench.ok(&["index"]);
    assert_eq!(answers(), by_scan);
    assert!(by_scan.iter().all(|answer| !answer.is_empty()));
}

#[test]
fn a_line_that_is_not_utf8_does_not_affect_the_others() {
    let bench = Bench::with_games();
    let found = bench.feed(&["find", "-", "--count"], b"\xef\xbb\xbf1. e4\n\xff\n1. d4\r\n");
    let counts = text(&found.stdout);
    let counts: Vec<&str> = counts.lines().collect();
    assert!(counts.len() == 3 && counts[1].is_empty() && !counts[0].is_empty() && !counts[2].is_empty());
    assert!(text(&found.stderr).contains("line 2"), "{}", text(&found.stderr));
}

/// The ids in an answer, in order.
fn ids(bench: &Bench, arguments: &[&str]) -> Vec<String> {
    let output = bench.run(&[arguments, &["--format", "ids"]].concat());
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn every_format_has_the_same_games_in_the_requested_order() {
    let bench = Bench::with_games();
    let all = ids(&bench, &["find", SICILIAN]);
    assert!(all.len() > 4);
    let listed: HashSet<&String> = all.iter().collect();
    let mut sorted = ids(&bench, &["games", "--sort", "date", "--desc"]);
    sorted.retain(|id| listed.contains(id));
    let order = ["--sort", "date", "--desc", "--offset", "1", "--limit", "3"];
    let expected = &sorted[1..4];
    let asked = [&["find", SICILIAN][..], &order].concat();
    assert_eq!(ids(&bench, &asked), expected);
    let with = |format| [&asked[..], &["--format", format]].concat();
    let json = bench.json(&with("json"));
    let rows: Vec<String> = json.as_array().unwrap().iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(rows, expected);
    assert!(json.as_array().unwrap().iter().all(|row| row["ply"] == 2 && row["white"].is_string()));
    let lines: Vec<String> = expected.iter().map(|id| format!("{id}:2")).collect();
    assert_eq!(bench.ok(&with("lines")).lines().collect::<Vec<_>>(), lines);
    let first = |text: String, skip: usize| -> Vec<String> {
        text.lines().skip(skip).map(|line| line.split([',', ' ']).next().unwrap().to_owned()).collect()
    };
    assert_eq!(first(bench.ok(&with("csv")), 1), expected);
    assert!(
        bench.ok(&with("csv")).lines().all(|line| line.ends_with(",2,1b") || line.ends_with(",ply,move"))
    );
    assert_eq!(first(bench.ok(&with("table")).replace("3 games", ""), 1)[..3], *expected);
    assert_eq!(bench.ok(&with("markdown")).lines().count(), 5);
    assert_eq!(bench.ok(&[&asked[..], &["--count"]].concat()), "3\n");
}

#[test]
fn games_written_up_to_the_position_end_with_it() {
    let bench = Bench::with_games();
    let pgn = bench.ok(&["find", SICILIAN, "--format", "pgn", "--to-position"]);
    let whole = bench.ok(&["games", "--position", SICILIAN, "--format", "jsonl"]);
    let again = Bench::new();
    fs::write(again.path("cut.pgn"), pgn).unwrap();
    again.import(&["cut.pgn"]);
    let cut = again.ok(&["find", SICILIAN, "--format", "jsonl"]);
    assert_eq!(cut.lines().count(), whole.lines().count());
    for (cut, whole) in cut.lines().zip(whole.lines()) {
        let [cut, whole]: [Value; 2] = [cut, whole].map(|line| serde_json::from_str(line).unwrap());
        assert_eq!((&cut["plies"], &cut["ply"]), (&2.into(), &2.into()));
        assert_eq!((&cut["white"], &cut["result"]), (&whole["white"], &whole["result"]));
    }
}

#[test]
fn games_are_written_whole_unless_they_are_cut() {
    let bench = Bench::with_games();
    bench.ok(&["find", SICILIAN, "-o", "found.pgn"]);
    let exported = bench.ok(&["export", "--position", SICILIAN]);
    assert_eq!(fs::read_to_string(bench.path("found.pgn")).unwrap(), exported);
    let refused = bench.run(&["find", SICILIAN, "--to-position"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--format pgn"), "{}", text(&refused.stderr));
}

#[test]
fn rows_have_the_number_of_the_last_move_also_after_another_start_position() {
    let bench = Bench::new();
    let setup = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K2R b K - 0 30\"]\n\n30... Kd7 31. Rh7+ Kc6 *\n";
    fs::write(bench.path("a.pgn"), format!("{setup}\n1. e4 e5 2. Nf3 *\n")).unwrap();
    bench.import(&["a.pgn"]);
    for (position, ply, number) in
        [("1:0", "0", ""), ("1:1", "1", "30b"), ("1:2", "2", "31w"), ("2:3", "3", "2w"), ("2:2", "2", "1b")]
    {
        let found = bench.ok(&["find", position, "--format", "csv", "--columns", "ply,move"]);
        assert_eq!(found.lines().nth(1), Some(format!("{ply},{number}").as_str()), "{position}");
        let json = bench.json(&["find", position, "--format", "json"]);
        assert_eq!(json[0]["move"].as_str().unwrap_or_default(), number, "{position}");
        if !number.is_empty() {
            let shown = bench.ok(&["show", &json[0]["id"].to_string(), "--ply", number, "--format", "fen"]);
            let there = bench.ok(&["show", &json[0]["id"].to_string(), "--ply", ply, "--format", "fen"]);
            assert_eq!(shown, there, "{position}");
        }
    }
}

#[test]
fn games_sorted_by_bytes_show_them() {
    let bench = Bench::with_games();
    let list = bench.ok(&["games", "--sort", "bytes", "--desc", "--format", "csv", "--columns", "id,bytes"]);
    let sizes = bench.ok(&["sql", "SELECT id, length(moves) AS bytes FROM game", "--format", "csv"]);
    let mut rows: Vec<&str> = list.lines().collect();
    let mut expected: Vec<&str> = sizes.lines().collect();
    let bytes = |row: &&str| row.rsplit(',').next().unwrap().parse().unwrap_or(u64::MAX);
    assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(bytes(row))), "{list}");
    rows.sort_unstable();
    expected.sort_unstable();
    assert_eq!(rows, expected);
    assert!(bench.ok(&["games", "--sort", "bytes"]).lines().next().unwrap().ends_with("  bytes"));
    assert!(!bench.ok(&["games", "--sort", "plies"]).contains("bytes"));
}

#[test]
fn a_position_is_a_filter_of_other_commands() {
    let bench = Bench::with_games();
    let found = ids(&bench, &["find", SICILIAN, "--result", "1-0"]);
    let filter = ["--position", SICILIAN, "--result", "1-0"];
    assert_eq!(ids(&bench, &[&["games"], &filter[..]].concat()), found);
    let exported = bench.ok(&[&["export"], &filter[..]].concat());
    assert_eq!(exported.matches("[Result \"1-0\"]").count(), found.len());
    for codec in ["index", "byte"] {
        let stats = bench.json(&[&["stats", "--format", "json", "--codec", codec], &filter[..]].concat());
        assert_eq!(stats["games"], found.len());
    }
    // Games that reach both.
    let both = ids(&bench, &["find", "1. e4 c5 2. Nf3", "--position", SICILIAN]);
    assert_eq!(both, ids(&bench, &["find", "1. e4 c5 2. Nf3"]));
    let other = bench.run(&["find", "1. d4", "--position", SICILIAN]);
    assert_eq!((other.status.code(), text(&other.stdout)), (Some(1), "no games\n".to_owned()));
}

#[test]
fn positions_can_be_given_in_every_notation_and_invalid_ones_are_explained() {
    let bench = Bench::with_games();
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2";
    let expected = ids(&bench, &["find", SICILIAN]);
    let place = format!("{}:2", expected[0]);
    for position in [fen, "e2e4 c7c5", "Sicilian Defense", &place] {
        assert_eq!(ids(&bench, &["find", position]), expected, "{position}");
    }
    // The mirror image: Black has played e4, which White could not have.
    let mirror = "rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(ids(&bench, &["find", mirror, "--mirror"]), expected);
    assert!(ids(&bench, &["find", mirror]).is_empty());
    for (position, error) in [
        ("exchange variation", "matches several openings; be more specific: "),
        (
            "xyz",
            "invalid position \"xyz\"; expected a FEN, GAME:PLY, the name of an opening, or moves from the start position",
        ),
        ("8/8/8/8/8/8/8/K7 w", "no game reaches this position: a king is missing"),
        ("1:9999", "plies"),
        ("4711:1", "has no game 4711"),
        ("", "give a position (a FEN, moves, GAME:PLY, the name of an opening, or -), or a condition"),
    ] {
        let line = bench.refused(&["find", position]);
        assert!(line.contains(error), "{line}");
    }
    assert!(bench.refused(&["find", SICILIAN, "--variant", "xelto"]).contains("not a variant of chess"));
}

#[test]
fn positions_on_standard_input_are_answered_line_by_line() {
    let bench = Bench::with_games();
    let input = b"1. d4\nnonsense!\n1. e4 c5\n1. a3 a6 2. a4\n";
    let output = bench.feed(&["find", "-", "--count"], input);
    let counts = text(&output.stdout);
    let count = |moves: &str| ids(&bench, &["find", moves]).len().to_string();
    assert_eq!(counts.lines().collect::<Vec<_>>(), [&count("1. d4"), "", &count(SICILIAN), "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("line 2: invalid position \"nonsense!\""));
    let output = bench.feed(&["find", "-", "--limit", "1", "--format", "csv"], input);
    let rows = text(&output.stdout);
    assert_eq!(rows.lines().count(), 3);
    let begins = ["position,id,", "1. d4,", "1. e4 c5,"];
    assert!(rows.lines().zip(begins).all(|(row, begin)| row.starts_with(begin)), "{rows}");
}

#[test]
fn games_of_other_variants_are_found_only_on_request() {
    let bench = Bench::new();
    let pgn = |variant: &str| format!("[Variant \"{variant}\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    fs::write(bench.path("a.pgn"), ["Standard", "Atomic", "Chess960"].map(pgn).concat()).unwrap();
    bench.import(&["a.pgn"]);
    assert_eq!(ids(&bench, &["find", "1. e4 e5"]), ["1", "3"]);
    assert_eq!(ids(&bench, &["find", "1. e4 e5", "--variant", "chess960"]), ["3"]);
    assert_eq!(ids(&bench, &["find", "1. e4 e5", "--variant", "atomic"]), ["2"]);
    assert_eq!(ids(&bench, &["find", "2:2"]), ["2"]);
    assert_eq!(ids(&bench, &["find", "3:2"]), ["1", "3"]);
}

#[test]
fn a_fen_without_a_castling_field_is_reported() {
    let bench = Bench::with_games();
    let pieces = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR";
    let printed =
        |arguments: &[&str]| text(&bench.run(arguments).stderr).contains("this FEN has no castling field");
    for [partial, whole] in
        [[pieces, &format!("{pieces} w -")], [&format!("{pieces} w"), &format!("{pieces} w KQkq")]]
    {
        for command in [&["find"][..], &["explore"], &["games", "--position"]] {
            assert!(printed(&[command, &[partial]].concat()), "{command:?} {partial}");
            assert!(!printed(&[command, &[whole]].concat()), "{command:?} {whole}");
        }
        let without =
            [partial, &format!("{pieces} w -")].map(|fen| bench.run(&["find", fen, "--count"]).stdout);
        assert_eq!(without[0], without[1]);
        assert!(!printed(&["find", partial, "--board-only"]));
    }
    // Castling is impossible in these positions. Several lines give one message.
    for fen in ["4k3/8/8/8/8/8/8/4K3", "r2k3r/8/8/8/8/8/8/R2K3R w", "rk2r3/8/8/8/8/8/8/4K3 w"] {
        assert!(!printed(&["find", fen]), "{fen}");
    }
    let output = bench.feed(&["find", "-", "--count"], format!("{pieces}\n{pieces} w\n").as_bytes());
    assert_eq!(text(&output.stderr).matches("no castling field").count(), 1);
}

#[test]
fn a_game_that_cannot_be_replayed_is_skipped_and_reported() {
    for is_indexed in [false, true] {
        passes_over_and_tells(is_indexed);
    }
}

fn passes_over_and_tells(is_indexed: bool) {
    let bench = Bench::with_games();
    if is_indexed {
        bench.ok(&["index"]);
    }
    let found = ids(&bench, &["find", SICILIAN]);
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.execute("UPDATE game SET moves = x'00' WHERE id = ?1", [&found[0]]).unwrap();
    drop(db);
    let listed = found[1..].join("\n");
    for (way, answer) in [(&["--format", "ids"][..], listed), (&["--count"], (found.len() - 1).to_string())] {
        let output = bench.run(&[&["find", SICILIAN], way].concat());
        assert_eq!(text(&output.stdout).trim(), answer);
        assert!(text(&output.stderr).contains("1 game could not be replayed"), "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(1));
    }
    assert_eq!(ids(&bench, &["games", "--position", SICILIAN]), found[1..]);
}

#[test]
fn the_najdorf_is_reached_by_10464_games_of_masters() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[otb.to_str().unwrap()]);
    let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
    assert_eq!(bench.ok(&["find", moves, "--count"]), "10464\n");
    assert_eq!(bench.ok(&["find", "sicilian najdorf", "--format", "ids"]).lines().count(), 10_464);
}

#[test]
fn conditions_that_require_others_are_rejected_without_them() {
    let bench = Bench::with_games();
    for (arguments, why) in [
        (&["--pattern", "8/8"][..], "invalid pattern \"8/8\": expected 8 ranks"),
        (&["--material", "KR"], "invalid material \"KR\""),
        (&["--within", "3", "--pattern", "*/*/*/*/*/*/*/*"], "within requires then"),
        (&["--then", "*/*/*/*/*/*/*/*"], "then requires material or a pattern before it"),
        (&["--min-plies", "3"], "min-plies requires material or a pattern"),
        (
            &["--any-file", "--material", "KRP KR"],
            "any-file requires a pattern: pattern, then or not-pattern",
        ),
        (&["--ends-in", "mate", "--variant", "Atomic"], "requires games of standard chess"),
        (&["--white-castles", "no", "--variant", "Horde"], "requires games of standard chess"),
        (&["--pattern", "*/*/*/*/*/*/*/*", "--variant", "Xelto"], "Xelto"),
    ] {
        let line = bench.refused(&[&["find"], arguments].concat());
        assert!(line.contains(why), "{arguments:?}: {line}");
    }
}

#[test]
fn min_plies_counts_plies_and_not_positions() {
    let bench = Bench::new();
    // No piece disappears for two plies, that is, three positions.
    fs::write(bench.path("a.pgn"), "1. e4 d5 2. exd5 *\n").unwrap();
    bench.import(&["a.pgn"]);
    let found = |plies: &[&str]| {
        let material = "KQRRBBNNP{8} KQRRBBNNP{8}";
        text(&bench.run(&[&["find", "--count", "--material", material], plies].concat()).stdout)
    };
    for _ in ["without an index", "with one"] {
        let counts = [found(&[]), found(&["--min-plies", "2"]), found(&["--min-plies", "3"])];
        assert_eq!(counts, ["1\n", "1\n", "0\n"]);
        bench.ok(&["index"]);
    }
}

/// All shifted and mirrored forms of a pattern whose ranks have one symbol per square.
fn placed(pattern: &str) -> Vec<String> {
    let ranks: Vec<Vec<char>> = pattern.split('/').map(|rank| rank.chars().collect()).collect();
    let mirrored = ranks.iter().map(|rank| rank.iter().rev().copied().collect()).collect();
    let mut all = Vec::new();
    for ranks in [ranks, mirrored] {
        for files in -7..=7_isize {
            let shifted: Option<Vec<String>> = ranks.iter().map(|rank| shifted(rank, files)).collect();
            all.extend(shifted.map(|ranks| ranks.join("/")));
        }
    }
    all
}

fn shifted(rank: &[char], files: isize) -> Option<String> {
    let at = |file: isize| usize::try_from(file).ok().and_then(|file| rank.get(file));
    let is_lost = (0..8).any(|file| at(file) != Some(&'?') && !(0..8).contains(&(file + files)));
    (!is_lost).then(|| (0..8).map(|file| at(file - files).unwrap_or(&'?')).collect())
}

#[test]
fn any_file_finds_the_same_as_one_search_per_placement() {
    let bench = Bench::with_games();
    let any = "????????";
    let patterns = [
        format!("{any}/{any}/{any}/??p?????/??P?????/{any}/{any}/{any}"),
        format!("{any}/{any}/{any}/???N????/??P?P???/{any}/{any}/{any}"),
        format!("{any}/{any}/{any}/{any}/{any}/?????N??/?????PPP/?????RK?"),
        format!("{any}/?????PP?/{any}/{any}/{any}/{any}/{any}/{any}"),
        format!("R??????R/{any}/{any}/{any}/{any}/{any}/{any}/{any}"),
    ];
    for is_indexed in [false, true] {
        if is_indexed {
            bench.ok(&["index", "--quiet"]);
        }
        for pattern in &patterns {
            for more in [&[][..], &["--mirror"], &["--to-move", "black"]] {
                let found = |text: &str, any_file: &[&str]| {
                    let found = bench
                        .run(&[&["find", "--pattern", text, "--format", "ids"], more, any_file].concat());
                    text_of(&found.stdout)
                };
                let one_by_one: std::collections::BTreeSet<String> =
                    placed(pattern).iter().flat_map(|text| found(text, &[])).collect();
                let at_once: std::collections::BTreeSet<String> =
                    found(pattern, &["--any-file"]).into_iter().collect();
                assert_eq!(at_once, one_by_one, "{pattern} {more:?}");
            }
        }
        assert!(ids(&bench, &["find", "--pattern", &patterns[0], "--any-file"]).len() > 3);
    }
}

/// The lines of an output.
fn text_of(output: &[u8]) -> Vec<String> {
    text(output).lines().map(str::to_owned).collect()
}

#[test]
fn patterns_are_shifted_together_and_a_rank_with_a_piece_anywhere_is_not() {
    let bench = Bench::new();
    let game = |fen: &str, moves: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n");
    let games = [
        // A pawn on c4 and then on c5, with a rook on the a-file of the seventh rank.
        game("4k3/R7/8/8/2P5/8/8/4K3 w - - 0 1", "1. c5"),
        // A pawn on f4 and then on f5, with a rook on the h-file of the seventh rank.
        game("4k3/7R/8/8/5P2/8/8/4K3 w - - 0 1", "1. f5"),
        // A pawn on g4, and another one goes to d5.
        game("3k4/R7/8/8/3P2P1/8/8/4K3 w - - 0 1", "1. d5"),
    ];
    std::fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    bench.import(&["games.pgn"]);
    let found = |arguments: &[&str]| ids(&bench, &[&["find"], arguments].concat());
    let [pawn, push] = ["*/*R*/*/*/??P*/*/*/*", "*/*/*/??P*/*/*/*/*"];
    assert_eq!(found(&["--pattern", pawn]), ["1"]);
    assert_eq!(found(&["--pattern", pawn, "--any-file"]), ["1", "2", "3"]);
    assert_eq!(found(&["--pattern", pawn, "--then", push, "--any-file"]), ["1", "2", "3"]);
    // One file further: no game matches, unless each pattern is shifted separately.
    assert_eq!(found(&["--pattern", pawn, "--then", "*/*/*/???P*/*/*/*/*", "--any-file"]), [""; 0]);
    // A pattern that never occurs does not occur on any file.
    assert_eq!(found(&["--pattern", pawn, "--not-pattern", push, "--any-file"]), [""; 0]);
    assert_eq!(found(&["--pattern", pawn, "--not-pattern", push]), [""; 0]);
    assert_eq!(found(&["--material", "P* K*", "--not-pattern", push]), ["2", "3"]);
    assert_eq!(found(&["--pattern", "*/*/*/*/?P??P*/*/*/*", "--any-file"]), ["3"]);
}
