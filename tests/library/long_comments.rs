//! Long comments that are lists of fields: their columns are restored exactly, stay small, never change, and no input
//! harms the decoder; a damaged game with them is reported, and its neighbours are unaffected.

use crate::{
    common::{Bench, Random, engine_games, text, trials},
    pgn_support::read_one,
};
use plybook::{
    chess::{Annotation, Annotations},
    codec::annotation::{decode, encode},
    pgn::Game,
};
use rusqlite::Connection;

/// The first byte of annotations with columns.
const COLUMNS: u8 = 3;

fn bytes_of(game: &Game) -> Vec<u8> {
    encode(&game.annotations, &game.start(), &game.moves).unwrap()
}

fn comes_back(game: &Game) -> Vec<u8> {
    let bytes = bytes_of(game);
    assert_eq!(decode(&bytes, &game.start(), &game.moves).as_ref(), Ok(&game.annotations));
    bytes
}

/// Whether bytes that no encoder wrote are valid annotations; valid ones can be written again.
fn is_harmless(bytes: &[u8], game: &Game) -> bool {
    decode(bytes, &game.start(), &game.moves).is_ok_and(|annotations| {
        let again = encode(&annotations, &game.start(), &game.moves).unwrap();
        assert_eq!(decode(&again, &game.start(), &game.moves).unwrap(), annotations);
        true
    })
}

#[test]
fn fields_have_columns_and_take_less_than_compressed_text() {
    let game = read_one(&engine_games(1)).unwrap();
    let bytes = comes_back(&game);
    assert_eq!(bytes[0], COLUMNS);
    let packed = zstd::bulk::compress(game.annotations.text().as_bytes(), 3).unwrap();
    assert!(bytes.len() < packed.len(), "{} of {}", bytes.len(), packed.len());
    // Few fields, or short comments: stored as before.
    let short = read_one("1. e4 {d=29, sd=62, pv=e4 e5,} *").unwrap();
    assert_eq!(comes_back(&short)[0], 1);
    let prose = read_one(&format!("1. e4 {{{}}} *", "A long comment in prose. ".repeat(80))).unwrap();
    assert_eq!(comes_back(&prose)[0], 1);
}

/// The compressed columns of [`golden_game`], which must stay readable permanently.
const GOLDEN: &str = "03df0cc701602f020d0600420b232490a7e9feffffffff47ae8a601744a2ca7121bea0db7bcbbd532ad6a8565e14650ef8\
    760aa81880fa5c4bb66e853fb0cfb564eb563eb0e803519f6bc9d6adf0cfb564eb56452f4911509232485236497a93a03a51dfebdef6e6cbdef5fe\
    f5ab5e7c9febdce6a6cbdce5deb5ab5c34eaaa51200b02c34282938c02615a200e4350a07030008048343c7d0e012aa81120539ae5965bac19c0c3\
    3611e091f04b76ffef9a010249d0facfffef29722ceae62ce960fc12f8c47e88d0906fff01";

fn golden_game() -> Game {
    let words = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().zip(20..40);
    let moves: String = words
        .map(|(word, n)| format!("{word} {{d={n}, sd=62, pv=Nf3 Nf6 Ng1 O-O b{n}, wv=0.{n}, mb=+0+0+0,}} "))
        .collect();
    read_one(&format!("{{Threads=4}} {moves} *")).unwrap()
}

#[test]
fn the_bytes_never_change() {
    let game = golden_game();
    let now: String = comes_back(&game).iter().map(|byte| format!("{byte:02x}")).collect();
    let pairs = GOLDEN.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    let bytes: Vec<u8> = pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect();
    // Another version of the compressor may compress them differently.
    assert_eq!(decode(&bytes, &game.start(), &game.moves).as_ref(), Ok(&game.annotations), "now: {now}");
}

#[test]
fn comments_with_any_characters_come_back() {
    const PARTS: [&str; 22] = [
        "=",
        "d=",
        "pv=",
        "a b=",
        ", ",
        ",",
        " ",
        "12",
        "é",
        "\u{0}",
        "\u{1}",
        "\u{5}",
        "\u{6}",
        "[%clk 0:01:02]",
        "[%clk 1",
        "[%",
        "[%eval 0.25,18]",
        "pv=Nf3 d5,",
        "x=1,",
        "\n",
        "{",
        "wv=0.10",
    ];
    let (game, mut random) = (read_one("1. e4 e5 2. Nf3 *").unwrap(), Random(11));
    let mut with_columns = 0;
    for round in 0..trials(2_000, 100_000) {
        let mut annotations = Annotations::default();
        for ply in 0..4 {
            let parts = (0..60 + random.below(100)).map(|_| PARTS[random.below(PARTS.len())]);
            // More names than there are columns.
            let names = (0..if round % 50 == 0 { 40 } else { 0 }).map(|n| format!("n{ply}x{n}=v,"));
            let comment: String = parts.map(str::to_owned).chain(names).collect();
            annotations.push(ply, Annotation::Comment(&comment));
        }
        let bytes = encode(&annotations, &game.start(), &game.moves).unwrap();
        assert_eq!(decode(&bytes, &game.start(), &game.moves).as_ref(), Ok(&annotations));
        with_columns += usize::from(bytes[0] == COLUMNS);
    }
    assert!(with_columns > 1_000, "{with_columns}");
}

