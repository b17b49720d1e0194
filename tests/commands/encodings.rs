//! Text in encodings other than UTF-8: decoded correctly, with the original bytes kept.

use std::fs;

use crate::common::{Bench, Random, text, trials};

/// A game with the given bytes as White and in a comment.
fn game(event: &str, white: &[u8], comment: &[u8]) -> Vec<u8> {
    let tag = format!("[Event \"{event}\"]\n[White \"");
    [tag.as_bytes(), white, b"\"]\n[Result \"*\"]\n\n1. e4 {", comment, b"} *\n\n"].concat()
}

/// White and the comments of each game of an archive.
fn read_back(bench: &Bench, archive: &str) -> Vec<String> {
    let pgn = bench.ok(&["export", "-a", archive]);
    assert!(!pgn.contains('\u{fffd}'), "{pgn}");
    let white = pgn.lines().filter_map(|line| line.strip_prefix("[White \"")?.strip_suffix("\"]"));
    let comments = pgn.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    white.chain(comments).map(str::to_owned).collect()
}

/// Czech, Russian and other words in encodings, with the names of these.
const NAMED: [(&str, &[u8], &str); 9] = [
    ("cp1251", b"\xca\xe0\xf0\xef\xee\xe2", "Карпов"),
    ("koi8-r", b"\xeb\xc1\xd2\xd0\xcf\xd7", "Карпов"),
    ("cp866", b"\x8a\xa0\xe0\xaf\xae\xa2", "Карпов"),
    ("macintosh", b"M\x9fller, na\x95ve", "Müller, naïve"),
    ("windows-1250", b"\x8aari\xe6, \xa3ukasz", "Šarić, Łukasz"),
    ("latin2", b"\xa9ari\xe6, \xa3ukasz", "Šarić, Łukasz"),
    ("cp437", b"M\x81ller, J\x94rg", "Müller, Jörg"),
    ("cp852", b"\xe6ari\x86, \x9dukasz", "Šarić, Łukasz"),
    ("gbk", b"\xd2\xb6\xbd\xad\xb4\xa8", "叶江川"),
];

#[test]
fn text_in_a_given_encoding_is_decoded_correctly() {
    let bench = Bench::new();
    for (name, bytes, words) in NAMED {
        fs::write(bench.path("a.pgn"), game(name, bytes, bytes)).unwrap();
        let archive = format!("{name}.db");
        let report = bench.import(&["a.pgn", "-a", &archive, "--encoding", name, "--strict"]);
        assert_eq!(report["stored"], 1, "{name}: {report}");
        assert_eq!(read_back(&bench, &archive), [words, words], "{name}");
        if name != "gbk" {
            assert_eq!(report["notes"]["named_encoding"], 1, "{name}");
            let original = bench.run(&["export", "--original", "-a", &archive]).stdout;
            assert!(original.windows(bytes.len()).any(|window| window == bytes), "{name}");
        }
    }
}

#[test]
fn text_in_an_unknown_encoding_keeps_its_bytes_and_is_reported_with_its_location() {
    let bench = Bench::new();
    for (name, bytes, words) in NAMED {
        let odd = game(name, bytes, bytes);
        let both = [game("plain", b"A", b"b"), odd.clone()].concat();
        fs::write(bench.path("a.pgn"), &both).unwrap();
        let archive = format!("{name}.db");
        let report = bench.import(&["a.pgn", "-a", &archive]);
        assert_eq!(report["stored"], 2, "{name}: {report}");
        assert_eq!(report["notes"]["not_utf8"], 1, "{name}");
        let warning = &report["warnings"][0];
        let place = [&warning["game"], &warning["line"]].map(|number| number.as_u64().unwrap());
        assert_eq!((&warning["reason"], place), (&"not_utf8".into(), [2, 8]), "{name}");
        // Common web encodings are detected.
        let read = read_back(&bench, &archive);
        if !["macintosh", "cp437", "cp852", "gbk"].contains(&name) {
            assert_eq!([&read[1], &read[3]], [words, words], "{name}");
        }
        let original = bench.run(&["export", "--original", "-a", &archive]).stdout;
        assert!(text_of(&original).ends_with(&text_of(&odd)), "{name}");
    }
}

/// Bytes as characters, so that a difference can be read.
fn text_of(bytes: &[u8]) -> String {
    bytes.trim_ascii().iter().map(|byte| char::from(*byte)).collect()
}

#[test]
fn each_field_is_decoded_separately() {
    let bench = Bench::new();
    let pgn = b"[Event \"both\"]\n[White \"M\xc3\xbcller\"]\n[Black \"M\xfcller\"]\n[Result \"*\"]\n\n1. e4 {\xc5\x81\xc3\xb3d\xc5\xba} e5 {caf\xe9} *\n";
    fs::write(bench.path("a.pgn"), pgn).unwrap();
    for name in [&[][..], &["--encoding", "latin1"]] {
        bench.import(&[&["a.pgn", "-a", "both.db"], name].concat());
        let pgn = bench.ok(&["export", "-a", "both.db"]);
        for part in ["[White \"Müller\"]", "[Black \"Müller\"]", "{Łódź}", "{café}"] {
            assert!(pgn.contains(part), "{part}: {pgn}");
        }
        fs::remove_file(bench.path("both.db")).unwrap();
    }
    assert_eq!(bench.feed(&["import", "-", "--strict"], pgn).status.code(), Some(1));
}

