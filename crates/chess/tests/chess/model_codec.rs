//! The codec `model`: exact on the golden games, equal to its definition, and total on all other input.

use std::ops::ControlFlow;

use plybook_chess::{
    bits::{Integer, mix},
    chess::{Chess, Move, Variant, VariantPosition, move_list},
    codec::{
        CodecId, DecodeError,
        game::{GameMoves, index::ends, model::MODEL},
    },
    model::{Model, Predictor},
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules, Weigher},
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

const OUTCOMES: [Outcome; 4] = [
    Outcome::Unknown,
    Outcome::Known(KnownOutcome::Draw),
    Outcome::Known(KnownOutcome::Decisive { winner: Color::White }),
    Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }),
];

fn number(game: &GameMoves<VariantPosition>) -> Integer {
    Integer::from_bytes_le(MODEL.encode(game).unwrap().bits.bytes())
}

/// A digit with its weight, the sum of the weights before it, and the sum of all.
struct Digit {
    digit: u32,
    weight: u32,
    start: u32,
    radix: u32,
}

impl Digit {
    fn new(digit: u32, weights: &[u32]) -> Digit {
        let (start, radix) = (weights[..digit as usize].iter().sum(), weights.iter().sum());
        Digit { digit, weight: weights[digit as usize], start, radix }
    }
}

/// The number of a game by the definition.
fn slow_number<P: Rules>(game: &GameMoves<P>) -> Integer {
    let mut position = game.start.clone();
    let mut weigher = P::Weigher::new(&position).unwrap();
    let (mut weights, mut digits) = (Vec::new(), Vec::new());
    for &m in &game.moves {
        let index = weigher.weigh(&position, &mut weights).index_of(m).unwrap();
        digits.push(Digit::new(index, &weights));
        weigher.play(m, position.turn());
        position.make(m);
    }
    let count = weigher.weigh(&position, &mut weights).count();
    if count > 0 {
        digits.push(Digit::new(count, &weights));
        let result = ends(game.outcome, position.turn()) as u32 - 1;
        digits.push(Digit::new(result, &weigher.result_weights().map(u32::from)));
    }
    let hash = digits.iter().fold(0u64, |hash, digit| mix(hash.wrapping_add(u64::from(digit.digit) + 1)));
    let mut number = Integer::from(hash >> 48 | 1 << 15);
    for Digit { weight, start, radix, .. } in digits.into_iter().rev() {
        number = &number / weight * radix + start + number % weight;
    }
    number
}

/// Games of standard chess, of Chess960, and from set-up positions; the start, the moves, the result, the number.
#[test]
fn golden_games_match_exactly() {
    let golden = include_str!("../../../../data/golden/model.tsv");
    let mut games = 0;
    for row in golden.lines().skip(1) {
        let [fen, uci, result, expected] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for word in uci.split_whitespace() {
            let m: Move = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.make(m);
            moves.push(m);
        }
        let outcome = Outcome::from_ascii(result.as_bytes()).unwrap();
        let game = GameMoves { start: VariantPosition::Chess(start), moves, outcome };
        assert_eq!(number(&game).to_string(), expected, "{uci}");
        let bytes = Integer::parse_bytes(expected.as_bytes(), 10).unwrap().to_bytes_le();
        assert_eq!(MODEL.decode(&game.start, &bytes, None), Ok(game));
        games += 1;
    }
    assert!(games >= 50, "{games}");
}

#[test]
fn small_numbers_are_errors() {
    // They have less than the bits of the check and of an End.
    for number in (0..1u64 << 24).step_by(99_991).map(Integer::from) {
        let decoded = MODEL.decode(&Variant::Standard.start(), &number.to_bytes_le(), None);
        assert!(decoded.is_err(), "{number}: {decoded:?}");
    }
}

#[test]
fn a_number_that_is_too_long_for_its_plies_is_not_read_to_the_end() {
    let start = Variant::Standard.start();
    let noise: Vec<u8> = (1..=250_000).map(|i| mix(i) as u8 | 1).collect();
    // The most bits of a ply are 24.
    for (bytes, plies, most) in [(250_000, 0, 0), (1000, 80, 0), (230, 80, 15)] {
        let replay = CodecId::Model.replay(start.clone(), &noise[..bytes], plies).unwrap();
        let Err(DecodeError::Trailing(ply)) = replay.run(|_, _| ControlFlow::Continue(())) else {
            panic!("{bytes}")
        };
        assert!(ply <= most, "{bytes} bytes are read up to ply {ply}");
    }
}

#[test]
fn a_game_is_not_read_beyond_its_plies() {
    let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
    let game = GameMoves { start: VariantPosition::Chess(start), moves, outcome: Outcome::Unknown };
    let bytes = number(&game).to_bytes_le();
    let ended = |plies| {
        let replay = CodecId::Model.replay(game.start.clone(), &bytes, plies).unwrap();
        replay.run(|_, _| ControlFlow::Continue(())).map(|_| ())
    };
    assert_eq!([0, 3, 4, 5].map(ended), [Ok(()), Err(DecodeError::TooLong), Ok(()), Ok(())]);
}

#[test]
fn a_wrong_check_is_an_error() {
    let game = GameMoves { start: Variant::Standard.start(), moves: Vec::new(), outcome: Outcome::Unknown };
    let mut weights = Vec::new();
    let mut predictor = Predictor::new(Model::shipped().unwrap(), &Chess::new());
    predictor.weigh(&Chess::new(), &mut weights);
    let (results, mut wrong) = (predictor.result_weights(), Integer::from(1u32 << 15 | 77));
    for Digit { weight, start, radix, .. } in
        [Digit::new(2, &results.map(u32::from)), Digit::new(20, &weights)]
    {
        wrong = &wrong / weight * radix + start + wrong % weight;
    }
    assert_ne!(wrong, number(&game));
    assert_eq!(MODEL.decode(&game.start, &wrong.to_bytes_le(), None), Err(DecodeError::WrongCheck(0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bytes give a game or an error, and the game encodes to the same bytes.
    #[test]
    fn any_bytes_give_a_game_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for variant in Variant::ALL {
            if let Ok(game) = MODEL.decode(&variant.start(), &bytes, None) {
                prop_assert_eq!(number(&game).to_bytes_le(), bytes.clone());
            }
        }
    }

    #[test]
    fn random_games_have_the_number_of_the_definition(choices in prop::collection::vec(any::<u32>(), 0..120), end in 0usize..4) {
        for variant in Variant::ALL {
            let start = variant.start();
            let (mut position, mut moves) = (start.clone(), Vec::new());
            for choice in &choices {
                let legal = position.legal();
                let Some(m) = legal.nth(choice % legal.count().max(1)) else { break };
                moves.push(m);
                position.make(m);
            }
            let is_over = position.legal().count() == 0;
            let outcome = if is_over { position.board_outcome() } else { OUTCOMES[end] };
            let game = GameMoves { start, moves, outcome };
            prop_assert_eq!(number(&game), slow_number(&game));
            prop_assert_eq!(MODEL.decode(&game.start, &number(&game).to_bytes_le(), None), Ok(game));
        }
    }
}
