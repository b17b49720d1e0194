use super::*;
use crate::fen;
use plybook_chess::{
    chess::{Chess, Fen, VariantPosition, move_list},
    codec::{
        CodecId,
        game::{GameMoves, by_name},
    },
    rules::Outcome,
};

fn call(name: &str, values: &[Value<'_>]) -> Result<Answer, FunctionError> {
    let function = function(name).unwrap();
    let answer = function.call(values)?;
    let kind = match answer {
        Answer::Null => function.gives,
        Answer::Integer(_) => ReturnType::Integer,
        Answer::Real(_) => ReturnType::Real,
        Answer::Text(_) => ReturnType::Text,
    };
    assert_eq!(kind, function.gives, "{name} gives {answer:?}");
    Ok(answer)
}

fn text(answer: Result<Answer, FunctionError>) -> String {
    match answer.unwrap() {
        Answer::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

/// The moves of a game as in the view.
fn moves(codec: CodecId, text: &str) -> Vec<u8> {
    let (start, moves) = move_list(text).unwrap();
    let game =
        GameMoves { start: VariantPosition::Chess(start), moves: moves.clone(), outcome: Outcome::Unknown };
    let code = by_name(codec.info().name).unwrap().encode(&game).unwrap();
    let mut bytes = code.bits.into_bytes();
    if codec != CodecId::Index {
        bytes.extend([codec.number(), 0]);
    }
    bytes
}

const NAJDORF: &str = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";

#[test]
fn every_function_works_on_a_game() {
    for codec in [CodecId::Index, CodecId::Byte] {
        let moves = moves(codec, NAJDORF);
        let game = Value::Blob(&moves);
        let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
        assert_eq!(text(call("fen", &[game, Value::Integer(10)])), najdorf);
        assert_eq!(text(call("fen", &[game, Value::Integer(-1)])), najdorf);
        assert_eq!(text(call("fen", &[game, Value::Text("5b")])), najdorf);
        assert_eq!(text(call("fen", &[game, Value::Integer(0)])), fen(&Chess::new()));
        assert_eq!(call("fen", &[game, Value::Integer(11)]), Ok(Answer::Null));
        assert_eq!(text(call("san", &[game, Value::Integer(6)])), "cxd4");
        assert_eq!(text(call("uci", &[game, Value::Integer(6)])), "c5d4");
        assert_eq!(call("san", &[game, Value::Integer(0)]), Ok(Answer::Null));
        assert_eq!(text(call("movetext", &[game])), format!("{NAJDORF} *"));
        assert!(text(call("board", &[game, Value::Integer(10)])).starts_with("8  r  n  b  q  k  b  .  r \n"));
        assert_eq!(call("plies", &[game]), Ok(Answer::Integer(10)));
        let known = codec.info().outcome;
        let result = if known { Answer::Text("*".to_owned()) } else { Answer::Null };
        assert_eq!(call("result", &[game]), Ok(result));
        assert_eq!(call("reaches", &[game, Value::Text(najdorf)]), Ok(Answer::Integer(10)));
        assert_eq!(call("reaches", &[game, Value::Text(&fen(&Chess::new()))]), Ok(Answer::Integer(0)));
        let other = Value::Text("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
        assert_eq!(call("reaches", &[game, other]), Ok(Answer::Null));
        for ply in [0, 11] {
            assert_eq!(call("move_bits", &[game, Value::Integer(ply)]), Ok(Answer::Null));
        }
        let bits = [1, -10].map(|ply| call("move_bits", &[game, Value::Integer(ply)]).unwrap());
        assert_eq!(bits[0], bits[1]);
        // Most people begin with 1. e4; -10 is the position after it.
        assert!(matches!(bits, [Answer::Real(bits), _] if (1.0..2.0).contains(&bits)), "{bits:?}");
        let opening = "Sicilian Defense: Najdorf Variation";
        assert_eq!(text(call("eco_name", &[game])), opening);
        assert_eq!(text(call("eco_name", &[Value::Text(najdorf)])), opening);
    }
    assert_eq!(text(call("eco_name", &[Value::Text("b90")])), "Sicilian Defense: Najdorf Variation");
    assert_eq!(call("eco_name", &[Value::Text("Z90")]), Ok(Answer::Null));
    assert_eq!(text(call("material", &[Value::Text("8/5k2/1p6/1r6/8/R4PPQ/5K2/8 w - -")])), "KQRPP KRP");
    assert_eq!(
        call("same_player", &[Value::Text("Tal, Mikhail"), Value::Text("tal")]),
        Ok(Answer::Integer(1))
    );
    assert_eq!(call("same_player", &[Value::Text("Talbot"), Value::Text("tal")]), Ok(Answer::Integer(0)));
}

#[test]
fn keys_are_signed_polyglot_keys() {
    // Examples from the specification of the format.
    for (fen, key) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c_u64),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
    ] {
        assert_eq!(call("position_key", &[Value::Text(fen)]), Ok(Answer::Integer(key as i64)), "{fen}");
    }
}

#[test]
fn position_keys_of_games_match_their_positions() {
    for codec in [CodecId::Index, CodecId::Byte] {
        let moves = moves(codec, NAJDORF);
        let game = Value::Blob(&moves);
        for ply in [0, 1, 9, 10, -1, -11] {
            let fen = text(call("fen", &[game, Value::Integer(ply)]));
            let of_fen = call("position_key", &[Value::Text(&fen)]);
            assert_eq!(call("position_key", &[game, Value::Integer(ply)]), of_fen, "{ply}");
        }
        let last = call("position_key", &[game, Value::Integer(10)]);
        assert_eq!(call("position_key", &[game, Value::Text("5b")]), last);
        assert_eq!(call("position_key", &[game, Value::Integer(11)]), Ok(Answer::Null));
        assert_eq!(call("position_key", &[game, Value::Null]), Ok(Answer::Null));
    }
    let game = moves(CodecId::Index, NAJDORF);
    let start = fen(&Chess::new());
    for (values, why) in [
        (&[Value::Blob(&game)][..], "with moves, a ply is required"),
        (&[Value::Blob(&game), Value::Text("Chess960")], "is not a valid ply"),
        (&[Value::Text(&start), Value::Integer(3)], "a variant must be text"),
        (&[Value::Text(&start), Value::Null, Value::Null], "the only other argument"),
    ] {
        let error = call("position_key", values).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn null_returns_null_and_invalid_arguments_are_explained() {
    let game = moves(CodecId::Index, NAJDORF);
    for function in FUNCTIONS {
        let least = function.arguments.len() - function.optional;
        assert_eq!(function.call(&vec![Value::Null; least]), Ok(Answer::Null), "{}", function.name);
        assert!(function.call(&vec![Value::Null; least - 1]).is_err());
        assert!(function.call(&vec![Value::Null; function.arguments.len() + 1]).is_err());
    }
    let wrong: [(&str, &[Value<'_>], &str); 9] = [
        ("fen", &[Value::Text("e4"), Value::Integer(1)], "moves must be a blob"),
        ("fen", &[Value::Blob(&game), Value::Real(1.5)], "a ply must be an integer"),
        ("fen", &[Value::Blob(&game), Value::Text("x")], "is not a valid ply"),
        ("fen", &[Value::Blob(&[1, 17, 0]), Value::Integer(1)], "unknown codec 17"),
        ("fen", &[Value::Blob(&[1, 2, 0]), Value::Integer(1)], "does not store where a game ends"),
        ("plies", &[Value::Blob(&[0xff; 40])], "cannot replay"),
        ("reaches", &[Value::Blob(&game), Value::Text("8/8")], "invalid FEN"),
        ("plies", &[Value::Blob(&game), Value::Null, Value::Text("bughouse")], "unknown variant"),
        ("material", &[Value::Integer(1)], "a FEN must be text"),
    ];
    for (name, values, why) in wrong {
        let error = call(name, values).unwrap_err().to_string();
        assert!(error.contains(why) && error.starts_with(name), "{error}");
    }
}

#[test]
fn other_games_have_no_positions() {
    let game = Value::Blob(&[17, 0, 0]);
    assert_eq!(call("fen", &[game, Value::Integer(0)]), Ok(Answer::Null));
    let moves = moves(CodecId::Index, NAJDORF);
    let xelto = [Value::Blob(&moves), Value::Null, Value::Text("Xelto")];
    assert_eq!(call("plies", &xelto), Ok(Answer::Null));
    assert_eq!(GamePositions::new(&xelto).unwrap().count(), 0);
}

#[test]
fn games_are_never_read_by_the_wrong_rules() {
    let plain = moves(CodecId::Index, NAJDORF);
    let start = fen(&Chess::new());
    for (mark, needed) in [
        (1 + 32, [Value::Null, Value::Text("Chess960")]),
        (1 + 64, [Value::Text(&start), Value::Null]),
        (1 + 96, [Value::Text(&start), Value::Text("Chess960")]),
    ] {
        let marked = [&plain[..], &[mark, 0]].concat();
        let game = Value::Blob(&marked);
        assert_eq!(call("fen", &[game, Value::Integer(2)]), Ok(Answer::Null));
        assert_eq!(call("plies", &[game]), Ok(Answer::Null));
        assert_eq!(call("plies", &[game, needed[0], needed[1]]), Ok(Answer::Integer(10)));
        if mark == 1 + 96 {
            assert_eq!(call("plies", &[game, needed[0]]), Ok(Answer::Null));
            assert_eq!(call("plies", &[game, Value::Null, needed[1]]), Ok(Answer::Null));
        }
    }
}

#[test]
fn positions_of_a_game_match_fen() {
    let moves = moves(CodecId::Index, NAJDORF);
    let game = Value::Blob(&moves);
    let rows: Vec<GamePosition> = GamePositions::new(&[game]).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 11);
    for (ply, row) in (0..).zip(&rows) {
        let ply = Value::Integer(ply);
        assert_eq!(text(call("fen", &[game, ply])), row.fen);
        assert_eq!(call("san", &[game, ply]).unwrap(), row.san.clone().into());
        assert_eq!(call("uci", &[game, ply]).unwrap(), row.uci.clone().into());
        assert_eq!(call("position_key", &[Value::Text(&row.fen)]), Ok(Answer::Integer(row.key)));
    }
}

#[test]
fn continuation_is_the_last_move_played_in_a_position() {
    // The position after the first moves recurs twice: it is left by Nf6, by Nc6, and at the end not at all.
    let back_and_forth = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nc6 4. Ng1 Nb8 5. Nf3";
    let moves = moves(CodecId::Index, back_and_forth);
    let game = Value::Blob(&moves);
    let positions: Vec<GamePosition> = GamePositions::new(&[game]).unwrap().map(Result::unwrap).collect();
    for position in &positions {
        let played = positions.windows(2).rfind(|pair| pair[0].key == position.key);
        let found = Continuation::new(&[game, Value::Text(&position.fen)]).unwrap().unwrap();
        assert_eq!(found.san, played.and_then(|pair| pair[1].san.clone()), "{}", position.fen);
        assert_eq!(found.uci, played.and_then(|pair| pair[1].uci.clone()));
    }
    let after_nf3 = &positions[1].fen;
    let moved = Continuation::new(&[game, Value::Text(after_nf3)]).unwrap().unwrap();
    assert_eq!(moved.san.as_deref(), Some("Nc6"));
    let elsewhere = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    assert_eq!(Continuation::new(&[game, Value::Text(elsewhere)]), Ok(None));
    assert_eq!(Continuation::new(&[game, Value::Null]), Ok(None));
    assert!(Continuation::new(&[game, Value::Text("8/8")]).is_err());
}

#[test]
fn start_positions_and_variants_are_used() {
    let fen_960: Fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9".parse().unwrap();
    let text_960 = fen_960.to_string();
    let start = plybook_chess::chess::Variant::Chess960.position(&fen_960).unwrap();
    let game = GameMoves { start, moves: Vec::new(), outcome: Outcome::Unknown };
    let bytes = by_name("index").unwrap().encode(&game).unwrap().bits.into_bytes();
    let values = [Value::Blob(&bytes), Value::Integer(0), Value::Text(&text_960), Value::Text("Chess960")];
    assert_eq!(text(call("fen", &values)), text_960);
}
