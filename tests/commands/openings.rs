//! Openings given by name: which one a command uses, and what its counts mean.

use std::fs;

use crate::common::{Bench, server::Served, text};

/// Two games that reach the Najdorf, one of which continues to another name, and one of the Lucena Variation.
fn bench() -> Bench {
    let bench = Bench::new();
    let games = [
        ("1960", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0"),
        ("1999", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 0-1"),
        ("2001", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Be7 1/2-1/2"),
    ];
    let game = |(year, moves): (&str, &str)| {
        format!(
            "[White \"Tal,M\"]\n[Black \"Fischer,R\"]\n[Date \"{year}.??.??\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n\n{moves}\n\n"
        )
    };
    fs::write(bench.path("a.pgn"), games.map(game).concat()).unwrap();
    bench.import(&["a.pgn"]);
    bench
}

/// The output of a command, and its messages without the hint about the index.
fn printed(bench: &Bench, command: &[&str]) -> (Vec<String>, Vec<String>) {
    let output = bench.run(command);
    let lines = |bytes: &[u8]| -> Vec<String> { text(bytes).lines().map(str::to_owned).collect() };
    let mut said = lines(&output.stderr);
    said.retain(|line| !line.contains("plybook index"));
    (lines(&output.stdout), said)
}

#[test]
fn an_incomplete_word_does_not_name_an_opening() {
    let bench = bench();
    for (word, meant) in
        [("rook", "Polish Opening: Rooks Swap Line"), ("foo", "Fool's Mate"), ("najd", "Najdorf Variation")]
    {
        for command in
            [&["find"][..], &["explore"], &["board"], &["games", "--position"], &["games", "--opening"]]
        {
            let line = bench.refused(&[command, &[word]].concat());
            let expected = format!("unknown opening {word:?}; did you mean \"");
            assert!(line.contains(&expected) && line.contains(meant), "{command:?}: {line}");
        }
    }
}

#[test]
fn the_opening_of_a_name_is_printed_first() {
    let bench = bench();
    let opening = "C60 Ruy Lopez: Lucena Variation";
    for command in [&["find", "lucena"][..], &["explore", "lucena"]] {
        let (lines, said) = printed(&bench, command);
        assert_eq!((lines[0].as_str(), said), (opening, Vec::new()), "{command:?}");
    }
    // Program output contains nothing else.
    for (format, first) in
        [(&["--format", "csv"][..], "id,"), (&["--format", "ids"], "3"), (&["--count"], "1")]
    {
        let (lines, said) = printed(&bench, &[&["find", "lucena"], format].concat());
        assert!(lines[0].starts_with(first), "{lines:?}");
        assert_eq!(said, [format!("plybook: {opening}: games that reach this position")]);
    }
    for command in
        [&["board", "lucena"][..], &["games", "--position", "lucena"], &["position", "compare", "lucena"]]
    {
        assert_eq!(printed(&bench, command).1, [format!("plybook: {opening}")], "{command:?}");
    }
    // Moves need no such line.
    assert!(printed(&bench, &["find", "1. e4 c5"]).0[0].starts_with("id"));
}

#[test]
fn a_count_of_games_with_an_opening_says_what_it_counts() {
    let bench = bench();
    let (lines, _) = printed(&bench, &["find", "najdorf"]);
    assert_eq!(lines.last().unwrap(), "2 games reach this position");
    assert_eq!(printed(&bench, &["find", "lucena"]).0.last().unwrap(), "1 game reaches this position");
    let (lines, _) = printed(&bench, &["explore", "najdorf"]);
    assert!(lines.iter().any(|line| line.starts_with("2 games reach this position:")), "{lines:?}");
    let (lines, said) = printed(&bench, &["games", "--opening", "lucena"]);
    assert_eq!(lines.last().unwrap(), "1 game");
    assert_eq!(said, ["plybook: last named position: C60 Ruy Lopez: Lucena Variation"]);
    let said = printed(&bench, &["games", "--opening", "najdorf"]).1;
    assert!(
        said.len() == 1
            && said[0].contains("last named position: B90 Sicilian Defense: Najdorf Variation or one of ")
            && said[0].ends_with(" others"),
        "{said:?}"
    );
    let said = printed(&bench, &["stats", "--openings"]).1;
    assert!(said[0].contains("its last named position"), "{said:?}");
    for report in [&["report"][..], &["report", "--player", "tal"]] {
        let (lines, _) = printed(&bench, report);
        let heads: Vec<_> =
            lines.iter().filter(|line| line.contains("(by the last named position): ")).collect();
        assert!(heads.len() == 2, "{report:?}: {lines:?}");
    }
    let served = Served::new(&bench, &[]);
    for (language, title) in [
        ("en", "Openings (by the last named position)"),
        ("de", "Eröffnungen (nach der letzten benannten Stellung)"),
    ] {
        assert!(served.get(&format!("/report?lang={language}")).text().contains(title));
    }
}

#[test]
fn a_misspelt_opening_is_suggested_with_its_games_and_years_from_the_index() {
    let bench = bench();
    let commands = [&["find"][..], &["explore"], &["games", "--position"], &["games", "--opening"]];
    let without = "did you mean \"Sicilian Defense: Najdorf Variation\"?";
    let with = "did you mean \"Sicilian Defense: Najdorf Variation\" (2 games by the last named position, 1960–1999)?";
    for expected in [without, with] {
        for command in commands {
            let line = bench.refused(&[command, &["najdorff"]].concat());
            assert!(line.contains(expected), "{command:?}: {line}");
        }
        bench.ok(&["index"]);
    }
}

#[test]
fn a_single_number_is_reported_as_exact() {
    let bench = bench();
    let elo = "plybook: --elo 2500: exactly 2500; for 2500 and more: --elo 2500..";
    let plies = "plybook: --plies 6: exactly 6; for 6 and more: --plies 6..";
    for command in [&["games"][..], &["explore"], &["find", "1. e4"], &["export"], &["stats"], &["report"]] {
        let said = printed(&bench, &[command, &["--elo", "2500", "--plies", "6"]].concat()).1;
        assert_eq!(said, [elo, plies], "{command:?}");
        for ranges in [["--elo", "2500.."], ["--elo", "2400..2500"], ["--plies", "..40"]] {
            assert_eq!(printed(&bench, &[command, &ranges].concat()).1, [""; 0], "{command:?} {ranges:?}");
        }
    }
}

#[test]
fn the_number_of_the_best_game_has_the_heading_game() {
    let bench = bench();
    let (lines, _) = printed(&bench, &["explore"]);
    let head = lines.iter().find(|line| line.starts_with("move ")).unwrap();
    assert!(head.contains(" game ") && !head.contains("best"), "{head}");
    fs::write(bench.path("lines.pgn"), "1. e4 e5 2. Nf3 d6 *\n").unwrap();
    let (lines, _) = printed(&bench, &["repertoire", "lines.pgn", "--as", "white"]);
    let heads: Vec<&String> = lines.iter().filter(|line| line.contains("lines have")).collect();
    assert!(!heads.is_empty() && heads.iter().all(|head| head.contains(" game ")), "{lines:?}");
    assert!(bench.ok(&["explore", "--format", "csv"]).contains("best_game"));
}

/// The same position twice, after 6 plies without a name and after 8 with one, each by two orders of moves.
#[test]
fn the_order_of_moves_matters_until_a_common_position_has_a_name() {
    let bench = Bench::new();
    let orders = ["1. d4 d5 2. c4 e6 3. Nf3 Nf6", "1. Nf3 d5 2. d4 Nf6 3. c4 e6"];
    let games = ["*", "4. Nc3 Be7 *"].map(|end| orders.map(|moves| format!("{moves} {end}\n\n")).concat());
    fs::write(bench.path("orders.pgn"), games.concat()).unwrap();
    bench.import(&["orders.pgn"]);
    let listed = bench.ok(&["games", "--opening-names", "--columns", "opening_eco", "--format", "csv"]);
    assert_eq!(listed, "opening_eco\nD30\nD02\nD37\nD37\n");
    assert_eq!(printed(&bench, &["find", orders[0], "--count"]).0, ["4"]);
}
