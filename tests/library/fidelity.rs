//! Complete PGN in, complete PGN out: input is preserved, and output is read back unchanged.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Read, Write},
    path::Path,
    process::Command,
};

use crate::{
    common::{data, python, trials},
    pgn_support::{collections, each_game, read_one},
};
use plybook::pgn::{Game, GameSplitter, ReadOptions, Reader, TagOrder, Warning, write_game};
use plybook::sources::Source;

/// The games of [`collections`] that cannot be stored: by file name prefix, with reason and number. (The 18 have moves
/// that python-chess finds illegal too: their start positions are wrong.)
const REJECTED: [(&str, &str, usize); 2] =
    [("lichess_study_lichess-practice-the-fork", "illegal_move", 1), ("variants.pgn", "illegal_move", 18)];

/// The games of `famous.pgn`: plain, so that both readers read them.
const FAMOUS: usize = 62;

/// The number of games in a file, counted in a simple way: a game begins with its tag pairs, or with the file.
fn games_in(path: &Path, most: usize) -> usize {
    let mut text = Vec::new();
    let source = Source::File(path.to_owned());
    source.open(None, &Default::default(), 1, |reader| reader.read_to_end(&mut text)).unwrap().unwrap();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let (mut games, mut in_tags) = (0, false);
    for line in
        text.split(|&byte| byte == b'\n').map(|line| line.trim_ascii()).filter(|line| !line.is_empty())
    {
        let tag = line.starts_with(b"[") && !line.starts_with(b"[%");
        games += usize::from(tag && !in_tags);
        in_tags = tag;
    }
    games.max(1).min(most)
}

fn rejected_of(path: &Path) -> Vec<&'static str> {
    let name = path.file_name().unwrap().to_string_lossy();
    let rejected = REJECTED.iter().filter(|(start, ..)| name.starts_with(start));
    rejected.flat_map(|&(_, key, games)| std::iter::repeat_n(key, games)).collect()
}

/// The games of a file that must be stored.
fn storable_in(path: &Path, most: usize) -> usize {
    games_in(path, most) - rejected_of(path).len()
}

fn is_famous(path: &Path) -> bool {
    path.ends_with("famous.pgn")
}

fn written(game: &Game) -> String {
    let mut text = String::new();
    let order = TagOrder::RosterFirst;
    write_game(&mut text, &game.tags, order, &game.start(), &game.moves, &game.annotations, game.outcome);
    text
}

/// The part of a game that differs from its text.
fn difference(game: &Game, text: &str) -> Option<&'static str> {
    let Ok(again) = read_one(text) else { return Some("readable") };
    let parts = [
        ("moves", again.moves == game.moves),
        ("annotations", again.annotations == game.annotations),
        ("outcome", again.outcome == game.outcome),
        ("repair", !again.warnings.keep_bytes()),
        ("text", written(&again) == text),
    ];
    parts.into_iter().find(|(_, same)| !same).map(|(part, _)| part)
}

/// Writes a game, reads it back, and writes it again: nothing may change.
fn assert_fixed_point(game: &Game) {
    let text = written(game);
    assert_eq!(difference(game, &text), None, "{text}");
}

#[test]
fn writing_and_reading_again_changes_nothing() {
    let mut annotated = 0;
    for (path, most) in collections() {
        let mut games = 0;
        each_game(&path, most, |_, game| {
            let Ok(game) = game else { return };
            assert_fixed_point(&game);
            games += 1;
            annotated += usize::from(!game.annotations.is_empty());
        });
        assert_eq!(games, storable_in(&path, most), "{}", path.display());
    }
    eprintln!("{annotated} games with annotations");
    assert!(annotated > 0);
}

/// The annotated game as written.
fn annotated() -> (Game, String) {
    let game = read_one(&std::fs::read_to_string(data("annotated.pgn")).unwrap()).unwrap();
    let text = written(&game);
    (game, text)
}

/// A text with one part changed, which must exist.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?} in {text}");
    text.replacen(from, to, 1)
}

