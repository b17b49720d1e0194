use super::*;
use crate::write::{TagOrder, write_game};
use plybook_chess::chess::{Annotation, BROKEN};

#[test]
fn games_beyond_the_limit_of_one_line_are_rejected() {
    for more in [0, 1, 2] {
        let text = "1. e4 * ".repeat(MAX_GAMES_TOGETHER + more);
        let (mut read, mut rejects) = (0, Vec::new());
        for (Range { start, end }, game) in Reader::new().read(text.as_bytes()) {
            match game {
                Ok(_) => read += 1,
                Err(reject) => rejects.push((start, end, reject.reason)),
            }
        }
        assert_eq!(read, MAX_GAMES_TOGETHER);
        // The space before the rest belongs to it.
        let rest = (8 * MAX_GAMES_TOGETHER - 1, text.len(), RejectReason::TooManyTogether);
        assert_eq!(rejects, if more > 0 { vec![rest] } else { Vec::new() });
    }
}

/// The only game of a text.
fn game(text: &str, strict: bool) -> Result<Game, Reject> {
    let mut games = Vec::new();
    let mut reader = Reader::with_options(ReadOptions { strict, ..ReadOptions::default() });
    games.extend(reader.read(text.as_bytes()).map(|(_, game)| game));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn a_second_result_that_differs_is_reported_and_kept() {
    for (text, outcome, at) in [
        ("1. e4 e5 * 1-0", "1-0", 11),
        ("1. e4 * {x} 1/2-1/2", "1/2-1/2", 12),
        ("1. e4 *\n\n1-0", "1-0", 9),
        ("1. e4 e5 1-0 0-1", "1-0", 13),
        ("1. e4 e5 1-0 *", "1-0", 13),
        ("1. e4 0-0 1-0", "1-0", 6),
    ] {
        let read = game(text, false).unwrap();
        assert_eq!((read.outcome.as_str(), read.raw.as_deref()), (outcome, Some(text.as_bytes())), "{text}");
        assert!(read.warnings.places().contains(&(Warning::OddResults, at)), "{text} {:?}", read.warnings);
        assert!(matches!(game(text, true).unwrap_err().reason, RejectReason::NeedsRepair(_)), "{text}");
    }
    let twice = game("[White \"w\"]\n\n1. e4 e5 1-0 1-0", true).unwrap();
    assert_eq!((twice.outcome.as_str(), twice.warnings.repair()), ("1-0", None));
}

#[test]
fn a_game_gets_no_warning_for_the_encoding_of_another_in_its_text() {
    let text = b"1. e4 {x} * 1. d4 {\xe9} * 1. c4 {x} *";
    let mut odd = Vec::new();
    for (_, game) in Reader::new().read(text) {
        odd.push(game.unwrap().warnings.count(Warning::NotUtf8));
    }
    assert_eq!(odd, [0, 1, 0]);
    // Nor does it scan all of their text, which would take minutes.
    let game = [&b"1. e4 "[..], &b"{\xe9} ".repeat(48), b"e5 * "].concat();
    let (many, mut reader) = (game.repeat(MAX_GAMES_TOGETHER), Reader::new());
    assert_eq!(reader.read(&many).filter(|(_, game)| game.is_ok()).count(), MAX_GAMES_TOGETHER);
}

#[test]
fn a_bad_line_among_the_tags_is_reported_with_its_place_and_refused_by_strict_reading() {
    for (line, warning) in [
        ("[Annotator]", Warning::BadTagLines),
        ("[White Elo \"2400\"]", Warning::BadTagLines),
        ("[%evp 0,30]", Warning::BadTagLines),
        ("[]", Warning::BadTagLines),
        ("[Annotator “me”]", Warning::BadTagLines),
        ("Played in the park", Warning::BadTagLines),
        ("[Opening \"x\"]]", Warning::OddTag),
    ] {
        let text = format!("[Event \"a\"]\n{line}\n[White \"w\"]\n\n1. e4 *\n");
        let read = game(&text, false).unwrap();
        assert_eq!(read.warnings.places(), [(warning, 12)], "{text}");
        assert_eq!((read.tags.get("White"), read.raw.as_deref()), (Some("w"), Some(text.as_bytes())));
        assert_eq!(game(&text, true).unwrap_err().reason, RejectReason::NeedsRepair(warning));
    }
}

#[test]
fn a_bad_line_after_the_last_tag_pair_is_kept_like_one_between_them() {
    let moves = ["\n\n1. e4 *", "\n\n{first} 1. e4 *", "\n \n\n1. e4 *", "\r\n\r\n1. e4 *"];
    for line in ["[ECO C20", "ECO \"C20\"", "x [ECO \"C20\"]", "Played\nin the park", "[Annotator]"] {
        for moves in moves {
            let text = format!("[White \"w\"]\n{line}{moves}");
            let read = game(&text, false).unwrap();
            assert_eq!(read.warnings.places(), [(Warning::BadTagLines, 12)], "{text}");
            assert_eq!((read.moves.len(), read.raw.as_deref()), (1, Some(text.as_bytes())), "{text}");
        }
    }
    // Text apart from the tag pairs, and text that may decide how the moves are read.
    for lines in ["\nPlayed in the park", "[FEN k7/8/8/8/8/8/8/K7", "FEN \"k7/8\"", "in\nVariant: horde"] {
        for after in ["\n\n1. e4 *", "\n[Event \"e\"]\n\n1. e4 *"] {
            let read = game(&format!("[White \"w\"]\n{lines}{after}"), false);
            let is_text_apart = lines.starts_with('\n') && after.contains("Event");
            assert_eq!(read.is_ok(), is_text_apart, "{lines}{after}");
        }
    }
}

#[test]
fn the_dash_of_a_result_that_was_cut_is_no_null_move() {
    for text in ["1. e4 e5 1-", "1. e4 e5 0-", "1. e4 e5 1/2-"] {
        let reject = game(text, false).unwrap_err();
        assert!(
            reject.to_string().starts_with("2.") && reject.to_string().ends_with("is not a move"),
            "{text} {reject}"
        );
    }
    assert_eq!(game("1. e4 e5 2. - *", false).unwrap().warnings.count(Warning::OddNullMoves), 1);
}

#[test]
fn the_last_of_a_repeated_tag_counts_and_all_are_kept() {
    let text = "[White \"a\"]\n[White \"b\"]\n[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\
                [FEN \"k7/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *";
    let read = game(text, false).unwrap();
    let tags: Vec<_> = read.tags.iter().map(|(name, _)| name).collect();
    assert_eq!((read.tags.get("White"), tags), (Some("b"), vec!["White", "White", "FEN"]));
    assert_eq!(
        read.warnings.places(),
        [(Warning::RepeatedTags, 12), (Warning::BadTagLines, text.find("[FEN \"k7").unwrap())]
    );
    let text = "[White \"a\"]\n[White \"b\"]\n\n1. e4 *";
    assert_eq!(game(text, true).unwrap().warnings.places(), [(Warning::RepeatedTags, 12)]);
}

#[test]
fn odd_null_moves_and_results_are_reported_and_refused_by_strict_reading() {
    for (text, warning) in [
        ("1. e4 ---", Warning::OddNullMoves),
        ("1. e4 (1. ---- e5)", Warning::OddNullMoves),
        ("1. e4 - *", Warning::OddNullMoves),
        ("1. e4 Z1 *", Warning::OddNullMoves),
        ("1. e4 0.5-0.5", Warning::OddResults),
        ("1. e4 0,0-1,0", Warning::OddResults),
        ("1. e4 1 \u{2014} 0", Warning::OddResults),
    ] {
        assert_eq!(game(text, false).unwrap().warnings.count(warning), 1, "{text}");
        assert_eq!(game(text, true).unwrap_err().reason, RejectReason::NeedsRepair(warning), "{text}");
    }
}

#[test]
fn both_lost_is_no_castling() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ";
    for (tag, end, plies) in
        [("0-0", "0-0", 6), ("0-0", "4. 0-0 0-0", 7), ("*", "4. 0-0", 7), ("0-0", "4. 0-0 h6", 8)]
    {
        let read = game(&format!("[Result \"{tag}\"]\n\n{moves}{end}"), false).unwrap();
        assert_eq!(
            (read.moves.len(), read.outcome),
            (plies, plybook_chess::rules::Outcome::Unknown),
            "{end}"
        );
    }
}

