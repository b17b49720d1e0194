//! Every encoding passes the same tests: round trips over random and real games, every truncation and every flipped
//! bit of an encoding, and random bytes. A decoder never panics and accepts only canonical encodings: whatever it
//! reads, the encoder writes back byte for byte.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{
    codec_support::{Random, for_games, for_positions, setup_of},
    needs::corpus,
};
use plybook_chess::{
    chess::{Board, Fen, Move, Position, Setup, Variant, VariantPosition},
    codec::{
        EncodeError,
        game::{GAME_CODECS, GameCode, GameCodec, GameMoves, encode_all},
    },
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules},
};
use plybook_encodings::{
    POSITION_CODECS, PositionCodec, cfen::CFEN_CHECK, ranked::RANKED_CLOCKS, ufen::UFEN_CHECK,
};
use proptest::prelude::*;
use shakmaty::CastlingMode;

/// The list, and options that are not in it.
fn position_codecs() -> Vec<&'static PositionCodec> {
    POSITION_CODECS.into_iter().chain([&RANKED_CLOCKS, &CFEN_CHECK, &UFEN_CHECK]).collect()
}

/// Whether a position may be rejected: never in standard chess; in Chess960 if castling is written as KQkq.
fn may_refuse(codec: &PositionCodec, setup: &Setup) -> bool {
    let kqkq = ["cfen", "ufen", "duchess"].contains(&codec.name);
    kqkq && !setup.castling_rights.is_empty() && CastlingMode::detect(setup).is_chess960()
}

fn position_round_trip(codec: &PositionCodec, setup: &Setup) {
    let name = codec.name;
    match codec.encode(setup) {
        Ok(bits) => {
            assert_eq!(bits.bytes().len(), bits.len().div_ceil(8));
            let back = codec.decode(bits.bytes());
            assert_eq!(back.as_ref(), Ok(&codec.fields.keep(setup)), "{name}: {}", fen(setup));
        }
        Err(error) => assert!(may_refuse(codec, setup), "{name} cannot store {}: {error}", fen(setup)),
    }
}

fn fen(setup: &Setup) -> String {
    Fen::try_from_setup(setup.clone()).map_or_else(|_| format!("{setup:?}"), |fen| fen.to_string())
}

/// Positions of random games, standard or Chess960.
fn random_positions(seed: u64, chess960: bool, count: usize, position: &mut dyn FnMut(&Setup)) {
    let mut random = Random(seed);
    let mut seen = 0;
    while seen < count {
        let mut start = Setup::initial();
        if chess960 {
            start.board = Board::chess960(u32::try_from(random.below(960)).unwrap());
            start.castling_rights = start.board.rooks();
        }
        let mut chess: plybook_chess::chess::Chess = start.position(CastlingMode::Chess960).unwrap();
        for _ in 0..250 {
            position(&setup_of(&chess));
            seen += 1;
            let Some(m) = random.legal_move(&chess) else { break };
            chess.play_unchecked(m);
        }
    }
}

#[test]
fn a_hundred_thousand_random_positions_round_trip_in_every_codec() {
    let halves = [0x9e37_79b9_7f4a_7c15, 0x2545_f491_4f6c_dd1d].map(|seed| {
        std::thread::spawn(move || {
            let (mut promoted, mut en_passant) = (0, 0);
            let mut trial = |setup: &Setup| {
                promoted += usize::from(has_promoted(&setup.board));
                en_passant += usize::from(setup.ep_square.is_some());
                POSITION_CODECS.into_iter().for_each(|codec| position_round_trip(codec, setup));
            };
            random_positions(seed, false, 40_000, &mut trial);
            random_positions(!seed, true, 10_000, &mut trial);
            assert!(promoted > 100 && en_passant > 1000, "{promoted} promoted, {en_passant} en passant");
        })
    });
    halves.into_iter().for_each(|half| half.join().unwrap());
}

/// Whether a side has more pieces of a kind than initially.
fn has_promoted(board: &Board) -> bool {
    let (now, initial) = (board.material(), Board::new().material());
    Color::ALL.into_iter().any(|color| {
        let (now, initial) = (now.get(color), initial.get(color));
        now.queen > initial.queen
            || now.rook > initial.rook
            || now.bishop > initial.bishop
            || now.knight > initial.knight
    })
}

