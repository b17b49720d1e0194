use shakmaty::{CastlingMode, Chess, EnPassantMode, Rank, Square, fen::Fen};

use super::*;

fn setup(fen: &str) -> Setup {
    fen.parse::<Fen>().unwrap().into_setup()
}

fn sought(fen: &str) -> TargetPosition {
    TargetPosition::new(&setup(fen)).unwrap()
}

/// A position reached by a scan.
fn is_reached(sought: &TargetPosition, position: &Chess) -> bool {
    let castling = position.castles().castling_rights();
    let scanned = sought.has(position.board(), position.turn(), castling, position.key());
    assert_eq!(scanned, sought.is_at(position));
    assert!(!(scanned && sought.is_behind(position)));
    scanned
}

/// The positions of random games of standard chess and Chess960.
fn games() -> Vec<Vec<Chess>> {
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppp1ppp/8/4p3/3pP3/8/PPP2PPP/R3K2R w KQkq - 0 1",
        "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1",
        "1rr1k1rr/8/3p2p1/8/2P2P2/8/8/1RR1K1RR w HBhb - 0 1",
    ];
    let mut game = |fen: &str| {
        let VariantPosition::Chess(start) = Variant::Chess960.position_of(setup(fen)).unwrap() else {
            unreachable!()
        };
        let mut positions = vec![start];
        while positions.len() < 60 {
            let mut position = positions.last().unwrap().clone();
            let moves = position.legal_moves();
            let Some(&m) = moves.get(random(moves.len().max(1))) else { break };
            position.play_unchecked(m);
            positions.push(position);
        }
        positions
    };
    (0..40).map(|number| game(starts[number % starts.len()])).collect()
}

/// A position as people write it, including wrong or missing parts.
fn written(position: &Chess) -> Vec<Setup> {
    let all = position.to_setup(EnPassantMode::Always);
    let mut written = vec![position.to_setup(EnPassantMode::Legal), all.clone()];
    written.push(all.clone().into_swapped_turn());
    let backranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
    written.push(Setup { castling_rights: all.board.rooks() & backranks, ..all.clone() });
    written.push(Setup { castling_rights: backranks, ..all.clone() });
    for square in all.castling_rights {
        written.push(Setup { castling_rights: all.castling_rights.without(square), ..all.clone() });
    }
    let rank = position.turn().fold_wb(Rank::Sixth, Rank::Third);
    for square in Bitboard::from_rank(rank).with(Square::E4) {
        written.push(Setup { ep_square: Some(square), ..all.clone() });
    }
    written
}

/// The same setup normalized with shakmaty, by removing each error explicitly.
fn by_shakmaty(mut setup: Setup) -> Option<Chess> {
    for _ in 0..3 {
        let mode = CastlingMode::Chess960;
        let error = match setup.clone().position::<Chess>(mode) {
            Ok(position) => return Some(position),
            Err(error) => error.kinds(),
        };
        if error.contains(PositionErrorKinds::OPPOSITE_CHECK) {
            return None;
        }
        if error.contains(PositionErrorKinds::INVALID_EP_SQUARE) {
            setup.ep_square = None;
        } else if error.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
            let castles = shakmaty::Castles::from_setup(&setup, mode).unwrap_or_else(|castles| castles);
            setup.castling_rights = castles.castling_rights();
        } else {
            let position = setup.clone().position::<Chess>(mode);
            let position = position.or_else(PositionError::ignore_impossible_check);
            return position.or_else(PositionError::ignore_too_much_material).ok();
        }
    }
    None
}

#[test]
fn a_position_matches_exactly_the_equal_positions() {
    let (mut reached, mut differ) = (0, 0);
    for positions in games() {
        for (ply, written_at) in positions.iter().enumerate() {
            for setup in written(written_at) {
                let whole = by_shakmaty(setup.clone());
                let Ok(sought) = TargetPosition::new(&setup) else {
                    assert_eq!(whole, None);
                    continue;
                };
                let whole = whole.unwrap();
                for position in positions.iter().skip(ply.saturating_sub(4)).take(9) {
                    let is_equal = *position == whole;
                    assert_eq!(is_reached(&sought, position), is_equal, "{setup:?} {position:?}");
                    *if is_equal { &mut reached } else { &mut differ } += 1;
                }
            }
        }
    }
    assert!(reached > 5_000 && differ > 5_000, "{reached} {differ}");
}