#[test]
fn a_first_move_after_a_blank_line_begins_a_game() {
    let read = |text: &str| {
        let mut reader = Reader::new();
        reader.read(text.as_bytes()).map(|(_, game)| game.unwrap().moves.len()).collect::<Vec<_>>()
    };
    assert_eq!(read("1. e4 c5 2. Nf3\n\n1. d4 d5 2. c4\n\n1. c4 e5"), [3, 3, 2]);
    assert_eq!(read("[White \"w\"]\n\n1. e4 c5\r\n\r\n1 d4\r\n"), [2, 1]);
    // Not after a line end, in a comment, in a variation, before the first move, or if Black moves.
    assert_eq!(read("1. e4 {\n\n1. d4\n\n} (\n\n1. d4)\n\n1... c5\n2. Nf3"), [3]);
    assert_eq!(read("1.\n\n1. e4\n1. c5\n\n2. Nf3"), [3]);
    assert_eq!(read("e4\n\n1. c5\n2. Nf3"), [3]);
}

#[test]
fn a_variation_that_cannot_be_played_names_the_move_its_number_and_its_place() {
    for (text, at, reason) in [
        ("1. e4 e5 2. Nf3 (2. Bc4\nNf6 3. Qh9) *", "Qh9", "3.Qh9 is not a move"),
        ("1. e4 e5 (1... c5 2. Ke3) 2. Nf3 *", "Ke3", "2.Ke3 is not a legal move"),
        ("1. e4 (1. d4 Nf6 (d5 2. c4 (2. Qd8) dxc4)) *", "Qd8", "2.Qd8 is not a legal move"),
        ("1. e4 e5 2. Qh5 (2. Bc4 g6 3. Bxf7+ --) *", "--) *", "3...-- is a null move"),
        ("1. e4 e5 ((1... c5) 1... e6) *", "(1... c5", "a variation appears before the first move"),
    ] {
        let read = game(text, false).unwrap();
        let Reject { reason: found, at: place } = read.warnings.detail(Warning::BrokenVariations).unwrap();
        let expected = format!("a variation is kept as a comment: {reason}");
        assert!(found.to_string().starts_with(&expected), "{text}: {found}");
        assert!(text[place..].starts_with(at), "{text}: {place}");
    }
}

