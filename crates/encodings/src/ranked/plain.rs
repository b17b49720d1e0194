//! Layouts that are unlikely in games: one square after another at fixed costs.
//!
//! ```text
//! | both kings 64·63 | the other 62 squares, a1 to h8 |
//! ```
//!
//! | piece              | ranks 2–7, of 256 | bits | ranks 1 and 8, of 216 | bits |
//! |------------------|-------------------|------|-----------------------|------|
//! | none             | 134               | 0.93 | 134                   | 0.69 |
//! | pawn of a colour | 21                | 3.61 | 1                     | 7.75 |
//! | other (each)     | 10                | 4.68 | 10                    | 4.43 |
//!
//! These costs are chosen so that no legal position is expensive; see the calculation in `ranked`.

use super::{board, coder::Coder};
use plybook_chess::chess::{Bitboard, Board, Color, Square};

/// The weights on ranks 2 to 7: of an empty square, and of white and black P N B R Q.
pub(super) const INNER: [u32; 11] = [134, 21, 10, 10, 10, 10, 21, 10, 10, 10, 10];

/// The weights on ranks 1 and 8.
pub(super) const EDGE: [u32; 11] = [134, 1, 10, 10, 10, 10, 1, 10, 10, 10, 10];

/// Processes a layout. `goal` is used only when writing.
pub(super) fn layout(coder: &mut Coder, goal: &Board) -> Option<Board> {
    let mut board = kings(coder, goal)?;
    for square in Square::ALL {
        if board.occupied().contains(square) {
            continue;
        }
        let weights = if Bitboard::BACKRANKS.contains(square) { &EDGE } else { &INNER };
        // The index of a content is its symbol, without the white king; the black one has the last symbol.
        let symbol = board::symbol(goal, square);
        let content = coder.of(weights, usize::from(symbol - u8::from(symbol > 5)))?;
        let symbol = u8::try_from(content + usize::from(content > 5)).ok()?;
        board::set(&mut board, square, board::man(symbol)?);
    }
    Some(board)
}

/// Processes the kings' squares: White's, and Black's among the 63 others.
fn kings(coder: &mut Coder, goal: &Board) -> Option<Board> {
    let (white, black) = board::kings(goal).unwrap_or((Square::A1, Square::B1));
    let white = coder.even(64, white.to_usize())?;
    let black = coder.even(63, black.to_usize() - usize::from(black.to_usize() > white))?;
    let black = black + usize::from(black >= white);
    let mut board = Board::empty();
    for (square, color) in [(white, Color::White), (black, Color::Black)] {
        board.set_piece_at(Square::try_from(u32::try_from(square).ok()?).ok()?, color.king());
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(prices: &[u32; 11], content: usize) -> f64 {
        plybook_chess::bits::arithmetic::Share::of(content, prices).unwrap().price()
    }

    /// Computes the proof in the documentation of `ranked`.
    #[test]
    fn no_legal_material_costs_more_than_180_bits() {
        let [empty, pawn, officer] = [0, 1, 2].map(|content| bits(&INNER, content));
        let edge = empty - bits(&EDGE, 0);
        assert!((edge - (officer - bits(&EDGE, 2))).abs() < 1e-9);
        assert!(
            2.0 * (officer - pawn) + empty - officer < 0.0,
            "capturing pieces does not increase the cost"
        );
        assert!(
            officer - pawn + empty - pawn < 0.0,
            "capturing pawns with pieces does not increase the cost"
        );
        let rest = 7.0 + (64.0f64 * 63.0).log2() + 1.0 + (16.0f64 / 12.0).log2() + 4.0;
        let together = [8.0f64, 8.0, 8.0, 4.0, 0.0].into_iter().zip([0.0f64, 1.0, 2.0, 3.0, 4.0]);
        let totals = together.map(|(files, captures)| {
            let layout = (32.0 + captures) * empty
                + (16.0 - 4.0 * captures) * pawn
                + (14.0 + 3.0 * captures) * officer
                - 14.0 * edge;
            let en_passant = (2.0 * files.max(0.5) + 0.0625).log2();
            layout + en_passant + rest
        });
        let worst = totals.fold(0.0, f64::max);
        assert!((worst - 179.14).abs() < 0.01, "{worst}");
    }
}
