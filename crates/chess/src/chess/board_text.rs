//! Draws a position as text.

use shakmaty::{
    Board, ByColor, ByRole, CastlingSide, Color, File, Move, Piece, Position, Rank, Role, Setup, Square,
};

/// How to draw a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStyle {
    /// Letters instead of chess figures.
    pub ascii: bool,
    /// Seen from Black's side.
    pub flip: bool,
    /// The marks to the left and right of the squares of the last move.
    pub marks: [&'static str; 2],
}

impl Default for BoardStyle {
    /// Chess figures seen from White's side, with the last move in brackets.
    fn default() -> BoardStyle {
        BoardStyle { ascii: false, flip: false, marks: ["[", "]"] }
    }
}

/// Draws a position with coordinates; the squares of the last move are marked.
///
/// ```
/// use plybook_chess::chess::{BoardStyle, Chess, board};
/// let text = board(&Chess::new(), None, BoardStyle { ascii: true, ..BoardStyle::default() });
/// assert!(text.starts_with("8  r  n  b  q  k  b  n  r \n7  p "));
/// ```
pub fn board<P: Position>(position: &P, last: Option<Move>, style: BoardStyle) -> String {
    draw(position.board(), position.pockets(), &last.map(squares_of).unwrap_or_default(), style)
}

/// Draws a setup, which need not be a legal position.
pub fn board_of_setup(setup: &Setup, style: BoardStyle) -> String {
    draw(&setup.board, setup.pockets.as_ref(), &[], style)
}

fn draw(
    board: &Board,
    pockets: Option<&ByColor<ByRole<u8>>>,
    marked: &[Square],
    style: BoardStyle,
) -> String {
    let mut ranks = Rank::ALL.to_vec();
    let mut files = File::ALL.to_vec();
    if style.flip {
        files.reverse();
    } else {
        ranks.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&format!("{} ", rank.char()));
        for &file in &files {
            let square = Square::from_coords(file, rank);
            let piece = board.piece_at(square);
            text.push_str(&cell(piece, marked.contains(&square), style));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in files {
        text.push_str(&format!(" {} ", file.char()));
    }
    text.push('\n');
    text + &in_hand(pockets, style)
}

/// The squares that a move connects; for castling, the final squares of king and rook.
pub fn squares_of(m: Move) -> Vec<Square> {
    if let Move::Castle { king, rook } = m {
        let side = CastlingSide::from_king_side(rook > king);
        return [side.king_to_file(), side.rook_to_file()]
            .map(|file| Square::from_coords(file, king.rank()))
            .to_vec();
    }
    m.from().into_iter().chain([m.to()]).collect()
}

fn cell(piece: Option<Piece>, marked: bool, style: BoardStyle) -> String {
    let figure = piece.map_or(if style.ascii { '.' } else { '·' }, |piece| figure(piece, style.ascii));
    let [left, right] = if marked { style.marks } else { [" ", " "] };
    format!("{left}{figure}{right}")
}

/// The symbol of a piece: outlined (or a capital letter) for White, filled (or a lower-case letter) for Black.
fn figure(piece: Piece, ascii: bool) -> char {
    if ascii {
        return piece.char();
    }
    let figures = piece.color.fold_wb("♙♘♗♖♕♔", "♟♞♝♜♛♚");
    figures.chars().nth(usize::from(piece.role) - 1).unwrap_or_default()
}

/// The pieces that each side has in hand (crazyhouse).
fn in_hand(pockets: Option<&ByColor<ByRole<u8>>>, style: BoardStyle) -> String {
    let Some(pockets) = pockets else { return String::new() };
    let mut text = String::new();
    for (side, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let hand: Vec<String> = Role::ALL
            .into_iter()
            .filter(|role| *pockets[side].get(*role) > 0)
            .map(|role| format!("{}{}", pockets[side].get(role), figure(role.of(side), style.ascii)))
            .collect();
        if !hand.is_empty() {
            text.push_str(&format!("{name} in hand: {}\n", hand.join(" ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen, san::San};

    use super::*;

    #[test]
    fn castling_marks_the_final_squares_of_king_and_rook() {
        for (fen, mode, san, row) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", CastlingMode::Standard, "O-O", "1  .  .  .  .  . [R][K] . "),
            ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", CastlingMode::Standard, "O-O-O", "8  .  . [k][r] .  .  .  . "),
            (
                "4k3/8/8/8/8/8/8/1R4K1 w B - 0 1",
                CastlingMode::Chess960,
                "O-O-O",
                "1  .  . [K][R] .  .  .  . ",
            ),
        ] {
            let fen: Fen = fen.parse().unwrap();
            let mut position: Chess = fen.into_position(mode).unwrap();
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            let text = board(&position, Some(m), BoardStyle { ascii: true, ..BoardStyle::default() });
            assert!(text.lines().any(|line| line == row), "{text}");
        }
    }
}
