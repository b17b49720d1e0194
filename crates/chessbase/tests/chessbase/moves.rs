use plybook_chess::chess::{Chess, Position, Variant};
use plybook_chessbase::Remark;
use plybook_pgn::RejectReason;
use proptest::{prelude::*, sample::Index};

use crate::{
    assert_sound,
    base::{Base, Encoder, moves, number},
    game, read, text,
};

#[test]
fn variations_follow_the_moves_that_they_replace() {
    for (stored, expected) in [
        (
            "e4 254 c5 Nf3 254 d6 d4 255 Nc6 Bb5 255 254 c6 d4 255 Nf6 e5 255",
            "1. e4 c5 (1... c6 2. d4) (1... Nf6 2. e5) 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4 *",
        ),
        ("254 e4 e5 255 d4 254 d5 255 Nf6 255", "1. e4 (1. d4 d5 (1... Nf6)) 1... e5 *"),
        ("254 e4 255 254 -- e5 255 -- 255", "1. e4 (1. -- e5) (1. --) *"),
        ("255", "*"),
    ] {
        let mut base = Base::new();
        base.game(stored, &[]);
        let game = game(&base).game;
        assert_eq!(text(&game), expected);
        assert_sound(&game);
    }
}

#[test]
fn a_null_move_ends_the_main_line_and_the_rest_is_kept() {
    let mut base = Base::new();
    base.game("e4 254 -- d4 255 e5 255", &[]);
    let game = game(&base).game;
    assert_eq!((game.moves.len(), text(&game).as_str()), (1, "1. e4 -- (1... e5) 2. d4 *"));
    assert_sound(&game);
}

#[test]
fn captures_and_promotions_renumber_pieces() {
    let mut base = Base::new();
    // En passant, both castlings, a promotion while the queen is on the board, and moves of both queens.
    let stored =
        "e4 a6 e5 d5 exd6 e5 d7+ Ke7 dxc8=Q Nf6 Nf3 e4 Be2 exf3 O-O fxe2 Qf5 exd1=N Q5c8 Qd5 Qc8xb7 255";
    let plain = stored.replace(" Q5c8", " Qc8").replace("Qc8xb7", "Qxb7");
    base.game(&plain, &[]);
    let game = game(&base).game;
    assert_eq!(game.moves.len(), plain.split(' ').count() - 1);
    assert_sound(&game);
}

/// A start position of 28 bytes.
fn start(squares: &[(&str, u8)], side_and_passed: u8, rights: u8, move_number: u8) -> Vec<u8> {
    let mut bits = Vec::new();
    for index in 0..64 {
        let piece = squares.iter().find(|(name, _)| number(name.parse().unwrap()) == index);
        bits.extend(
            piece
                .map_or(vec![0], |(_, piece)| vec![1, piece >> 3, piece >> 2 & 1, piece >> 1 & 1, piece & 1]),
        );
    }
    bits.resize(192, 0);
    let packed = bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit));
    [1, side_and_passed, rights, move_number].into_iter().chain(packed).collect()
}

const KING: u8 = 1;
const ROOK: u8 = 5;
const PAWN: u8 = 6;
const BLACK: u8 = 8;

#[test]
fn games_from_set_up_positions_have_a_fen() {
    let squares =
        [("e1", KING), ("h1", ROOK), ("e8", BLACK | KING), ("d5", PAWN), ("e5", BLACK | PAWN), ("a1", ROOK)];
    let board = start(&squares, 5, 15, 30);
    let position: Chess = plybook_chess::chess::Fen::from_ascii(b"4k3/8/8/3Pp3/8/8/8/R3K2R w KQ e6 0 30")
        .unwrap()
        .into_position(shakmaty::CastlingMode::Standard)
        .unwrap();
    let mut base = Base::new();
    base.raw_game(0x40, &[board, moves(position, "dxe6 Kd8 O-O-O+ 255")].concat(), &[]);
    let game = game(&base).game;
    // Black has a right, but no rook.
    assert_eq!(game.tags.get("FEN"), Some("4k3/8/8/3Pp3/8/8/8/R3K2R w KQ e6 0 30"));
    assert_eq!((game.tags.get("SetUp"), game.set_up), (Some("1"), true));
    assert_eq!(text(&game), "30. dxe6 Kd8 31. O-O-O+ *");
    assert_sound(&game);
}

