use plybook_scid::Format;

use crate::{
    played, read, read_files,
    scid_support::{BuiltGame, data, game, scid4},
};

/// Moves from positions, each with the number of its piece. Only the kings and one piece are on the board.
#[test]
fn every_code_of_every_piece_is_its_move() {
    let of = |fen: &str, number: u8, code: u8| played(Some(fen), &[number << 4 | code, 15]);
    let king = "7k/8/8/8/3K4/8/8/8 w - - 0 1";
    for (code, to) in (1..).zip(["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"]) {
        assert_eq!(of(king, 0, code), format!("1. K{to} *"));
    }
    let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!((of(castling, 0, 9), of(castling, 0, 10)), ("1. O-O-O *".into(), "1. O-O *".into()));
    let knight = "7k/8/8/8/3N4/8/8/K7 w - - 0 1";
    for (code, to) in (1..).zip(["c2", "e2", "b3", "f3", "b5", "f5", "c6", "e6"]) {
        assert_eq!(of(knight, 1, code), format!("1. N{to} *"));
    }
    let rook = "7k/8/8/8/3R4/8/8/K7 w - - 0 1";
    for (code, to) in (0..).zip(["a4", "b4", "c4", "", "e4", "f4", "g4", "h4+"]) {
        assert!(to.is_empty() || of(rook, 1, code) == format!("1. R{to} *"), "{to}");
    }
    for (code, to) in (8..).zip(["d1", "d2", "d3", "", "d5", "d6", "d7", "d8+"]) {
        assert!(to.is_empty() || of(rook, 1, code) == format!("1. R{to} *"), "{to}");
    }
    let bishop = "8/7k/8/8/3B4/8/8/1K6 w - - 0 1";
    for (code, to) in (0..).zip(["a1", "b2", "c3", "", "e5", "f6", "g7"]) {
        assert!(to.is_empty() || of(bishop, 1, code) == format!("1. B{to} *"), "{to}");
    }
    for (code, to) in (8..).zip(["a7", "b6", "c5", "", "e3", "f2", "g1"]) {
        assert!(to.is_empty() || of(bishop, 1, code) == format!("1. B{to} *"), "{to}");
    }
    let queen = "8/7k/8/8/3Q4/8/8/1K6 w - - 0 1";
    assert_eq!((of(queen, 1, 0), of(queen, 1, 15)), ("1. Qa4 *".into(), "1. Qd8 *".into()));
    // d4 is on the d-file, so code 3 is not a rook's move: f6 follows.
    assert_eq!(played(Some(queen), &[0x13, 64 + 45, 15]), "1. Qf6 *");
}

#[test]
fn codes_of_pawns_are_steps_and_promotions() {
    for (fen, code, text) in [
        ("7k/8/8/8/8/2p1p3/3P4/K7 w - - 0 1", 0, "1. dxc3 *"),
        ("7k/8/8/8/8/2p1p3/3P4/K7 w - - 0 1", 1, "1. d3 *"),
        ("7k/8/8/8/8/2p1p3/3P4/K7 w - - 0 1", 2, "1. dxe3 *"),
        ("7k/8/8/8/8/2p1p3/3P4/K7 w - - 0 1", 15, "1. d4 *"),
        ("2n1n3/3P4/7k/8/8/8/8/K7 w - - 0 1", 3, "1. dxc8=Q *"),
        ("2n1n3/3P4/7k/8/8/8/8/K7 w - - 0 1", 7, "1. d8=R *"),
        ("2n1n3/3P4/7k/8/8/8/8/K7 w - - 0 1", 11, "1. dxe8=B *"),
        ("2n1n3/3P4/7k/8/8/8/8/K7 w - - 0 1", 13, "1. d8=N *"),
        ("k7/3p4/2P1P3/8/8/8/8/7K b - - 0 1", 0, "1... dxe6 *"),
        ("k7/3p4/2P1P3/8/8/8/8/7K b - - 0 1", 2, "1... dxc6 *"),
        ("k7/3p4/2P1P3/8/8/8/8/7K b - - 0 1", 15, "1... d5 *"),
        ("k7/8/8/8/8/7K/3p4/2N1N3 b - - 0 1", 4, "1... d1=Q *"),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 2", 0, "2. exd6 *"),
    ] {
        assert_eq!(played(Some(fen), &[1 << 4 | code, 15]), text);
    }
}

