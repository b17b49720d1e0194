//! The rules of Xelto: what the records show, and corner cases that they do not cover.

use crate::{golden::golden, records::text};
use plybook_chess::rules::{LegalMoves, Outcome, Rules};
use plybook_xelto::{
    Ending, Move, Piece, PieceLocation, Pieces, Position, Reason, Ruleset, SetupError, Side,
    codec::move14,
    notation::{IllegalMove, Problem, Record, Written},
};

fn record(name: &str) -> Record {
    text(name).parse().unwrap()
}

/// A position from seven rows of pieces; missing pieces are in the box.
fn board(mover: Side, rows: &str) -> Position {
    set_up(mover, rows, "", "", "")
}

fn set_up(mover: Side, rows: &str, hands: &str, mounts: &str, turned: &str) -> Position {
    let piece = |name: &str| name.parse::<Piece>().unwrap();
    let mut places = [PieceLocation::Boxed; Piece::COUNT];
    let mut put = |name: &str, place| places[usize::from(piece(name).id())] = place;
    for (number, name) in (0..).zip(rows.split_whitespace()).filter(|(_, name)| *name != ".") {
        put(name, PieceLocation::On(plybook_xelto::Square::from_number(number).unwrap()));
    }
    hands.split_whitespace().for_each(|name| put(name, PieceLocation::Hand));
    mounts.split_whitespace().for_each(|name| put(name, PieceLocation::Mounted));
    let mut pieces = Pieces::NONE;
    turned.split_whitespace().for_each(|name| pieces.insert(piece(name)));
    Position::set_up(mover, places, pieces).unwrap()
}

fn m(position: &Position, word: &str) -> Result<Move, IllegalMove> {
    word.parse::<Written>().unwrap().to_move(position)
}

fn played(position: &Position, word: &str) -> Position {
    let mut next = position.clone();
    next.play(m(position, word).unwrap());
    next
}

fn words(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    moves.as_slice().iter().map(|&m| Written::from_move(position, m).to_string()).collect()
}

/// The moves of one piece, excluding pairs.
fn words_of(position: &Position, piece: &str) -> Vec<String> {
    words(position).into_iter().filter(|word| word.ends_with(piece) && !word.contains('&')).collect()
}

fn pairs(position: &Position) -> Vec<String> {
    words(position).into_iter().filter(|word| word.contains('&')).collect()
}

fn nodes(position: &Position, depth: u32) -> u64 {
    let legal = position.legal_moves();
    if depth == 1 {
        return legal.count().into();
    }
    let below = legal.as_slice().iter().map(|&m| {
        let mut next = position.clone();
        next.play(m);
        nodes(&next, depth - 1)
    });
    below.sum()
}

#[test]
fn the_order_of_the_first_moves_is_frozen() {
    let start = Position::start();
    let moves = start.legal_moves();
    let listed: Vec<String> = (0..)
        .zip(moves.as_slice())
        .map(|(index, &m)| {
            assert_eq!(moves.index_of(m), Some(index));
            format!("{index}:{}:{}", move14::code(m), Written::from_move(&start, m))
        })
        .collect();
    assert_eq!(listed.join(" "), golden("start", "moves")[0][0]);
}

#[test]
fn node_counts_from_the_start() {
    let counts = (1..=4).map(|depth| nodes(&Position::start(), depth).to_string());
    assert_eq!(counts.collect::<Vec<_>>().join(" "), golden("start", "nodes")[0][0]);
}

#[test]
fn the_first_record_ends_in_a_demon_win() {
    let record = record("first");
    assert_eq!((record.moves.len(), record.continuation.len()), (67, 2));
    let mut position = record.last_position();
    assert_eq!(position.ending(), None);
    record.continuation.iter().for_each(|&m| position.play(m));
    let ending = Ending { winner: Side::Arxe, reason: Reason::Demons, points: Some(3) };
    assert_eq!(position.ending(), Some(ending));
    assert_eq!(position.board_outcome(), Side::Arxe.wins());
    assert_eq!(position.legal().count(), 0);
    assert_eq!(record.outcome(), Outcome::Unknown);
}

