//! Shortest paths: the list of known proof games, a brute-force reference, and correct reports when nothing was found.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use plybook_chess::chess::{Chess, Color, Move, Position, move_list};
use plybook_proofgame::{Impossible, Limits, Outcome, Progress, Reason, Target, TargetError, search};
use shakmaty::{EnPassantMode, fen::Fen};

/// A row of the list: a placement, the plies of its known games, and whether the list is complete.
struct Known {
    placement: &'static str,
    plies: usize,
    unique: bool,
    solutions: Vec<Vec<Move>>,
}

fn known() -> Vec<Known> {
    let rows = include_str!("../../../../data/golden/proofgames.tsv").lines().skip(1);
    rows.map(|row| {
        let [placement, plies, status, solutions] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let solutions = solutions.split(" // ").map(|game| move_list(game).unwrap().1).collect();
        Known { placement, plies: plies.parse().unwrap(), unique: status == "unique", solutions }
    })
    .collect()
}

impl Known {
    fn target(&self) -> Target {
        format!("{} {}", self.placement, if self.plies.is_multiple_of(2) { "w" } else { "b" })
            .parse()
            .unwrap()
    }

    /// These three require a game of an exact length; shorter games reach them.
    fn shortest(&self) -> usize {
        match self.placement {
            "r1b1kbnr/ppp1pppp/8/3p4/7n/5P2/PPPPP1PP/RNBQKBNR" => 13,
            "2kr1bnr/pppbpppp/8/8/n7/3q1P2/PPPPP1PP/RNBQKBNR" => 14,
            "r1bq1bnr/pp2p1pp/2p1kn2/1B3p2/8/4P3/PPPP1PPP/RNBQK1NR" => 13,
            _ => self.plies,
        }
    }
}

/// Searches without a time limit, with little memory.
fn find(target: &Target, limits: &Limits) -> Outcome {
    let outcome = search(target, &Limits { memory: 16 << 20, ..limits.clone() }, &mut |_| {});
    if let Outcome::Found { moves, .. } = &outcome {
        assert!(target.is_reached_by(&replay(moves)));
    }
    outcome
}

fn moves_to(target: &Target) -> Vec<Move> {
    match find(target, &Limits::default()) {
        Outcome::Found { moves, proved } => {
            assert!(proved);
            moves
        }
        other => panic!("{other:?} for {}", target.board()),
    }
}

fn replay(moves: &[Move]) -> Chess {
    moves.iter().fold(Chess::new(), |position, &m| position.play(m).unwrap())
}

fn solve(known: &Known) {
    let moves = moves_to(&known.target());
    assert_eq!(moves.len(), known.shortest(), "{}", known.placement);
    if known.plies == known.shortest() {
        assert!(!known.unique || known.solutions.contains(&moves), "{}", known.placement);
    }
}

#[test]
fn known_proof_games_up_to_12_plies_are_found() {
    let short: Vec<Known> = known().into_iter().filter(|known| known.plies <= 12).collect();
    assert_eq!(short.len(), 43);
    short.iter().for_each(solve);
}

#[test]
fn games_of_an_exact_length_are_found_but_not_proved_shortest() {
    for known in known().iter().filter(|known| known.plies != known.shortest()) {
        solve(known);
        let exact = Limits { min_plies: known.plies, ..Limits::default() };
        let Outcome::Found { moves, proved } = find(&known.target(), &exact) else {
            panic!("{}", known.placement)
        };
        assert!(!proved && known.solutions.contains(&moves) || !known.unique, "{}", known.placement);
    }
}

#[test]
fn known_proof_games_up_to_16_plies_are_found() {
    if long() {
        known().iter().filter(|known| known.plies <= 16).for_each(solve);
    }
}

#[test]
fn long_proof_games_without_moves_to_spare_are_found() {
    for start in ["rnbqR3", "rn1q1b1r", "3rqrk1", "rNb1k1Nr/ppppqppp/3b4", "rnb5", "1rbq2nr"] {
        solve(known().iter().find(|known| known.placement.starts_with(start)).unwrap());
    }
}

/// A position as described by a full target.
fn full(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string().rsplitn(3, ' ').nth(2).unwrap().to_owned()
}

