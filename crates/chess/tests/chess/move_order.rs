//! The order of legal moves: it is frozen, and the counted index always equals that of the sorted list.

use plybook_chess::{
    chess::{
        CastlingSide, Chess, File, Move, MoveSets, Position, Rank, Resolved, Role, San, SortedMoves, Square,
        Variant, VariantPosition, resolve,
    },
    rules::{LegalMoves, Rules},
};
use shakmaty::{fen::Fen, uci::UciMove};

/// Positions that stress move generation (perft positions and corner cases of castling, pins, en passant).
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "1k6/8/8/8/8/8/2p1p3/1N1Q3K b - - 0 1",
    "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "5rkr/8/8/8/8/8/8/1RK1R3 w EBhf - 0 1",
];

/// Walks the tree below a position and calls `check` on every position.
fn walk<P: Position + Clone>(position: &P, depth: u32, check: &mut dyn FnMut(&P)) {
    check(position);
    if depth > 0 {
        for m in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(m);
            walk(&next, depth - 1, check);
        }
    }
}

fn same_as_twin(position: &Chess) {
    let (sets, twin) = (MoveSets::new(position), SortedMoves::new(position));
    let context = || Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string();
    assert_eq!(sets.count(), twin.count(), "{}", context());
    for (index, &m) in (0..).zip(twin.as_slice()) {
        assert_eq!(sets.index_of(m), Some(index), "{m} in {}", context());
        assert_eq!(twin.index_of(m), Some(index), "{m} in {}", context());
        assert_eq!(sets.nth(index), Some(m), "{index} in {}", context());
        let san = shakmaty::san::San::from_move(position, m);
        let expected = Some(Resolved::new(m, index, twin.count()));
        assert_eq!(resolve(position, san), expected, "{san} in {}", context());
        assert_eq!(twin.resolve(san), expected, "{san} in {}", context());
    }
    assert_eq!(sets.nth(sets.count()), None);
}

#[test]
fn counted_index_equals_the_sorted_list_below_perft_positions() {
    let mut positions = 0;
    for fen in POSITIONS {
        let position: Fen = fen.parse().unwrap();
        let variant = if fen.contains("HF") || fen.contains("FB") || fen.contains("EB") {
            Variant::Chess960
        } else {
            Variant::Standard
        };
        let VariantPosition::Chess(position) = variant.position(&position).unwrap() else { unreachable!() };
        walk(&position, 2, &mut |position| {
            positions += 1;
            same_as_twin(position);
        });
    }
    assert!(positions > 10_000, "only {positions} positions were seen");
}

#[test]
fn an_illegal_move_has_no_index() {
    for fen in POSITIONS {
        let fen: Fen = fen.parse().unwrap();
        let VariantPosition::Chess(position) = Variant::Standard.position(&fen).unwrap() else {
            unreachable!()
        };
        walk(&position, 1, &mut |position| {
            let (sets, twin) = (MoveSets::new(position), SortedMoves::new(position));
            for role in Role::ALL {
                for (from, to) in Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to))) {
                    let capture = position.board().role_at(to);
                    for promotion in [None, Some(Role::Queen)] {
                        let m = Move::Normal { role, from, capture, to, promotion };
                        let context = || Fen::from_position(position, shakmaty::EnPassantMode::Legal);
                        assert_eq!(sets.index_of(m), twin.index_of(m), "{m:?} in {}", context());
                    }
                }
            }
        });
    }
}

/// A tiny generator of pseudo-random numbers (xorshift64), so that the walks are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(n).unwrap()).unwrap()
    }
}

#[test]
fn counted_index_equals_the_sorted_list_in_random_games() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for game in 0..300u32 {
        let mut setup = shakmaty::Setup::initial();
        if game % 2 == 1 {
            setup.board = shakmaty::Board::chess960(u32::try_from(random.below(960)).unwrap());
            setup.castling_rights = setup.board.rooks();
        }
        let mut position: Chess = setup.position(shakmaty::CastlingMode::Chess960).unwrap();
        for _ in 0..200 {
            same_as_twin(&position);
            let legal = Rules::legal(&position);
            if legal.count() == 0 {
                break;
            }
            let m = legal.nth(u32::try_from(random.below(usize::try_from(legal.count()).unwrap())).unwrap());
            position.play_unchecked(m.unwrap());
        }
    }
}

