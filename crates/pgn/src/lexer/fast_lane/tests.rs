use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus, Visitor};
use proptest::prelude::*;

use super::{
    super::{Lexer, Token},
    *,
};
use plybook_chess::rules::DRAW;

fn plain(text: &str, first: usize) -> Option<PlainMovetext> {
    PlainMovetext::default().read(text.as_bytes(), first).cloned()
}

#[test]
fn only_plain_movetexts_are_read() {
    let text = "\n\n1. e4 e5 2.Nf3 Nc6 3. O-O-O\r\nbxa8=Q+ 1/2-1/2\r\n\r\n";
    let found = plain(text, 0).unwrap();
    let words: Vec<&str> = found.words().map(|word| &text[word]).collect();
    assert_eq!(words, ["e4", "e5", "Nf3", "Nc6", "O-O-O", "bxa8=Q+"]);
    assert_eq!((found.count(), found.result()), (6, Some((DRAW, text.find("1/2").unwrap()))));
    for other in [
        "1. e4 {x}",
        "e4!",
        "e4 $1",
        "(e4)",
        "0-0",
        "1-0 e4",
        "e4 1-",
        "½",
        ";",
        "e4.",
        "1..e4-0)",
        "Pe4",
        "a8=q",
        "e4\n\ne5",
        "2. e4",
        "1\n\n1-0",
        "e4 * *",
    ] {
        assert!(plain(other, 0).is_none(), "{other}");
    }
}

/// What pgn-reader finds in a movetext.
#[derive(Default)]
struct Twin {
    sans: Vec<SanPlus>,
    outcomes: Vec<Outcome>,
}

impl Visitor for Twin {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.sans.push(san);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.outcomes.push(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// pgn-reader silently skips anything that is not a move, so it finds less in such texts.
fn assert_that_pgn_reader_finds_the_same(text: &str, found: &PlainMovetext) {
    let sans: Option<Vec<SanPlus>> =
        found.words().map(|word| SanPlus::from_ascii(&text.as_bytes()[word]).ok()).collect();
    let Some(sans) = sans else { return };
    let (mut twin, mut reader) = (Twin::default(), Reader::new(text.as_bytes()));
    while reader.read_game(&mut twin).unwrap().is_some() {}
    assert_eq!(twin.sans, sans, "{text:?}");
    assert!(twin.outcomes.iter().eq(found.result().iter().map(|(outcome, _)| outcome)), "{text:?}");
}

#[test]
fn pgn_reader_finds_the_same_in_real_games() {
    let text = include_str!("../../../../../data/famous.pgn");
    let movetexts: Vec<&str> = text.split("\n\n").filter(|part| part.starts_with("1.")).collect();
    let plain: Vec<_> = movetexts.iter().filter_map(|&text| Some((text, plain(text, 0)?))).collect();
    assert!(plain.len() > 50);
    for (text, found) in plain {
        assert_that_pgn_reader_finds_the_same(text, &found);
    }
}

proptest! {
    #[test]
    fn usual_words_have_the_expected_length(text in "[a-hNPOx1-8+#=. \t!-]{0,12}|[NQa-h][a-h1-8x]{1,6}[+#]?[ \r\n]?|\\PC{8,9}") {
        let bytes = text.as_bytes();
        let end = bytes.iter().position(|byte| b" \t\r\n".contains(byte)).unwrap_or(bytes.len());
        let word = text.get(..end).filter(|_| end <= 8 && bytes.len() > end.max(7)).unwrap_or("");
        let core = word.strip_suffix(['+', '#']).unwrap_or(word);
        let usual = core.chars().all(|c| c.is_ascii_alphanumeric())
            && core.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'P')
            && core.ends_with(|c: char| c.is_ascii_digit());
        prop_assert_eq!(usual_word(bytes), usual.then_some(word.len()));
    }

    #[test]
    fn the_fast_lane_finds_what_the_lexer_finds(
        text in "([1-3]\\.{0,3} ?|[NOPa-e][3-6x]?[a-f1-8+#=O-]{0,4}[ \n]|1-0|0-1|1/2-1/2|\\*|[ \r\n{}!($;%]){0,12}",
        first in 0usize..3,
    ) {
        if let Some(plain) = plain(&text, first) {
            let (mut words, mut results) = (Vec::new(), Vec::new());
            for (at, token) in Lexer::new(text.as_bytes()) {
                match token {
                    Token::Word(word) => words.push(at..at + word.len()),
                    Token::Result(outcome) => results.push((outcome, at)),
                    Token::Number(number) => prop_assert_eq!(number, move_number(first + words.len())),
                    other => prop_assert!(false, "{:?}", other),
                }
            }
            prop_assert!(plain.words().eq(words), "{:?}", text);
            prop_assert!(plain.result().into_iter().eq(results), "{:?}", text);
        }
    }
}