#[test]
fn castling_rights_of_a_king_that_has_moved_are_left_out() {
    let squares = [("d1", KING), ("h1", ROOK), ("e8", BLACK | KING)];
    let mut base = Base::new();
    base.raw_game(0x40, &[start(&squares, 0, 2, 0), vec![crate::base::stored(255, 0)]].concat(), &[]);
    assert_eq!(game(&base).game.tags.get("FEN"), Some("4k3/8/8/8/8/8/8/3K3R w - - 0 1"));
}

#[test]
fn castling_without_the_right_adds_it_to_the_start() {
    let squares = [("e1", KING), ("h1", ROOK), ("e8", BLACK | KING)];
    let position: Chess = plybook_chess::chess::Fen::from_ascii(b"4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        .unwrap()
        .into_position(shakmaty::CastlingMode::Standard)
        .unwrap();
    let mut base = Base::new();
    base.raw_game(0x40, &[start(&squares, 0, 0, 0), moves(position, "O-O 255")].concat(), &[]);
    let decoded = game(&base);
    assert_eq!(text(&decoded.game), "1. O-O *");
    assert_eq!(decoded.game.tags.get("FEN"), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert_eq!(decoded.remarks, [Remark::CastlingRight]);
}

#[test]
fn chess960_castles_by_the_square_of_the_king() {
    let squares =
        [("b1", KING), ("a1", ROOK), ("h1", ROOK), ("b8", BLACK | KING), ("h8", BLACK | ROOK), ("f2", PAWN)];
    let rooks = ["b1", "b8", "h1", "a1", "h8", "h8"].map(|name| number(name.parse().unwrap()));
    // g1 to g1, g8 to g8, end, by the table of mode 10.
    let table = table(MODE_10);
    let word = |square: u16| (square | square << 6).to_be_bytes();
    let values = [&[235][..], &word(54), &[235], &word(55), &[255]].concat();
    let counts = [0, 0, 0, 1, 1, 1, 2_u8];
    let bytes = values.iter().zip(counts).map(|(value, count)| {
        table.iter().position(|other| *other == value.wrapping_add(count)).unwrap() as u8
    });
    let bytes: Vec<u8> = bytes.collect();
    let mut base = Base::new();
    base.raw_game(0x40 | 10, &[&start(&squares, 0, 15, 0)[..], &rooks, &[0, 0], &bytes].concat(), &[]);
    let game = game(&base).game;
    assert_eq!((game.variant, text(&game).as_str()), (Variant::Chess960, "1. O-O O-O *"));
    assert_eq!(game.tags.get("FEN"), Some("1k5r/8/8/8/8/8/5P2/RK5R w KQk - 0 1"));
    assert_sound(&game);
}

/// The tables of modes 5 and 10.
const MODE_5: &str = "\
    e01b9786a248f0230137faeb50765dcd801a315cffbc78dae5a375b371e1a10e56413fe30dc425e6888970dc99a60b9a\
    142c579e697adf55ad737cc50372f545628eaf5fccc05ef31813b53809283cbd108be9dd8c940881a7fe2479442bc136\
    327f67e4fd494b21a95b771f1cf640653df95af8472653d420d2d84f27aefbb69b74b842fc166fd79fb97b60dec24606\
    9cd32ac705853eb10015d196ce909511338fc68284b739a0e8341e7da8d0eae2ef4cc3584e021db27e982d07d5ca68cb\
    30b4ac8363ec87ee2ebecf6d4d8ad604b035c8c91217618d640fa554293a4a6bbb2fd93b936aaaa422f419436ef1f7db\
    92ed66590abf6c519152f20c9dabbae7";
const MODE_10: &str = "\
    385064cc9f566f734d4166a2c6b99647eecfb16d484f442015be82093499eb1a337cab59002224b0b4fa85dd57f3d9d2\
    8a8d70b56e43a70b2708eab3941c631b2bc50cd43f37e8dea623ef06fd3ec14032df2dc8d00ff1e27a95ec3cca4911e0\
    25d830fe2ebadcaa534cd15e678b0d9ea9bf057835c4b6a44bd60452a8762cbdae39b2e30381179a3d68c06592c9f777\
    16fff5e11e36bb868ef99dd56bf474802f7b149729e54a02935ccba15879f85f26288f7ea5edd389c7889b548760daf0\
    453ac2849021f6f25a2a55186101fbe68c6a12b862839810715be4addb420acd46d77207ce19b73b319c51c369a391e9\
    0e1ffc756c1d7de7af5da0bc137fac4e";

fn table(digits: &str) -> [u8; 256] {
    std::array::from_fn(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
}

#[test]
fn moves_of_two_bytes_have_marks_of_lines() {
    // 1. e4 (1. d4) 1... e5: another move comes later, the line ends, the line ends.
    let word = |from: u16, to: u16| from | to << 6;
    let words = [0x8000 | word(33, 35), 0x4000 | word(38, 36), 0x4000 | word(25, 27)];
    let table = table(MODE_5);
    let bytes = words.iter().enumerate().flat_map(|(count, word)| {
        let stored = |value: u8| {
            let value = value.wrapping_add(count as u8);
            table.iter().position(|other| *other == value).unwrap() as u8
        };
        word.to_be_bytes().map(stored)
    });
    let mut base = Base::new();
    base.raw_game(5, &bytes.collect::<Vec<u8>>(), &[]);
    let game = game(&base).game;
    assert_eq!(text(&game), "1. e4 (1. d4) 1... e5 *");
    assert_sound(&game);
}

#[test]
fn modes_without_a_table_are_reported_by_number() {
    for mode in [1, 2, 3, 6, 7, 8, 9, 11, 12, 63] {
        let mut base = Base::new();
        base.raw_game(mode, &[0], &[]);
        let damage = read(&base.files()).remove(0).unwrap_err();
        assert_eq!((damage.file, damage.byte), ("cbg", 26));
        assert!(damage.reason.to_string().contains(&format!("moves of mode {mode} ")), "{}", damage.reason);
    }
}

#[test]
fn a_bad_move_is_located_by_file_byte_and_ply() {
    let mut base = Base::new();
    let mut bytes = moves(Chess::default(), "e4 e5 Nf3");
    // Knight 1 has moved from b1 to a3 in no game: here it is still the g1 knight's turn.
    bytes.push(bytes[0]);
    base.raw_game(0, &bytes, &[]);
    let damage = read(&base.files()).remove(0).unwrap_err();
    assert_eq!((damage.file, damage.byte), ("cbg", 26 + 4 + 3));
    assert!(matches!(damage.reason, RejectReason::BadRecord(4, _)), "{:?}", damage.reason);
}

proptest! {
    #[test]
    fn random_games_are_read_as_they_were_encoded(choices in prop::collection::vec(any::<Index>(), 0..300)) {
        let (mut encoder, mut played, mut bytes) = (Encoder::new(Chess::default()), Vec::new(), Vec::new());
        for choice in choices {
            let legal = encoder.position.legal_moves();
            // Captures and promotions, which change the numbers, are preferred.
            let marked = legal.iter().filter(|m| m.is_capture() || m.is_promotion()).copied();
            let marked: Vec<_> = if played.len() % 2 == 0 { marked.collect() } else { Vec::new() };
            let from = if marked.is_empty() { &legal[..] } else { &marked[..] };
            let Some(&m) = (!from.is_empty()).then(|| choice.get(from)) else { break };
            let count = played.len() as u8;
            bytes.extend(encoder.values(m).into_iter().map(|value| crate::base::stored(value, count)));
            encoder.play(m);
            played.push(m);
        }
        bytes.push(crate::base::stored(255, played.len() as u8));
        let mut base = Base::new();
        base.raw_game(0, &bytes, &[]);
        let game = game(&base).game;
        prop_assert_eq!(&game.moves, &played);
        assert_sound(&game);
    }
}
