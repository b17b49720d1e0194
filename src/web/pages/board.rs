//! A board on a page: an image, and a table of squares for screen readers.

use shakmaty::{EnPassantMode, uci::UciMove};

use super::{Messages, movetext::listed};
use crate::{
    chess::{self, Color, File, Move, Piece, Position, Rank, Role, Setup, Square, Variant, VariantPosition},
    present::board_picture::{BoardPicture, Theme},
    record::fen,
};

/// A board.
#[derive(Debug)]
pub(super) struct Board {
    words: &'static Messages,
    pieces: chess::Board,
    turn: Color,
    /// The image, with shapes and the side of the board.
    pub(super) image: BoardPicture,
    pub(super) fen: String,
    pub(super) variant: &'static str,
    /// The last move in UCI notation.
    pub(super) last: String,
    /// The most played moves in UCI notation with their weights: `e2e4:0.52,d2d4:0.31`.
    pub(super) moves: String,
}

impl Board {
    /// The board of a position, with the last move.
    pub(super) fn new(
        words: &'static Messages,
        position: &VariantPosition,
        variant: Variant,
        last: Option<Move>,
    ) -> Board {
        let setup = position.to_setup(EnPassantMode::Legal);
        Board {
            image: BoardPicture::of_position(position, last),
            variant: variant.key(),
            last: last.map(|m| uci(position, m)).unwrap_or_default(),
            ..Board::of_setup(words, &setup, fen(position))
        }
    }

    /// The board of a position that need not be legal.
    pub(super) fn of_setup(words: &'static Messages, setup: &Setup, fen: String) -> Board {
        Board {
            words,
            pieces: setup.board.clone(),
            turn: setup.turn,
            image: BoardPicture::of_setup(setup),
            fen,
            variant: Variant::Standard.key(),
            last: String::new(),
            moves: String::new(),
        }
    }

    /// The same with arrows for some moves, given in UCI notation with their weights from 0 to 1.
    pub(super) fn with_moves(mut self, moves: &[(&str, f64)]) -> Board {
        self.image.moves = moves.iter().filter_map(|(uci, weight)| arrow(uci, *weight)).collect();
        let moves: Vec<String> = moves.iter().map(|(uci, weight)| format!("{uci}:{weight:.2}")).collect();
        self.moves = moves.join(",");
        self
    }

    /// The image; the table describes it in words.
    pub(super) fn svg(&self) -> String {
        let mut picture = self.image.clone();
        picture.theme = Theme::Page;
        picture.svg().replacen(" role=\"img\"", " aria-hidden=\"true\"", 1)
    }

    pub(super) fn shapes(&self) -> String {
        listed(&self.image.shapes)
    }

    pub(super) fn whose_turn(&self) -> &'static str {
        self.turn.fold_wb(self.words.white_moves, self.words.black_moves)
    }

    /// The ranks from the eighth to the first, each with the contents of its squares.
    pub(super) fn ranks(&self) -> Vec<(char, Vec<&'static str>)> {
        let on = |square: Square| self.pieces.piece_at(square).map_or("", |piece| named(self.words, piece));
        let rank = |rank: Rank| {
            let squares = File::ALL.into_iter().map(|file| on(Square::from_coords(file, rank)));
            (rank.char(), squares.collect())
        };
        Rank::ALL.into_iter().rev().map(rank).collect()
    }
}

/// The arrow of a move; a drop has none.
fn arrow(uci: &str, weight: f64) -> Option<(Square, Square, f64)> {
    let square = |text: Option<&str>| Square::from_ascii(text?.as_bytes()).ok();
    Some((square(uci.get(..2))?, square(uci.get(2..4))?, weight))
}

/// A move in UCI notation.
pub(super) fn uci(position: &VariantPosition, m: Move) -> String {
    UciMove::from_move(m, position.castles().mode()).to_string()
}

/// A legal move in UCI notation.
pub(super) fn read_uci(position: &VariantPosition, text: &str) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A legal move in UCI notation, and the position after it.
pub(super) fn played(position: &VariantPosition, text: &str) -> Option<(Move, VariantPosition)> {
    let (m, mut after) = (read_uci(position, text)?, position.clone());
    after.play_unchecked(m);
    Some((m, after))
}

fn named(words: &Messages, piece: Piece) -> &'static str {
    let (white, black) = match piece.role {
        Role::King => (words.white_king, words.black_king),
        Role::Queen => (words.white_queen, words.black_queen),
        Role::Rook => (words.white_rook, words.black_rook),
        Role::Bishop => (words.white_bishop, words.black_bishop),
        Role::Knight => (words.white_knight, words.black_knight),
        Role::Pawn => (words.white_pawn, words.black_pawn),
    };
    piece.color.fold_wb(white, black)
}
