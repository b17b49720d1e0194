//! The drawings of the pieces, by Colin M. L. Burnett; see `data/pieces/README.md`.

use shakmaty::Piece;

/// A group for each piece, one per line, named `piece-` and its letter in FEN.
static DRAWINGS: &str = include_str!("../../../data/pieces/cburnett.svg");

/// The group that draws a piece, 45 units wide and high.
pub(super) fn drawing(piece: Piece) -> &'static str {
    let begin = format!("<g id=\"piece-{}\"", piece.char());
    DRAWINGS.lines().find(|line| line.starts_with(&begin)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role};

    use super::*;

    #[test]
    fn every_piece_is_drawn() {
        for color in Color::ALL {
            for role in Role::ALL {
                assert!(drawing(role.of(color)).contains("<path"), "{color} {role:?}");
            }
        }
    }
}
