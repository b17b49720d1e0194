//! A position as a board in the terminal.

use shakmaty::{Color, File, Move, Piece, Position, Rank, Role, Square};

/// How to draw a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Letters instead of chess figures.
    pub ascii: bool,
    /// Terminal colours.
    pub colour: bool,
    /// Seen from Black's side.
    pub flip: bool,
}

/// Draws a position with coordinates; the squares of the last move stand in brackets.
pub(super) fn draw<P: Position>(position: &P, last: Option<Move>, style: Style) -> String {
    let marked = last.map(squares_of).unwrap_or_default();
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
            let piece = position.board().piece_at(square);
            text.push_str(&cell(piece, marked.contains(&square), style));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in files {
        text.push_str(&format!(" {} ", file.char()));
    }
    text.push('\n');
    text + &pockets(position, style)
}

fn squares_of(m: Move) -> Vec<Square> {
    m.from().into_iter().chain([m.to()]).collect()
}

fn cell(piece: Option<Piece>, marked: bool, style: Style) -> String {
    let figure = piece.map_or(if style.ascii { '.' } else { '·' }, |piece| figure(piece, style.ascii));
    match (marked, style.colour) {
        (false, _) => format!(" {figure} "),
        (true, false) => format!("[{figure}]"),
        (true, true) => format!("\x1b[1;7m[{figure}]\x1b[0m"),
    }
}

/// The sign for a piece: white ones in outline (or capital letters), black ones filled (or small letters).
pub(super) fn figure(piece: Piece, ascii: bool) -> char {
    if ascii {
        return piece.char();
    }
    let (white, black) = match piece.role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    };
    piece.color.fold_wb(white, black)
}

/// What each side has in hand (crazyhouse).
fn pockets<P: Position>(position: &P, style: Style) -> String {
    let Some(pockets) = position.pockets() else { return String::new() };
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
