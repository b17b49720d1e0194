//! The encodings of Xelto: golden values, round trips of random games, and rejection of all other input.

use crate::{golden::golden, random::Random, records::text};
use plybook_chess::{
    codec::{
        DecodeError, EncodeError,
        game::{GameMoves, index},
    },
    limits::{MAX_BLOB_BYTES, MAX_PLIES},
    rules::{LegalMoves, Outcome, Rules},
};
use plybook_xelto::{
    Move, Piece, PieceLocation, Pieces, Position, Side,
    codec::{HASH32, HASH34, HashError, XELTO_CODECS, byte, game_moves, move14, url},
    notation::{MoveTarget, Record, Written},
};
use proptest::prelude::*;

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(name: &str, what: &str) -> Vec<T> {
    golden(name, what)[0][0].split(' ').map(|number| number.parse().unwrap()).collect()
}

/// A record followed by its continuation.
fn whole(name: &str) -> Record {
    let mut record: Record = text(name).parse().unwrap();
    record.moves.append(&mut record.continuation);
    record
}

#[test]
fn the_records_have_their_golden_values() {
    for name in ["first", "second"] {
        let record = whole(name);
        let (start, moves) = (record.start(), &record.moves);
        let positions: Vec<Position> = record.positions().collect();
        let counts: Vec<u32> =
            positions[..moves.len()].iter().map(|position| position.legal_moves().count()).collect();
        assert_eq!(counts, numbers::<u32>(name, "counts"));

        let codes = move14::encode(&start, moves).unwrap();
        assert_eq!(codes, numbers::<u16>(name, "codes"));
        assert_eq!(move14::decode(&start, &codes).as_ref(), Ok(moves));
        let bytes = byte::encode(&start, moves).unwrap();
        assert_eq!(bytes, numbers::<u8>(name, "indices"));
        assert_eq!(byte::decode(&start, &bytes).as_ref(), Ok(moves));

        for fields in golden(name, "url") {
            let moves = &moves[..fields[0].parse().unwrap()];
            assert_eq!(url::encode(&start, moves).as_ref(), Ok(&fields[1]));
            assert_eq!(url::decode(&start, &fields[1]).unwrap(), moves);
        }
        for fields in golden(name, "hash34") {
            let position = &positions[fields[0].parse::<usize>().unwrap()];
            assert_eq!(HASH34.encode(position), fields[2]);
        }
        assert_eq!(HASH32.encode(positions.last().unwrap()), golden(name, "hash32")[0][0]);
        for position in &positions {
            assert_eq!(HASH34.decode(&HASH34.encode(position)).as_ref(), Ok(position));
            assert_eq!(HASH32.decode(&HASH32.encode(position)).as_ref(), Ok(position));
        }

        let line = game_moves(&record);
        let number = index::encode(&line).unwrap();
        assert_eq!(index::decode(start, &number.to_bytes_le()), Ok(line));
    }
    assert_eq!(HASH34.encode(&Position::start()), golden("start", "hash34")[0][2]);
    assert_eq!(HASH32.encode(&Position::start()), golden("start", "hash32")[0][0]);
}

/// The random games of a test: few enough to be quick, or 20,000 with `PLYBOOK_TRIALS=long`.
fn random_games() -> impl Iterator<Item = Vec<Move>> {
    let long = std::env::var_os("PLYBOOK_TRIALS").is_some_and(|value| value == "long");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..if long { 20_000 } else { 4_000 }).map(move |_| random.game(150))
}

