use super::*;

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