/// Texts that differ from the annotated game in one detail each.
fn not_quite(text: &str) -> [String; 5] {
    let (head, movetext) = text.split_once("\n\n").unwrap();
    let comment = changed(movetext, "{", "{x ");
    let glyph = changed(movetext, "$1", "$4");
    let last = movetext.trim_end().rsplit_once(' ').unwrap().0;
    let cut_off = format!("{} 1-0\n", last.rsplit_once(|c: char| c.is_ascii_whitespace()).unwrap().0);
    let variation = changed(movetext, "(", "{(} (");
    let result = format!("{last} 0-1\n");
    [comment, glyph, cut_off, variation, result].map(|movetext| format!("{head}\n\n{movetext}"))
}

#[test]
fn a_change_in_what_is_written_is_noticed() {
    let (game, text) = annotated();
    assert_eq!(difference(&game, &text), None);
    for text in not_quite(&text) {
        assert!(difference(&game, &text).is_some(), "{text}");
    }
}

#[test]
fn both_readers_agree() {
    // A comment turns a plain game into one for the other reader.
    for (path, most) in collections() {
        let mut games = 0;
        each_game(&path, most, |text, game| {
            let Ok(game) = game else { return };
            if !game.annotations.is_empty() || game.warnings.repair().is_some() {
                return;
            }
            let text = format!("{}\n{{x}}\n", String::from_utf8_lossy(text).trim_end());
            let other = read_one(&text).unwrap();
            assert_eq!(other.annotations.len(), 1);
            assert_eq!((&other.moves, &other.steps), (&game.moves, &game.steps), "{text}");
            assert_eq!((other.last, other.outcome), (game.last, game.outcome), "{text}");
            assert_eq!(other.warnings, game.warnings, "{text}");
            games += 1;
        });
        assert!(!is_famous(&path) || games == FAMOUS, "{games}");
    }
}

#[test]
fn every_game_is_stored_or_rejected_for_a_known_reason() {
    for (path, most) in collections() {
        let (mut stored, mut rejected) = (0, Vec::new());
        each_game(&path, most, |_, game| match game {
            Ok(_) => stored += 1,
            Err(reject) => rejected.push(reject.reason.key()),
        });
        assert_eq!(rejected, rejected_of(&path), "{}", path.display());
        assert_eq!(stored, storable_in(&path, most), "{}", path.display());
    }
}

#[test]
fn annotations_are_dropped_on_demand_and_counted() {
    let mut bytes = Vec::new();
    File::open(data("annotated.pgn")).unwrap().read_to_end(&mut bytes).unwrap();
    let mut reader = Reader::with_options(ReadOptions { annotations: false, ..ReadOptions::default() });
    let mut dropped = 0;
    let mut cutter = GameSplitter::new(&bytes[..]);
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        for piece in &batch.games {
            for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                let game = game.unwrap();
                assert!(game.annotations.is_empty());
                dropped += game.warnings.count(Warning::CommentsDropped);
            }
        }
    }
    assert!(dropped > 0);
}

/// How python-chess compares original games with the written ones (a name and two texts each).
#[derive(Debug, serde::Deserialize)]
struct Verdict {
    /// Games that are the same, by name.
    same: BTreeMap<String, usize>,
    /// Games that python-chess itself cannot read in the original, by name.
    unread: BTreeMap<String, usize>,
    /// Names of games that differ.
    different: Vec<String>,
    /// Positions compared.
    positions: usize,
}

fn compared(python: &Path, pairs: &[[String; 3]]) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs");
    let mut out = BufWriter::new(File::create(&file).unwrap());
    for pair in pairs {
        serde_json::to_writer(&mut out, pair).unwrap();
        out.write_all(b"\n").unwrap();
    }
    out.flush().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/compare.py");
    let output = Command::new(python).arg(script).arg(&file).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    eprintln!("{errors}");
    let verdict: Verdict = serde_json::from_slice(&output.stdout).unwrap();
    let printed =
        verdict.same.values().chain(verdict.unread.values()).sum::<usize>() + verdict.different.len();
    assert_eq!(printed, pairs.len());
    verdict
}

/// The maximum number of games of a file that python-chess cannot read, by file name prefix.
const UNREAD: [(&str, usize); 3] = [
    ("lichess_study_lichess-practice-greek-gift", 1),
    ("lichess_study_lichess-practice-the-fork", 2),
    ("variants.pgn", 4),
];