#[test]
fn positions_of_real_games_round_trip_in_every_codec() {
    let Some(path) = corpus("otb.pgn.zst") else { return };
    let mut setups = HashSet::new();
    let mut played = 0;
    for_games(&path, 59, 7, &mut |moves| {
        played += 1;
        for_positions(moves, &mut |position| {
            setups.insert(setup_of(position));
        });
        if played < 5_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(played, 5_000);
    let setups: Vec<Setup> = setups.into_iter().collect();
    std::thread::scope(|scope| {
        for part in setups.chunks(setups.len().div_ceil(2)) {
            let trial =
                |setup| POSITION_CODECS.into_iter().for_each(|codec| position_round_trip(codec, setup));
            scope.spawn(move || part.iter().for_each(trial));
        }
    });
}

#[test]
fn options_round_trip() {
    for setup in sample() {
        position_codecs().into_iter().for_each(|codec| position_round_trip(codec, &setup));
    }
    let mated: Fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse().unwrap();
    position_codecs().into_iter().for_each(|codec| position_round_trip(codec, mated.as_setup()));
}

/// A few positions of different kinds.
fn sample() -> Vec<Setup> {
    let mut setups = vec![Setup::initial()];
    for (seed, chess960) in [(77, false), (78, true)] {
        let mut seen = 0usize;
        random_positions(seed, chess960, 1500, &mut |setup| {
            seen += 1;
            if seen.is_multiple_of(50) {
                setups.push(setup.clone());
            }
        });
    }
    setups
}

/// Decodes bytes; the result must be encoded as exactly these bytes.
fn takes_one_form(codec: &PositionCodec, bytes: &[u8]) -> Option<Setup> {
    let setup = codec.decode(bytes).ok()?;
    let again = codec.encode(&setup).map(|bits| bits.into_bytes());
    assert_eq!(again.as_deref(), Ok(bytes), "{}: {}", codec.name, fen(&setup));
    Some(setup)
}

#[test]
fn truncated_and_flipped_positions_differ_or_fail() {
    for setup in sample().iter().step_by(4) {
        for codec in position_codecs() {
            let Ok(bits) = codec.encode(setup) else { continue };
            let kept = codec.fields.keep(setup);
            let bytes = bits.bytes();
            for cut in 0..bytes.len() {
                assert_ne!(takes_one_form(codec, &bytes[..cut]), Some(kept.clone()));
            }
            for place in 0..bytes.len() * 8 {
                let mut flipped = bytes.to_vec();
                flipped[place / 8] ^= 0x80 >> (place % 8);
                assert_ne!(takes_one_form(codec, &flipped), Some(kept.clone()), "{}", codec.name);
            }
            assert_eq!(takes_one_form(codec, &[bytes, &[0]].concat()), None, "{}", codec.name);
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_give_positions_or_errors(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for codec in position_codecs() {
            takes_one_form(codec, &bytes);
        }
    }
}

#[test]
fn impossible_arrangements_are_stored_or_rejected() {
    let arrangements = [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/K7 b - - 3 9",
        "Kk6/8/8/8/8/8/8/8 w - - 0 1",
        "KKkk4/8/8/8/8/8/8/8 w - - 0 1",
        "PPPPPPPP/k7/8/8/8/8/7K/pppppppp w - - 0 1",
        "pppppppp/pppppppp/kppppppp/8/8/PPPPPPPK/PPPPPPPP/PPPPPPPP w - - 0 1",
        "QQQQQQQk/QQQQQQQQ/QQQQQQQQ/8/8/qqqqqqqq/qqqqqqqq/Kqqqqqqq b - - 0 1",
        "k7/8/8/8/8/8/8/7K w KQkq e3 4000 5000",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq a1 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w BGbg - 0 1",
        "k7/8/8/8/4P3/8/8/K7 b - e3 0 1",
        "k7/8/8/8/4P3/8/8/K7 w - e3 0 1",
    ];
    for text in arrangements {
        let setup = text.parse::<Fen>().unwrap().into_setup();
        for codec in position_codecs() {
            match codec.encode(&setup) {
                Ok(bits) => {
                    assert_eq!(codec.decode(bits.bytes()), Ok(codec.fields.keep(&setup)), "{text}")
                }
                Err(error) => assert!(matches!(error, EncodeError::CannotHold(..))),
            }
        }
        let one_king_each = Color::ALL.iter().all(|&color| setup.board.king_of(color).is_some());
        let ranked = plybook_encodings::by_name("ranked").unwrap();
        assert_eq!(ranked.encode(&setup).is_ok(), one_king_each, "{text}");
    }
}

/// The most expensive material that captures and promotions can reach (see `ranked`), placed at random.
#[test]
fn ranked_stays_within_180_bits_on_legal_material() {
    let ranked = plybook_encodings::by_name("ranked").unwrap();
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let mut most = 0;
    for trial in 0..4000 {
        let captures = trial % 5;
        let mut board = Board::empty();
        let put = |board: &mut Board, random: &mut Random, piece, pawn: bool| loop {
            let square = if pawn { 8 + random.below(48) } else { random.below(64) };
            let square = shakmaty::Square::new(u32::try_from(square).unwrap());
            if board.piece_at(square).is_none() {
                board.set_piece_at(square, piece);
                break;
            }
        };
        for color in Color::ALL {
            put(&mut board, &mut random, color.king(), false);
            (0..8 - 2 * captures).for_each(|_| put(&mut board, &mut random, color.pawn(), true));
        }
        let officers = [Color::queen, Color::rook, Color::bishop, Color::knight];
        for officer in 0..14 + 3 * captures {
            let color = Color::from_white(officer % 2 == 0);
            let piece = officers[random.below(4)](color);
            put(&mut board, &mut random, piece, false);
        }
        let setup = Setup { board, turn: Color::from_white(trial % 3 == 0), ..Setup::empty() };
        let bits = ranked.encode(&setup).unwrap();
        assert_eq!(ranked.decode(bits.bytes()), Ok(setup));
        most = most.max(bits.len());
    }
    assert!((150..=180).contains(&most), "{most}");
}

// Games.

/// A random game of a variant.
fn random_game(variant: Variant, random: &mut Random, plies: usize) -> GameMoves<VariantPosition> {
    let start = variant.start();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..plies {
        let Some(m) = random.legal_move(&position) else { break };
        position.make(m);
        moves.push(m);
    }
    let outcome = if position.legal().count() == 0 {
        position.board_outcome()
    } else {
        let winner = Color::from_white(random.below(2) == 0);
        let known = [KnownOutcome::Draw, KnownOutcome::Decisive { winner }];
        [Outcome::Known(known[0]), Outcome::Known(known[1]), Outcome::Unknown][random.below(3)]
    };
    GameMoves { start, moves, outcome }
}

/// The game as decoded by a codec.
fn kept(codec: &GameCodec, game: &GameMoves<VariantPosition>) -> GameMoves<VariantPosition> {
    let mut game = game.clone();
    if !codec.outcome {
        let mut last = game.start.clone();
        game.moves.iter().for_each(|&m| last.make(m));
        game.outcome = if last.legal().count() == 0 { last.board_outcome() } else { Outcome::Unknown };
    }
    game
}

fn game_round_trip(codec: &GameCodec, game: &GameMoves<VariantPosition>) {
    let name = codec.name;
    match codec.encode(game) {
        Ok(GameCode { bits, plies }) => {
            assert_eq!(bits.bytes().len(), bits.len().div_ceil(8));
            assert_eq!(codec.decode(&game.start, bits.bytes(), plies), Ok(kept(codec, game)), "{name}");
        }
        Err(error) => {
            assert!(matches!(error, EncodeError::CannotHold(..)), "{error}");
            let odd = |m: &Move| matches!(m, Move::Put { .. }) || m.promotion() == Some(shakmaty::Role::King);
            let many = ["byte"].contains(&name);
            assert!(many || name == "coords" && game.moves.iter().any(odd), "{name}: {error}");
        }
    }
}

#[test]
fn random_games_of_every_variant_round_trip_in_every_codec() {
    let mut random = Random(0xda94_2042_e4dd_58b5);
    for variant in Variant::ALL {
        for plies in [0, 1, 2, 10, 60, 120, 400, 400] {
            let game = random_game(variant, &mut random, plies);
            GAME_CODECS.iter().copied().for_each(|codec| game_round_trip(codec, &game));
        }
    }
}

#[test]
fn encoding_with_all_codecs_equals_encoding_with_each() {
    let (mut random, mut failures) = (Random(0x3c6e_f372_fe94_f82b), 0);
    for (variant, plies) in
        Variant::ALL.into_iter().flat_map(|variant| [0, 1, 40, 300].map(|plies| (variant, plies)))
    {
        let game = random_game(variant, &mut random, plies);
        let at_once = encode_all(&game, GAME_CODECS);
        failures += at_once.iter().filter(|code| code.is_err()).count();
        assert_eq!(at_once, GAME_CODECS.iter().map(|codec| codec.encode(&game)).collect::<Vec<_>>());
    }
    assert!(failures > 0, "no codec rejected a game, so the others did not have to continue without it");
}

#[test]
fn chess960_castling_round_trips_in_every_codec() {
    let mut random = Random(0x1405_7b7e_f767_814f);
    let fens = ["1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1", "5rkr/8/8/8/8/8/8/1RKR4 w DBhf - 0 1"];
    let mut castlings = 0;
    for fen in fens.into_iter().cycle().take(60) {
        let start = Variant::Chess960.position(&fen.parse().unwrap()).unwrap();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for _ in 0..8 {
            let legal = position.legal();
            let castling = (0..legal.count()).filter_map(|index| legal.nth(index)).find(|m| m.is_castle());
            let Some(m) = castling.or_else(|| random.legal_move(&position)) else { break };
            castlings += usize::from(m.is_castle());
            position.make(m);
            moves.push(m);
        }
        let outcome = if position.legal().count() == 0 { position.board_outcome() } else { Outcome::Unknown };
        let game = GameMoves { start, moves, outcome };
        GAME_CODECS.iter().copied().for_each(|codec| game_round_trip(codec, &game));
    }
    assert!(castlings > 10, "only {castlings}");
}

/// Decodes bytes as a game; the result must be encoded as exactly these bytes.
fn game_takes_one_form(
    codec: &GameCodec,
    start: &VariantPosition,
    bytes: &[u8],
    plies: Option<usize>,
) -> Option<GameMoves<VariantPosition>> {
    let game = codec.decode(start, bytes, plies).ok()?;
    let again = codec.encode(&game).map(|code| code.bits.into_bytes());
    assert_eq!(again.as_deref(), Ok(bytes), "{}", codec.name);
    Some(game)
}

#[test]
fn truncated_and_flipped_games_differ_or_fail() {
    let mut random = Random(0x94d0_49bb_1331_11eb);
    for variant in Variant::ALL {
        let game = random_game(variant, &mut random, 30);
        for &codec in GAME_CODECS {
            let Ok(GameCode { bits, plies }) = codec.encode(&game) else { continue };
            let (bytes, kept) = (bits.bytes(), kept(codec, &game));
            for cut in 0..bytes.len() {
                let cut = game_takes_one_form(codec, &game.start, &bytes[..cut], plies);
                assert_ne!(cut, Some(kept.clone()));
            }
            for place in 0..bytes.len() * 8 {
                let mut flipped = bytes.to_vec();
                flipped[place / 8] ^= 0x80 >> (place % 8);
                let flipped = game_takes_one_form(codec, &game.start, &flipped, plies);
                assert_ne!(flipped, Some(kept.clone()), "{}", codec.name);
            }
            if let Some(plies) = plies {
                for other in [None, Some(plies - 1), Some(plies + 1), Some(usize::MAX)] {
                    assert_ne!(codec.decode(&game.start, bytes, other), Ok(kept.clone()));
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_give_games_or_errors(bytes in prop::collection::vec(any::<u8>(), 0..60), plies in 0usize..40) {
        for variant in [Variant::Standard, Variant::Crazyhouse, Variant::Antichess] {
            for &codec in GAME_CODECS {
                game_takes_one_form(codec, &variant.start(), &bytes, Some(plies));
            }
        }
    }
}

#[test]
fn decoding_takes_bounded_time() {
    let mut random = Random(0xbf58_476d_1ce4_e5b9);
    let noise: Vec<u8> = (0..300_000).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let long =
        [vec![0; 300_000], vec![0xff; 300_000], vec![1; 200_000], noise, b"Nf3 Nf6 Ng1 Ng8 ".repeat(20_000)];
    let start = Variant::Standard.start();
    let clock = Instant::now();
    for bytes in &long {
        for &codec in GAME_CODECS {
            assert!(codec.decode(&start, bytes, Some(60_000)).is_err(), "{}", codec.name);
        }
        for codec in position_codecs() {
            assert!(codec.decode(bytes).is_err(), "{}", codec.name);
        }
    }
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
}
