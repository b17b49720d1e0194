//! The bits of each move are those that the codec `model` takes for it.

use crate::common::{Bench, data};
use plybook::{archive::Archive, codec::game::model::MODEL};

/// Bits of an End, a result, and the check of 16 bits, at most.
const REST: f64 = 24.0 + 16.0 + 16.0;

fn archive() -> Bench {
    let bench = Bench::new();
    bench.ok(&["import", "--quiet", data("").to_str().unwrap()]);
    bench
}

#[test]
fn the_bits_of_the_moves_are_those_of_the_codec() {
    let bench = archive();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let mut games = 0;
    for id in 1..=archive.count().unwrap().cast_signed() {
        let game = archive.game(id).unwrap();
        let Ok(line) = game.line() else { continue };
        let bits = game.move_bits().unwrap();
        let (sum, stored) = (bits.iter().sum::<f64>(), MODEL.encode(&line).unwrap().bits.len() as f64);
        assert!(bits.len() == line.moves.len() && bits.iter().all(|bits| *bits >= 0.0));
        // Rounding costs less than a bit.
        assert!((sum..sum + REST + 1.0).contains(&stored), "game {id}: {sum} of {stored}");
        games += 1;
    }
    assert_eq!(games, 65);
}

#[test]
fn surprising_moves_are_marked() {
    let bench = archive();
    let table = bench.ok(&["show", "22", "--bits"]);
    // After 1. e4 b6 2. d4 Bb7 3. Bd3 hardly anyone plays 3... f5.
    let marked: Vec<&str> = table.split_whitespace().filter(|word| word.ends_with(".0*")).collect();
    assert!(table.contains("f5           8.0*") && marked.len() == 2, "{table}");
    assert!(table.trim_end().ends_with("*: a surprising move, 8 bits or more"), "{table}");
    let first = bench.ok(&["show", "22", "--bits", "--ply", "1"]);
    assert!(first.contains("   1. e4           1.2\n\n1.2 bits, 1.22 per ply"), "{first}");
    // Black moves first in a position.
    let fen = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... e5 8. e4 *\n";
    bench.feed(&["import", "-", "--quiet", "-a", "black.db"], fen.as_bytes());
    let black = bench.ok(&["show", "1", "--bits", "-a", "black.db"]);
    assert!(black.contains("   7. ...                e5 ") && black.contains("   8. e4 "), "{black}");
}

#[test]
fn no_moves_have_no_bits_and_move_numbers_have_an_end() {
    let bench = archive();
    let none = bench.ok(&["show", "22", "--bits", "--ply", "0"]);
    assert!(none.contains("\n0.0 bits, 0.00 per ply"), "{none}");
    let fen = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 4294967295\"]\n\n1... e5 1. e4 Kd7 *\n";
    bench.feed(&["import", "-", "--quiet", "-a", "late.db"], fen.as_bytes());
    let late = bench.ok(&["show", "1", "--bits", "-a", "late.db"]);
    assert!(late.matches("4294967295. ").count() == 2 && !late.contains("   0. "), "{late}");
    let start = bench.ok(&["show", "1", "--bits", "--ply", "0", "-a", "late.db"]);
    assert!(!start.contains("..."), "{start}");
}

#[test]
fn games_without_a_model_have_even_bits_or_none() {
    let bench = archive();
    let hill = "[Variant \"King of the Hill\"]\n\n1. e4 e5 *\n";
    bench.feed(&["import", "-", "--quiet", "-a", "hill.db"], hill.as_bytes());
    let table = bench.ok(&["show", "1", "--bits", "-a", "hill.db"]);
    assert!(table.contains("1. e4           4.4   e5           4.4"), "{table}");
    let refused = bench.refused(&["show", "67", "--bits"]);
    assert!(refused.contains("is a Xelto game; only moves of chess have bits"), "{refused}");
}
