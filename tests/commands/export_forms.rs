//! Exports: the tag pairs of the source, games up to a ply, FENs as comments, lines for engines.

use crate::common::{Bench, corpus, data};

/// A game whose tag pairs are incomplete and not in the order of the roster.
const ODD: &str = "[White \"A\"]\n[Annotator \"x\"]\n[Event \"y\"]\n\n1. e4 $1 {a} 1... e5 (1... c5 {b}) 2. Nf3 Nc6 0-1\n\n";

fn tag_lines(pgn: &str) -> Vec<&str> {
    pgn.lines().filter(|line| line.starts_with('[')).collect()
}

#[test]
fn an_export_keeps_the_tag_lines_of_its_source() {
    let bench = Bench::new();
    std::fs::write(bench.path("odd.pgn"), ODD).unwrap();
    bench.import(&["odd.pgn"]);
    let plain = bench.ok(&["export"]);
    assert_eq!(tag_lines(&plain), tag_lines(ODD));
    assert_eq!(bench.ok(&["show", "1", "--format", "pgn"]).trim_end(), plain.trim_end());
    let roster = bench.ok(&["export", "--roster"]);
    let names: Vec<&str> =
        tag_lines(&roster).iter().map(|line| line[1..].split(' ').next().unwrap()).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Annotator"]);
    assert!(roster.contains("[Result \"0-1\"]") && roster.contains("[Date \"????.??.??\"]"), "{roster}");
    // The export is imported as the same game.
    for pgn in [plain, roster] {
        std::fs::write(bench.path("again.pgn"), &pgn).unwrap();
        bench.import(&["again.pgn", "-a", "again.db"]);
        assert_eq!(bench.ok(&["export", "-a", "again.db"]), pgn);
        std::fs::remove_file(bench.path("again.db")).unwrap();
    }
}

/// Games without a Result tag, including one that starts with a comment and has no tags at all.
const WITHOUT_RESULT: [&str; 3] = [
    "{a comment} 1. e4 e5 2. Nf3 1-0\n",
    "[White \"A\"]\n\n1. d4 d5 1/2-1/2\n",
    "[White \"A\"]\n\n{a comment} 1. c4 c5 0-1\n",
];

#[test]
fn a_game_without_a_result_tag_is_restored_as_the_same_game() {
    for game in WITHOUT_RESULT {
        let bench = Bench::new();
        std::fs::write(bench.path("a.pgn"), game).unwrap();
        bench.import(&["a.pgn"]);
        let exported = bench.ok(&["export"]);
        assert!(!exported.contains("[Result "), "{exported}");
        std::fs::write(bench.path("again.pgn"), &exported).unwrap();
        let report = bench.import(&["again.pgn"]);
        assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &1.into()), "{exported}");
        // The roster adds the tag, as the help says.
        let roster = bench.ok(&["export", "--roster"]);
        let result = game.trim_end().rsplit(' ').next().unwrap();
        assert!(roster.contains(&format!("[Result \"{result}\"]")), "{roster}");
    }
    let help = Bench::new().ok(&["export", "--help"]);
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("game had no Result tag"), "{help}");
}

#[test]
fn every_tag_line_of_a_collection_is_restored_in_place() {
    for name in ["lichess.pgn.zst", "annotated"] {
        let Some(source) = corpus(name) else { continue };
        let bench = Bench::new();
        bench.import(&[source.to_str().unwrap()]);
        let exported = bench.ok(&["export", "--limit", "3000"]);
        std::fs::write(bench.path("again.pgn"), &exported).unwrap();
        bench.import(&["again.pgn", "-a", "again.db"]);
        let count = bench.json(&["info", "-a", "again.db", "--format", "json"])["games"].as_u64().unwrap();
        assert!(count > 0);
        assert!(bench.ok(&["export", "-a", "again.db"]) == exported, "{name}");
    }
}

#[test]
fn a_game_is_cut_at_a_ply_and_has_a_fen_after_each_move() {
    let bench = Bench::new();
    std::fs::write(bench.path("odd.pgn"), ODD).unwrap();
    bench.import(&["odd.pgn"]);
    let movetext = |arguments: &[&str]| {
        let pgn = bench.ok(&[&["export"], arguments].concat());
        pgn.split("\n\n").nth(1).unwrap().replace('\n', " ")
    };
    assert_eq!(movetext(&["--to-ply", "2"]), "1. e4 $1 {a} 1... e5 (1... c5 {b}) 0-1");
    assert_eq!(movetext(&["--to-ply", "1w"]), "1. e4 $1 {a} 0-1");
    assert_eq!(movetext(&["--to-ply", "-4"]), "1. e4 $1 {a} 0-1");
    assert_eq!(movetext(&["--to-ply", "99"]), movetext(&[]));
    assert_eq!(
        movetext(&["--to-ply", "1", "--fen-comments"]),
        "1. e4 $1 {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1} {a} 0-1"
    );
}

