//! Opening books: another program can read them, and they agree with `explore`.

use std::{fs, process::Command};

use crate::{
    common::{Bench, data, python, text},
    pgn_support::real_games,
};
use plybook::chess::Color;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::San, uci::UciMove, zobrist::Zobrist64,
};

/// Master games that python-chess counts; twice as many in long trials.
const GAMES: usize = 400;

/// An en passant capture by a pinned pawn is illegal, but is part of the key.
const PINNED: &str = "[Event \"pinned\"]
[FEN \"4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]
[SetUp \"1\"]
[Result \"1-0\"]

1... d5 2. Kd2 1-0

[Event \"castling\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0
";

/// The entries of a book: key, move and weight.
fn entries(bench: &Bench, name: &str) -> Vec<(u64, u16, u16)> {
    let bytes = fs::read(bench.path(name)).unwrap();
    assert_eq!(bytes.len() % 16, 0);
    let entry = |bytes: &[u8]| {
        assert_eq!(bytes[12..], [0; 4]);
        let two = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        (u64::from_be_bytes(bytes[..8].try_into().unwrap()), two(8), two(10))
    };
    let entries: Vec<_> = bytes.chunks_exact(16).map(entry).collect();
    assert!(entries.is_sorted_by_key(|(key, ..)| key), "the keys are not in order");
    entries
}

/// The code of a move in a book, from UCI notation with castling as king takes rook.
fn code(position: &Chess, uci: &str) -> u16 {
    let m = uci.parse::<UciMove>().unwrap().to_move(position).unwrap();
    let square =
        |square: shakmaty::Square| u16::from(square.rank() as u8) << 3 | u16::from(square.file() as u8);
    let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
    promotion << 12 | square(m.from().unwrap()) << 6 | square(m.to())
}

#[test]
fn a_book_has_the_moves_of_explore_with_their_results_as_weights() {
    let bench = Bench::with_games();
    bench.ok(&["book", "--max-ply", "1000", "--min-games", "1", "-o", "all.bin"]);
    let entries = entries(&bench, "all.bin");
    for line in ["", "e4", "e4 e5", "e4 e5 Nf3", "d4", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "e4 c5 Nf3"] {
        let mut position = Chess::default();
        for san in line.split_whitespace() {
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let explored = bench.json(&["explore", &fen, "--format", "json"]);
        let number = |of: &serde_json::Value, name: &str| of[name].as_u64().unwrap();
        let mut expected: Vec<(u16, u16)> = explored["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|of| {
                let won = if position.turn() == Color::White { "white" } else { "black" };
                let weight = 2 * number(of, won) + number(of, "draws");
                (code(&position, of["uci"].as_str().unwrap()), weight as u16)
            })
            .filter(|(_, weight)| *weight > 0)
            .collect();
        let mut found: Vec<(u16, u16)> =
            entries.iter().filter(|(of, ..)| *of == key).map(|(_, code, weight)| (*code, *weight)).collect();
        assert!(found.is_sorted_by_key(|(_, weight)| std::cmp::Reverse(*weight)), "{line}: {found:?}");
        expected.sort_unstable();
        found.sort_unstable();
        assert!(!found.is_empty() && found == expected, "{line}: {found:?}, not {expected:?}");
    }
}

#[test]
fn castling_is_king_takes_rook_and_a_pinned_pawn_leaves_its_square_in_the_key() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), PINNED).unwrap();
    bench.import(&["games.pgn"]);
    bench.ok(&["book", "--min-games", "1", "-o", "all.bin"]);
    let entries = entries(&bench, "all.bin");
    // e1h1: from the 5th file of the first rank to the 8th.
    assert!(entries.iter().any(|(_, code, weight)| (*code, *weight) == (4 << 6 | 7, 2)), "{entries:?}");
    let fen: Fen = "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2".parse().unwrap();
    let after: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let key = |mode| after.zobrist_hash::<Zobrist64>(mode).0;
    assert_ne!(key(EnPassantMode::PseudoLegal), key(EnPassantMode::Legal));
    let has = |key: u64| entries.iter().any(|(of, ..)| *of == key);
    assert!(has(key(EnPassantMode::PseudoLegal)) && !has(key(EnPassantMode::Legal)));
}

#[test]
fn filters_and_bounds_apply_and_invalid_books_are_refused() {
    let bench = Bench::with_games();
    bench.ok(&["book", "--max-ply", "1", "--min-games", "1", "-o", "one.bin"]);
    let first = entries(&bench, "one.bin");
    assert!(first.iter().all(|(key, ..)| *key == first[0].0), "{first:?}");
    bench.ok(&["book", "--max-ply", "1", "--min-games", "4", "-o", "often.bin"]);
    assert!(entries(&bench, "often.bin").len() < first.len());
    bench.ok(&["book", "--player", "morphy", "--min-games", "1", "-o", "morphy.bin"]);
    let pgn = bench.ok(&["export", "--player", "morphy"]);
    fs::write(bench.path("morphy.pgn"), pgn).unwrap();
    bench.ok(&["import", "--quiet", "morphy.pgn", "-a", "morphy.db"]);
    bench.ok(&["book", "--min-games", "1", "-a", "morphy.db", "-o", "same.bin"]);
    assert_eq!(entries(&bench, "morphy.bin"), entries(&bench, "same.bin"));

    let none = bench.run(&["book", "--player", "no such player", "-o", "none.bin"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(!bench.path("none.bin").exists());
    assert!(bench.refused(&["book", "--variant", "atomic", "-o", "x.bin"]).contains("Atomic"));
    assert!(bench.refused(&["book", "--max-ply", "1", "-o", "one.bin"]).contains("--force"));
}

#[test]
fn python_chess_reads_a_book_and_counts_the_same() {
    let Some(python) = python() else { return };
    let bench = Bench::new();
    let mut pgn = format!("{}\n{PINNED}\n", fs::read_to_string(data("chess960.pgn")).unwrap());
    pgn += &real_games(GAMES).unwrap_or_else(|| fs::read_to_string(data("famous.pgn")).unwrap());
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn"]);
    // The stored games, each once.
    fs::write(bench.path("stored.pgn"), bench.ok(&["export"])).unwrap();
    for (max_ply, min_games) in [("30", "1"), ("300", "2")] {
        bench.ok(&["book", "--max-ply", max_ply, "--min-games", min_games, "-f", "-o", "all.bin"]);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/book.py");
        let output = Command::new(&python)
            .arg(script)
            .args([bench.path("all.bin"), bench.path("stored.pgn")])
            .args([max_ply, min_games])
            .output()
            .unwrap();
        let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
        println!("{printed}");
        assert!(output.status.success(), "{printed}");
    }
}
