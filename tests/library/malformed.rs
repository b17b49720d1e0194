//! Malformed games, one defect per file of `data/malformed/`. The first line gives the verdict: `% verdict: store`, `%
//! verdict: store with note <key>` or `% verdict: reject <key>`; for several games, the one verdict that is not
//! `store`. Then each game has a line: `% game: <plies> <result> <final position>` or `% game: reject <key>`; if they
//! differ much, the verdict is `as told`. Other lines may set `% letters: <language>`, `% variant: <name>`, `% strict`
//! or `% alone`: the specimen is a complete file, and cannot be placed between others. All other specimens are read
//! alone and between two good games, which must not be affected.

use std::{fs, io::Read, path::PathBuf};

use crate::common::{Bench, data};
use plybook::{
    chess::{Position, Variant},
    codec::annotation::{decode, encode},
    limits::{MAX_ANNOTATIONS, MAX_COMMENT_BYTES, MAX_VARIATION_DEPTH},
    pgn::{Game, GameSplitter, ReadOptions, Reader, Reject},
    sources::Source,
};

struct Specimen {
    name: String,
    verdict: String,
    /// The expected outcome of each game.
    games: Vec<String>,
    options: ReadOptions,
    /// The text without the lines about itself.
    text: Vec<u8>,
    /// Whether it is a complete file, and cannot be placed between others.
    alone: bool,
}

fn specimens() -> Vec<Specimen> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(data("malformed")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(specimen).collect()
}

fn specimen(path: PathBuf) -> Specimen {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut alone = name.starts_with("utf16");
    let mut games = Vec::new();
    let mut text = Vec::new();
    Source::File(path)
        .open(None, &Default::default(), 1, |reader| reader.read_to_end(&mut text))
        .unwrap()
        .unwrap();
    let mut options = ReadOptions::default();
    let mut verdict = String::new();
    let begin = text.iter().position(|&byte| byte == b'%').unwrap();
    while text.get(begin) == Some(&b'%') {
        let end = begin + text[begin..].iter().position(|byte| b"\r\n".contains(byte)).unwrap();
        let line: Vec<u8> = text.drain(begin..=end).collect();
        if text[begin] == b'\n' {
            text.remove(begin);
        }
        let line = line.trim_ascii();
        match std::str::from_utf8(line).unwrap().split_once(": ") {
            Some(("% verdict", printed)) => printed.clone_into(&mut verdict),
            Some(("% game", printed)) => games.push(printed.to_owned()),
            Some(("% letters", language)) => options.letters = language.parse().unwrap(),
            Some(("% variant", name)) => options.variant = Variant::from_name(name),
            Some(other) => panic!("{name}: {other:?}"),
            None if line == b"% alone" => alone = true,
            None => options.strict = true,
        }
    }
    Specimen { name, verdict, games, options, text, alone }
}

fn read(text: &[u8], options: ReadOptions) -> Vec<Result<Game, Reject>> {
    let (mut cutter, mut reader) = (GameSplitter::new(text), Reader::with_options(options));
    let mut games = Vec::new();
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        for piece in &batch.games {
            games.extend(reader.read(&batch.text[piece.range.clone()]).map(|(_, game)| game));
        }
    }
    games
}

/// The outcome of a game: its plies, its result and its last position, or the reason of its rejection.
fn fate(game: &Result<Game, Reject>) -> String {
    match game {
        Ok(game) => {
            let mut position = game.start();
            game.moves.iter().for_each(|&m| position.play_unchecked(m));
            let fen = plybook::record::fen(&position);
            let fields: Vec<&str> = fen.split(' ').take(2).collect();
            format!("{} {} {}", game.moves.len(), game.outcome, fields.join(" "))
        }
        Err(reject) => format!("reject {}", reject.reason.key()),
    }
}