/// A position described by its placement and side to move.
fn bare(position: &Chess) -> String {
    full(position).rsplitn(3, ' ').nth(2).unwrap().to_owned()
}

/// The reference: all positions by the minimum number of plies, level by level.
fn breadth_first(plies: usize, name: fn(&Chess) -> String) -> HashMap<String, usize> {
    let mut found = HashMap::from([(name(&Chess::new()), 0)]);
    let mut seen = HashMap::from([(full(&Chess::new()), Chess::new())]);
    let mut level = vec![Chess::new()];
    for ply in 1..=plies {
        let mut next = Vec::new();
        for position in &level {
            for m in position.legal_moves() {
                let position = position.clone().play(m).unwrap();
                found.entry(name(&position)).or_insert(ply);
                if seen.insert(full(&position), position.clone()).is_none() {
                    next.push(position);
                }
            }
        }
        level = next;
    }
    found
}

/// Whether thorough tests are enabled.
fn long() -> bool {
    std::env::var("PLYBOOK_TRIALS").is_ok_and(|form| form == "long")
}

fn agrees_with_twin(name: fn(&Chess) -> String, step: usize) {
    let step = if long() { step / 40 } else { step };
    let mut all: Vec<(String, usize)> = breadth_first(4, name).into_iter().collect();
    all.sort();
    for (fen, plies) in all.iter().step_by(step) {
        assert_eq!(moves_to(&fen.parse().unwrap()).len(), *plies, "{fen}");
    }
}

#[test]
fn bare_positions_of_four_plies_agree_with_the_breadth_first_twin() {
    agrees_with_twin(bare, 251);
}

#[test]
fn full_positions_of_four_plies_agree_with_the_breadth_first_twin() {
    agrees_with_twin(full, 257);
}

#[test]
fn positions_of_known_games_are_reached_in_at_most_as_many_plies() {
    for known in known() {
        for plies in [3, 6, 8] {
            let Some(moves) = known.solutions[0].get(..plies) else { continue };
            let position = replay(moves);
            for fen in [bare(&position), full(&position)] {
                assert!(moves_to(&fen.parse().unwrap()).len() <= plies);
            }
        }
    }
}

#[test]
fn open_fields_are_chosen_for_the_shortest_game() {
    let target = |text: &str| text.parse::<Target>().unwrap();
    let placement = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R";
    assert_eq!(moves_to(&target(placement)).len(), 1);
    assert_eq!(moves_to(&target(&format!("{placement} b KQkq - 7 9"))).len(), 1);
    let double = target("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w");
    assert_eq!(moves_to(&double).len(), 4, "Nf3 e6 Ng1 e5");
    assert_eq!(moves_to(&target("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")).len(), 0);
}

#[test]
fn en_passant_squares_and_castling_rights_are_part_of_a_full_position() {
    let plies = |fen: &str| moves_to(&fen.parse().unwrap()).len();
    let placement = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(plies(&format!("{placement} w KQkq d6")), 2);
    assert_eq!(plies(&format!("{placement} w KQkq -")), 2, "nothing can be captured en passant");
    // After e4, e5 and d5 only the last move leaves the en passant square d6.
    let ready = "rnbqkbnr/ppp1p1pp/5p2/3pP3/8/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(plies(&format!("{ready} w KQkq d6")), 4);
    assert_eq!(plies(&format!("{ready} w KQkq -")), 4, "d5, then f6");
    assert_eq!(plies("rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w kq -"), 6, "Ke2 and back");
}

#[test]
fn not_found_reports_what_is_proved() {
    for known in known().iter().filter(|known| known.plies <= 10 && known.shortest() == known.plies) {
        let limits = Limits { max_plies: known.plies - 1, ..Limits::default() };
        let outcome = find(&known.target(), &limits);
        assert_eq!(outcome, Outcome::NotFound { searched_to: known.plies, reason: Reason::MaxPlies });
    }
}

#[test]
fn unreachable_positions_are_reported_immediately() {
    // A pawn structure that requires impossible captures, and a bishop that could never get out.
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/5B2/PPPPPPPP/RNBQK1NR",
        "rnbqkbnr/pppppp1p/8/8/8/P7/P1PPPPPP/RNBQKBNR",
    ] {
        let outcome = find(&fen.parse().unwrap(), &Limits::default());
        assert!(
            matches!(outcome, Outcome::NotFound { reason: Reason::Unreachable, .. }),
            "{fen}: {outcome:?}"
        );
    }
}

