//! The archive's codec: exact on the golden games, and total on all other input.

use plybook_chess::{
    bits::{Integer, mixed_radix::MixedRadix},
    chess::{Chess, Move, Variant, VariantPosition, move_list},
    codec::{
        DecodeError,
        game::{GameMoves, index},
    },
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules},
};
use proptest::prelude::*;
use shakmaty::uci::UciMove;

fn winner(color: Color) -> Outcome {
    Outcome::Known(KnownOutcome::Decisive { winner: color })
}

fn number(line: &GameMoves<Chess>) -> String {
    index::encode(line).unwrap().to_integer().to_string()
}

/// The worked example of the first source, with each of the four results.
#[test]
fn the_worked_example_is_reproduced() {
    let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
    for (outcome, expected) in [
        (winner(Color::Black), "10973647"),
        (Outcome::Known(KnownOutcome::Draw), "311030047"),
        (Outcome::Unknown, "8712609247"),
        (winner(Color::White), "243956826847"),
    ] {
        let line = GameMoves { start: start.clone(), moves: moves.clone(), outcome };
        assert_eq!(number(&line), expected);
        let bytes = index::encode(&line).unwrap().to_bytes_le();
        assert_eq!(index::decode(start.clone(), &bytes), Ok(line));
    }
}

/// 60 games with numbers computed by an independent program.
#[test]
fn golden_games_match_exactly() {
    let golden =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden/games.tsv")).unwrap();
    let mut games = 0;
    for row in golden.lines().skip(1) {
        let [uci, result, ends, bare, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let start = Chess::new();
        let (mut position, mut moves, mut bare_digits) = (start.clone(), Vec::new(), Vec::new());
        for word in uci.split_whitespace() {
            let m: Move = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            let legal = Rules::legal(&position);
            bare_digits.push((legal.index_of(m).unwrap(), legal.count()));
            position.make(m);
            moves.push(m);
        }
        let outcome = Outcome::from_ascii(result.as_bytes()).unwrap();
        let board_ended = Rules::legal(&position).count() == 0;
        let written = if board_ended { 0 } else { index::ends(outcome, Rules::turn(&position)) };
        assert_eq!(written.to_string(), ends);
        let line = GameMoves { start: start.clone(), moves, outcome };
        assert_eq!(number(&line), expected);
        let reference = bare_digits.iter().rev().fold(Integer::ZERO, |n, (index, count)| n * count + index);
        assert_eq!(reference.to_string(), bare);
        let bytes = index::encode(&line).unwrap().to_bytes_le();
        assert_eq!(index::decode(start, &bytes).unwrap().moves, line.moves);
        games += 1;
    }
    assert!(games >= 40, "{games}");
}

/// The number of a position is the game's prefix, followed by three Ends; from the last ply on, the game's own.
#[test]
fn a_prefix_is_the_position_with_its_history() {
    let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
    let line = GameMoves { start: start.clone(), moves: moves.clone(), outcome: winner(Color::White) };
    for plies in 0..=4 {
        let bytes = index::prefix(&line, plies).unwrap().to_bytes_le();
        let back = index::decode(start.clone(), &bytes).unwrap();
        assert_eq!(back.moves, moves[..plies]);
        assert_eq!(back.outcome, if plies < 4 { Outcome::Unknown } else { winner(Color::White) });
    }
}

#[test]
fn a_mated_game_has_no_end_marker() {
    let (start, moves) = move_list("1. f3 e5 2. g4 Qh4#").unwrap();
    let numbers = [winner(Color::Black), Outcome::Known(KnownOutcome::Draw)]
        .map(|outcome| number(&GameMoves { start: start.clone(), moves: moves.clone(), outcome }));
    assert_eq!(numbers[0], numbers[1]);
    let bytes = Integer::parse_bytes(numbers[0].as_bytes(), 10).unwrap().to_bytes_le();
    assert_eq!(index::decode(start, &bytes).unwrap().outcome, winner(Color::Black));
}

#[test]
fn invalid_numbers_are_errors() {
    let decode = |text: &str| {
        let number = Integer::parse_bytes(text.as_bytes(), 10).unwrap();
        index::decode(Chess::new(), &MixedRadix::from(&number).to_bytes_le())
    };
    // 0 plays the first legal move forever.
    assert!(matches!(decode("0"), Err(DecodeError::Endless(..))));
    // Five Ends; an End followed by a move.
    let ends =
        |digits: &[u32]| digits.iter().rev().fold(0u64, |n, digit| n * 21 + u64::from(*digit)).to_string();
    assert!(matches!(decode(&ends(&[20, 20, 20, 20, 20])), Err(DecodeError::BrokenEnd(0))));
    assert!(matches!(decode(&ends(&[20, 20, 3])), Err(DecodeError::BrokenEnd(0))));
    assert_eq!(decode(&ends(&[20, 20])).unwrap().outcome, Outcome::Known(KnownOutcome::Draw));
    // A number that continues after mate.
    let (start, moves) = move_list("1. f3 e5 2. g4 Qh4#").unwrap();
    let line = GameMoves { start, moves, outcome: Outcome::Unknown };
    let (mut position, mut radix) = (Chess::new(), Integer::from(1u8));
    for &m in &line.moves {
        radix *= Rules::legal(&position).count() + 1;
        position.make(m);
    }
    let beyond = index::encode(&line).unwrap().to_integer() + radix;
    assert!(matches!(decode(&beyond.to_string()), Err(DecodeError::Trailing(4))));
    assert_eq!(index::decode(Chess::new(), &[1, 0]), Err(DecodeError::NotCanonical));
    assert!(matches!(index::decode(Chess::new(), &vec![1; 300_000]), Err(DecodeError::TooLarge(..))));
}

proptest! {
    /// Any bytes give a game or an error, and the game encodes to the same bytes.
    #[test]
    fn any_bytes_give_a_game_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for variant in Variant::ALL {
            let start: VariantPosition = variant.start();
            if let Ok(line) = index::decode(start, &bytes) {
                prop_assert_eq!(index::encode(&line).unwrap().to_bytes_le(), bytes.clone());
            }
        }
    }

    /// Random games of every variant round-trip.
    #[test]
    fn random_games_round_trip(choices in prop::collection::vec(any::<u32>(), 0..120), end in 0usize..4) {
        for variant in Variant::ALL {
            let start = variant.start();
            let (mut position, mut moves) = (start.clone(), Vec::new());
            for choice in &choices {
                let legal = position.legal();
                let Some(m) = legal.nth(choice % legal.count().max(1)) else { break };
                moves.push(m);
                position.make(m);
            }
            let outcome = match (position.legal().count(), end) {
                (0, _) => position.board_outcome(),
                (_, 0) => Outcome::Unknown,
                (_, 1) => Outcome::Known(KnownOutcome::Draw),
                (_, 2) => winner(Color::White),
                _ => winner(Color::Black),
            };
            let line = GameMoves { start: start.clone(), moves, outcome };
            let bytes = index::encode(&line).unwrap().to_bytes_le();
            prop_assert_eq!(index::decode(start, &bytes), Ok(line));
        }
    }
}