#[test]
fn a_game_that_no_language_can_play_is_rejected_for_the_language_that_gets_furthest() {
    let options = ReadOptions { letters: PieceLetters::Auto, ..ReadOptions::default() };
    for (text, reason) in [
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lf8 *", "4.Lf8 is not a legal move"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bf8 *", "4.Bf8 is not a legal move"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Ff8 *", "4.Ff8 is not a legal move"),
        ("1. e4 Rh9 *", "1...Rh9 is not a move"),
    ] {
        let reject = Reader::with_options(options).read(text.as_bytes()).next().unwrap().1.unwrap_err();
        assert!(reject.reason.to_string().starts_with(reason), "{text}: {reject}");
    }
}

/// The only game of a text, kept up to a move that cannot be played.
fn kept(text: &str, options: ReadOptions) -> Result<Game, Reject> {
    let mut reader = Reader::with_options(ReadOptions { keep_broken: true, ..options });
    let mut games: Vec<_> = reader.read(text.as_bytes()).map(|(_, game)| game).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn a_game_is_kept_up_to_its_first_illegal_move_with_the_rest_as_a_comment() {
    for (text, plies, broken, rest) in [
        ("1. e4 e5 2. Ke3 Nc6 1-0", 2, "2. Ke3", "2. Ke3 Nc6"),
        ("1. e4 {x} e5 2. Nf3 Ke6 {a} (2... Nc6) 3. d4 1-0", 3, "2... Ke6", "Ke6 {a} (2... Nc6) 3. d4"),
        ("1. e4 e5 2. Nf3\n2... Ke6\n3. d4\n1-0", 3, "2... Ke6", "2... Ke6\n3. d4"),
        ("1. e4 e5 2. Ke3 {a}\nNc6 (2... a6 0-1) 1-0", 2, "2. Ke3", "2. Ke3 {a} Nc6 (2... a6 0-1)"),
        ("1. e4 e5 2. what ; is\n\n this 1-0", 2, "2. what", "2. what ; is\n\n this"),
        ("1. Nf3 d5 2. d3 d4 3. Nd2 1-0", 4, "3. Nd2", "3. Nd2"),
        ("1. e4 e5 2. N@f3 1-0", 2, "2. N@f3", "2. N@f3"),
        ("1. e4 e5 2. -- Ke6 1-0", 2, "2... Ke6", "Ke6"),
    ] {
        let game = kept(text, ReadOptions::default()).unwrap();
        assert_eq!((game.moves.len(), game.tags.get(BROKEN)), (plies, Some(broken)), "{text}");
        let comments = game.annotations.iter().filter_map(|(_, annotation)| match annotation {
            Annotation::Comment(comment) => Some(comment.to_owned()),
            _ => None,
        });
        assert_eq!(comments.last().as_deref(), Some(rest), "{text}");
        assert_eq!((game.outcome.as_str(), game.raw.as_deref()), ("1-0", Some(text.as_bytes())), "{text}");
        assert!(game.warnings.detail(Warning::BrokenGames).is_some(), "{text}");
        // What is written is the same game, and legal.
        let mut written = String::new();
        let (tags, start, moves) = (&game.tags, &game.start(), &game.moves);
        let order = TagOrder::AsTheyAre;
        write_game(&mut written, tags, order, start, moves, &game.annotations, game.outcome);
        for again in [self::game(&written, false).unwrap(), kept(&written, ReadOptions::default()).unwrap()] {
            assert_eq!((&again.tags, &again.moves), (&game.tags, &game.moves), "{written}");
            assert_eq!(again.annotations, game.annotations, "{written}");
        }
    }
}

#[test]
fn a_broken_game_is_rejected_if_it_has_no_legal_move_or_reading_is_strict() {
    let strict = ReadOptions { strict: true, ..ReadOptions::default() };
    for (text, options) in [
        ("[White \"w\"]\n\n1. Ke3 e5 *", ReadOptions::default()),
        ("[White \"w\"]\n\nA letter to the editor. 1. e4 *", ReadOptions::default()),
        ("1. e4 e5 2. Ke3 *", strict),
    ] {
        let reject = kept(text, options).unwrap_err();
        assert!(reject.reason.word().is_some(), "{text}: {reject}");
        assert_eq!(reject, game(text, options.strict).unwrap_err(), "{text}");
    }
}

#[test]
fn a_broken_game_in_another_language_is_kept_in_the_language_that_gets_furthest() {
    let options = ReadOptions { letters: PieceLetters::Auto, ..ReadOptions::default() };
    let game = kept("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lf8 *", options).unwrap();
    assert_eq!((game.moves.len(), game.tags.get(BROKEN)), (6, Some("4. Lf8")));
}