#[test]
fn the_second_record_is_resigned() {
    let record = record("second");
    assert_eq!(record.moves.len(), 47);
    assert_eq!(record.header("sorn"), Some("tikno verkotan"));
    assert_eq!(record.last_position().ending(), None);
    assert_eq!(record.outcome(), Side::Arxe.wins());
    assert_eq!(record.result.unwrap().to_string(), "arxe vast vol hacma ok 3 ito.");
}

#[test]
fn two_occurrences_are_not_a_fourth_occurrence() {
    assert_eq!(record("first").fourth_occurrence(), None);
    let there_and_back = ["+mik", "+lax", "+mik", "+lax"];
    let lines: String = (1..=12).map(|n| format!("{n}.{}\n", there_and_back[(n - 1) % 4])).collect();
    let record: Record = lines.parse().unwrap();
    assert_eq!(record.fourth_occurrence(), Some(12));
}

fn wins_now(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    let wins = moves.as_slice().iter().copied().filter(|&m| {
        let mut next = position.clone();
        next.play(m);
        next.ending().is_some_and(|ending| ending.winner == position.mover())
    });
    wins.collect()
}

/// Whether the other side wins on the next move, whatever is played.
fn is_lost(position: &Position) -> bool {
    position.legal_moves().as_slice().iter().all(|&m| {
        let mut next = position.clone();
        next.play(m);
        !wins_now(&next).is_empty()
    })
}

#[test]
fn good_players_miss_no_win_and_resign_when_lost() {
    for (name, replies) in [("first", 24), ("second", 27)] {
        let record = record(name);
        let mut position = record.start();
        for &m in &record.moves {
            assert!(wins_now(&position).is_empty(), "{name}: a win was missed");
            let lost = is_lost(&position);
            position.play(m);
            assert!(lost || wins_now(&position).is_empty(), "{name}: a blunder");
        }
        assert_eq!(position.legal_moves().count(), replies);
        assert!(is_lost(&position), "{name}");
    }
}

#[test]
fn teems_captures_its_own_side_only_if_the_rules_allow_it() {
    let before = record("first").positions().nth(43).unwrap();
    let after = played(&before, "s6tem");
    assert_eq!(after.place(Piece::Jil), PieceLocation::Boxed);
    assert_eq!(after.mount(Side::Sorn), Some(Piece::Vio));

    let strict = Ruleset { tem_takes_own: false };
    let expected = IllegalMove::CannotReach(Piece::Tem, "s6".parse().unwrap());
    assert_eq!(m(&before.under(strict), "s6tem"), Err(expected));
    let error = Record::read(&text("first"), strict).unwrap_err();
    assert_eq!((error.line, error.ply), (44, 44));
    assert_eq!(error.problem, Problem::Illegal("s6tem".to_owned(), expected));
    let second = Record::read(&text("second"), strict).unwrap();
    assert_eq!(second.positions().last().unwrap().ruleset(), strict);
}

#[test]
fn capturing_with_teems_costs_the_mount_and_capturing_teems_swaps() {
    let record = record("second");
    let positions: Vec<Position> = record.positions().collect();
    let hand = |ply: usize, side| positions[ply].hand(side).collect::<Vec<_>>();

    assert_eq!(positions[14].mount(Side::Arxe), Some(Piece::Lax));
    assert_eq!(hand(15, Side::Arxe), [Piece::Lin, Piece::Len]);
    assert_eq!(positions[15].mount(Side::Arxe), None);
    assert_eq!(positions[15].place(Piece::Lax), PieceLocation::Boxed);

    assert_eq!(positions[16].square(Piece::Ket), "s5".parse().ok());
    assert_eq!(positions[16].square(Piece::Tem), "e4".parse().ok());

    assert_eq!(positions[41].mount(Side::Arxe), Some(Piece::Kun));
    assert_eq!(positions[42].place(Piece::Kun), PieceLocation::Boxed);
    assert_eq!(positions[42].square(Piece::Tem), "s5".parse().ok());
}

const QUIET: &str = "mir rav  .   .   .   .   .
                      .   .   .   .   .   .  tem
                      .   .   .   .   .   .   .
                      .   .   .  tou  .   .   .
                      .   .   .   .   .   .   .
                      .   .   .   .   .   .   .
                     ser dyu  .   .   .   .   .";

