//! Encoded annotations: they survive a round trip, are small, never change, and no input harms the decoder.

use crate::{
    common,
    pgn_support::{collections, each_game, read_one},
};
use plybook::{
    chess::{Annotation, VariantPosition},
    codec::annotation::{decode, encode},
    pgn::Game,
};

fn bytes_of(game: &Game) -> Vec<u8> {
    encode(&game.annotations, &game.start(), &game.moves).unwrap()
}

#[test]
fn annotations_of_real_games_come_back() {
    let (mut games, mut clocks, mut clock_bytes, mut evals) = (0, 0, 0, 0);
    let (mut prose, mut prose_bytes) = (0, 0);
    let engines = common::corpus("tcec.pgn.zst").map(|path| (path, 40));
    for (path, most) in collections().into_iter().chain(engines) {
        each_game(&path, most, |text, game| {
            let Some(game) = game.ok().filter(|game| !game.annotations.is_empty()) else { return };
            let bytes = bytes_of(&game);
            assert_eq!(decode(&bytes, &game.start(), &game.moves).as_ref(), Ok(&game.annotations));
            games += 1;
            let text = String::from_utf8_lossy(text);
            let count = text.matches("[%clk").count();
            if count > 0 {
                clocks += count;
                evals += text.matches("[%eval").count();
                clock_bytes += bytes.len();
            } else {
                prose += text.len();
                prose_bytes += bytes.len();
            }
        });
    }
    eprintln!("{games} annotated games come back");
    eprintln!("games with clocks: {clocks} clocks and {evals} evaluations in {clock_bytes} bytes");
    eprintln!("games without: {prose} bytes of PGN, their annotations in {prose_bytes} bytes");
    assert!(games > 0);
}

const GAME: &str = "{Before} 1. e4 { [%clk 0:05:00] } e5 { [%clk 0:05:00] } 2. Nf3 $1 { [%clk 0:04:58] } \
    (2. f4 exf4 (2... d5 $5 {a better move} 3. -- dxe4) 3. Nf3 1-0) 2... Nc6 { [%clk 0:04:55] } \
    3. Bb5 {[%eval 0.25,18] [%emt 0:00:03]} *";

/// Movetexts with the permanent bytes of their annotations.
const GOLDEN: [(&str, &str); 5] = [
    ("1. e4 { [%clk 0:05:00] } e5 { [%clk 0:05:00] } 2. Nf3 { [%clk 0:04:58] } *", "100012da40"),
    (
        "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.9]} 2. Nf3 {[%clk 0:03:01.1]} Nc6 {[%clk 0:02:40.5]} *",
        "118007091841ffffe081",
    ),
    (
        "{x} 1. e4 $1 e5 $20 (1... c5 2. -- $0 (2. Nf3 {y} 1-0)) *",
        "0111e400e800e714e00fe2e700e00de4eee1e10878007900",
    ),
    ("1. e4 e5 2. -- $1 (2. Nf3 -- 1-0) d5 {x} 3. -- *", "020c01fae2e8e00de2eee116e4e2047800"),
    (
        GAME,
        "0118e4e6020000e8f2e0181de016ece4e225e10eeee100f200e45527202a150100b84265666f7265006100032c045d205b25656d7420025d000200727332313e0e72010012da4aa5ff06",
    ),
];

