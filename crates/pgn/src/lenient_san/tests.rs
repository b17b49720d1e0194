use super::*;
use plybook_chess::chess::{Chess, Position, San, SortedMoves, move_list};

fn read(line: &str, word: &str, letters: PieceLetters) -> Result<(String, Vec<Warning>), NoMatch> {
    let position: Chess = if line.contains('/') {
        let fen: plybook_chess::chess::Fen = line.parse().unwrap();
        fen.into_position(shakmaty::CastlingMode::Chess960).unwrap()
    } else {
        let (start, moves) = move_list(line).unwrap();
        moves.iter().fold(start, |position, m| position.play(*m).unwrap())
    };
    let found = find(word, letters, SortedMoves::new(&position).as_slice())?;
    Ok((San::from_move(&position, found.m).to_string(), found.warnings))
}

fn ok(line: &str, word: &str, san: &str, warnings: &[Warning]) {
    assert_eq!(read(line, word, PieceLetters::En), Ok((san.to_owned(), warnings.to_vec())), "{word}");
}

#[test]
fn ways_to_write_a_move() {
    use Warning::*;
    ok("", "e2-e4", "e4", &[LongMoves]);
    ok("", "e2e4", "e4", &[LongMoves]);
    ok("", "Ng1-f3", "Nf3", &[LongMoves]);
    ok("", "Ng1–f3", "Nf3", &[OddDashes, LongMoves]);
    ok("", "g1f3", "Nf3", &[LongMoves]);
    ok("", "nf3", "Nf3", &[LowerCase]);
    ok("", "NF3", "Nf3", &[LowerCase]);
    ok("", "♘f3", "Nf3", &[Figurines]);
    ok("", "Ngf3", "Nf3", &[OddDisambiguations]);
    ok("", "Nbf3", "Nf3", &[OddDisambiguations]);
    ok("e4 d5", "ed5", "exd5", &[OddCaptures]);
    ok("e4 d5", "e4xd5", "exd5", &[LongMoves]);
    ok("e4 d5", "e:d5", "exd5", &[OddCaptures]);
    ok("e4", "exe5", "e5", &[OddCaptures, OddDisambiguations]);
    ok("e4 e5", "Bc4++", "Bc4", &[OddSuffixes]);
    ok("e4 e5", "bc4", "Bc4", &[LowerCase]);
    ok("b4 c5", "bc5", "bxc5", &[OddCaptures]);
    let castle = "e4 e5 Nf3 Nf6 Bc4 Bc5";
    ok(castle, "0-0", "O-O", &[CastlingZeros]);
    ok(castle, "o-o", "O-O", &[CastlingZeros]);
    ok(castle, "OO", "O-O", &[CastlingZeros]);
    ok(castle, "e1g1", "O-O", &[LongMoves]);
    ok(castle, "Ke1-g1", "O-O", &[LongMoves]);
    let promotion = "8/P6k/8/8/8/8/7K/8 w - - 0 1";
    for (word, warnings) in [
        ("a8Q", vec![OddPromotions]),
        ("a8(Q)", vec![OddPromotions]),
        ("a8/Q", vec![OddPromotions]),
        ("a8=q", vec![OddPromotions]),
        ("a7a8q", vec![LongMoves]),
        ("a8=Q", vec![]),
    ] {
        ok(promotion, word, "a8=Q", &warnings);
    }
    assert_eq!(read(promotion, "a8", PieceLetters::En), Err(NoMatch::Illegal));
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    ok(passant, "exd6e.p.", "exd6", &[OddSuffixes]);
    ok(passant, "e5d6", "exd6", &[LongMoves]);
}

#[test]
fn other_languages_and_invalid_moves() {
    assert_eq!(read("", "Sf3", PieceLetters::De).unwrap().0, "Nf3");
    assert_eq!(read("", "Кf3", PieceLetters::Ru).unwrap().0, "Nf3");
    assert_eq!(read("", "Nf3", PieceLetters::De), Err(NoMatch::NotAMove));
    assert_eq!(read("", "Sf3", PieceLetters::En), Err(NoMatch::NotAMove));
    assert_eq!(read("", "Ke3", PieceLetters::En), Err(NoMatch::Illegal));
    assert_eq!(read("e4 e5 Bb5 a6", "b", PieceLetters::En), Err(NoMatch::NotAMove));
    for word in ["", "e", "é4", "x", "4e", "e9", "-", "O", "O-", "Nf3Nc6", "♘", "((("] {
        assert!(read("", word, PieceLetters::Auto).is_err(), "{word}");
    }
}
