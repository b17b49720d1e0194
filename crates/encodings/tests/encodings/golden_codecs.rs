//! The encodings bit by bit: golden vectors, and every figure in the sources and their corrections.

use plybook_chess::{
    bits::{Integer, bit_length, width_of},
    chess::{Fen, Setup, Variant, VariantPosition},
    codec::game::{GameMoves, by_name as game_codec},
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules},
};
use plybook_encodings::{
    POSITION_CODECS, by_name,
    cfen::CFEN_CHECK,
    huffman,
    ranked::{RANKED, RANKED_CLOCKS},
    ufen::UFEN_CHECK,
};
use shakmaty::uci::UciMove;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A golden file from the directory in `PLYBOOK_VECTORS`, or from the project.
fn golden(name: &str) -> Vec<Vec<String>> {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden").join(name);
    let given = std::env::var_os("PLYBOOK_VECTORS").map(|folder| std::path::Path::new(&folder).join(name));
    let path = given.filter(|path| path.exists()).unwrap_or(own);
    let text = std::fs::read_to_string(path).expect("golden files are part of the project");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn setup(fen: &str) -> Setup {
    fen.parse::<Fen>().unwrap().into_setup()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn positions_match_the_golden_vectors() {
    let rows = golden("positions.tsv");
    for row in &rows {
        let [fen, codec, bits, digits] = &row[..] else { panic!("{row:?}") };
        let codec = by_name(codec).unwrap_or_else(|| panic!("no codec {codec}"));
        let setup = setup(fen);
        let encoded = codec.encode(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(
            (encoded.len().to_string(), hex(encoded.bytes())),
            (bits.clone(), digits.clone()),
            "{row:?}"
        );
        assert_eq!(codec.decode(encoded.bytes()), Ok(codec.fields.keep(&setup)), "{row:?}");
    }
    assert!(rows.len() >= 800);
}

#[test]
fn our_own_codec_is_frozen() {
    let rows = golden("ranked.tsv");
    for row in &rows {
        let [fen, name, bits, digits] = &row[..] else { panic!("{row:?}") };
        let codec = if name == "ranked" { &RANKED } else { &RANKED_CLOCKS };
        let setup = setup(fen);
        let encoded = codec.encode(&setup).unwrap();
        assert_eq!(
            (encoded.len().to_string(), hex(encoded.bytes())),
            (bits.clone(), digits.clone()),
            "{row:?}"
        );
        assert_eq!(codec.decode(encoded.bytes()), Ok(codec.fields.keep(&setup)), "{row:?}");
    }
    assert!(rows.len() >= 120);
}

/// Parses moves in UCI.
fn line(moves: &str, outcome: Outcome) -> GameMoves<VariantPosition> {
    let start = Variant::Standard.start();
    let (mut position, mut played) = (start.clone(), Vec::new());
    for uci in moves.split_whitespace() {
        let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.make(m);
        played.push(m);
    }
    GameMoves { start, moves: played, outcome }
}

fn outcome(result: &str) -> Outcome {
    let known = match result {
        "1-0" => KnownOutcome::Decisive { winner: Color::White },
        "0-1" => KnownOutcome::Decisive { winner: Color::Black },
        "1/2-1/2" => KnownOutcome::Draw,
        _ => return Outcome::Unknown,
    };
    Outcome::Known(known)
}

#[test]
fn games_match_the_golden_vectors() {
    let rows = golden("games.tsv");
    for row in &rows {
        let [uci, result, _, bare, index] = &row[..] else { panic!("{row:?}") };
        let game = line(uci, outcome(result));
        for (name, number) in [("index-bare", bare), ("index", index)] {
            let code = game_codec(name).unwrap().encode(&game).unwrap();
            assert_eq!(Integer::from_bytes_le(code.bits.bytes()).to_string(), *number);
            assert_eq!(code.bits.len(), bit_length(&number.parse().unwrap()));
        }
    }
    assert!(rows.len() >= 40);
}

#[test]
fn the_worked_example_of_the_first_source_is_reproduced() {
    let moves = "e2e4 e7e5 g1f3 f7f6";
    let mut position = Variant::Standard.start();
    let digits = line(moves, Outcome::Unknown).moves.into_iter().map(|m| {
        let legal = position.legal();
        position.make(m);
        (legal.index_of(m).unwrap(), legal.count())
    });
    assert_eq!(digits.collect::<Vec<_>>(), [(13, 20), (11, 20), (13, 29), (19, 29)]);
    let number = |codec: &str, plies: usize, outcome| {
        let mut game = line(moves, outcome);
        game.moves.truncate(plies);
        Integer::from_bytes_le(game_codec(codec).unwrap().encode(&game).unwrap().bits.bytes()).to_string()
    };
    let bare = [1, 2, 3, 4].map(|plies| number("index-bare", plies, Outcome::Unknown));
    assert_eq!(bare, ["13", "233", "5433", "225833"]);
    let ends = ["0-1", "1/2-1/2", "*", "1-0"].map(|result| number("index", 4, outcome(result)));
    assert_eq!(ends, ["10973647", "311030047", "8712609247", "243956826847"]);
    let coords = game_codec("coords").unwrap().encode(&line(moves, Outcome::Unknown)).unwrap();
    assert_eq!(&coords.bits.to_string()[..12], "100001100011");
}

/// ⌈(m + 1)·log2 n⌉, the first source's estimate for m plies with n moves each (n = 21 with End).
fn estimate(plies: u32, moves: u8) -> usize {
    width_of(&Integer::from(moves).pow(plies + 1))
}

#[test]
fn the_estimates_of_the_first_source_are_reproduced() {
    assert_eq!([80, 400, 55, 40].map(|plies| estimate(plies, 20)), [351, 1734, 243, 178]);
    assert_eq!([80, 400].map(|plies| estimate(plies, 21)), [356, 1762]);
    assert!((f64::from(1734) / 400.0 - 4.335f64).abs() < 1e-9);
}

#[test]
fn a_san_move_may_take_eight_bytes() {
    // Three queens reach b2, so file and rank are needed; with the check sign and the space: "Qa1xb2+ ".
    let fen: Fen = "8/8/8/4k3/8/Q7/1p6/Q1Q1K3 w - - 0 1".parse().unwrap();
    let start = Variant::Standard.position(&fen).unwrap();
    let legal = start.legal();
    let texts = (0..legal.count()).map(|index| {
        let moves = vec![legal.nth(index).unwrap()];
        let game = GameMoves { start: start.clone(), moves, outcome: Outcome::Unknown };
        game_codec("san").unwrap().encode(&game).unwrap().bits.into_bytes()
    });
    let texts: Vec<Vec<u8>> = texts.collect();
    assert!(texts.contains(&b"Qa1xb2+ ".to_vec()));
    assert_eq!(texts.iter().map(Vec::len).max(), Some(8));
}

#[test]
fn every_codec_has_the_documented_size_for_the_initial_position() {
    for codec in POSITION_CODECS {
        let bits = codec.encode(&setup(START)).unwrap();
        assert_eq!(bits.len(), codec.start_bits, "{}", codec.name);
    }
}

fn cost(codec: &str, fen: &str) -> usize {
    by_name(codec).unwrap().encode(&setup(fen)).unwrap().len()
}

#[test]
fn the_worst_cases_of_the_sources_are_reproduced() {
    // Like the fifth source's simplified worst case of FEN, 89 characters, but with kings and rooks on their home
    // squares.
    let placement = "r1b1k1r1/1p1p1p1p/p1p1p1p1/1n1q1b1r/R1B1P1N1/1P1P1P1P/P1P1P1P1/R1N1K1R1";
    let full = format!("{placement} w KQkq e3 999 999");
    assert_eq!(["fen", "cfen", "ufen"].map(|codec| cost(codec, &full)), [712, 351, 287]);
    assert_eq!([CFEN_CHECK, UFEN_CHECK].map(|codec| codec.encode(&setup(&full)).unwrap().len()), [353, 289]);
    // Twelve promotions: 26 pieces besides the kings, and 36 empty squares.
    assert_eq!(cost("yoder", "qqqqqqqk/rrbbnn2/8/8/8/8/2NNBBRR/KQQQQQQQ w - - 0 1"), 179);
    assert_eq!(cost("duchess", "qqqqqqqk/rrbbnn2/8/8/8/8/2NNBBRR/KQQQQQQQ w - - 0 1"), 197);
    assert_eq!(cost("delta", "8/8/KKKKKKKK/KKKKKKKK/KKKKKKKK/KKKKKKKK/8/8 w - - 0 1"), 320);
    // The initial position with plain rooks, as counted by the third source.
    assert_eq!(cost("yoder", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), 163);
}

#[test]
fn the_widths_of_the_second_source_are_reproduced() {
    let product = |range: std::ops::RangeInclusive<u32>| range.map(Integer::from).product::<Integer>();
    let widths = [
        Integer::from(13u8).pow(64),
        Integer::from(11u8).pow(16) * Integer::from(13u8).pow(48),
        Integer::from(48u8).pow(8),
        product(41..=48),
        product(33..=40),
    ];
    assert_eq!(widths.map(|states| width_of(&states)), [237, 233, 45, 44, 42]);
}

#[test]
fn a_huffman_construction_gives_the_lengths_of_the_source() {
    let trained = huffman::Trained::from_counts(&huffman::SOURCE_COUNTS);
    let lengths: Vec<usize> = trained.table().iter().map(String::len).collect();
    assert_eq!(lengths, [1, 3, 5, 5, 5, 6, 6, 3, 5, 5, 5, 6, 6]);
    assert_eq!(trained.cost(&huffman::SOURCE_COUNTS), 164);
    assert_eq!(huffman::source_cost(&huffman::SOURCE_COUNTS), 164);
    // Positions of an endgame need another table.
    let mut counts = [0; 13];
    for fen in ["8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", "8/8/8/3q4/8/k7/8/K7 w - - 0 1"] {
        huffman::count(&setup(fen).board, &mut counts);
    }
    assert_eq!(counts, [122, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 2]);
    assert!(huffman::Trained::from_counts(&counts).cost(&counts) < huffman::source_cost(&counts));
}
