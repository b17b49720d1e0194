//! The start position of a game, if it has one of its own.

use plybook_chess::chess::Variant;
use plybook_pgn::{RejectReason, start_position};
use shakmaty::{
    Board, ByColor, CastlingSide, Color, EnPassantMode, File, Piece, Position, Rank, Role, Setup, Square,
    fen::Fen, variant::VariantPosition,
};

use crate::{bytes::Bytes, pieces::square};

/// Bytes of a start position, and of the squares of kings and rooks that Chess960 adds.
const LENGTH: usize = 28;
const CHESS960_LENGTH: usize = 8;

/// A start position, and the same as FEN.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub position: VariantPosition,
    pub fen: String,
}

/// Reads a start position; `None` if its bytes are incomplete or have no meaning.
pub(crate) fn read_start(bytes: &mut Bytes<'_>, variant: Variant) -> Option<Result<Start, RejectReason>> {
    let mut own = Bytes(bytes.take(LENGTH)?);
    let (_, side, rights, number) = (own.u8()?, own.u8()?, own.u8()?, own.u8()?);
    let mut setup = Setup::empty();
    setup.board = board(own.0)?;
    setup.turn = Color::from_white(side & 0x10 == 0);
    setup.fullmoves = std::num::NonZeroU32::new(u32::from(number)).unwrap_or(std::num::NonZeroU32::MIN);
    let passed_rank = setup.turn.fold_wb(Rank::Sixth, Rank::Third);
    let passed = (side & 15).checked_sub(1).filter(|&file| file < 8);
    setup.ep_square = passed.map(|file| Square::from_coords(File::new(u32::from(file)), passed_rank));
    let rooks = if variant == Variant::Chess960 {
        let squares = bytes.take(CHESS960_LENGTH)?;
        chess960_rooks(&setup.board, squares.get(2..6)?)
    } else {
        let corners = |color: Color| {
            let rank = color.fold_wb(Rank::First, Rank::Eighth);
            [File::A, File::H].map(|file| Some(Square::from_coords(file, rank)))
        };
        ByColor { white: corners(Color::White), black: corners(Color::Black) }
    };
    allow_castling(&mut setup, &rooks, rights, variant);
    Some(start_of(setup, variant))
}

/// The start of a game that castles without the right to do so: with every right for which king and rook stand at home.
pub(crate) fn with_all_rights(start: &Start) -> Option<Start> {
    let mut setup = start.position.to_setup(EnPassantMode::Always);
    let before = setup.castling_rights;
    let homes = [Square::A1, Square::H1, Square::A8, Square::H8];
    for rook in homes {
        let color = Color::from_white(rook.rank() == Rank::First);
        let king = Square::from_coords(File::E, rook.rank());
        if setup.board.piece_at(king) == Some(color.king())
            && setup.board.piece_at(rook) == Some(color.rook())
        {
            setup.castling_rights.add(rook);
        }
    }
    (setup.castling_rights != before).then(|| start_of(setup, Variant::Standard).ok())?
}

fn start_of(setup: Setup, variant: Variant) -> Result<Start, RejectReason> {
    let fen = Fen::try_from(setup)
        .map_err(|_| RejectReason::BadData("the start position cannot be written as FEN".to_owned()))?
        .to_string();
    start_position(variant, &fen).map(|position| Start { position, fen })
}

/// Squares from a1, a2 … to h8: a bit 0 for an empty one, or 1 and four bits for a piece.
fn board(packed: &[u8]) -> Option<Board> {
    let mut bits = packed.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    let mut board = Board::empty();
    for square in (0..64).filter_map(square) {
        if bits.next()? == 0 {
            continue;
        }
        let color = Color::from_black(bits.next()? == 1);
        let role = match (bits.next()?, bits.next()?, bits.next()?) {
            (0, 0, 1) => Role::King,
            (0, 1, 0) => Role::Queen,
            (0, 1, 1) => Role::Knight,
            (1, 0, 0) => Role::Bishop,
            (1, 0, 1) => Role::Rook,
            (1, 1, 0) => Role::Pawn,
            _ => return None,
        };
        board.set_piece_at(square, Piece { color, role });
    }
    Some(board)
}

/// The rooks of each side that may castle: queenside, kingside.
type Rooks = ByColor<[Option<Square>; 2]>;

/// Descriptions of the format disagree about the order of the rooks, so each is assigned by its own square.
fn chess960_rooks(board: &Board, squares: &[u8]) -> Rooks {
    let mut rooks = Rooks::default();
    for rook in squares.iter().filter_map(|&number| square(number)) {
        let color = Color::from_white(rook.rank() == Rank::First);
        let Some(king) = board.king_of(color) else { continue };
        let [queenside, kingside] = rooks.get_mut(color);
        *(if rook < king { queenside } else { kingside }) = Some(rook);
    }
    rooks
}

/// Adds the castling rights that the board allows.
fn allow_castling(setup: &mut Setup, rooks: &Rooks, rights: u8, variant: Variant) {
    let bits = [
        (1, Color::White, CastlingSide::QueenSide),
        (2, Color::White, CastlingSide::KingSide),
        (4, Color::Black, CastlingSide::QueenSide),
        (8, Color::Black, CastlingSide::KingSide),
    ];
    for (_, color, side) in bits.into_iter().filter(|(bit, ..)| rights & bit != 0) {
        let [queenside, kingside] = *rooks.get(color);
        let rook = if side.is_king_side() { kingside } else { queenside };
        let king = setup.board.king_of(color);
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        let at_home = king.is_some_and(|king| {
            king.rank() == rank && (variant == Variant::Chess960 || king.file() == File::E)
        });
        if let Some(rook) = rook.filter(|&rook| at_home && setup.board.piece_at(rook) == Some(color.rook())) {
            setup.castling_rights.add(rook);
        }
    }
}