/// Tests legal and illegal SAN, ambiguous or not, with too much and too little disambiguation.
fn means_what_the_twin_says(position: &Chess, random: &mut Random) {
    let twin = SortedMoves::new(position);
    let check = |san: San| {
        let expected = twin.resolve(san);
        let context =
            || format!("{san:?} in {}", Fen::from_position(position, shakmaty::EnPassantMode::Legal));
        assert_eq!(resolve(position, san), expected, "{}", context());
    };
    for role in Role::ALL {
        for to in Square::ALL {
            for capture in [false, true] {
                let file = (random.below(2) == 0).then(|| File::ALL[random.below(8)]);
                let rank = (random.below(2) == 0).then(|| Rank::ALL[random.below(8)]);
                let promotion = (random.below(4) == 0).then(|| Role::ALL[random.below(6)]);
                check(San::Normal { role, file: None, rank: None, capture, to, promotion: None });
                check(San::Normal { role, file, rank, capture, to, promotion });
            }
        }
    }
    for &m in twin.as_slice() {
        let (file, rank) = (m.from().map(Square::file), m.from().map(Square::rank));
        for (file, rank) in [(None, None), (file, None), (None, rank), (file, rank)] {
            for promotion in [m.promotion(), None, Some(Role::Queen)] {
                let (role, to, capture) = (m.role(), m.to(), m.is_capture());
                check(San::Normal { role, file, rank, capture, to, promotion });
            }
        }
    }
    for side in CastlingSide::ALL {
        check(San::Castle(side));
    }
    check(San::Null);
}

#[test]
fn any_san_resolves_as_in_the_sorted_list() {
    let mut random = Random(0x6a09_e667_f3bc_c908);
    for fen in POSITIONS {
        let position: Fen = fen.parse().unwrap();
        let Ok(VariantPosition::Chess(position)) = Variant::Chess960.position(&position) else {
            unreachable!()
        };
        walk(&position, 1, &mut |position| means_what_the_twin_says(position, &mut random));
    }
    for _ in 0..20 {
        let mut position = Chess::new();
        for _ in 0..200 {
            let legal = Rules::legal(&position);
            if legal.count() == 0 {
                break;
            }
            let m = legal.nth(u32::try_from(random.below(usize::try_from(legal.count()).unwrap())).unwrap());
            position.play_unchecked(m.unwrap());
            if random.below(8) == 0 {
                means_what_the_twin_says(&position, &mut random);
            }
        }
    }
}

#[test]
fn sorted_moves_of_every_variant_are_found_by_index() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for variant in Variant::ALL {
        for _ in 0..20 {
            let mut position = variant.start();
            for _ in 0..150 {
                let legal = position.legal();
                let mut seen = Vec::new();
                for index in 0..legal.count() {
                    let m = legal.nth(index).unwrap();
                    assert_eq!(legal.index_of(m), Some(index));
                    assert!(!seen.contains(&m));
                    seen.push(m);
                }
                assert_eq!(seen.len(), position.legal_moves().len());
                if seen.is_empty() {
                    break;
                }
                position.make(seen[random.below(seen.len())]);
            }
        }
    }
}

fn listed(fen: &str, variant: Variant) -> String {
    let position = variant.position(&fen.parse().unwrap()).unwrap();
    let legal = position.legal();
    let mode = position.castles().mode();
    let name = |m: Move| UciMove::from_move(m, mode).to_string();
    (0..legal.count()).map(|index| name(legal.nth(index).unwrap())).collect::<Vec<_>>().join(" ")
}

/// The order itself, written out. A change here changes the meaning of every stored game.
#[test]
fn the_order_is_frozen() {
    let golden =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden/move_order.tsv"));
    let golden = golden.expect("data/golden/move_order.tsv is part of the project");
    let mut cases = 0;
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let [variant, fen, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(listed(fen, Variant::from_name(variant).unwrap()), moves, "{fen}");
        cases += 1;
    }
    assert!(cases >= 10);
}