#[test]
fn a_position_can_follow_those_that_led_to_it() {
    for positions in games() {
        for (ply, later) in positions.iter().enumerate() {
            let setup = later.to_setup(EnPassantMode::Always);
            let (exact, board) = (TargetPosition::new(&setup).unwrap(), &setup.board);
            let board = TargetPosition::board_only(Variant::Standard, board).mirrored();
            for earlier in &positions[..=ply] {
                assert!(!exact.is_behind(earlier) && !board.is_behind(earlier), "{later:?} {earlier:?}");
            }
        }
    }
    // The control: a position that can no longer occur is detected.
    let start = sought("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(games()[0].iter().skip(4).any(|position| start.is_behind(position)));
}

#[test]
fn mirroring_swaps_colours_castling_rights_and_en_passant() {
    for positions in games() {
        for position in positions {
            let setup = position.to_setup(EnPassantMode::Always);
            let other = by_shakmaty(setup.clone().into_mirrored()).unwrap();
            let (one, both) =
                (TargetPosition::new(&setup).unwrap(), TargetPosition::new(&setup).unwrap().mirrored());
            assert!(!is_reached(&one, &other) && is_reached(&both, &other));
            assert!(is_reached(&both, &position));
            let board = TargetPosition::board_only(Variant::Standard, &setup.board);
            assert_eq!(is_reached(&board, &other), other.board() == position.board());
            assert!(is_reached(&board.mirrored(), &other));
        }
    }
}

#[test]
fn board_only_matches_any_side_to_move_and_any_rights() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R";
    let board = TargetPosition::board_only(Variant::Standard, &setup(fen).board);
    for rest in ["w KQkq", "b KQkq", "w -", "b Kq"] {
        let position = by_shakmaty(setup(&format!("{fen} {rest} - 0 1"))).unwrap();
        assert!(is_reached(&board, &position));
    }
    // It is its own mirror image.
    assert_eq!(board.mirrored().targets().len(), 1);
}

#[test]
fn ineffective_fen_fields_are_dropped_and_others_kept() {
    let bare = sought("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(bare, sought("4k3/8/8/8/8/8/8/4K2R w Qkq - 9 99"));
    assert_ne!(bare, sought("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    // The pawn on d4 is pinned: it cannot capture on e3.
    let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b -";
    assert_eq!(sought(&format!("{pinned} e3 0 1")), sought(&format!("{pinned} - 0 1")));
    let free = "8/8/8/8/3pP3/k7/8/4K3 b -";
    assert_ne!(sought(&format!("{free} e3 0 1")), sought(&format!("{free} - 0 1")));
}

#[test]
fn two_rooks_on_one_side_of_a_king_are_distinguished() {
    let inner = sought("4k3/8/8/8/8/8/8/2K2RR1 w F - 0 1");
    let outer = sought("4k3/8/8/8/8/8/8/2K2RR1 w G - 0 1");
    assert_eq!(inner.targets()[0].state, outer.targets()[0].state);
    assert_ne!(inner, outer);
    let position = by_shakmaty(setup("4k3/8/8/8/8/8/8/2K2RR1 w F - 0 1")).unwrap();
    assert!(is_reached(&inner, &position) && !is_reached(&outer, &position));
}

#[test]
fn unusual_positions_are_accepted_and_impossible_ones_rejected() {
    // Nine pawns; a triple check.
    for fen in ["4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1"] {
        assert_eq!(sought(fen).targets().len(), 1);
    }
    for (fen, why) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
        ("4k3/8/8/8/8/8/8/4K1K1 w - - 0 1", "a side has several kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "there is a pawn on its first or last rank"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side not to move is in check"),
    ] {
        let error = TargetPosition::new(&setup(fen)).unwrap_err();
        assert_eq!(error.to_string(), format!("no game reaches this position: {why}"));
    }
}

#[test]
fn a_position_belongs_to_its_variant() {
    let setup = Setup::initial();
    let (chess, atomic) = (TargetPosition::new(&setup), TargetPosition::of_variant(Variant::Atomic, &setup));
    assert!(chess.as_ref().unwrap().is_of(Variant::Chess960));
    assert!(!chess.unwrap().is_of(Variant::Atomic));
    let atomic = atomic.unwrap();
    assert!(atomic.is_of(Variant::Atomic) && !atomic.is_of(Variant::Standard));
    let crazyhouse = TargetPosition::of_variant(Variant::Crazyhouse, &setup).unwrap();
    let mut fewer = Setup::initial();
    fewer.board.discard_piece_at(Square::A2);
    assert!(!crazyhouse.is_behind(&Variant::Crazyhouse.position_of(fewer).unwrap()));
}
