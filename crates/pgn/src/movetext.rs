//! A movetext before and after it is read.

use super::{game::Game, outline::Outline, result::result_of, warning::Warning, warnings::Warnings};
use plybook_chess::{
    chess::{Annotations, BROKEN, Move, Tags, Variant},
    rules::{FinalPosition, MoveIndex, Outcome},
};

/// A movetext, and what is known about it before its moves are played.
pub(super) struct Movetext<'a> {
    pub text: &'a [u8],
    /// Plies before its first move, according to its move numbers.
    pub first: usize,
    /// Whether the lexer's fast path found its words.
    pub is_plain: bool,
    pub outline: Outline,
    /// The comments between the tag pairs.
    pub comments: Vec<&'a str>,
    /// Whether the Result tag says that both sides lost, which a result after the moves cannot express.
    pub both_lost: bool,
    /// Whether the game is kept up to a move that cannot be played.
    pub keeps_broken: bool,
}

/// The content of a movetext after reading.
#[derive(Clone, Debug)]
pub(super) struct ReadMovetext {
    pub moves: Vec<Move>,
    pub steps: Vec<MoveIndex>,
    pub last: FinalPosition,
    /// How the board ended the game, if it did.
    pub board_outcome: Option<Outcome>,
    /// The result after the moves, and its byte offset.
    pub outcome: Option<(Outcome, usize)>,
    pub annotations: Annotations,
    pub warnings: Warnings,
    /// The move that cannot be played, if the game ends before it.
    pub broken: Option<String>,
}

impl ReadMovetext {
    /// The game with these moves and the given tag pairs.
    pub(super) fn into_game(self, mut tags: Tags, variant: Variant, set_up: bool) -> Game {
        if let Some(broken) = &self.broken {
            tags.push(BROKEN, broken);
        }
        let tagged = tags.get("Result").and_then(result_of);
        let mut warnings = self.warnings;
        match (self.outcome, tagged) {
            (None, _) => warnings.add(Warning::NoTermination),
            (Some((written, at)), Some(tagged)) if written != tagged => {
                warnings.mark(Warning::ResultDiffers, at)
            }
            _ => {}
        }
        let written = self.outcome.map(|(outcome, _)| outcome).filter(|&outcome| outcome != Outcome::Unknown);
        let outcome = written.or(tagged).unwrap_or(Outcome::Unknown);
        if self.board_outcome.is_some_and(|board| board != outcome) {
            warnings.add(Warning::ResultContradictsBoard);
        }
        let ReadMovetext { moves, steps, last, annotations, .. } = self;
        Game { tags, variant, set_up, moves, steps, last, outcome, annotations, raw: None, warnings }
    }
}
