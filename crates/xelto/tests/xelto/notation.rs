//! Records of Xelto: reading, writing, and errors with their location and reason.

use crate::{random::Random, records::text};
use plybook_chess::limits::{MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_BYTES, MAX_TAGS};
use plybook_xelto::{
    Ending, EndingError, Position, Reason, Side, UnknownPiece, UnknownSquare,
    notation::{Header, IllegalMove, Problem, Record, WordError, Written},
};
use proptest::prelude::*;

#[test]
fn records_round_trip() {
    let first = text("first");
    assert_eq!(first.parse::<Record>().unwrap().to_string(), first);
    // The second record was written by hand, and names the follower first in one move.
    let second = text("second").replace("11.b3mik&i3ful", "11.i3ful&b3mik");
    assert_eq!(text("second").parse::<Record>().unwrap().to_string(), second);
    assert_eq!(second.parse::<Record>().unwrap().to_string(), second);
}

#[test]
fn legal_moves_round_trip() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..50 {
        let mut position = Position::start();
        for m in random.game(80) {
            for &m in position.legal_moves().as_slice() {
                let written = Written::from_move(&position, m);
                assert_eq!(written.to_string().parse(), Ok(written));
                assert_eq!(written.to_move(&position), Ok(m), "{written}");
                if let Written::Pair(one, other) = written {
                    assert_eq!(Written::Pair(other, one).to_move(&position), Ok(m));
                    for old in [Written::OldPair(one, other.piece), Written::OldPair(other, one.piece)] {
                        assert_eq!(old.to_string().parse(), Ok(old));
                        assert_eq!(old.to_move(&position), Ok(m), "{old}");
                    }
                }
            }
            position.play(m);
        }
    }
}

#[test]
fn random_games_round_trip() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..200 {
        let mut moves = random.game(150);
        let continuation = moves.split_off(moves.len() / 2);
        let record = Record { moves, continuation, ..Record::default() };
        let written = record.to_string();
        let again: Record = written.parse().unwrap();
        assert_eq!(again, record);
        assert_eq!(again.to_string(), written);
    }
}

#[test]
fn whitespace_is_flexible() {
    let plain: Record =
        "arxe : a b\n1.b5vio\n2.s5lin\n以下 3.b4fav\nまで。\narxe vast vol rsiila.\n".parse().unwrap();
    for other in [
        "\u{feff}arxe:a b\r\n\r\n1.b5vio 2.s5lin\r\n以下 3.b4fav まで。\r\narxe vast vol rsiila.",
        "arxe  :  a b  \n  1.b5vio\u{3000}2.s5lin\n\n以下\n3.b4fav\nまで。\narxe vast vol xeltsoldes.",
    ] {
        assert_eq!(other.parse::<Record>().as_ref(), Ok(&plain));
    }
}

#[test]
fn headers_are_kept() {
    let text = "date : 2007-06-24\narxe : a : b\nsorn : \n1.b5vio\n";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.header("arxe"), Some("a : b"));
    assert_eq!((record.header("sorn"), record.header("place")), (Some(""), None));
    assert_eq!(record.to_string(), text);
    let header = Header::new("event", "x").unwrap();
    assert_eq!((header.name(), header.value(), header.to_string().as_str()), ("event", "x", "event : x"));
    for (name, value) in [("", "x"), ("1", "x"), ("a b", "x"), ("ä", "x"), ("a", " x"), ("a", "x\ny")] {
        assert_eq!(Header::new(name, value), None, "{name:?} {value:?}");
    }
}

/// The line, ply and problem of an invalid record.
fn fault(text: &str) -> (usize, usize, Problem) {
    let error = text.parse::<Record>().expect_err(text);
    (error.line, error.ply, error.problem)
}