#[test]
fn lines_match_show_at_each_ply() {
    let bench = Bench::new();
    bench.import(&[data("famous.pgn").to_str().unwrap()]);
    let setup = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 30\"]\n\n1. O-O Kd7 *\n";
    std::fs::write(bench.path("setup.pgn"), setup).unwrap();
    bench.import(&["setup.pgn"]);
    let lines = |arguments: &[&str]| -> Vec<String> {
        bench.ok(&[&["export"], arguments].concat()).lines().map(str::to_owned).collect()
    };
    let (uci, last, early) = (
        lines(&["--format", "uci"]),
        lines(&["--format", "fen"]),
        lines(&["--format", "fen", "--to-ply", "3"]),
    );
    assert_eq!(uci.len(), 63);
    assert_eq!(uci[62], "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 30 moves e1g1 e8d7");
    for id in (1..63).step_by(7) {
        let (number, at) = (id.to_string(), id - 1);
        let show = |more: &[&str]| bench.ok(&[&["show", &number], more].concat()).trim_end().to_owned();
        assert_eq!(uci[at], format!("startpos moves {}", show(&["--format", "uci"])));
        assert_eq!(last[at], show(&["--format", "fen"]));
        assert_eq!(early[at], show(&["--format", "fen", "--ply", "3"]));
        let epd = lines(&["--format", "epd", "--id", &number]);
        let moves: Vec<String> = show(&["--format", "san"]).split(' ').map(str::to_owned).collect();
        assert_eq!(epd.len(), moves.len() + 1);
        for (ply, line) in epd.iter().enumerate().step_by(9) {
            let fen = show(&["--format", "fen", "--ply", &ply.to_string()]);
            let four: Vec<&str> = fen.split(' ').take(4).collect();
            assert!(line.starts_with(&four.join(" ")), "{line}");
            let played = moves.get(ply).map_or(String::new(), |san| format!(" sm {san};"));
            assert!(
                line.contains(&format!("{played} c9 ")) && line.ends_with(&format!("id \"{id}:{ply}\";")),
                "{line}"
            );
        }
    }
}

#[test]
fn options_of_other_formats_are_rejected() {
    let bench = Bench::with_games();
    for arguments in [
        &["--format", "csv", "--to-ply", "3"][..],
        &["--format", "uci", "--roster"],
        &["--format", "epd", "--fen-comments"],
        &["--format", "fen", "--original"],
        &["--format", "uci", "--positions"],
        &["--format", "epd", "--variant", "xelto"],
        &["--variant", "xelto", "--to-ply", "3"],
        &["--format", "xelto", "--roster"],
    ] {
        bench.refused(&[&["export"], arguments].concat());
    }
}

/// The first bytes of the output of a command with --output.
fn begins(bench: &Bench, arguments: &[&str], file: &str) -> String {
    bench.ok(&[arguments, &["-o", file, "--force"]].concat());
    let bytes = std::fs::read(bench.path(file)).unwrap();
    String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned()
}

#[test]
fn the_file_extension_selects_the_format_unless_one_is_given() {
    let bench = Bench::with_games();
    let prepare = ["prepare", "--against", "morphy", "--as", "black"];
    for (arguments, file, begin) in [
        (&["export"][..], "games.csv", "id,"),
        (&["export"], "games.pgn", "[Event "),
        (&["export"], "games", "[Event "),
        (&["games"], "games.csv", "id,"),
        (&["games"], "games.MD", "| id |"),
        (&["games"], "games.txt", "id  "),
        (&["board", "1. e4"], "board.svg", "<svg "),
        (&["board", "1. e4"], "board.png", "\u{fffd}PNG"),
        (&["report", "--player", "morphy"], "report.svg", "<svg "),
        (&prepare, "sheet.md", "# "),
        (&prepare, "sheet.svg", "<svg "),
        (&["games", "--format", "csv"], "games.md", "id,"),
        (&["games", "--format=csv"], "games.md", "id,"),
    ] {
        let found = begins(&bench, arguments, file);
        assert!(found.starts_with(begin), "{arguments:?} {file}: {found}");
    }
}

#[test]
fn an_unknown_file_extension_is_an_error_that_names_the_known_ones() {
    let bench = Bench::with_games();
    for (arguments, file, known) in [
        (&["report"][..], "r.pdf", ".csv, .json, .jsonl, .md, .html, .svg, .txt"),
        (&["games"], "l.xlsx", ".csv, .json, .jsonl, .md, .html, .ids, .txt"),
        (&["board", "1. e4"], "n.jpg", ".board, .svg, .png, .txt"),
    ] {
        let refused = bench.run(&[arguments, &["-o", file]].concat());
        let why = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{file}: {why}");
        assert!(why.contains(file) && why.contains(known), "{why}");
        assert!(!bench.path(file).exists(), "{file}");
        let explicit = [arguments, &["--format", if file == "n.jpg" { "svg" } else { "json" }, "-o", file]];
        assert!(bench.run(&explicit.concat()).status.success(), "{file}");
        assert!(bench.path(file).exists(), "{file}");
    }
    assert!(!bench.ok(&["games", "-o", "/dev/stdout"]).is_empty());
    bench.ok(&["book", "-o", "openings.bin"]);
}

#[test]
fn the_extension_counts_in_every_spelling_of_output_and_standard_input_is_read_once() {
    let bench = Bench::with_games();
    for output in [&["-oids.csv"][..], &["--output=ids.csv"], &["--output", "ids.csv"]] {
        let listed = bench.feed(&[&["export", "--id", "-", "--force"], output].concat(), b"2\n");
        assert!(listed.status.success(), "{output:?}");
        let written = std::fs::read_to_string(bench.path("ids.csv")).unwrap();
        assert_eq!(written.lines().count(), 2, "{output:?}: {written}");
        assert!(written.lines().last().unwrap().starts_with("2,"), "{output:?}: {written}");
    }
}