fn alone(piece: &str, turned: bool) -> Vec<String> {
    let rows = QUIET.replace("tou", piece);
    words_of(&set_up(Side::Arxe, &rows, "", "", if turned { piece } else { "" }), piece)
}

#[test]
fn every_kind_moves_as_documented() {
    assert_eq!(alone("pal", false), ["s4pal", "b4pal", "+pal"]);
    assert_eq!(alone("pal", true), ["t3pal", "t5pal", "+pal"]);
    assert_eq!(alone("ful", false), ["t3ful", "t5ful", "+ful"]);
    assert_eq!(alone("ful", true), ["s4ful", "b4ful", "+ful"]);
    assert_eq!(alone("mik", false), ["s3mik", "s5mik", "b3mik", "b5mik", "+mik"]);
    assert_eq!(alone("mik", true), ["s4mik", "t3mik", "t5mik", "b4mik", "+mik"]);
    assert_eq!(alone("fav", false), ["e4fav", "s4fav", "b4fav", "i4fav", "+fav"]);
    assert_eq!(alone("fav", true), ["t2fav", "t3fav", "t5fav", "t6fav", "+fav"]);
    let rook = ["v4", "e4", "s4", "t1", "t2", "t3", "t5", "t6", "t7", "b4", "i4", "p4"];
    assert_eq!(alone("ral", false), rook.map(|square| format!("{square}ral")));
    let leaps = ["e3", "e5", "s2", "s6", "b2", "b6", "i3", "i5"];
    assert_eq!(alone("vio", false), leaps.map(|square| format!("{square}vio")));
    let door = ["v1", "v7", "e2", "e6", "s3", "s5", "t3", "t5", "b3", "b5", "i2", "i6", "p7"]
        .map(|s| format!("{s}dia"));
    assert_eq!(alone("dia", false), door);
}

#[test]
fn sliding_pieces_stop_at_the_first_piece() {
    let position = board(
        Side::Arxe,
        "mir rav  .   .   .   .  tem
          .   .   .   .   .   .   .
          .   .   .  pal  .   .   .
          .   .   .  fav  .   .   .
          .   .   .   .   .   .   .
          .   .   .  din  .   .   .
         ser dyu  .   .   .   .   .",
    );
    assert_eq!(words_of(&position, "fav"), ["b4fav", "i4fav", "+fav"]);
    assert_eq!(
        words_of(&position, "dyu"),
        ["v2", "e2", "s2", "t2", "b2", "i2", "p3", "p4", "p5", "p6", "p7"].map(|s| format!("{s}dyu"))
    );
}

#[test]
fn a_leader_may_move_away_from_its_follower_but_not_towards_it() {
    let rows = "mir rav  .   .   .   .  tem
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .  fav  .   .   .
                 .   .   .  pal  .   .   .
                ser dyu  .   .   .   .   .";
    let position = board(Side::Arxe, rows);
    // fav up one or two, pal behind it; pal down, fav behind it.
    assert_eq!(pairs(&position), ["p4pal&i4fav", "s4fav&t4pal", "t4fav&b4pal"]);
    let after = played(&position, "t4fav&b4pal");
    assert_eq!(after.square(Piece::Pal), "b4".parse().ok());
    assert_eq!(after.square(Piece::Fav), "t4".parse().ok());
}

#[test]
fn a_follower_needs_an_empty_square_on_the_board() {
    let rows = "mir rav  .   .   .   .  tem
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .  din  .   .   .
                 .   .   .   .   .   .  zan
                 .   .  mik fav  .   .  ruj
                ser dyu  .   .   .   .   .";
    let position = board(Side::Arxe, rows);
    // mik takes fav along: b2 & b3, b4 & b5 (b4 is empty), p4 & p5; not p2 (occupied by dyu).
    let of_mik = pairs(&position).into_iter().filter(|word| word.contains("mik")).collect::<Vec<_>>();
    assert_eq!(of_mik, ["b2mik&b3fav", "b4mik&b5fav", "p4mik&p5fav", "b4fav&b3mik", "p4fav&p3mik"]);
    assert_eq!(m(&position, "b3mik&t4fav"), Err(IllegalMove::CannotGoTogether(Piece::Mik, Piece::Fav)));
    // zan on the edge can take ruj along only to the left.
    let of_zan = pairs(&position).into_iter().filter(|word| word.contains("zan")).collect::<Vec<_>>();
    assert_eq!(of_zan, ["t6zan&b6ruj", "i6zan&p6ruj", "p7ruj&i7zan"]);
}

