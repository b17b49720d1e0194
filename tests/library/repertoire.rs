//! Where games leave a repertoire, compared with an independent implementation: positions of all lines and games as
//! text.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

use crate::common::{Bench, data, terminal, text};
use plybook::{
    archive::{Archive, Filter},
    chess::Variant,
};
use serde_json::Value;
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd, san::SanPlus};

/// The lines of the test file, one per line.
const LINES: [&str; 6] = [
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4",
    "e4 e5 Nf3 Nc6 Bc4 Nf6 d3",
    "e4 e5 Nf3 d6 d4 exd4 Nxd4",
    "e4 c5 Nf3 d6 d4",
    "e4 e5 f4 exf4 Nf3",
    "Nf3 d5 d4",
];

/// The same as PGN: nested variations, comments and glyphs, a null move followed by moves, three games.
const PGN: &str = "[White \"lines\"]

1. e4 e5 (1... c5 2. Nf3 d6 {as always} 3. d4) 2. Nf3 (2. f4 exf4 $5 3. Nf3) 2... Nc6 (2... d6 3. d4 exd4
4. Nxd4 (4. -- Nc6 5. Qxd4)) 3. Bc4 Bc5 (3... Nf6 4. d3) 4. c3 Nf6 5. d4 *

[White \"others\"]

1. Nf3 d5 2. d4 *

[White \"again\"]

1. e4 e5 2. Nf3 *
";

type Lines = HashMap<String, Vec<String>>;

fn epd(position: &impl Position) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Every position of the lines with their moves there.
fn lines() -> Lines {
    let mut book = Lines::new();
    for line in LINES {
        let mut position = Chess::new();
        for san in line.split(' ') {
            let moves = book.entry(epd(&position)).or_default();
            if !moves.iter().any(|other| other == san) {
                moves.push(san.to_owned());
            }
            let m = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        book.entry(epd(&position)).or_default();
    }
    book
}

/// Where a game leaves the lines: the side, the ply, the move.
fn expected(
    book: &Lines,
    positions: &[(String, bool)],
    moves: &[String],
    owner_is_white: bool,
) -> (String, Option<u64>, Option<String>) {
    let Some(last) = positions.iter().rposition(|(position, _)| book.contains_key(position)) else {
        return ("never in it".to_owned(), None, None);
    };
    let (position, white_moves) = &positions[last];
    let Some(played) = moves.get(last) else { return ("ended".to_owned(), None, None) };
    let by = match book[position].is_empty() {
        true => "end of line",
        false if *white_moves == owner_is_white => "own",
        false => "opponent",
    };
    (by.to_owned(), Some(last as u64 + 1), Some(played.clone()))
}

fn bench() -> Bench {
    let bench = Bench::with_games();
    let more = [
        "1. Nf3 Nc6 2. e4 e5 3. Bc4 Nf6 4. d3 h6",
        "1. e4 e5 2. Nf3 Nc6",
        "1. Nf3 d5 2. d4 Nf6",
        "1. d4 d5 2. Nf3",
        "1. e4 e6",
        "1. h3 e5 2. Nf3",
    ];
    let more: String = more.iter().map(|line| format!("[White \"X\"]\n\n{line} 1-0\n\n")).collect();
    fs::write(bench.path("more.pgn"), more).unwrap();
    fs::write(bench.path("lines.pgn"), PGN).unwrap();
    bench.import(&["more.pgn", data("setup.pgn").to_str().unwrap(), data("chess960.pgn").to_str().unwrap()]);
    bench
}

fn rows(bench: &Bench, arguments: &[&str]) -> Vec<Value> {
    let rows = bench.ok(&[&["repertoire", "lines.pgn", "--format", "jsonl"], arguments].concat());
    rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_game_leaves_the_lines_at_its_last_known_position() {
    let (bench, book) = (bench(), lines());
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    for owner in ["white", "black"] {
        let listed = bench.ok(&["repertoire", "lines.pgn", "--as", owner, "--by-game", "--format", "csv"]);
        let printed: Vec<Vec<String>> = listed.lines().skip(1).map(cells).collect();
        let mut sums: BTreeMap<String, u64> = BTreeMap::new();
        for (game, printed) in
            archive.games(&Filter { chess: true, ..Filter::default() }).map(Result::unwrap).zip(&printed)
        {
            let positions: Vec<_> = game.positions().unwrap().map(Result::unwrap).collect();
            let known: Vec<(String, bool)> =
                positions.iter().map(|position| (epd(position), position.turn().is_white())).collect();
            let line = game.line().unwrap();
            let moves: Vec<String> = line
                .moves
                .iter()
                .zip(&positions)
                .map(|(m, position)| SanPlus::from_move(position.clone(), *m).to_string())
                .collect();
            assert!(matches!(game.variant().unwrap(), Variant::Standard | Variant::Chess960));
            let (by, ply, played) = expected(&book, &known, &moves, owner == "white");
            assert_eq!(
                (printed[0].parse::<i64>().unwrap(), &printed[5], printed[6].parse().ok()),
                (game.id, &by, ply),
                "{printed:?}"
            );
            let san = printed[7].split_whitespace().last().map(str::to_owned);
            assert_eq!(san, played, "{printed:?}");
            *sums.entry(by).or_default() += 1;
        }
        assert!(sums.len() == 5 && printed.len() as u64 == sums.values().sum::<u64>(), "{sums:?}");
        let answer = bench.json(&["repertoire", "lines.pgn", "--as", owner, "--format", "json"]);
        assert_eq!(answer["positions"], book.len());
        for (name, key) in [
            ("opponent", "reply"),
            ("own", "own"),
            ("end of line", "end"),
            ("ended", "finished"),
            ("never in it", "outside"),
        ] {
            assert_eq!(answer[key], sums[name], "{owner} {name}");
        }
    }
}

/// The cells of a CSV line, in which only names are quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

#[test]
fn departures_are_summed_up_by_position_and_move() {
    let bench = bench();
    let rows = rows(&bench, &["--as", "white", "--white", "X"]);
    let of = |kind: &str| -> Vec<(&str, &str, u64)> {
        let rows = rows.iter().filter(|row| row["kind"] == kind);
        rows.map(|row| {
            (row["line"].as_str().unwrap(), row["move"].as_str().unwrap(), row["games"].as_u64().unwrap())
        })
        .collect()
    };
    assert_eq!(of("reply"), [("1. e4", "1... e6", 1)]);
    assert_eq!(of("own"), [("", "1. h3", 1)]);
    let mut ends = of("end");
    ends.sort_unstable();
    // The first of them reaches the line by another move order.
    assert_eq!(
        ends,
        [("1. Nf3 d5 2. d4", "2... Nf6", 1), ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3", "4... h6", 1)]
    );
    let row = rows.iter().find(|row| row["move"] == "1... e6").unwrap();
    assert_eq!(
        (&row["score"], &row["white"], &row["book"]),
        (&100.into(), &1.into(), &serde_json::json!(["e5", "c5"]))
    );
    let black = bench.json(&[
        "repertoire",
        "lines.pgn",
        "--as",
        "black",
        "--white",
        "X",
        "--kind",
        "own",
        "--format",
        "json",
    ]);
    assert_eq!(
        (&black["departures"][0]["move"], &black["departures"][0]["score"]),
        (&"1... e6".into(), &0.into())
    );
    let shown = bench.ok(&["repertoire", "lines.pgn", "--as", "white"]);
    assert!(
        ["without a prepared reply", "Your moves", "Ends of lines"].iter().all(|title| shown.contains(title)),
        "{shown}"
    );
    assert!(
        bench
            .ok(&["repertoire", "lines.pgn", "--as", "white", "--min-games", "100000", "--format", "csv"])
            .lines()
            .count()
            == 1
    );
}

#[test]
fn invalid_lines_are_reported_with_their_position() {
    let bench = bench();
    fs::write(
        bench.path("bad.pgn"),
        format!("{PGN}\n[White \"B\"]\n\n1. e4 e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n"),
    )
    .unwrap();
    let output = bench.run(&["repertoire", "bad.pgn", "--as", "white", "--format", "csv"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("bad.pgn game 4, line")
            && error.contains("bad.pgn game 5")
            && error.contains("its variant differs"),
        "{error}"
    );
    assert_eq!(
        text(&output.stdout),
        bench.ok(&["repertoire", "lines.pgn", "--as", "white", "--format", "csv"])
    );
    fs::write(bench.path("empty.pgn"), "").unwrap();
    assert!(bench.refused(&["repertoire", "empty.pgn", "--as", "white"]).contains("no line"));
    assert!(bench.refused(&["repertoire", "absent.pgn", "--as", "white"]).contains("absent.pgn"));
    assert!(
        bench.refused(&["repertoire", "lines.pgn", "--as", "white", "--variant", "xelto"]).contains("chess")
    );
    assert_eq!(
        bench.run(&["repertoire", "lines.pgn", "--as", "white", "--player", "nobody"]).status.code(),
        Some(1)
    );
    let fed = bench.feed(&["repertoire", "-", "--as", "white", "--format", "csv"], PGN.as_bytes());
    assert_eq!(text(&fed.stdout), bench.ok(&["repertoire", "lines.pgn", "--as", "white", "--format", "csv"]));
}

#[test]
fn lines_of_a_variant_are_compared_with_its_games() {
    let bench = Bench::with_games();
    fs::write(
        bench.path("atomic.pgn"),
        "[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n[Variant \"Atomic\"]\n\n1. d4 *\n",
    )
    .unwrap();
    bench.import(&["atomic.pgn"]);
    let answer = bench.json(&["repertoire", "atomic.pgn", "--as", "white", "--format", "json"]);
    assert_eq!(
        (&answer["games"], &answer["finished"], &answer["outside"]),
        (&2.into(), &2.into(), &0.into())
    );
    // In Crazyhouse pieces return to the board, so fewer pieces do not mean that a game is past the lines.
    let start = "rnb1kbnr/ppp1pppp/8/3q4/2p1P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 4";
    let lines = format!("[Variant \"Crazyhouse\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n4. Nc3 *\n");
    fs::write(bench.path("crazyhouse.pgn"), lines).unwrap();
    let game = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 P@c4 4. Nc3 Qa5 *\n";
    fs::write(bench.path("game.pgn"), game).unwrap();
    bench.import(&["game.pgn"]);
    let answer = bench.json(&["repertoire", "crazyhouse.pgn", "--as", "white", "--format", "json"]);
    assert_eq!((&answer["games"], &answer["end"], &answer["outside"]), (&1.into(), &1.into(), &0.into()));
    let error = bench.refused(&["repertoire", "atomic.pgn", "--as", "white", "--variant", "standard"]);
    assert!(error.contains("Atomic") && error.contains("Standard"), "{error}");
}

#[test]
fn departures_as_text_fit_a_terminal() {
    let bench = bench();
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let games = format!("[White \"Y\"]\n\n{long} 11. Nbd2 1-0\n\n");
    let replies = ["a5", "a6", "b5", "b6", "c6", "d5", "d6", "e6", "f5", "f6", "g5", "g6", "h5", "h6"];
    let replies: String = replies.iter().map(|reply| format!("1. e4 {reply} *\n\n")).collect();
    fs::write(bench.path("y.pgn"), games).unwrap();
    fs::write(bench.path("lines.pgn"), format!("{long} *\n\n{replies}")).unwrap();
    bench.import(&["y.pgn"]);
    let command = ["repertoire", "lines.pgn", "--as", "white", "--top", "100"];
    let Some(rows) = terminal::rows(&bench, 80, &command) else { return };
    assert!(rows.iter().all(|line| line.chars().count() <= 80), "{rows:?}");
    let shown = rows.join("\n");
    // The end of a long line is shown, and the first of many moves.
    assert!(shown.contains("…") && shown.contains(" 9. h3 Nb8 10. d4 Nbd7\n"), "{shown}");
    assert!(shown.contains("e5 a5 a6 b5 b6 c6 d…"), "{shown}");
    assert!(bench.ok(&command).contains(long));
}