#[test]
fn errors_have_a_line_a_ply_and_a_reason() {
    let piece = |name: &str| name.parse().unwrap();
    let word = |text: &str| text.to_owned();
    let illegal = |text: &str, reason| Problem::Illegal(word(text), reason);
    let cases = [
        ("", 1, 1, Problem::Empty),
        ("\n \n", 2, 1, Problem::Empty),
        ("hello", 1, 1, Problem::UnknownLine(word("hello"))),
        ("以下", 1, 1, Problem::OpenContinuation),
        ("1.b5vio\n以下 2.s5lin", 2, 3, Problem::OpenContinuation),
        ("1.b5vio\n以下 まで。", 2, 2, Problem::EmptyContinuation),
        ("1.b5vio\nまで。", 2, 2, Problem::UnknownLine(word("まで。"))),
        ("1.b5vio\n以下 2.s5lin\nまで。\n3.b4fav", 4, 3, Problem::OutOfPlace(word("3.b4fav"))),
        ("1.b5vio\n以下 2.s5lin まで。 3.b4fav", 2, 3, Problem::OutOfPlace(word("3.b4fav"))),
        ("1.b5vio\narxe : x", 2, 2, Problem::OutOfPlace(word("arxe"))),
        ("arxe : x\n\narxe : y", 3, 1, Problem::HeaderTwice(word("arxe"))),
        ("1.b5vio\n3.s5lin", 2, 2, Problem::Number(word("3"), 2)),
        ("01.b5vio", 1, 1, Problem::Number(word("01"), 1)),
        ("1.b5vio s5lin", 1, 2, Problem::NoNumber(word("s5lin"))),
        ("1.b5", 1, 1, Problem::Word(WordError::Form(word("b5")))),
        ("1.b5violis1", 1, 1, Problem::Word(WordError::Form(word("b5violis1")))),
        ("1.b8vio", 1, 1, Problem::Word(WordError::Square(UnknownSquare(word("b8"))))),
        ("1.b5vix", 1, 1, Problem::Word(WordError::Piece(UnknownPiece(word("vix"))))),
        ("1.*", 1, 1, Problem::Word(WordError::Piece(UnknownPiece(word(""))))),
        ("1.b2mik&", 1, 1, Problem::Word(WordError::Form(word("")))),
        ("1.b5lin", 1, 1, illegal("b5lin", IllegalMove::NotYours(piece("lin")))),
        ("1.+ral", 1, 1, illegal("+ral", IllegalMove::CannotTurn(piece("ral")))),
        ("1.+tem", 1, 1, illegal("+tem", IllegalMove::CannotTurn(piece("tem")))),
        ("1.*lin", 1, 1, illegal("*lin", IllegalMove::NotInHand(piece("lin")))),
        ("1.*...", 1, 1, illegal("*...", IllegalMove::NothingMounted)),
        ("1.t3mikfav", 1, 1, illegal("t3mikfav", IllegalMove::CannotGoTogether(piece("mik"), piece("fav")))),
        (
            "1.b5vio\n2.s4lin",
            2,
            2,
            illegal("s4lin", IllegalMove::CannotReach(piece("lin"), "s4".parse().unwrap())),
        ),
        ("1.b5vio\narxe vast", 2, 2, Problem::Ending(EndingError::NoFullStop)),
        ("arxe vast vol hacma.\n1.b5vio", 2, 1, Problem::OutOfPlace(word("1.b5vio"))),
        (
            "arxe vast vol hacma.\nsorn vast vol hacma.",
            2,
            1,
            Problem::OutOfPlace(word("sorn vast vol hacma.")),
        ),
    ];
    for (text, line, ply, problem) in cases {
        assert_eq!(fault(text), (line, ply, problem), "{text:?}");
    }
}

#[test]
fn results_are_read_strictly() {
    for reason in [Reason::Moon, Reason::Demons, Reason::Repetition] {
        for winner in Side::ALL {
            for points in [None, Some(0), Some(4)] {
                let ending = Ending { winner, reason, points };
                assert_eq!(ending.to_string().parse(), Ok(ending));
            }
        }
    }
    for (text, error) in [
        ("arxe vast vol hacma", EndingError::NoFullStop),
        ("arxe vol hacma.", EndingError::NoSentence),
        ("arxe vast vol hacma ok 3.", EndingError::NoSentence),
        ("vio vast vol hacma.", EndingError::Player("vio".to_owned())),
        ("arxe vast vol daim.", EndingError::Reason("daim".to_owned())),
        ("arxe vast vol hacma ok 5 ito.", EndingError::Points("5".to_owned())),
        ("arxe vast vol hacma ok +3 ito.", EndingError::Points("+3".to_owned())),
    ] {
        assert_eq!(text.parse::<Ending>(), Err(error));
    }
}