#[test]
fn western_text_stays_unchanged() {
    let bench = Bench::new();
    for words in [
        "4th Marx György Mem",
        "Hübner, Robert",
        "Ólafsson, Friðrik",
        "José Raúl",
        "l'échec perpétuel",
        "Müller ”quoted”, Jörg – Œuvre €",
        "Bidjukov\u{a0}",
        "½ ± §",
    ] {
        let latin1 = encoding_rs::WINDOWS_1252.encode(words).0;
        fs::write(bench.path("a.pgn"), game(words, &latin1, &latin1)).unwrap();
        bench.import(&["a.pgn", "-a", "west.db"]);
        assert_eq!(read_back(&bench, "west.db"), [words, words]);
        fs::remove_file(bench.path("west.db")).unwrap();
    }
}

#[test]
fn utf16_is_read_with_and_without_its_mark() {
    let bench = Bench::new();
    let words = "Крамник 王 😀";
    let pgn = text(&game("u16", words.as_bytes(), words.as_bytes()));
    let units: Vec<u16> = pgn.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [&little, &big, &[&b"\xff\xfe"[..], &little].concat(), &[&b"\xfe\xff"[..], &big].concat()] {
        fs::write(bench.path("a.pgn"), bytes).unwrap();
        let report = bench.import(&["a.pgn", "-a", "wide.db"]);
        assert_eq!(report["stored"], 1, "{report}");
        assert_eq!(read_back(&bench, "wide.db"), [words, words]);
        fs::remove_file(bench.path("wide.db")).unwrap();
    }
}

#[test]
fn an_unknown_encoding_is_rejected_with_some_known_ones() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "1. e4 *").unwrap();
    let refused = bench.run(&["import", "a.pgn", "--encoding", "klingon"]);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        error.contains("klingon") && error.contains("windows-1250") && error.contains("cp437"),
        "{error}"
    );
    assert!(!bench.path("plybook.db").exists());
}

#[test]
fn a_source_not_in_the_given_encoding_is_reported_and_earlier_games_are_stored() {
    let bench = Bench::new();
    let good = game("good", b"\xd2\xb6", b"\xd2\xb6");
    fs::write(bench.path("a.pgn"), [good.as_slice(), &game("bad", b"\xff\xff", b"")].concat()).unwrap();
    let output = bench.run(&["import", "a.pgn", "--encoding", "gbk"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("a.pgn: the text is not valid GBK\n"), "{error}");
    assert_eq!(read_back(&bench, "plybook.db"), ["叶", "叶"]);
}

#[test]
fn any_bytes_in_a_tag_or_comment_are_restored_with_any_threads_and_after_interruptions() {
    let bench = Bench::new();
    let mut random = Random(11);
    let mut pgn = Vec::new();
    for number in 0..trials(300, 20_000) {
        let mut words = || -> Vec<u8> {
            let length = random.below(12);
            let low = if random.below(2) == 0 { 0x20 } else { 0xc0 };
            let bytes = std::iter::repeat_with(|| u8::try_from(low + random.below(256 - low)).unwrap());
            bytes.take(length).filter(|byte| !b"\"\\{}\r\n[]".contains(byte)).collect()
        };
        let (white, comment) = (words(), words());
        pgn.extend(game(&number.to_string(), &white, &comment));
    }
    fs::write(bench.path("a.pgn"), &pgn).unwrap();
    bench.import(&["a.pgn", "-a", "one.db", "--threads", "1"]);
    let original = bench.run(&["export", "--original", "-a", "one.db"]).stdout;
    let exported = bench.ok(&["export", "-a", "one.db"]);
    assert!(!exported.contains('\u{fffd}'));
    // Games in UTF-8 are formatted; all others are written byte for byte.
    let same =
        original.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"[White")).collect::<Vec<_>>();
    let wanted =
        pgn.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"[White")).collect::<Vec<_>>();
    assert_eq!(same, wanted);

    bench.import(&["a.pgn", "-a", "many.db", "--threads", "7"]);
    assert_eq!(bench.ok(&["export", "-a", "many.db"]), exported);
    let half = pgn.len() / 2;
    let half = half + pgn[half..].windows(7).position(|window| window == b"[Event ").unwrap();
    fs::write(bench.path("a.pgn"), &pgn[..half]).unwrap();
    bench.import(&["a.pgn", "-a", "grown.db"]);
    fs::write(bench.path("a.pgn"), &pgn).unwrap();
    assert_eq!(bench.import(&["a.pgn", "-a", "grown.db"])["met"][0]["how"], "grown");
    assert_eq!(bench.ok(&["export", "-a", "grown.db"]), exported);
}
