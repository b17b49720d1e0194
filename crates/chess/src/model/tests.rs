//! A model against slow twins. The weights are random: every feature then counts.

use std::sync::LazyLock;

use fearless_simd::{Level, Simd, dispatch};
use proptest::prelude::*;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position, PositionError, Role, Square,
    attacks, fen::Fen, uci::UciMove,
};

use super::{
    EndFeatures, Model, MoveFeatures, Observer, PositionFeatures, Predictor, WIDTH,
    facts::MOST_MOVES,
    inputs::TURN,
    predictor::TABLE_UNIT,
    shape,
    shipped::{FILE, unpacked},
    squares::{BISHOP, QUEEN, ROOK, attacks_of},
    tables::LINE,
    weights::weights_of,
};
use crate::{
    bits::{mix, weighted_radix::MAX_RADIX},
    chess::{MoveSets, Placement, SortedMoves},
    rules::DamagedModel,
};

/// The number of bytes of a model.
fn size() -> usize {
    let rows: usize = shape::MOVE_ROWS.iter().map(|[rows, columns]| rows * columns).sum();
    let [end, results] = shape::END;
    2 * WIDTH * (shape::ROWS + 2)
        + rows
        + shape::tables().iter().sum::<usize>()
        + 2 * (end + results * shape::RESULTS)
}

/// Random weights; those of 16 bits are small, so that signals are neither all 0 nor all 127.
fn random_bytes() -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..size() as u64).map(|i| mix(i) as u8).collect();
    let wide = WIDTH * shape::ROWS;
    let (low, high) = bytes[..2 * wide].split_at_mut(wide);
    for (low, high) in low.iter_mut().zip(high) {
        let small = i16::from(*low as i8) / 3;
        [*low, *high] = small.to_le_bytes();
    }
    let bias = &mut bytes[2 * wide..][..4 * WIDTH];
    bias[..2 * WIDTH].fill(100);
    bias[2 * WIDTH..].fill(0);
    // Chances of up to an eighth of a bit each, and results with weights above 0.
    let [end, results] = shape::END.map(|size| 2 * size);
    let first = bytes.len() - end - results * shape::RESULTS;
    for chance in bytes[first..][..end].as_chunks_mut::<2>().0 {
        *chance = (i16::from(chance[0] as i8)).to_le_bytes();
    }
    bytes[first + end..].iter_mut().for_each(|byte| *byte |= 1);
    bytes
}

static MODEL: LazyLock<Model> = LazyLock::new(|| Model::from_bytes(&random_bytes()).unwrap());

/// A start, by number: the usual one, Chess960, and positions with promotions, en passant and few pieces.
fn start(number: usize) -> Chess {
    const STARTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w CGcg - 0 1",
        "r3k2r/pP1n1pPp/8/2pP4/4p3/8/PP3P1P/R3K2R w KQkq c6 0 1",
        "8/P1k5/8/3q4/8/2R5/5Kp1/8 b - - 0 1",
        "4k3/8/8/1pP5/8/8/8/R3K2R w KQ b6 0 1",
    ];
    let fen: Fen = STARTS[number % STARTS.len()].parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

/// The game that chooses a legal move by each number.
fn game(start: &Chess, choices: &[u16]) -> Vec<(Chess, Move)> {
    let (mut position, mut game) = (start.clone(), Vec::new());
    for &choice in choices {
        let moves = MoveSets::new(&position).list();
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        game.push((position.clone(), m));
        position.play_unchecked(m);
    }
    game
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    // Choices that repeat make pieces go to and fro.
    let to_and_fro =
        (prop::collection::vec(0..40u16, 4), 1..8usize).prop_map(|(four, times)| four.repeat(times));
    prop_oneof![prop::collection::vec(any::<u16>(), 0..120), to_and_fro]
}

/// The features of each position of a game.
fn features(start: &Chess, game: &[(Chess, Move)]) -> Vec<PositionFeatures> {
    let mut observer = Observer::new(start);
    let mut all = Vec::new();
    for (position, m) in game {
        let (mut moves, mut features) = (Vec::new(), PositionFeatures::default());
        observer.observe(position, &mut moves, &mut features);
        all.push(features);
        observer.play(*m, position.turn());
    }
    all
}