#[test]
fn the_last_piece_takes_the_number_of_a_captured_one() {
    // After 2. exd5 the h-pawn has the number of the d-pawn, 11; the other numbers stay.
    let moves = [0xcf, 0xbf, 0xc0, 0xbf, 0xb1, 0xef];
    assert_eq!(played(None, &[&moves[..], &[15]].concat()), "1. e4 d5 2. exd5 h5 3. d3 g5 *");
    // En passant: the pawn that passed is taken from the list.
    let moves = [0xcf, 0x81, 0xc1, 0xbf, 0xc0, 0xb1, 15];
    assert_eq!(played(None, &moves), "1. e4 a6 2. e5 d5 3. exd6 h6 *");
    // A promoted pawn keeps its number: the pawn 8 becomes a queen, which goes to a8 by its file.
    let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(played(Some(fen), &[0x15, 0x02, 0x10, 15]), "1. axb8=Q+ Kh7 2. Qa8 *");
}

#[test]
fn pieces_of_a_set_up_position_have_the_numbers_of_its_fen_but_the_king_is_first() {
    let fen = "R5K1/8/8/1R6/7k/8/8/2R5 w - - 0 1";
    for (number, code, text) in [(1, 12, "1. Raa5 *"), (2, 11, "1. Rb4+ *"), (3, 12, "1. Rcc5 *")] {
        assert_eq!(played(Some(fen), &[number << 4 | code, 15]), text);
    }
    // Two pieces before the king: the first one goes to the end when the king is met.
    let fen = "RNK5/8/8/8/8/8/8/7k w - - 0 1";
    assert_eq!(played(Some(fen), &[0x14, 15]), "1. Nd7 *");
    assert_eq!(played(Some(fen), &[0x28, 15]), "1. Ra1+ *");
}

#[test]
fn castling_in_chess960_goes_to_the_usual_squares() {
    let fen = "1rk4r/3p4/8/8/8/8/3P4/1RK4R w KQkq - 0 1";
    let built = |moves: &[u8]| BuiltGame {
        result: 0,
        is_chess960: true,
        data: data(&[(b"Variant", b"Chess960")], Some(fen), moves, &[]),
        ..game(&[])
    };
    for (moves, text) in [([0x0a, 0x09, 15], "1. O-O O-O-O *"), ([0x09, 0x0a, 15], "1. O-O-O O-O *")] {
        assert_eq!(crate::movetext(&read(&built(&moves)).unwrap().game), text);
    }
}

#[test]
fn a_move_that_does_not_exist_is_rejected_with_its_ply_and_its_byte() {
    let fen = "6k1/8/8/8/8/8/8/K6R w - - 0 1";
    for (moves, at, problem) in [
        (&[0xcf, 0xcf, 0x17, 15][..], 4, "2.Ra1h1 is not a legal move"),
        (&[0xcf, 0xc2, 15], 3, "1...e7xd6 is not a legal move"),
        (&[0x21, 15], 2, "ply 1: code 1 of the knight on b1 is not a move"),
        (&[0xcf, 0x40], 2, "the data has no end of the game"),
        (&[0x43, 0x3f, 15], 2, "ply 1: code 3 of the queen on d1 is not a move"),
        (&[0x00, 0x00, 0xcf], 2, "the data has no end of the game"),
    ] {
        let reject = read(&BuiltGame { data: data(&[], None, moves, &[]), ..game(&[]) }).unwrap_err();
        assert_eq!((reject.reason.to_string(), reject.at), (problem.to_owned(), at), "{moves:?}");
    }
    assert_eq!(played(Some(fen), &[0x2f, 15]), "ply 1: no piece has the number 2");
    assert_eq!(played(None, &[0xcf, 0x04, 15]), "1...Ke8d8 is not a legal move");
}

#[test]
fn known_openings_change_nothing() {
    let lines: [&[u8]; 8] = [
        &[0xcf, 0xcf, 0x67, 15],
        &[0xcf, 0xcf, 0x67, 0x22, 15],
        &[0xcf, 0xcf, 0x67, 0x62, 15],
        &[0xcf, 0xcf, 13, 0xbf, 14, 0x67, 15],
        &[0xcf, 0, 0xcf, 0x67, 15],
        &[0xcf, 15],
        &[0xcf, 0xcf, 0x43, 64 + 39, 15],
        &[0xcf, 0xcf, 0x43, 64 + 21, 15],
    ];
    let of = |moves: &&[u8]| BuiltGame { data: data(&[], None, moves, &[]), ..game(&[]) };
    let alone = Vec::from_iter(lines.iter().map(|moves| format!("{:?}", read(&of(moves)))));
    let together = scid4(&lines.repeat(3).iter().map(of).collect::<Vec<_>>());
    let together = read_files(Format::Scid4, &together).into_iter().map(|read| format!("{read:?}"));
    assert!(together.eq(alone.iter().cycle().take(24).cloned()));
}