#[test]
fn a_result_must_not_contradict_the_board() {
    let played_out = text("first").replace("以下 68", "68").replace("まで。\n", "");
    let record: Record = format!("{played_out}arxe vast vol hacma ok 3 ito.\n").parse().unwrap();
    let board = record.last_position().ending();
    assert_eq!(board, record.result);
    for wrong in ["sorn vast vol hacma.", "arxe vast vol rsiila."] {
        let (line, ply, problem) = fault(&format!("{played_out}{wrong}"));
        let said = wrong.parse().unwrap();
        assert_eq!((line, ply), (69, 70));
        assert_eq!(problem, Problem::Contradiction(said, board.unwrap()));
    }
    let over = fault(&format!("{played_out}70.b6mir"));
    assert!(matches!(over.2, Problem::Illegal(_, IllegalMove::GameOver)));
}

#[test]
fn limits_are_enforced() {
    let headers = |n: usize| (0..n).map(|i| format!("h{i} : x\n")).collect::<String>();
    assert!(headers(MAX_TAGS - 1).parse::<Record>().is_ok());
    assert!(headers(MAX_TAGS).parse::<Record>().is_ok());
    assert_eq!(fault(&headers(MAX_TAGS + 1)).2, Problem::TooManyHeaders);

    let long = |bytes: usize| format!("a : {}", "x".repeat(bytes - 1));
    assert!(long(MAX_TAG_BYTES - 1).parse::<Record>().is_ok());
    assert!(long(MAX_TAG_BYTES).parse::<Record>().is_ok());
    assert_eq!(fault(&long(MAX_TAG_BYTES + 1)).2, Problem::HeaderTooLong);

    let there_and_back = ["+mik", "+lax"];
    let lines = |plies: usize| {
        (1..=plies).map(|n| format!("{n}.{}\n", there_and_back[(n + 1) % 2])).collect::<String>()
    };
    assert!(lines(MAX_PLIES - 1).parse::<Record>().is_ok());
    assert!(lines(MAX_PLIES).parse::<Record>().is_ok());
    assert_eq!(fault(&lines(MAX_PLIES + 1)), (MAX_PLIES + 1, MAX_PLIES + 1, Problem::TooLong));

    let padded = |bytes: usize| format!("1.b5vio{}", " ".repeat(bytes - 7));
    assert!(padded(MAX_GAME_BYTES - 1).parse::<Record>().is_ok());
    assert!(padded(MAX_GAME_BYTES).parse::<Record>().is_ok());
    assert_eq!(fault(&padded(MAX_GAME_BYTES + 1)).2, Problem::TooLarge);
}

/// Lines that occur in records, in any order.
const NEAR_LINES: &str =
    "(arxe : x|1[.]b5vio|[12][.][beips][1-7](vio|mik|lin|fav)|以下|まで。|arxe vast vol hacma[.])";

/// Words with the parts of a move, some of them missing.
const NEAR_MOVES: &str = "[+*]?[vestbip]?[0-8]?(pal|mik|tem|xxx)?[&]?([vestbip][1-7])?(fav|ful)?";

proptest! {
    #[test]
    fn any_text_gives_a_record_or_an_error(text in "\\PC{0,60}") {
        let _ = text.parse::<Record>();
        let _ = text.parse::<Written>();
        let _ = text.parse::<Ending>();
    }

    #[test]
    fn valid_records_are_written_in_a_stable_form(
        lines in prop::collection::vec(NEAR_LINES, 0..6),
    ) {
        if let Ok(record) = lines.join("\n").parse::<Record>() {
            let written = record.to_string();
            prop_assert_eq!(written.parse(), Ok(record));
        }
    }

    #[test]
    fn near_moves_give_moves_or_errors(word in NEAR_MOVES) {
        if let Ok(written) = word.parse::<Written>() {
            prop_assert_eq!(written.to_string(), word);
            let _ = written.to_move(&Position::start());
        }
    }
}