/// A score by the definition, in wide integers.
fn slow_score(features: &PositionFeatures, m: &MoveFeatures) -> i32 {
    let network = &MODEL.network;
    let sum = |rows: &[u16], side: usize, i: usize| {
        let rows = rows.iter().map(|&row| network.rows[usize::from(row)].0[i]);
        let value = rows.fold(network.bias[side][i], i16::wrapping_add).clamp(0, 255);
        i32::from(value) * i32::from(value) / 512
    };
    let own = (0..WIDTH).map(|i| sum(&features.own_rows, 0, i));
    let enemy = (0..WIDTH).map(|i| sum(&features.enemy_rows, 1, i));
    let activations: Vec<i32> = own.chain(enemy).collect();
    let product = |row: &[i8]| activations.iter().zip(row).map(|(a, &b)| a * i32::from(b)).sum::<i32>();
    let [id, exchange, offset] = m.rows.map(usize::from);
    let rows = product(&network.moves[id].0)
        + product(&network.exchanges[exchange].0)
        + product(&network.offsets[offset].0);
    let (facts, contexts) = m.weights.split_at(MODEL.tables.len());
    let facts = MODEL.tables.iter().zip(facts).filter_map(|(table, &index)| table.get(index as usize));
    let contexts = MODEL.contexts.iter().zip(contexts).filter_map(|(lines, &index)| {
        let (line, slot) = (index as usize / LINE, index as usize % LINE);
        lines.get(line).map(|line| &line.0[slot])
    });
    let weights = facts.chain(contexts);
    rows + TABLE_UNIT * weights.map(|&weight| i32::from(weight)).sum::<i32>()
}

/// This processor's feature level and the lower ones that it supports.
fn levels() -> Vec<Level> {
    let best = Level::new();
    #[cfg(target_arch = "x86_64")]
    let lower =
        [best.as_sse2().map(Simd::level), best.as_sse4_2().map(Simd::level), best.as_avx2().map(Simd::level)];
    #[cfg(not(target_arch = "x86_64"))]
    let lower: [Option<Level>; 0] = [];
    lower.into_iter().flatten().chain([best, Level::baseline()]).collect()
}

/// A position with its sides exchanged.
fn mirrored(position: &Chess) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.mirror();
    setup.position(CastlingMode::Chess960).unwrap()
}