#[test]
fn random_games_round_trip_in_every_encoding() {
    let start = Position::start();
    let (mut games, mut plies, mut bits) = (0u64, 0u64, [0u64; XELTO_CODECS.len()]);
    for moves in random_games() {
        assert_eq!(move14::decode(&start, &move14::encode(&start, &moves).unwrap()).as_ref(), Ok(&moves));
        assert_eq!(byte::decode(&start, &byte::encode(&start, &moves).unwrap()).as_ref(), Ok(&moves));
        let text = url::encode(&start, &moves).unwrap();
        assert_eq!(text.len(), (7 * moves.len()).div_ceil(6), "an escape");
        assert_eq!(url::decode(&start, &text).as_ref(), Ok(&moves));

        let mut last = start.clone();
        moves.iter().for_each(|&m| last.play(m));
        let line = GameMoves { start: start.clone(), moves, outcome: last.board_outcome() };
        let number = index::encode(&line).unwrap();
        assert_eq!(index::decode(start.clone(), &number.to_bytes_le()).as_ref(), Ok(&line));
        (games, plies) = (games + 1, plies + line.moves.len() as u64);
        for (sum, codec) in bits.iter_mut().zip(XELTO_CODECS) {
            *sum += (codec.bits)(&line).unwrap();
            let text = (codec.write_text)(&line).unwrap();
            assert_eq!((codec.read_text)(&text).as_ref(), Ok(&line.moves), "{}", codec.name);
        }
    }
    println!("{games} random games, {plies} plies; bits per ply:");
    for (codec, bits) in XELTO_CODECS.iter().zip(bits) {
        println!("{:<7} {:.4}", codec.name, bits as f64 / plies as f64);
    }
}

#[test]
fn positions_of_random_games_round_trip() {
    for moves in random_games() {
        let mut position = Position::start();
        for m in moves {
            equals_sorted_twin(&position);
            hashes_round_trip(&position);
            position.play(m);
        }
        assert_eq!(position.legal().count() == 0, position.ending().is_some());
    }
}

/// The moves are generated in order: sorting their codes changes nothing, and no code occurs twice.
fn equals_sorted_twin(position: &Position) {
    let legal = position.legal_moves();
    let mut codes: Vec<u16> = legal.as_slice().iter().map(|&m| move14::code(m)).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(Ok(codes.len()), usize::try_from(legal.count()));
    for (index, &code) in (0..).zip(&codes) {
        let m = move14::from_code(code);
        assert_eq!(legal.nth(index), m);
        assert_eq!(legal.index_of(m.unwrap()), Some(index));
    }
    assert_eq!(legal.nth(legal.count()), None);
}

fn hashes_round_trip(position: &Position) {
    assert_eq!(HASH34.decode(&HASH34.encode(position)).as_ref(), Ok(position));
    assert_eq!(HASH32.decode(&HASH32.encode(position)).as_ref(), Ok(position));
}

#[test]
fn outcomes_round_trip_in_the_index() {
    let mut line = game_moves(&whole("second"));
    for outcome in [Outcome::Unknown, Side::Sorn.wins(), line.outcome] {
        line.outcome = outcome;
        let number = index::encode(&line).unwrap();
        assert_eq!(index::decode(Position::start(), &number.to_bytes_le()).as_ref(), Ok(&line));
    }
}

#[test]
fn illegal_moves_are_not_encoded() {
    let start = Position::start();
    let moves = [Move::step(Piece::Vio, "b5".parse().unwrap()), Move::unmount(Piece::Lin)];
    let error = EncodeError::IllegalMove(2);
    assert_eq!(move14::encode(&start, &moves), Err(error.clone()));
    assert_eq!(byte::encode(&start, &moves), Err(error.clone()));
    assert_eq!(url::encode(&start, &moves), Err(error));
}

#[test]
fn move_codes_of_either_leader_are_read() {
    // Pal and ruj are side by side on i3 and i4: either can lead the other forwards.
    let mut places = [PieceLocation::Boxed; Piece::COUNT];
    for standing in "p1ser p2dyu i3pal i4ruj v1mir v2rav v7tem".split(' ') {
        let MoveTarget { square, piece } = standing.parse().unwrap();
        places[usize::from(piece.id())] = PieceLocation::On(square);
    }
    let position = Position::set_up(Side::Arxe, places, Pieces::NONE).unwrap();
    let (pal, ruj) = (9 << 9 | 30 << 3 | 4, 12 << 9 | 31 << 3 | 3);
    let m = move14::decode(&position, &[pal]).unwrap();
    assert_eq!(move14::decode(&position, &[ruj]).as_ref(), Ok(&m));
    assert_eq!(move14::encode(&position, &m).unwrap(), [pal]);
}

