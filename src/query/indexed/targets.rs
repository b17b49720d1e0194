//! The keys under which a target position may be in the index.

use crate::{
    chess::{
        Bitboard, Board, CastlingSide, Color, File, Piece, Rank, Role, Square, castling_key, en_passant_key,
        men_key, turn_key, whole_key,
    },
    position_index::PositionKeys,
    query::SearchPosition,
};

/// The keys of a position. If only the pieces count: those with either side to move and every possible combination of
/// castling rights and en passant square, including some that no game has.
pub(super) fn keys(target: &SearchPosition) -> Vec<PositionKeys> {
    let board = &target.board;
    let wholes = match target.state {
        Some((_, key)) => vec![whole_key(key, target.castling)],
        None => every_state(board),
    };
    wholes.into_iter().map(|whole| PositionKeys::of(board, whole)).collect()
}

fn every_state(board: &Board) -> Vec<u64> {
    let men = men_key(board);
    let mut wholes = Vec::new();
    let rights = castling_rights(board);
    for turn in Color::ALL {
        let side = men ^ turn_key(turn);
        let captures = en_passant_files(board, turn).map(en_passant_key);
        for en_passant in [0].into_iter().chain(captures) {
            for &(key, rooks) in &rights {
                wholes.push(whole_key(side ^ en_passant ^ key, rooks));
            }
        }
    }
    wholes.sort_unstable();
    wholes.dedup();
    wholes
}

/// Every combination of castling rights that the pieces allow: its part of the key, and the rooks.
fn castling_rights(board: &Board) -> Vec<(u64, Bitboard)> {
    let mut all = vec![(0, Bitboard::EMPTY)];
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let with = castling_rooks(board, color, side);
            let added: Vec<_> = all
                .iter()
                .flat_map(|&(key, rooks): &(u64, Bitboard)| {
                    with.into_iter().map(move |rook| (key ^ castling_key(color, side), rooks.with(rook)))
                })
                .collect();
            all.extend(added);
        }
    }
    all
}

/// The rooks on one side of a king on its first rank.
fn castling_rooks(board: &Board, color: Color, side: CastlingSide) -> Bitboard {
    let back = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
    let kings = board.by_piece(Piece { color, role: Role::King }) & back;
    let Some(king) = kings.first() else { return Bitboard::EMPTY };
    let rooks = board.by_piece(Piece { color, role: Role::Rook }) & back;
    rooks.into_iter().filter(|&rook| CastlingSide::from_king_side(king < rook) == side).collect()
}

/// The files on which a side may capture en passant.
fn en_passant_files(board: &Board, turn: Color) -> impl Iterator<Item = File> {
    let (rank, beyond) = turn.fold_wb((Rank::Fifth, Rank::Sixth), (Rank::Fourth, Rank::Third));
    let own = board.by_piece(Piece { color: turn, role: Role::Pawn });
    let theirs = board.by_piece(Piece { color: !turn, role: Role::Pawn });
    let occupied = board.occupied();
    File::ALL.into_iter().filter(move |&file| {
        let neighbours = [file.offset(-1), file.offset(1)].into_iter().flatten();
        theirs.contains(Square::from_coords(file, rank))
            && !occupied.contains(Square::from_coords(file, beyond))
            && neighbours.into_iter().any(|near| own.contains(Square::from_coords(near, rank)))
    })
}