/// Checks the games of a specimen; returns what is wrong.
fn misjudged(specimen: &Specimen, games: &[Result<Game, Reject>]) -> Option<String> {
    let Specimen { name, verdict, games: wanted, .. } = specimen;
    let fates: Vec<String> = games.iter().map(fate).collect();
    if fates != *wanted {
        let lines: Vec<String> = fates.iter().map(|fate| format!("% game: {fate}")).collect();
        return Some(format!("{name}: its games are\n{}", lines.join("\n")));
    }
    let printed: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(game) => {
                format!("stored {:?}", game.warnings.iter().map(|(note, _)| note.key()).collect::<Vec<_>>())
            }
            Err(reject) => format!("rejected {}: {reject}", reject.reason.key()),
        })
        .collect();
    let stored = |game: &Result<Game, Reject>| game.is_ok();
    let fits = if let Some(note) = verdict.strip_prefix("store with note ") {
        let has = |game: &Game| game.warnings.iter().any(|(other, _)| other.key() == note);
        games.iter().all(stored) && games.iter().flatten().any(has)
    } else if let Some(reason) = verdict.strip_prefix("reject ") {
        let rejects: Vec<&Reject> = games.iter().filter_map(|game| game.as_ref().err()).collect();
        !rejects.is_empty() && rejects.iter().all(|reject| reject.reason.key() == reason)
    } else {
        let plain = |game: &Result<Game, Reject>| game.as_ref().is_ok_and(|g| g.warnings.repair().is_none());
        verdict == "as told" || verdict == "store" && !games.is_empty() && games.iter().all(plain)
    };
    for game in games.iter().flatten() {
        assert_eq!(game.raw.is_some(), game.warnings.repair().is_some(), "{name}: the bytes are kept");
    }
    (!fits).then(|| format!("{name}: {verdict}, but {printed:?}"))
}

/// A good game, in English or with what all languages share.
fn good(event: &str) -> String {
    format!("[Event \"{event}\"]\n[Result \"1-0\"]\n\n1. e4 {{good}} e5 2. d4 d5 1-0\n\n")
}

fn is_good(game: &Result<Game, Reject>, event: &str) -> bool {
    let Ok(game) = game else { return false };
    game.tags.get("Event") == Some(event)
        && game.moves.len() == 4
        && game.annotations.counts().comments == 1
        && game.warnings == Default::default()
}

