#![allow(clippy::unwrap_used)]

use plybook_chess::{chess::Tags, codec::CodecId};
use plybook_pgn::{ReadOptions, Reader};

use super::*;
use crate::{Family, GameKind, Record, Sides, StoredGame, TagLayoutCache, TextOptions};

fn stored(pgn: &str) -> StoredGame {
    let mut reader = Reader::with_options(ReadOptions::default());
    let game = reader.read(pgn.as_bytes()).next().unwrap().1.unwrap();
    let (kind, setup) =
        (GameKind::Chess(game.variant), game.set_up.then(|| game.tags.get("FEN").unwrap().to_owned()));
    let record = Record::of_pgn(game, CodecId::default(), &mut TagLayoutCache::default()).unwrap();
    let marks = record.sides.get(Sides::ANNOTATION).to_vec();
    let Record { moves, plies, result, tags, .. } = record;
    StoredGame { id: 1, kind, codec: CodecId::default(), moves, plies, result, tags, setup, marks }
}

/// The moves of a game as PGN, in one line.
fn moves(game: &StoredGame) -> String {
    let mut text = String::new();
    Family::Chess.write(game, &TextOptions::default(), &mut text).unwrap();
    text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn tags(pairs: &[(&str, &str)]) -> Tags {
    pairs.iter().copied().collect()
}

const ADDRESS: &str = "[Site \"https://lichess.org/1xDrOVaj\"]\n[White \"a\"]\n[Black \"b\"]\n";

/// What one record says of another, and what both say.
fn compared(old: &str, new: &str) -> (Comparison, String) {
    let [old, new] = [old, new].map(|moves| stored(&format!("{ADDRESS}\n{moves}")));
    let joined = join(&old, &new, Priority::New).unwrap();
    Record::of_stored(joined.clone(), Sides::default(), &mut TagLayoutCache::default()).unwrap();
    (compare(&old, &new).unwrap(), moves(&joined))
}

#[test]
fn addresses_of_one_game_are_equal_and_others_are_not() {
    let same: [&[(&str, &str)]; 4] = [
        &[
            ("Site", "https://lichess.org/1xDrOVaj"),
            ("Site", "https://lichess.org/1xDrOVaj/black#20"),
            ("Site", "https://lichess.org/1xDrOVajWXYZ"),
            ("Site", "http://www.lichess.org/1xDrOVaj?x"),
            ("GameId", "1xDrOVaj"),
        ],
        &[
            ("GameURL", "https://lichess.org/broadcast/a-b/round-1/AbCdEfGh/12345678"),
            ("Site", "https://lichess.org/study/AbCdEfGh/12345678"),
            ("ChapterURL", "https://lichess.org/study/AbCdEfGh/12345678"),
        ],
        &[
            ("Link", "https://www.chess.com/game/live/7"),
            ("Link", "https://www.chess.com/live/7?move=0"),
            ("Link", "https://www.chess.com/analysis/game/live/7"),
            ("Link", "https://www.chess.com/analysis/game/live/7?tab=review"),
        ],
        &[
            ("Link", "https://www.chess.com/game/daily/7"),
            ("Link", "https://www.chess.com/game/daily/7?move=0"),
        ],
    ];
    let of = |pair: &(&str, &str)| Identities::of(&tags(&[*pair])).address;
    for (group, pairs) in same.iter().enumerate() {
        assert!(pairs.iter().all(|pair| of(pair).is_some() && of(pair) == of(&pairs[0])), "{pairs:?}");
        assert!(same.iter().skip(group + 1).all(|others| of(&others[0]) != of(&pairs[0])), "{pairs:?}");
    }
    for none in [
        ("Site", "https://lichess.org/analysis"),
        ("Site", "https://lichess.org/practice"),
        ("Site", "https://lichess.org/tournament/1xDrOVaj"),
        ("Site", "https://lichess.org"),
        ("Site", "https://example.org/1xDrOVaj"),
        ("Site", "Linares"),
        ("GameId", "7"),
        ("GameId", "1234567890"),
        ("Link", "https://www.chess.com/events/live/7"),
        ("Link", "https://www.chess.com/game/live/"),
    ] {
        assert_eq!(of(&none), None, "{none:?}");
    }
}

#[test]
fn a_meeting_needs_players_event_date_and_round() {
    let full = [("White", "a"), ("Black", "b"), ("Event", "e"), ("Date", "2026.11.29"), ("Round", "1.2")];
    let of = |pairs: &[_]| Identities::of(&tags(pairs)).meeting;
    assert!(of(&full).is_some());
    for place in 0..full.len() {
        for unknown in
            ["", "?", "-", "2026.11.??"].into_iter().take(if full[place].0 == "Date" { 4 } else { 3 })
        {
            let mut pairs = full;
            pairs[place].1 = unknown;
            assert_eq!(of(&pairs), None, "{pairs:?}");
        }
        let mut pairs = full;
        pairs[place].1 = "2025.11.29";
        assert_ne!(of(&pairs), of(&full), "{pairs:?}");
    }
}

#[test]
fn a_record_that_only_adds_is_told_from_one_that_contradicts() {
    let clocks = "1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:58] } *";
    let analysed = "1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 $6 { [%eval 0.3] [%clk 0:02:58] } (1... c5) 2. Nf3 1-0";
    for (old, new, expected, joined) in [
        (clocks, clocks, Comparison::NothingNew, clocks),
        (clocks, analysed, Comparison::OnlyNew, analysed),
        (analysed, clocks, Comparison::NothingNew, analysed),
        (
            "1. e4 { Good } *",
            "1. e4 { Best by  test } *",
            Comparison::Both,
            "1. e4 { Best by test } { Good } *",
        ),
        (
            "1. e4 { [%eval 0.1] old } *",
            "1. e4 { [%eval 0.2] } *",
            Comparison::Both,
            "1. e4 { [%eval 0.2] } { old } *",
        ),
        (
            "1. e4 e5 2. Nf3 { a } *",
            "1. e4 { b } e5 1-0",
            Comparison::Both,
            "1. e4 { b } 1... e5 2. Nf3 { a } 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 { x } *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 { y } Bc5 4. O-O *",
            Comparison::Both,
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 { y } (3. Bb5 a6 { x }) 3... Bc5 4. O-O *",
        ),
        ("1. d4 d5 2. c4 e6 *", "1. e4 e5 *", Comparison::SameAddress, "1. d4 (1. e4 e5) 1... d5 2. c4 e6 *"),
        (
            "1. e4 (1. d4) { a } 1... e5 *",
            "1. e4 (1. c4) *",
            Comparison::Both,
            "1. e4 { a } (1. c4) (1. d4) 1... e5 *",
        ),
    ] {
        let (found, text) = compared(old, new);
        assert_eq!(found, expected, "{old} / {new}");
        if found != Comparison::NothingNew {
            assert_eq!(text.replace("  ", " "), joined, "{old} / {new}");
        }
    }
}

#[test]
fn an_edited_game_keeps_its_words_and_gains_evaluations_and_moves() {
    let game = |tags: &str, moves: &str| stored(&format!("{ADDRESS}{tags}\n{moves}"));
    let edited = game("[Event \"Mine\"]\n[ECO \"?\"]\n", "1. e4 { my note } (1. d4) 1... e5 *");
    let new = game(
        "[Event \"Blitz\"]\n[ECO \"C20\"]\n[Opening \"x\"]\n",
        "1. e4 $2 { [%eval 0.1] other } (1. c4) 1... e5 2. Nf3 { so } 1-0",
    );
    let joined = join(&edited, &new, Priority::Stored).unwrap();
    assert_eq!(moves(&joined), "1. e4 { my note } { [%eval 0.1] } (1. d4) 1... e5 2. Nf3 { so } 1-0");
    let value = |name| joined.tags.get(name);
    assert_eq!([value("Event"), value("ECO"), value("Opening")], [Some("Mine"), Some("C20"), None]);
    // The edited moves stay, and the others become a variation.
    let other = join(&edited, &game("", "1. e4 c5 2. Nf3 *"), Priority::Stored).unwrap();
    assert_eq!(moves(&other), "1. e4 { my note } (1. d4) 1... e5 (1... c5 2. Nf3) *");
}

#[test]
fn joined_tags_are_never_less_known() {
    for (old, new, expected) in [
        ("2026.??.??", "2026.11.29", "2026.11.29"),
        ("2026.11.29", "2026.??.??", "2026.11.29"),
        ("2026.11.29", "????.??.??", "2026.11.29"),
        ("2026.11.29", "2026.11.28", "2026.11.28"),
        ("2026.11.29", "", "2026.11.29"),
    ] {
        let [old, new] = [old, new].map(|date| stored(&format!("{ADDRESS}[Date \"{date}\"]\n\n1. e4 *")));
        assert_eq!(join(&old, &new, Priority::New).unwrap().tags.get("Date"), Some(expected));
    }
}

#[test]
fn a_meeting_is_one_game_only_if_one_record_continues_the_other() {
    let game = |moves: &str| {
        let tags = "[White \"a\"]\n[Black \"b\"]\n[Event \"e\"]\n[Date \"2026.11.29\"]\n[Round \"1\"]\n";
        stored(&format!("{tags}\n{moves}"))
    };
    let compared = |old: &str, new: &str| compare(&game(old), &game(new)).unwrap();
    assert_eq!(compared("1. e4 e5 *", "1. e4 e5 2. Nf3 *"), Comparison::OnlyNew);
    assert_eq!(compared("1. e4 e5 2. Nf3 *", "1. e4 *"), Comparison::NothingNew);
    assert_eq!(compared("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nc3 *"), Comparison::Others);
    assert_eq!(compared("*", "1. e4 e5 1-0"), Comparison::OnlyNew);
    assert_eq!(compared("0-1", "1. e4 e5 1-0"), Comparison::Others);
}