#[test]
fn moves_after_the_end_of_a_game_are_rejected() {
    let record = whole("first");
    let (start, ply) = (record.start(), record.moves.len());
    let mut bytes = byte::encode(&start, &record.moves).unwrap();
    bytes.push(0);
    assert_eq!(byte::decode(&start, &bytes), Err(DecodeError::Trailing(ply)));
    let mut codes = move14::encode(&start, &record.moves).unwrap();
    codes.push(0);
    assert_eq!(move14::decode(&start, &codes), Err(DecodeError::Trailing(ply)));
    assert_eq!(byte::decode(&start, &[0, 31]), Err(DecodeError::NoSuchMove(1)));
    assert_eq!(move14::decode(&start, &[768, 768]), Err(DecodeError::NoSuchMove(1)));
}

#[test]
fn limits_are_enforced() {
    let start = Position::start();
    let there_and_back = ["+mik", "+lax"].map(|word| word.parse::<Written>().unwrap());
    let mut position = start.clone();
    let mut moves: Vec<Move> = Vec::new();
    for written in there_and_back.iter().cycle().take(MAX_PLIES) {
        let m = written.to_move(&position).unwrap();
        position.play(m);
        moves.push(m);
    }
    let mut codes = move14::encode(&start, &moves).unwrap();
    let mut bytes = byte::encode(&start, &moves).unwrap();
    let text = url::encode(&start, &moves).unwrap();
    assert_eq!(move14::decode(&start, &codes).as_ref(), Ok(&moves));
    assert_eq!(byte::decode(&start, &bytes).as_ref(), Ok(&moves));
    assert_eq!(url::decode(&start, &text).as_ref(), Ok(&moves));

    moves.push(moves[1]);
    codes.push(codes[1]);
    bytes.push(bytes[1]);
    assert_eq!(move14::encode(&start, &moves), Err(EncodeError::TooLong));
    assert_eq!(move14::decode(&start, &codes), Err(DecodeError::TooLong));
    assert_eq!(byte::encode(&start, &moves), Err(EncodeError::TooLong));
    assert_eq!(byte::decode(&start, &bytes), Err(DecodeError::TooLong));
    assert_eq!(url::encode(&start, &moves), Err(EncodeError::TooLong));
    let text = "A".repeat(MAX_BLOB_BYTES);
    assert_eq!(url::decode(&start, &text[1..]), Err(DecodeError::TooLong));
    assert_eq!(url::decode(&start, &text), Err(DecodeError::NotCanonical), "six bits are over");
    let bytes = MAX_BLOB_BYTES + 1;
    assert_eq!(url::decode(&start, &format!("{text}A")), Err(DecodeError::TooLarge(bytes)));
}

#[test]
fn url_texts_are_canonical() {
    let start = Position::start();
    assert_eq!(url::decode(&start, ""), Ok(vec![]));
    assert_eq!(url::symbols("A"), Err(DecodeError::NotCanonical), "a character without a move");
    assert_eq!(url::symbols("AB"), Err(DecodeError::NotCanonical), "padding that is not zero");
    assert_eq!(url::symbols("A="), Err(DecodeError::NoSuchMove(0)), "an invalid character");
    assert_eq!(url::symbols("_g"), Err(DecodeError::CutShort(0)), "an escape and no code");

    let m = Move::step(Piece::Vio, "b5".parse().unwrap());
    let escaped = url::text(&[url::Symbol::Index(1), url::Symbol::Escape(m)]).unwrap();
    assert_eq!(url::symbols(&escaped), Ok(vec![url::Symbol::Index(1), url::Symbol::Escape(m)]));
    let plain = url::text(&[url::Symbol::Escape(m)]).unwrap();
    assert_eq!(url::decode(&start, &plain), Err(DecodeError::NoSuchMove(0)), "the index would be enough");
    assert!(url::text(&[url::Symbol::Index(126)]).is_ok());
    assert!(url::text(&[url::Symbol::Index(127)]).is_err());
}