#[test]
fn cuts_and_flips_do_no_harm() {
    let mut text = engine_games(1);
    text.truncate(text.find("O-O").unwrap().max(2_500));
    let end = text.rfind('}').unwrap() + 1;
    let game = read_one(&format!("{} *", &text[..end])).unwrap();
    let bytes = comes_back(&game);
    assert_eq!(bytes[0], COLUMNS);
    for cut in 0..bytes.len() {
        assert!(decode(&bytes[..cut], &game.start(), &game.moves).is_err(), "cut at {cut}");
    }
    let fine = (0..bytes.len() * 8).filter(|bit| {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        is_harmless(&other, &game)
    });
    eprintln!("{} of {} flips are other annotations", fine.count(), bytes.len() * 8);
}

/// An uncompressed body of one move with one comment.
fn marks(template: &[u8], columns: &[u8]) -> Vec<u8> {
    let opcodes = [0x00, 0xe4];
    let texts = [template, &[0]].concat();
    let body = [&[2], &opcodes[..], &[texts.len() as u8], &texts, columns].concat();
    let length = body.len() as u16 * 2;
    [&[COLUMNS, length as u8 & 0x7f | 0x80, (length >> 7) as u8], &body[..]].concat()
}

#[test]
fn invalid_columns_are_refused() {
    let game = read_one("1. e4 *").unwrap();
    let decoded =
        |template: &[u8], columns: &[u8]| decode(&marks(template, columns), &game.start(), &game.moves);
    let annotations = decoded(b"d=\x05, pv=\x05,", b"12\x00\x01e4 e5\x00\x01").unwrap();
    assert_eq!(annotations.text(), "d=12, pv=e4 e5,");
    for (template, columns, why) in [
        (&b"d=\x05"[..], &b""[..], "unknown column"),
        (b"\x05", b"12\x00\x01", "unknown column"),
        (b"=\x05", b"12\x00\x01", "unknown column"),
        (b"d=\x05, e=\x05", b"12\x00\x01", "unknown column"),
        (b"d=\x05, d=\x05", b"12\x00\x01", "missing value"),
        (b"d=\x05", b"12\x00", "unterminated column"),
        (b"d=\x05", b"12\x00\x0113\x00\x01", "unused values"),
        (b"d=\x05", b"12\x0013\x00\x01", "unused values"),
        (b"d=1", b"\x01", "unused values"),
        (b"d=\x05", &[1; 65], "too many columns"),
        (b"d=\x05", b"\xff\x00\x01", "invalid UTF-8"),
    ] {
        let error = decoded(template, columns).unwrap_err().to_string();
        assert!(error.contains(why), "{error}; not {why}");
    }
    // Before version 3 there was no such gap.
    let old = [&[1, 2, 0x00, 0xe4, 8][..], b"d=\x05\x00"].concat();
    assert!(decode(&old, &game.start(), &game.moves).is_err());
}

#[test]
fn many_symbols_take_no_longer_than_many_letters() {
    let game = read_one("1. e4 *").unwrap();
    for part in ["=", "a=", "a==", "a=\u{1}", "aaaaaaaaa", ",=,"] {
        let mut annotations = Annotations::default();
        for _ in 0..8 {
            annotations.push(1, Annotation::Comment(&part.repeat((1 << 20) / part.len())));
        }
        let begin = std::time::Instant::now();
        let bytes = encode(&annotations, &game.start(), &game.moves).unwrap();
        assert_eq!(decode(&bytes, &game.start(), &game.moves).as_ref(), Ok(&annotations));
        assert!(begin.elapsed().as_secs() < 20, "{part:?}: {:?}", begin.elapsed());
    }
}

#[test]
fn a_damaged_game_is_reported_and_its_neighbours_are_unaffected() {
    let bench = Bench::new();
    std::fs::write(bench.path("engines.pgn"), engine_games(3)).unwrap();
    bench.import(&["engines.pgn"]);
    let all = bench.ok(&["export"]);
    assert_eq!(all.matches("pv=").count(), 90);
    bench.ok(&["backup", "copy.db"]);
    assert_eq!(bench.ok(&["export", "-a", "copy.db"]), all);
    bench.import(&["plybook.db", "-a", "merged.db"]);
    assert_eq!(bench.ok(&["export", "-a", "merged.db"]), all);

    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let marks: Vec<u8> =
        db.query_row("SELECT marks FROM annotation WHERE game = 2", [], |row| row.get(0)).unwrap();
    assert_eq!(marks[0], COLUMNS);
    let mut damaged = marks;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x10;
    db.execute("UPDATE annotation SET marks = ?1 WHERE game = 2", [damaged]).unwrap();
    drop(db);
    let verified = bench.run(&["verify"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("game 2:"), "{}", text(&verified.stdout));
    let sound: String = [1, 3].map(|id| bench.ok(&["export", "--id", &id.to_string()])).join("\n");
    assert_eq!(sound.matches("pv=").count(), 60);
    assert_eq!(bench.run(&["salvage", "plybook.db", "-o", "saved.db"]).status.code(), Some(1));
    assert_eq!(bench.ok(&["export", "-a", "saved.db"]).matches("pv=").count(), 60);
    assert!(bench.ok(&["verify", "-a", "saved.db"]).contains("all intact"));
}