proptest! {
    #[test]
    fn steps_are_the_legal_moves_in_canonical_order(number: usize, choices in choices()) {
        let start = start(number);
        for (position, _) in game(&start, &choices) {
            let sorted = SortedMoves::new(&position);
            prop_assert_eq!(MoveSets::new(&position).list(), sorted.as_slice());
        }
    }

    #[test]
    fn every_feature_level_gives_the_scores_of_the_definition(number: usize, choices in choices()) {
        let start = start(number);
        let game = game(&start, &choices);
        let features = features(&start, &game);
        for level in levels() {
            let mut predictor = Predictor::new(&MODEL, &start);
            for ((position, m), features) in game.iter().zip(&features) {
                predictor.score_at(level, position);
                let slow: Vec<i32> = features.moves.iter().map(|m| slow_score(features, m)).collect();
                prop_assert_eq!(predictor.scores(), slow);
                predictor.play(*m, position.turn());
            }
        }
    }

    #[test]
    fn both_sides_are_seen_alike(number: usize, choices in choices()) {
        let start = start(number);
        let game = game(&start, &choices);
        let other_start = mirrored(&start);
        let mut other_game = Vec::new();
        let mut position = other_start.clone();
        for (_, m) in &game {
            let m = m.to_mirrored();
            other_game.push((position.clone(), m));
            position.play_unchecked(m);
        }
        let others = features(&other_start, &other_game);
        for (features, other) in features(&start, &game).into_iter().zip(others) {
            prop_assert_eq!(sorted(features), sorted(other));
        }
    }

    #[test]
    fn facts_agree_with_the_board(number: usize, choices in choices()) {
        let start = start(number);
        let (mut observer, mut earlier) = (Observer::new(&start), Vec::new());
        for (position, m) in game(&start, &choices) {
            let legal = MoveSets::new(&position);
            let placement = Placement::of(&position);
            dispatch!(Level::new(), simd => observer.look(simd, placement, &legal));
            for (i, m) in legal.list().into_iter().enumerate() {
                let facts = slow_facts(&position, m, &earlier);
                let f = &observer.facts;
                let fast = [f.captured[i], f.attacker[i], f.enemy_attacks[i], f.own_attacks[i], f.repetitions[i]];
                prop_assert_eq!(fast.map(u32::from), facts.counts, "{} in {:?}", m, position);
                // Check by a castling rook, or through the square of a captured or promoted pawn, is not a fact.
                if !m.is_castle() && !m.is_en_passant() && !m.is_promotion() {
                    prop_assert_eq!(f.check[i] > 0, facts.is_check, "{} in {:?}", m, position);
                    prop_assert_eq!(u32::from(f.mobility[i]), facts.mobility, "{} in {:?}", m, position);
                }
            }
            observer.play(m, position.turn());
            earlier.push(position);
        }
    }

    #[test]
    fn the_end_has_the_weight_of_its_odds(seed: u64, moves in 1..14_000_000u32) {
        let features = EndFeatures { weights: std::array::from_fn(|i| (mix(seed ^ i as u64) % 300) as u16), result: 0 };
        let log_odds: i32 = features.weights.iter().map(|&i| i32::from(MODEL.end.log_odds[usize::from(i)])).sum();
        let exact = f64::from(moves) * (f64::from(log_odds) / 1024.0).exp2();
        let exact = exact.clamp(1.0, f64::from(MAX_RADIX - moves));
        let weight = f64::from(MODEL.end.weight(&features, moves));
        prop_assert!((weight - exact).abs() <= 2.0 + exact * 0.0001, "{weight} {exact}");
    }

    #[test]
    fn sliders_attack_what_the_magic_tables_say(from in 0..64u32, occupied: u64, mask: u64) {
        let square = Square::new(from);
        for occupied in [occupied, occupied & mask, 0] {
            let slow = [attacks::bishop_attacks, attacks::rook_attacks, attacks::queen_attacks];
            let slow = slow.map(|attacks| attacks(square, Bitboard(occupied)).0);
            let fast = [BISHOP, ROOK, QUEEN].map(|role| attacks_of(role, from as usize, occupied));
            prop_assert_eq!(fast, slow);
        }
    }

    #[test]
    fn weights_are_the_powers_of_two_of_the_scores(scores in prop::collection::vec(-400_000..400_000i32, 1..60)) {
        let mut weights = Vec::new();
        weights_of(&scores, &mut weights);
        let best = *scores.iter().max().unwrap();
        for (score, weight) in scores.iter().zip(weights) {
            let exact = (f64::from(score - best) / 8128.0).exp() * 65536.0;
            prop_assert!((f64::from(weight) - exact.max(1.0)).abs() <= 1.0 + exact * 0.0015, "{weight} {exact}");
        }
    }
}

/// Facts about a move by the definition.
struct SlowFacts {
    /// The captured role plus 1, the class of the least valuable attacker of the target, the numbers of its attackers of
    /// both sides, and the earlier occurrences of the resulting position.
    counts: [u32; 5],
    is_check: bool,
    mobility: u32,
}

fn slow_facts(position: &Chess, m: Move, earlier: &[Chess]) -> SlowFacts {
    let (board, turn) = (position.board(), position.turn());
    let to = match m {
        Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook).king_to(turn),
        _ => m.to(),
    };
    let attackers = |side| board.attacks_to(to, side, board.occupied());
    let classes = attackers(!turn).into_iter().filter_map(|square| board.role_at(square));
    let class = classes.map(|role| [1, 2, 2, 3, 4, 5][usize::from(role) - 1]).min().unwrap_or(0);
    let times = |side| (attackers(side).count() as u32).min(3);
    let mut after = position.clone();
    after.play_unchecked(m);
    let is_quiet = m.role() != Role::Pawn && !m.is_capture() && !m.is_castle();
    let repeated = earlier
        .iter()
        .filter(|position| is_quiet && position.board() == after.board() && position.turn() == after.turn());
    let occupied = m.from().map_or(board.occupied(), |from| board.occupied().without(from));
    let attacked = attacks::attacks(to, m.role().of(turn), occupied);
    SlowFacts {
        counts: [
            m.capture().map_or(0, u32::from),
            class,
            times(!turn),
            times(turn),
            (repeated.count() as u32).min(2),
        ],
        is_check: after.is_check(),
        mobility: (attacked & !board.by_color(turn)).count() as u32,
    }
}

