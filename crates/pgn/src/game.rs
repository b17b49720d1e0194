//! A game as read from PGN.

use shakmaty::{fen::Fen, variant::VariantPosition};

use super::warnings::Warnings;
use plybook_chess::{
    chess::{Annotations, Move, Tags, Variant},
    rules::{FinalPosition, MoveIndex, Outcome},
};

/// A game as read from PGN.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tag pairs as written.
    pub tags: Tags,
    /// The variant, from the `Variant` tag.
    pub variant: Variant,
    /// Whether the game starts from the position of its `FEN` tag.
    pub set_up: bool,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// For each move, its index among the legal moves.
    pub steps: Vec<MoveIndex>,
    /// Facts about the position after the last move.
    pub last: FinalPosition,
    /// How the game ended: the result after the moves, or the Result tag if there is none. If the board ended the
    /// game, still the result given in the PGN.
    pub outcome: Outcome,
    /// Comments, glyphs and variations.
    pub annotations: Annotations,
    /// The game's bytes in its source, if its text was not UTF-8 or had to be repaired.
    pub raw: Option<Vec<u8>>,
    /// Irregularities found while reading.
    pub warnings: Warnings,
}

impl Game {
    /// The start position.
    pub fn start(&self) -> VariantPosition {
        let fen = self.set_up.then(|| self.tags.get("FEN")).flatten();
        let fen = fen.and_then(|fen| fen.trim().parse::<Fen>().ok());
        fen.and_then(|fen| self.variant.position(&fen).ok()).unwrap_or_else(|| self.variant.start())
    }
}
