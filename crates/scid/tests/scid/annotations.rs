use plybook_pgn::{Reject, RejectReason, Warning};
use plybook_scid::Irregularity;

use crate::{
    movetext, read,
    scid_support::{BuiltGame, data, game},
};

/// Pawns: e4, e5, d4, d5, each two squares. The same code for both sides.
const E: u8 = 0xcf;
const D: u8 = 0xbf;

fn built(moves: &[u8], comments: &[&str]) -> BuiltGame {
    let comments = Vec::from_iter(comments.iter().map(|comment| comment.as_bytes()));
    BuiltGame { result: 0, data: data(&[], None, moves, &comments), ..game(&[]) }
}

fn text(moves: &[u8], comments: &[&str]) -> String {
    read(&built(moves, comments)).map_or_else(|reject| reject.to_string(), |read| movetext(&read.game))
}

#[test]
fn comments_and_glyphs_are_where_their_marks_are() {
    assert_eq!(text(&[12, 15], &["before"]), "{before} *");
    assert_eq!(text(&[12, E, 11, 1, 12, E, 15], &["before", "after"]), "{before} 1. e4 $1 {after} 1... e5 *");
    // The number of a glyph may be that of any mark.
    for glyph in 11..16 {
        assert_eq!(text(&[E, 11, glyph, 15], &[]), format!("1. e4 ${glyph} *"));
    }
    assert_eq!(text(&[E, 12, 12, 15], &["", "b\r\nc\rd"]), "1. e4 {} {b c d} *");
    assert_eq!(text(&[E, 12, 15], &["a {b}\nc"]), "1. e4 {a (b) c [%braces 11]} *");
}

#[test]
fn variations_begin_before_the_last_move_of_their_line() {
    let moves = [E, E, 13, 12, D, 11, 2, 13, 0x61, 14, 0x67, 14, D, 15];
    let expected = "1. e4 e5 ({instead} 1... d5 $2 (1... Nf6) 2. Nf3) 2. d4 *";
    assert_eq!(text(&moves, &["instead"]), expected);
    // The pieces have the numbers that they had there: only after the capture, the h-pawn is 11 instead of 15.
    let moves = [E, D, 0xc0, 13, 0x67, 0xff, 14, D, 15];
    assert_eq!(text(&moves, &[]), "1. e4 d5 2. exd5 (2. Nf3 h5) 2... h5 *");
}

#[test]
fn variations_that_cannot_be_are_rejected() {
    let reject = |moves: &[u8]| read(&built(moves, &[])).unwrap_err();
    assert_eq!(reject(&[13, E, 14, 15]), Reject { reason: RejectReason::NoMoveToVary, at: 2 });
    assert_eq!(reject(&[E, 13, 13, D, 14, 14, 15]), Reject { reason: RejectReason::NoMoveToVary, at: 4 });
    assert_eq!(reject(&[E, 14, 15]), Reject { reason: RejectReason::UnmatchedParenthesis, at: 3 });
    assert_eq!(reject(&[E, 13, D, 15]), Reject { reason: RejectReason::UnmatchedParenthesis, at: 5 });
    let deep = |levels: usize| [&[E], &[13, D].repeat(levels)[..], &[14].repeat(levels), &[15]].concat();
    assert_eq!(read(&built(&deep(1000), &[])).unwrap().game.annotations.counts().variations, 1000);
    assert_eq!(reject(&deep(1001)), Reject { reason: RejectReason::TooDeep, at: 2003 });
}

#[test]
fn empty_variations_are_left_out_with_a_warning() {
    for (moves, comments, expected, warning) in [
        (&[E, 13, 14, E, 15][..], &[][..], "1. e4 e5 *", Warning::EmptyParentheses),
        (&[E, 13, 12, 14, E, 15], &["x"], "1. e4 {x} 1... e5 *", Warning::EmptyVariations),
    ] {
        let game = read(&built(moves, comments)).unwrap().game;
        assert_eq!((movetext(&game), game.warnings.count(warning)), (expected.to_owned(), 1));
    }
}

#[test]
fn null_moves_are_kept_in_variations_and_after_the_mainline() {
    assert_eq!(text(&[E, E, 13, 0, D, 14, D, 15], &[]), "1. e4 e5 (1... -- 2. d4) 2. d4 *");
    let game = read(&built(&[E, 0, D, 13, 0x67, 14, E, 15], &[])).unwrap().game;
    assert_eq!((game.moves.len(), game.warnings.count(Warning::NullMoves)), (1, 1));
    assert_eq!(movetext(&game), "1. e4 -- 2. d4 (2. Nf3) 2... e5 *");
    let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let reject = read(&BuiltGame { data: data(&[], Some(check), &[0, 15], &[]), ..game_of_kings() });
    assert_eq!(reject.unwrap_err().reason.key(), "null_move");
}

fn game_of_kings() -> BuiltGame {
    game(&[])
}

#[test]
fn comments_and_marks_must_be_as_many() {
    let read_game = |moves: &[u8], comments: &[&str]| read(&built(moves, comments));
    let more = read_game(&[E, 12, E, 15], &["a", "b", "c"]).unwrap();
    assert_eq!(movetext(&more.game), "1. e4 {a} 1... e5 {b} {c} *");
    assert_eq!(more.irregularities, [Irregularity::CommentsWithoutPlace]);
    let fewer = read_game(&[E, 12, E, 12, 15], &["a"]).unwrap_err();
    assert_eq!((fewer.to_string(), fewer.at), ("a comment is missing at the end of the data".to_owned(), 5));
    let mut open = built(&[E, 15], &["abc"]);
    open.data.pop();
    assert_eq!(read(&open).unwrap_err().to_string(), "the last comment has no end");
}

#[test]
fn a_result_that_the_board_contradicts_is_kept_with_a_warning() {
    // 1. f3 e5 2. g4 Qh4#: the queen goes from d8 to h4 (31).
    let mut mate = built(&[0xd1, E, 0xef, 0x43, 64 + 31, 15], &[]);
    for (result, warned) in [(0, 1), (1, 1), (2, 0)] {
        mate.result = result;
        let game = read(&mate).unwrap().game;
        assert_eq!(game.warnings.count(Warning::ResultContradictsBoard), warned);
        assert_eq!(game.tags.get("Result"), Some(game.outcome.as_str()));
    }
}
