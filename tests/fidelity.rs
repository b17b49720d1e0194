//! Whole PGN in, whole PGN out: what is read is written, and what was written is read again as the same.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod pgn_support;

use std::{
    fs::File,
    io::{BufWriter, Read, Write},
    process::{Command, Stdio},
};

use common::data;
use pgn_support::{collections, each_game, folder, read_one};
use plybook::pgn::{Cutter, Game, Note, ReadOptions, Reader, write_game};

fn written(game: &Game) -> String {
    let mut text = String::new();
    write_game(&mut text, &game.tags, &game.start(), &game.moves, &game.annotations, game.outcome);
    text
}

/// Writes a game, reads that, writes it again: nothing may change any more.
fn assert_fixed_point(game: &Game) {
    let first = written(game);
    let again = read_one(&first).unwrap_or_else(|reject| panic!("{reject}: {first}"));
    assert_eq!(again.moves, game.moves);
    assert_eq!(again.annotations, game.annotations, "{first}");
    assert_eq!(again.outcome, game.outcome);
    assert_eq!(again.notes.repair(), None, "{first}");
    assert_eq!(written(&again), first);
}

#[test]
fn writing_and_reading_again_changes_nothing() {
    let (mut games, mut annotated) = (0, 0);
    for (path, most) in collections() {
        each_game(&path, most, |_, game| {
            if let Ok(game) = game {
                assert_fixed_point(&game);
                games += 1;
                annotated += usize::from(!game.annotations.is_empty());
            }
        });
    }
    eprintln!("{games} games written and read again, {annotated} of them annotated");
    assert!(annotated > 0);
}

#[test]
fn both_readers_agree() {
    // A comment makes a plain game one for the other reader.
    let mut games = 0;
    for (path, most) in collections() {
        each_game(&path, most, |text, game| {
            let Ok(game) = game else { return };
            if !game.annotations.is_empty() || game.notes.repair().is_some() {
                return;
            }
            let text = format!("{}\n{{x}}\n", String::from_utf8_lossy(text).trim_end());
            let other = read_one(&text).unwrap();
            assert_eq!(other.annotations.len(), 1);
            assert_eq!((&other.moves, &other.digits), (&game.moves, &game.digits), "{text}");
            assert_eq!((other.last, other.outcome), (game.last, game.outcome), "{text}");
            assert_eq!(other.notes, game.notes, "{text}");
            games += 1;
        });
    }
    eprintln!("{games} games read by both readers");
    assert!(games > 50);
}

#[test]
fn every_game_of_the_odd_collections_has_a_verdict() {
    for name in ["annotated", "hard"] {
        for path in folder(name) {
            let (mut stored, mut verdicts) = (0, Vec::new());
            each_game(&path, usize::MAX, |_, game| match game {
                Ok(game) => {
                    stored += 1;
                    let notes: Vec<&str> = game.notes.iter().map(|(note, _)| note.key()).collect();
                    if !notes.is_empty() {
                        verdicts.push(format!("stored with {}", notes.join(" ")));
                    }
                }
                Err(reject) => verdicts.push(format!("rejected: {reject}")),
            });
            let name = path.file_name().unwrap().to_string_lossy();
            eprintln!("{name}: {stored} stored; {}", verdicts.join("; "));
            assert!(stored + verdicts.len() > 0, "{name}");
        }
    }
}

#[test]
fn annotations_are_dropped_on_demand_and_counted() {
    let mut bytes = Vec::new();
    File::open(data("annotated.pgn")).unwrap().read_to_end(&mut bytes).unwrap();
    let mut reader = Reader::with_options(ReadOptions { annotations: false, ..ReadOptions::default() });
    let mut dropped = 0;
    let mut cutter = Cutter::new(&bytes[..]);
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        for piece in &batch.pieces {
            reader.read(&batch.text[piece.range.clone()], |_, _, game| {
                let game = game.unwrap();
                assert!(game.annotations.is_empty());
                dropped += game.notes.count(Note::CommentsDropped);
            });
        }
    }
    assert!(dropped > 0);
}

/// Every game that python-chess reads from the source must be the same when it reads what is written here.
#[test]
fn an_independent_reader_finds_the_same_in_what_is_written() {
    let python = Command::new("python3").args(["-c", "import chess.pgn"]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: python3 with the package chess is absent");
        return;
    }
    let long = std::env::var_os("PLYBOOK_LONG").is_some();
    let folder = tempfile::tempdir().unwrap();
    let (pairs, mut count) = (folder.path().join("pairs"), 0);
    let mut out = BufWriter::new(File::create(&pairs).unwrap());
    for (path, _) in collections() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        each_game(&path, if long { 5_000 } else { 600 }, |text, game| {
            let Some(game) = game.ok().filter(|game| game.notes.count(Note::NotUtf8) == 0) else { return };
            // For python-chess a second blank line after the tags is the end of the game.
            let lines = std::str::from_utf8(text).unwrap().replace("\r\n", "\n");
            let extra = game.notes.count(Note::ExtraBlankLines) > 0;
            let source = if extra { lines.replacen("\n\n\n", "\n\n", 1) } else { lines };
            let pair = [name.as_str(), &source, &written(&game)];
            serde_json::to_writer(&mut out, &pair).unwrap();
            out.write_all(b"\n").unwrap();
            count += 1;
        });
    }
    out.flush().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/compare.py");
    let output = Command::new("python3").arg(script).arg(&pairs).output().unwrap();
    eprintln!("{count} games: {}", String::from_utf8_lossy(&output.stdout).trim());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Real games with a few bytes changed: whatever is stored is a game that can be written and read again.
#[test]
fn damaged_games_are_rejected_or_sound() {
    let rounds = if std::env::var_os("PLYBOOK_LONG").is_some() { 200_000 } else { 5_000 };
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
        reader.read(&text, |_, _, game| match game {
            Ok(game) => {
                assert_fixed_point(&game);
                stored += 1;
            }
            Err(_) => rejected += 1,
        });
    }
    eprintln!("{rounds} damaged pieces: {stored} games stored, {rejected} rejected");
    assert!(stored > 0 && rejected > 0);
}

/// Drops, doubles, flips or replaces some bytes of a text.
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