#[test]
fn the_smaller_of_two_pairs_is_canonical_and_both_are_read() {
    let rows = "mir rav  .   .   .   .  tem
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .  pal ruj  .   .   .
                ser dyu  .   .   .   .   .";
    let position = board(Side::Arxe, rows);
    assert_eq!(pairs(&position), ["b3pal&b4ruj", "p3pal&p4ruj"]);
    let canonical = m(&position, "b3pal&b4ruj").unwrap();
    assert_eq!(m(&position, "b4ruj&b3pal"), Ok(canonical));
    assert_eq!(m(&position, "b4rujpal"), Ok(canonical));
    assert_eq!(m(&position, "b3palruj"), Ok(canonical));
    let twin = move14::from_code(12 << 9 | 31 << 3 | 3).unwrap();
    assert_eq!(position.canonical(twin), Some(canonical));
    assert_eq!(position.legal_moves().index_of(twin), None);
}

#[test]
fn teems_with_a_front_guard_mounted_leads_follows_and_turns() {
    let rows = "mir rav  .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .  ful tem  .   .   .
                ser dyu  .   .   .   .   .";
    let mounted = |mount: &str| set_up(Side::Arxe, rows, "", mount, "");
    assert_eq!(words_of(&mounted(""), "tem"), [""; 0]);
    assert_eq!(pairs(&mounted("")), [""; 0]);

    let tower = mounted("mat");
    assert_eq!(words_of(&tower, "tem"), ["t4tem", "b4tem", "p4tem", "+tem"]);
    assert_eq!(pairs(&tower), ["i2ful&i3tem", "t4tem&t3ful", "b4tem&b3ful", "p4tem&p3ful"]);
    let turned = set_up(Side::Arxe, rows, "", "mat", "tem");
    // Ful is to the left: it belongs to the mover, so Teems may capture it, and goes no further.
    assert_eq!(words_of(&turned, "tem"), ["i3tem", "i5tem", "i6tem", "+tem"]);
    assert_eq!(pairs(&turned), ["i2ful&i3tem", "i5tem&i4ful", "i6tem&i5ful"]);

    let jump = mounted("nen");
    assert_eq!(words_of(&jump, "tem").len(), 6);
    assert_eq!(pairs(&jump), [""; 0]);
    // The opponent's mounted piece is of no use to the mover.
    assert_eq!(words_of(&mounted("fav"), "tem"), [""; 0]);
}

#[test]
fn turning_lasts_until_capture() {
    let rows = "mir rav  .   .   .   .  tem
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .  din  .   .   .
                 .   .   .  fav  .   .   .
                 .   .   .   .   .   .   .
                ser dyu  .   .   .   .   .";
    let position = board(Side::Sorn, rows);
    let turned = played(&played(&played(&position, "+din"), "p3dyu"), "t5din");
    assert!(turned.is_turned(Piece::Din));
    let back = played(&played(&turned, "p4dyu"), "+din");
    assert!(!back.is_turned(Piece::Din));

    let taken = played(&played(&position, "+din"), "t4fav");
    assert!(!taken.is_turned(Piece::Din));
    assert_eq!(taken.place(Piece::Din), PieceLocation::Hand);
    assert_eq!(taken.hand(Side::Arxe).collect::<Vec<_>>(), [Piece::Din]);
}

#[test]
fn mounting_another_piece_returns_the_first() {
    let position = set_up(Side::Arxe, QUIET.replace("tou", ".").as_str(), "len kun", "nen", "");
    let mounts: Vec<String> = words(&position).into_iter().filter(|word| word.starts_with('*')).collect();
    assert_eq!(mounts, ["*len", "*...", "*kun"]);
    let after = played(&position, "*kun");
    assert_eq!(after.mount(Side::Arxe), Some(Piece::Kun));
    assert_eq!(after.hand(Side::Arxe).collect::<Vec<_>>(), [Piece::Len, Piece::Nen]);
    assert_eq!(played(&position, "*...").mount(Side::Arxe), None);
    assert_eq!(m(&position, "*nen"), Err(IllegalMove::NotInHand(Piece::Nen)));
    assert_eq!(m(&played(&position, "*..."), "*..."), Err(IllegalMove::NothingMounted));
}