#[test]
fn every_specimen_has_its_verdict() {
    let all = specimens();
    let wrong: Vec<String> = all.iter().filter_map(|s| misjudged(s, &read(&s.text, s.options))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let rejected = all.iter().filter(|specimen| specimen.verdict.starts_with("reject")).count();
    eprintln!("{} specimens, {rejected} of them rejected", all.len());
    assert!(all.len() >= 80);
}

#[test]
fn a_lost_move_or_game_is_noticed() {
    let mut specimen = specimens().into_iter().find(|specimen| specimen.name == "clean").unwrap();
    let games = read(&specimen.text, specimen.options);
    assert_eq!(misjudged(&specimen, &games), None);
    let mut shorter = games.clone();
    shorter[0].as_mut().unwrap().moves.pop();
    assert!(misjudged(&specimen, &shorter).is_some());
    assert!(misjudged(&specimen, &[]).is_some());
    assert!(misjudged(&specimen, &[games.clone(), games.clone()].concat()).is_some());
    specimen.verdict = "store with note odd_tags".to_owned();
    assert!(misjudged(&specimen, &games).is_some());
}

#[test]
fn no_specimen_harms_its_neighbours() {
    let mut wrong = Vec::new();
    for specimen in specimens().iter().filter(|specimen| !specimen.alone) {
        let text = [good("before").as_bytes(), &specimen.text, b"\n\n", good("after").as_bytes()].concat();
        let games = read(&text, specimen.options);
        let [before, middle @ .., after] = &games[..] else { panic!("{}: too few games", specimen.name) };
        assert!(is_good(before, "before"), "{}: {before:?}", specimen.name);
        assert!(is_good(after, "after"), "{}: {after:?}", specimen.name);
        // The line ends of the neighbours hide the defect of this one.
        if specimen.name != "line_ends_cr" {
            wrong.extend(misjudged(specimen, middle));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_stored_is_read_back_unchanged() {
    for specimen in specimens() {
        for game in read(&specimen.text, specimen.options).into_iter().flatten() {
            let mut text = String::new();
            let Game { tags, moves, annotations, outcome, .. } = &game;
            let order = plybook::pgn::TagOrder::RosterFirst;
            plybook::pgn::write_game(&mut text, tags, order, &game.start(), moves, annotations, *outcome);
            let again = read(text.as_bytes(), ReadOptions { strict: true, ..ReadOptions::default() });
            let [Ok(again)] = &again[..] else { panic!("{}: {again:?}\n{text}", specimen.name) };
            let (was, is) =
                ((moves, annotations, outcome), (&again.moves, &again.annotations, &again.outcome));
            assert_eq!(is, was, "{}", specimen.name);
        }
    }
}

#[test]
fn all_of_them_can_be_imported_together() {
    let bench = Bench::new();
    let paths: Vec<PathBuf> =
        fs::read_dir(data("malformed")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    let report = bench.import(&paths);
    let count = |name: &str| report[name].as_u64().unwrap();
    assert!(count("seen") >= 80);
    assert_eq!(count("seen"), count("stored") + count("duplicate") + count("rejected"));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// A game of one mainline ply with a text after it.
fn after_one_move(text: &str) -> Vec<Result<Game, Reject>> {
    read(format!("[Event \"limits\"]\n\n1. e4 {text} e6 *\n").as_bytes(), ReadOptions::default())
}

fn reason(games: &[Result<Game, Reject>]) -> &'static str {
    match games {
        [Ok(_)] => "stored",
        [Err(reject)] => reject.reason.key(),
        _ => panic!("{} games", games.len()),
    }
}

#[test]
fn limits_apply_exactly() {
    let comment = |bytes: usize| format!("{{{}}}", "x".repeat(bytes));
    let levels = |depth: usize| format!("{}{}", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let after_null =
        |depth: usize| format!("-- 2. d4 {}{} d5 3. --", "(2. a3 ".repeat(depth), ")".repeat(depth));
    let nags = |count: usize| "$1 ".repeat(count);
    for (limit, text, above) in [
        (MAX_COMMENT_BYTES, &comment as &dyn Fn(usize) -> String, "comment_too_large"),
        (MAX_VARIATION_DEPTH, &levels, "too_deep"),
        (MAX_VARIATION_DEPTH, &after_null, "too_deep"),
        (MAX_ANNOTATIONS, &nags, "too_many_annotations"),
    ] {
        for (count, verdict) in [(limit - 1, "stored"), (limit, "stored"), (limit + 1, above)] {
            let games = after_one_move(&text(count));
            assert_eq!(reason(&games), verdict, "{count}");
            if let [Ok(Game { annotations, moves, .. })] = &games[..] {
                let start = games[0].as_ref().unwrap().start();
                let bytes = encode(annotations, &start, moves).unwrap();
                assert_eq!(decode(&bytes, &start, moves).as_ref(), Ok(annotations));
            }
        }
    }
}

#[test]
fn a_million_parentheses_are_refused() {
    assert_eq!(reason(&after_one_move(&"(".repeat(1_000_000))), "unmatched_parenthesis");
    let nested = format!("{}{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
    // It is not a playable variation, and too large for a comment.
    assert_eq!(reason(&after_one_move(&nested)), "comment_too_large");
}

#[test]
fn positions_of_errors_are_bytes_of_the_source_in_every_encoding() {
    let text = b"1. e4 {\xe9\xe9} e5 *\n1. d4 {\xe9} Ke5 *\n";
    let seen: Vec<_> = Reader::new().read(text).collect();
    let [(first_bytes, Ok(first)), (second_bytes, Err(reject))] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(first.raw.as_deref(), Some(&text[first_bytes.clone()]));
    assert_eq!((first_bytes.start, first_bytes.end, second_bytes.end), (0, second_bytes.start, text.len()));
    assert!(text[second_bytes.start + reject.at..].starts_with(b"Ke5"));
}

#[test]
fn reasons_of_rejected_games_name_no_command_and_words_of_other_languages_can_be_told() {
    let reason = |text: &str| {
        let mut reader = Reader::new();
        let read = reader.read(text.as_bytes()).next().unwrap().1;
        read.unwrap_err().reason
    };
    let word = reason("1. e4 e5 2. Sf3 *");
    assert_eq!(word.to_string(), "2.Sf3 is not a move");
    assert!(word.has_foreign_letters() && !reason("1. e4 e5 2. foo *").has_foreign_letters());
    let drop = reason("1. e4 d5 2. exd5 Qxd5 3. P@e4 *");
    assert_eq!(drop.to_string(), "3.P@e4 drops a piece, which this variant does not allow");
}