#[test]
fn hashes_are_canonical() {
    let hash = HASH34.encode(&Position::start());
    let changed = |at: usize, to: &str| format!("{}{to}{}", &hash[..at], &hash[at + 1..]);
    for wrong in [&hash[1..], "", &format!("{hash}A")] {
        assert_eq!(HASH34.decode(wrong), Err(HashError::Length(34)));
    }
    assert_eq!(HASH34.decode(&changed(7, "=")), Err(HashError::Character(7)));
    assert_eq!(HASH34.decode(&changed(7, "é")), Err(HashError::Character(7)));
    for wrong in ["0", "9", "-", "_"] {
        assert_eq!(HASH34.decode(&changed(7, wrong)), Err(HashError::NoPlace(Piece::Lis)));
    }
    for fine in ["x", "y", "z", "Z"] {
        assert!(HASH34.decode(&changed(7, fine)).is_ok());
    }
    assert!(matches!(HASH34.decode(&changed(7, "u")), Err(HashError::Setup(_))), "occupied by dia");
    assert!(matches!(HASH34.decode(&changed(33, "x")), Err(HashError::Setup(_))), "tem in hand");
    assert!(matches!(HASH34.decode(&changed(0, "Q")), Err(HashError::Setup(_))), "dia turned");
    assert!(HASH34.decode(&changed(0, "g")).is_ok());

    let hash = HASH32.encode(&Position::start());
    for wrong in ["B", "C", "D"] {
        let wrong = format!("AA{wrong}{}", &hash[3..]);
        assert_eq!(HASH32.decode(&wrong), Err(HashError::SpareBits));
    }
    for (flags, turned) in [("AAE", Piece::Tem), ("wAA", Piece::Pal)] {
        let position = HASH32.decode(&format!("{flags}{}", &hash[3..])).unwrap();
        let is_turned = Piece::ALL.into_iter().filter(|&piece| position.is_turned(piece));
        assert_eq!(is_turned.collect::<Vec<_>>(), [turned]);
    }
}

/// A hash with some characters replaced: sometimes a valid position, sometimes not.
fn near_hash() -> impl Strategy<Value = String> {
    let change = (0usize..34, prop::sample::select("ABCYZabcdwxyz0_".chars().collect::<Vec<_>>()));
    (0usize..150, prop::collection::vec(change, 0..4)).prop_map(|(ply, changes)| {
        let moves = Random(0xdead_beef_cafe_f00d).game(ply);
        let mut position = Position::start();
        moves.iter().for_each(|&m| position.play(m));
        let mut hash: Vec<char> = HASH34.encode(&position).chars().collect();
        changes.into_iter().for_each(|(at, character)| hash[at] = character);
        hash.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn any_text_gives_a_hash_or_an_error(text in "\\PC{0,40}") {
        let _ = (HASH34.decode(&text), HASH32.decode(&text));
    }

    #[test]
    fn hashes_round_trip_from_text(hash in near_hash()) {
        if let Ok(position) = HASH34.decode(&hash) {
            prop_assert_eq!(HASH34.encode(&position), hash);
            prop_assert_eq!(HASH32.decode(&HASH32.encode(&position)), Ok(position.clone()));
            // Even in positions that no game can reach, there is a move until the game is over.
            prop_assert_eq!(position.legal().count() == 0, position.ending().is_some());
            for &m in position.legal_moves().as_slice() {
                let mut next = position.clone();
                next.play(m);
                prop_assert_eq!(HASH34.decode(&HASH34.encode(&next)), Ok(next));
            }
        }
    }

    #[test]
    fn url_texts_round_trip(text in "[A-P][A-Za-z0-9_-]{0,40}") {
        if let Ok(symbols) = url::symbols(&text) {
            prop_assert_eq!(url::text(&symbols), Ok(text.clone()));
        }
        if let Ok(moves) = url::decode(&Position::start(), &text) {
            prop_assert_eq!(url::encode(&Position::start(), &moves), Ok(text));
        }
    }

    #[test]
    fn any_text_gives_a_url_record_or_an_error(text in "\\PC{0,60}") {
        let _ = url::decode(&Position::start(), &text);
    }

    #[test]
    fn any_bytes_give_a_game_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let start = Position::start();
        if let Ok(moves) = byte::decode(&start, &bytes) {
            prop_assert_eq!(byte::encode(&start, &moves), Ok(bytes.clone()));
        }
        if let Ok(line) = index::decode(start, &bytes) {
            prop_assert_eq!(index::encode(&line).unwrap().to_bytes_le(), bytes);
        }
    }

    #[test]
    fn any_codes_give_moves_or_an_error(codes in prop::collection::vec(any::<u16>(), 0..10)) {
        let _ = move14::decode(&Position::start(), &codes);
    }
}