#[test]
fn capturing_teems_boxes_the_opponents_mount_only() {
    let rows = "mir rav  .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .  tem  .   .   .
                 .   .   .  fav  .   .   .
                 .   .   .   .   .   .   .
                ser dyu  .   .   .   .   .";
    let bare = played(&board(Side::Arxe, rows), "t4fav");
    assert_eq!((bare.square(Piece::Fav), bare.square(Piece::Tem)), ("t4".parse().ok(), "b4".parse().ok()));
    let both = played(&set_up(Side::Arxe, rows, "", "kun mik", "tem"), "t4fav");
    assert_eq!(both.mount(Side::Arxe), Some(Piece::Kun));
    assert_eq!(both.place(Piece::Mik), PieceLocation::Boxed);
    assert!(both.is_turned(Piece::Tem));
}

#[test]
fn a_moon_may_be_left_en_prise_but_not_captured_by_its_own_side() {
    let rows = "mir rav  .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                ser tem  .   .   .   .   .
                dyu  .   .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .";
    let position = set_up(Side::Arxe, rows, "", "len", "");
    assert!(m(&position, "e2ser").is_err());
    assert!(m(&position, "t1tem").is_err());
    let careless = played(&position, "s1ser");
    assert_eq!(careless.ending(), None);
    let over = played(&played(&careless, "v3rav"), "e1ser");
    let over = played(&over, "e1mir");
    assert_eq!(over.ending(), Some(Ending { winner: Side::Sorn, reason: Reason::Moon, points: None }));
    assert_eq!(m(&over, "b2dyu"), Err(IllegalMove::GameOver));
}

#[test]
fn capturing_the_last_own_demon_with_teems_loses() {
    let rows = "mir rav  .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .
                ser  .   .   .   .   .   .
                dyu tem  .   .   .   .   .
                 .   .   .   .   .   .   .
                 .   .   .   .   .   .   .";
    let after = played(&set_up(Side::Arxe, rows, "", "rez", ""), "b1tem");
    assert_eq!(after.place(Piece::Dyu), PieceLocation::Boxed);
    assert_eq!(after.mount(Side::Arxe), Some(Piece::Rez));
    let ending = Ending { winner: Side::Sorn, reason: Reason::Demons, points: Some(1) };
    assert_eq!(after.ending(), Some(ending));
}

#[test]
fn impossible_positions_are_rejected() {
    let start = Position::start();
    let places = Piece::ALL.map(|piece| start.place(piece));
    let with = |piece: Piece, place| {
        let mut places = places;
        places[usize::from(piece.id())] = place;
        places
    };
    let set_up = |places| Position::set_up(Side::Arxe, places, Pieces::NONE);
    assert_eq!(set_up(places), Ok(start));
    assert_eq!(set_up(with(Piece::Tem, PieceLocation::Boxed)), Err(SetupError::TemOffBoard));
    let taken = with(Piece::Vio, PieceLocation::On("v1".parse().unwrap()));
    assert_eq!(set_up(taken), Err(SetupError::SquareTaken(Piece::Rav)));
    let mut mounts = with(Piece::Vio, PieceLocation::Mounted);
    assert!(set_up(mounts).is_ok());
    mounts[usize::from(Piece::Rav.id())] = PieceLocation::Mounted;
    assert!(set_up(mounts).is_ok());
    mounts[usize::from(Piece::Lis.id())] = PieceLocation::Mounted;
    assert_eq!(set_up(mounts), Err(SetupError::TwoMounts(Piece::Lis)));
    for (piece, place, fine) in [
        (Piece::Pal, places[usize::from(Piece::Pal.id())], true),
        (Piece::Tem, places[usize::from(Piece::Tem.id())], true),
        (Piece::Pal, PieceLocation::Hand, false),
        (Piece::Ral, places[usize::from(Piece::Ral.id())], false),
    ] {
        let mut turned = Pieces::NONE;
        turned.insert(piece);
        let position = Position::set_up(Side::Arxe, with(piece, place), turned);
        assert_eq!(position.is_ok(), fine, "{piece}");
        assert!(fine || position == Err(SetupError::CannotBeTurned(piece)));
    }
}