#[test]
fn the_bytes_never_change() {
    let mut changed = Vec::new();
    for (movetext, hex) in GOLDEN {
        let game = read_one(movetext).unwrap();
        let now: String = bytes_of(&game).iter().map(|byte| format!("{byte:02x}")).collect();
        let pairs = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        let bytes: Vec<u8> = pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect();
        let comes_back = decode(&bytes, &game.start(), &game.moves).as_ref() == Ok(&game.annotations);
        // Another version of the compressor may compress texts differently.
        if !comes_back || now != hex && movetext != GAME {
            changed.push((movetext, now));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

fn is_harmless(bytes: &[u8], game: &Game, start: &VariantPosition) -> bool {
    decode(bytes, start, &game.moves).is_ok_and(|annotations| {
        // Everything that can be decoded can be written and encoded again.
        let again = encode(&annotations, start, &game.moves).unwrap();
        assert_eq!(decode(&again, start, &game.moves).unwrap(), annotations);
        true
    })
}

fn cuts_and_flips_harm_nothing(movetext: &str) {
    let game = read_one(movetext).unwrap();
    let (start, bytes) = (game.start(), bytes_of(&game));
    for cut in 0..bytes.len() {
        assert!(decode(&bytes[..cut], &start, &game.moves).is_err(), "cut at {cut}");
    }
    for bit in 0..bytes.len() * 8 {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        is_harmless(&other, &game, &start);
    }
}

#[test]
fn cuts_flips_and_random_bytes_do_no_harm() {
    cuts_and_flips_harm_nothing("1. e4 e5 2. -- $1 (2. Nf3 {y} -- 1-0) d5 {x} 3. -- *");
    cuts_and_flips_harm_nothing(GAME);
    let game = read_one(GAME).unwrap();
    let start = game.start();
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut fine = 0;
    for round in 0..100_000 {
        let mut other: Vec<u8> = (0..random() % 20).map(|_| random()).collect();
        if let Some(first) = other.first_mut().filter(|_| round % 10 > 0) {
            *first = [1, 2, 16, 17, 19][round % 5];
        }
        fine += usize::from(is_harmless(&other, &game, &start));
    }
    eprintln!("{fine} of 100,000 random byte strings are annotations");
}

#[test]
fn only_the_version_that_supports_it_continues_after_a_null_move() {
    let game = read_one("1. e4 -- 2. d4 *").unwrap();
    let mut bytes = bytes_of(&game);
    assert_eq!(bytes[0], 2);
    bytes[0] = 1;
    assert!(decode(&bytes, &game.start(), &game.moves).is_err());
    assert_eq!(bytes_of(&read_one("1. e4 e5 (1... -- 2. d4) *").unwrap())[0], 1);
}

#[test]
fn what_does_not_belong_there_is_refused() {
    let game = read_one("1. e4 e5 *").unwrap();
    let bad = |list: &[(usize, Annotation<'_>)]| {
        let mut annotations = plybook::chess::Annotations::default();
        list.iter().for_each(|(ply, annotation)| annotations.push(*ply, *annotation));
        assert!(encode(&annotations, &game.start(), &game.moves).is_err(), "{list:?}");
    };
    bad(&[(0, Annotation::Open), (0, Annotation::Close)]);
    bad(&[(1, Annotation::Open)]);
    bad(&[(1, Annotation::Close)]);
    bad(&[(1, Annotation::Null)]);
    bad(&[(1, Annotation::Move(game.moves[0]))]);
    bad(&[(3, Annotation::Nag(1))]);
    bad(&[(2, Annotation::Nag(1)), (1, Annotation::Nag(1))]);
    bad(&[(1, Annotation::Open), (2, Annotation::Nag(1)), (2, Annotation::Close)]);
    bad(&[(1, Annotation::Comment("}\n"))]);
    bad(&[(1, Annotation::Result(game.outcome))]);
    bad(&[(1, Annotation::Continue), (1, Annotation::Null)]);
    bad(&[(2, Annotation::Continue), (2, Annotation::Null), (2, Annotation::Continue)]);
    bad(&[(2, Annotation::Continue), (2, Annotation::Null), (2, Annotation::Close)]);
    bad(&[(2, Annotation::Continue), (2, Annotation::Open), (2, Annotation::Close)]);
    bad(&[(2, Annotation::Continue), (2, Annotation::Null), (2, Annotation::Result(game.outcome))]);
    bad(&[(2, Annotation::Open), (2, Annotation::Continue), (2, Annotation::Close)]);
    let long = "a".repeat(1 << 20);
    bad(&vec![(1, Annotation::Comment(&long)); 49]);
}

#[test]
fn a_template_cannot_be_used_until_memory_is_full() {
    let game = read_one("1. e4 e5 *").unwrap();
    let template = [&"a".repeat((1 << 20) - 100).into_bytes()[..], &[1, 0]].concat();
    let script = [&[0xe4][..], &[0xe5, 8].repeat(60)].concat();
    let mut bytes = vec![1, u8::try_from(script.len()).unwrap()];
    bytes.extend(script);
    let length = u32::try_from(template.len() * 2).unwrap();
    bytes.extend((0..4).map(|place| (length >> (7 * place) & 0x7f) as u8 | if place < 3 { 0x80 } else { 0 }));
    bytes.extend(template);
    // The first clock is 0, and so is every difference.
    bytes.push(0b0001_1000);
    bytes.extend([0; 100]);
    let error = decode(&bytes, &game.start(), &game.moves).unwrap_err();
    assert!(error.to_string().contains("too much text"), "{error}");
}