#[test]
fn invalid_targets_have_a_reason() {
    use Impossible::*;
    let error = |text: &str| text.parse::<Target>().unwrap_err();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(error(""), TargetError::Placement);
    assert_eq!(error("rnbqkbnr/pppppppp/8/8"), TargetError::Placement);
    assert_eq!(error(&format!("{start} x")), TargetError::Turn);
    assert_eq!(error(&format!("{start} w KK")), TargetError::Castling);
    assert_eq!(error(&format!("{start} w KQkq e9")), TargetError::EnPassant);
    assert_eq!(error(&format!("{start} w KQkq - x")), TargetError::Clocks);
    assert_eq!(error(&format!("{start} w KQkq - 0 1 2")), TargetError::Clocks);
    let impossible = |text: &str| match error(text) {
        TargetError::Impossible(reason) => reason,
        other => panic!("{other}"),
    };
    assert_eq!(impossible("8/8/8/8/8/8/8/K7"), Kings(Color::Black));
    assert_eq!(impossible("kk6/8/8/8/8/8/8/K7"), Kings(Color::Black));
    assert_eq!(impossible("k7/8/8/8/8/NNNNNNNN/PPPPPPPP/K7"), TooManyMen(Color::White));
    assert_eq!(impossible("k7/8/8/8/8/P7/PPPPPPPP/K7"), TooManyPawns(Color::White));
    assert_eq!(impossible("k7/8/8/8/8/1B1B4/PPPPPPPP/K7"), TooManyPawns(Color::White));
    assert_eq!(impossible("k6P/8/8/8/8/8/8/K7"), PawnOnBackRank);
    assert_eq!(impossible("8/8/8/8/8/8/8/Kk6"), LeftInCheck);
    assert_eq!(impossible("k7/8/8/8/8/8/8/K6r b"), LeftInCheck);
    assert_eq!(impossible("4r2k/8/8/8/r3K2r/8/8/8"), TooManyCheckers);
    assert_eq!(impossible(&format!("{} w KQkq", start.replace("RNBQKBNR", "RNBQKBRN"))), Castling);
    assert_eq!(impossible(&format!("{start} w KQkq e6")), EnPassant);
}

#[test]
fn a_check_decides_the_side_to_move() {
    let mate: Target = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR".parse().unwrap();
    assert_eq!(mate.turn(), Some(Color::White));
    assert_eq!(moves_to(&mate).len(), 4);
}

/// A target with many spare moves, which takes minutes.
fn hard() -> Target {
    "rnbqkbnr/1P1p1p1p/1R6/3Q4/1PB1K2B/1P1P1P1n/3PNP1P/1NR5".parse().unwrap()
}

#[test]
fn the_time_limit_is_kept_and_progress_is_reported() {
    let (start, mut reports) = (Instant::now(), Vec::new());
    let limits = Limits { timeout: Some(Duration::from_millis(300)), memory: 1 << 20, ..Limits::default() };
    let outcome = search(&hard(), &limits, &mut |progress: Progress| reports.push(progress));
    let Outcome::NotFound { searched_to, reason: Reason::Timeout } = outcome else { panic!("{outcome:?}") };
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    assert!(reports.is_sorted_by_key(|progress| (progress.plies, progress.nodes, progress.elapsed)));
    assert_eq!(reports.last().unwrap().plies, searched_to);
    let none = Limits { timeout: Some(Duration::ZERO), ..limits };
    assert_eq!(find(&hard(), &none), Outcome::NotFound { searched_to: 0, reason: Reason::Timeout });
}

#[test]
fn less_memory_gives_the_same_answer() {
    for known in known().iter().filter(|known| (10..=12).contains(&known.plies)) {
        for memory in [0, 1 << 12, 1 << 24] {
            let answer = search(&known.target(), &Limits { memory, ..Limits::default() }, &mut |_| {});
            let Outcome::Found { moves, proved: true } = answer else { panic!("{answer:?}") };
            assert_eq!(moves.len(), known.plies);
        }
    }
}