/// Features without the side to move, in an order that does not depend on it.
fn sorted(mut features: PositionFeatures) -> PositionFeatures {
    features.own_rows.retain(|row| ![TURN, TURN + 1].contains(&usize::from(*row)));
    features.own_rows.sort_unstable();
    features.enemy_rows.sort_unstable();
    features.moves.sort_unstable_by_key(|m| (m.rows, m.weights));
    features
}

#[test]
fn a_repeated_position_is_recognized() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    let (mut position, mut game) = (Chess::default(), Vec::new());
    for m in moves {
        let m = m.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        game.push((position.clone(), m));
        position.play_unchecked(m);
    }
    game.push((position.clone(), "f6g8".parse::<UciMove>().unwrap().to_move(&position).unwrap()));
    let features = features(&Chess::default(), &game);
    let table = shape::TABLES.iter().position(|name| *name == "repetition").unwrap();
    let weight = |ply: usize| {
        let index = MoveSets::new(&game[ply].0).list().iter().position(|m| *m == game[ply].1).unwrap();
        // Repetitions, then whether it undoes the last move, then the role, of which knight is 1.
        features[ply].moves[index].weights[table]
    };
    let undoing = |repetitions: u32| (repetitions * 2 + 1) * 6 + 1;
    assert_eq!([2, 3, 4, 7].map(weight), [0, 1, 1, 2].map(undoing));
}

#[test]
fn the_end_has_a_weight_wherever_there_is_a_move() {
    let (start, mut weights) = (start(3), Vec::new());
    let mut predictor = Predictor::new(&MODEL, &start);
    let moves = predictor.weigh(&start, &mut weights).list().len();
    assert_eq!(weights.len(), moves + 1);
    let total: u32 = weights.iter().sum();
    assert!(weights[moves] > 0 && total <= MAX_RADIX && !predictor.result_weights().contains(&0));
    let mate: Fen = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let mate: Chess = mate.into_position(CastlingMode::Standard).unwrap();
    Predictor::new(&MODEL, &mate).weigh(&mate, &mut weights);
    assert_eq!(weights, []);
}

#[test]
fn more_moves_than_a_game_can_reach_have_even_weights() {
    let fen = "R6Q/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kB1Q1KQ1 w - - 0 1".parse::<Fen>().unwrap();
    let position = fen.into_position(CastlingMode::Standard).or_else(PositionError::ignore_too_much_material);
    let (position, mut weights): (Chess, _) = (position.unwrap(), Vec::new());
    let moves = Predictor::new(&MODEL, &position).weigh(&position, &mut weights).list().len();
    assert!(moves > MOST_MOVES, "{moves}");
    assert!(weights.len() == moves + 1 && weights[..moves].iter().all(|weight| *weight == 1));
}

#[test]
fn a_result_without_weight_is_no_model() {
    let mut bytes = random_bytes();
    let last = bytes.len() - 2;
    bytes[last..].fill(0);
    assert_eq!(Model::from_bytes(&bytes), Err(DamagedModel));
}

#[test]
fn a_file_of_another_size_is_no_model() {
    let bytes = random_bytes();
    assert_eq!(Model::from_bytes(&bytes[1..]), Err(DamagedModel));
    assert_eq!(Model::from_bytes(&[&bytes[..], &[0]].concat()), Err(DamagedModel));
    assert_eq!(Model::from_bytes(&[]), Err(DamagedModel));
}

#[test]
fn a_random_model_is_not_silent() {
    let start = Chess::default();
    let mut predictor = Predictor::new(&MODEL, &start);
    predictor.score_at(Level::new(), &start);
    let mut scores = predictor.scores().to_vec();
    scores.sort_unstable();
    scores.dedup();
    assert!(scores.len() > 15, "{scores:?}");
}

#[test]
fn a_damaged_file_of_a_model_is_an_error() {
    assert!(Model::shipped().is_ok());
    for at in (0..FILE.len()).step_by(FILE.len() / 40) {
        let mut file = FILE.to_vec();
        file[at] ^= 1;
        assert_eq!(unpacked(&file), Err(DamagedModel), "{at}");
    }
    assert_eq!(unpacked(&FILE[..FILE.len() / 2]), Err(DamagedModel));
}
