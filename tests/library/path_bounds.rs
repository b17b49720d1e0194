//! The bounds of `path` are true: no search excludes a length at which a real game reaches the position.

use std::{collections::HashSet, path::Path, time::Duration};

use crate::{
    common::{corpus, data, trials},
    pgn_support::each_game,
};
use plybook::{
    chess::{Chess, Position},
    proofgame::{Limits, Outcome, Reason, Target, search},
};
use shakmaty::{EnPassantMode, fen::Fen};

/// Later positions are not reached within the time limit, so nothing would be tested.
const PLIES: usize = 12;

/// A position of a game as a FEN with every passed square, and its ply.
type Place = (String, usize);

fn written(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}

/// Different positions of a file's games, alternating between those after a double step and others.
fn places(file: &Path, most: usize) -> Vec<Place> {
    let (mut passed, mut others, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    each_game(file, 20 * most, |_, game| {
        let Some(game) = game.ok().filter(|game| !game.set_up) else { return };
        let mut position = Chess::new();
        for (ply, &m) in (1..=PLIES).zip(&game.moves) {
            position.play_unchecked(m);
            let fen = written(&position);
            if seen.insert(fen.clone()) {
                let passed_square = position.ep_square(EnPassantMode::Always).is_some();
                if passed_square { &mut passed } else { &mut others }.push((fen, ply));
            }
        }
    });
    // Spread over the file, so that not only the openings of the first games are tested.
    let some = |all: Vec<Place>| {
        let step = (2 * all.len() / most).max(1);
        all.into_iter().step_by(step).take(most / 2)
    };
    some(passed).chain(some(others)).collect()
}

/// Whether a search for a game of exactly this many plies finds one; `None` if it times out.
fn finds(target: &Target, plies: usize, seconds: f64) -> Option<bool> {
    let timeout = Some(Duration::from_secs_f64(seconds));
    let limits = Limits { min_plies: plies, max_plies: plies, timeout, memory: 1 << 20 };
    match search(target, &limits, &mut |_| {}) {
        Outcome::Found { .. } => Some(true),
        Outcome::NotFound { reason: Reason::Timeout, .. } => None,
        Outcome::NotFound { .. } => Some(false),
    }
}

/// Every interpretation of a position's FEN, from its placement alone to the literal en passant square.
fn readings(fen: &str) -> Vec<Target> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let leading = |count| fields[..count].join(" ").parse().unwrap();
    let mut readings: Vec<Target> = (1..=4).map(leading).collect();
    readings.push(Target::as_written(fen).unwrap());
    readings
}

/// Also requires that most searches finish, so that something is tested.
fn assert_no_false_bound(places: &[Place]) {
    let (mut found, mut open) = (0, 0);
    for (fen, plies) in places {
        for target in readings(fen) {
            match finds(&target, *plies, trials(0.1, 5.0)) {
                Some(true) => found += 1,
                Some(false) => panic!("a game is at {fen} after {plies} plies: {target:?}"),
                None => open += 1,
            }
        }
    }
    eprintln!("{found} found, {open} not in time");
    assert!(found > open);
}

#[test]
fn no_bound_is_above_the_ply_of_a_bundled_game() {
    let places = places(&data("famous.pgn"), trials(80, 400));
    assert!(places.len() >= 60, "{}", places.len());
    assert!(places.iter().filter(|(fen, _)| fen.split(' ').nth(3) != Some("-")).count() >= 30);
    assert_no_false_bound(&places);
}

#[test]
fn no_bound_is_above_the_ply_of_a_real_game() {
    let Some(file) = corpus("otb.pgn.zst") else { return };
    let places = places(&file, 500);
    assert_eq!(places.len(), 500);
    assert_no_false_bound(&places);
}

#[test]
fn a_false_bound_is_noticed() {
    // No game of three plies ends like one of five.
    let five = "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3";
    assert!(readings(five).iter().all(|target| finds(target, 3, 60.0) == Some(false)));
}

#[test]
fn an_en_passant_square_is_read_as_the_captures_it_allows_or_literally() {
    let limits = Limits { max_plies: 6, ..Limits::default() };
    let shortest = |target: Result<Target, _>| match search(&target.unwrap(), &limits, &mut |_| {}) {
        Outcome::Found { moves, proved: true } => moves.len(),
        other => panic!("{other:?}"),
    };
    // After d4 or after Nf3: nobody can capture on d3.
    let open = "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq";
    for square in ["d3", "-"] {
        let fen = format!("{open} {square}");
        assert_eq!(shortest(fen.parse()), 5, "{fen}");
        assert_eq!(shortest(Target::as_written(&fen)), 5, "{fen}");
        assert_eq!(fen.parse::<Target>().unwrap(), format!("{open} -").parse().unwrap());
    }
    // Only one double step: it was the last move, whatever the other fields say.
    let first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(shortest(format!("{first} -").parse()), 1);
    assert_eq!(shortest(Target::as_written(&format!("{first} e3"))), 1);
    assert_eq!(shortest(Target::as_written(&format!("{first} -"))), 5, "e3 first, or a knight out and back");
}

#[test]
fn a_capture_that_a_pin_forbids_does_not_count() {
    // The pawn on d5 is pinned along its rank by the rook on a5 once both pawns have gone.
    let free: Target = "4k3/8/8/r2Pp3/8/8/8/4K3 w - e6".parse().unwrap();
    let pinned: Target = "4k3/8/8/r2Pp2K/8/8/8/8 w - e6".parse().unwrap();
    let none = |fen: &str| fen.parse::<Target>().unwrap();
    assert_ne!(free, none("4k3/8/8/r2Pp3/8/8/8/4K3 w - -"));
    assert_eq!(pinned, none("4k3/8/8/r2Pp2K/8/8/8/8 w - -"));
    assert_ne!(
        Target::as_written("4k3/8/8/r2Pp2K/8/8/8/8 w - e6").unwrap(),
        none("4k3/8/8/r2Pp2K/8/8/8/8 w - -")
    );
}