/// Every game that python-chess reads from the source must be the same when it reads the output.
#[test]
fn an_independent_reader_reads_the_same_from_the_output() {
    let Some(python) = python() else { return };
    let (mut pairs, mut moves) = (Vec::new(), 0);
    for (path, _) in collections() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        each_game(&path, trials(600, 5_000), |text, game| {
            let Some(game) = game.ok().filter(|game| game.warnings.count(Warning::NotUtf8) == 0) else {
                return;
            };
            // For python-chess a second blank line after the tags ends the game.
            let lines = std::str::from_utf8(text).unwrap().replace("\r\n", "\n");
            let extra = game.warnings.count(Warning::ExtraBlankLines) > 0;
            let source = if extra { lines.replacen("\n\n\n", "\n\n", 1) } else { lines };
            moves += if data(&name).exists() { game.moves.len() + 1 } else { 0 };
            pairs.push([name.clone(), source, written(&game)]);
        });
    }
    let verdict = compared(&python, &pairs);
    eprintln!("{verdict:?}");
    assert!(verdict.different.is_empty(), "{:?}", verdict.different);
    for (name, games) in [("famous.pgn", FAMOUS), ("annotated.pgn", 1), ("setup.pgn", 1), ("chess960.pgn", 1)]
    {
        assert_eq!(verdict.same.get(name), Some(&games), "{name}");
    }
    assert!(verdict.positions >= moves, "{} of {moves}", verdict.positions);
    for (name, games) in &verdict.unread {
        let expected = UNREAD.iter().any(|(start, most)| name.starts_with(start) && games <= most);
        assert!(expected, "{name}: {games}");
    }
}

#[test]
fn the_independent_reader_notices_a_change() {
    let Some(python) = python() else { return };
    let (_, text) = annotated();
    let pair =
        |name: usize, text: &str, written: &str| [name.to_string(), text.to_owned(), written.to_owned()];
    let mut pairs = vec![pair(0, &text, &text)];
    // The result is not compared: it is in the tags.
    let changed: Vec<String> = not_quite(&text).into_iter().take(4).collect();
    pairs.extend((1..).zip(&changed).map(|(number, changed)| pair(number, &text, changed)));
    let verdict = compared(&python, &pairs);
    assert_eq!(verdict.different, ["1", "2", "3", "4"]);
    assert_eq!(verdict.same.get("0"), Some(&1));
}

/// Real games with a few bytes changed: everything that is stored can be written and read back.
#[test]
fn damaged_games_are_rejected_or_valid() {
    let rounds = trials(5_000, 200_000);
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for (path, _) in collections() {
        each_game(&path, 200, |text, game| {
            if game.is_ok() && text.len() < 6_000 {
                texts.push(text.to_vec());
            }
        });
    }
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let (mut stored, mut rejected, mut reader) = (0, 0, Reader::new());
    for _ in 0..rounds {
        let mut text = texts[random(texts.len())].clone();
        for _ in 0..=random(3) {
            damage(&mut text, &texts, &mut random);
        }
        for (_, game) in reader.read(&text) {
            match game {
                Ok(game) => {
                    assert_fixed_point(&game);
                    stored += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    eprintln!("{rounds} damaged pieces: {stored} games stored, {rejected} rejected");
    assert!(stored > rounds / 10 && rejected > rounds / 10);
}

/// Drops, duplicates, flips or replaces some bytes of a text.
fn damage(text: &mut Vec<u8>, others: &[Vec<u8>], random: &mut impl FnMut(usize) -> usize) {
    let at = random(text.len());
    let end = (at + 1 + random(20)).min(text.len());
    match random(5) {
        0 => drop(text.drain(at..end)),
        1 => text[at] ^= 1 << random(8),
        2 => text[at] = b"(){};!$%\n\r[]\"'. \0\xff0O-=x"[random(23)],
        3 => {
            let part = text[at..end].to_vec();
            text.splice(at..at, part);
        }
        _ => {
            let other = &others[random(others.len())];
            let from = random(other.len());
            let part = other[from..(from + 1 + random(200)).min(other.len())].to_vec();
            text.splice(at..end, part);
        }
    }
    if text.is_empty() {
        text.push(b'*');
    }
}
