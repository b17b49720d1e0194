//! The sign of check or mate behind a move in SAN.

use shakmaty::{
    Chess, Move, Position,
    san::{San, SanPlus, Suffix},
    variant::VariantPosition,
};

use crate::rules::{LegalMoves, Rules};

/// Positions that say what sign the move that led to them has. (That shakmaty gives for any position looks at all moves
/// after each.)
pub trait SanSuffix: Position + Sized {
    /// The sign.
    fn suffix(&self) -> Option<Suffix>;

    /// Plays a legal move; gives its SAN.
    fn play_san(&mut self, m: Move) -> SanPlus {
        let san = San::from_move(self, m);
        self.play_unchecked(m);
        SanPlus { san, suffix: self.suffix() }
    }
}

impl SanSuffix for Chess {
    fn suffix(&self) -> Option<Suffix> {
        if self.checkers().is_empty() {
            return None;
        }
        Some(if self.legal().count() == 0 { Suffix::Checkmate } else { Suffix::Check })
    }
}

impl SanSuffix for VariantPosition {
    fn suffix(&self) -> Option<Suffix> {
        match self {
            VariantPosition::Chess(position) => position.suffix(),
            // In some of them a side has lost without a check.
            position => Suffix::from_position(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::Variant;

    proptest! {
        #[test]
        fn signs_are_those_that_a_look_at_all_moves_gives(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
            variant in prop::sample::select(Variant::ALL.to_vec()),
        ) {
            let mut position = variant.start();
            for choice in choices {
                let moves = position.legal_moves();
                // Checks are rare among random moves.
                let is_check = |m: &&Move| {
                    let mut next = position.clone();
                    next.play_unchecked(**m);
                    next.is_check()
                };
                let Some(&m) = moves.iter().find(is_check).or_else(|| moves.get(choice.index(moves.len().max(1)))) else {
                    break;
                };
                let mut other = position.clone();
                let san = position.play_san(m);
                prop_assert_eq!(san, SanPlus::from_move_and_play_unchecked(&mut other, m));
                prop_assert_eq!(&position, &other);
            }
        }
    }

    #[test]
    fn mate_has_its_own_sign() {
        let mut position = Chess::new();
        let mut signs = String::new();
        for word in ["f3", "e5", "g4", "Qh4"] {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            signs += &position.play_san(m).to_string();
        }
        assert_eq!(signs, "f3e5g4Qh4#");
    }
}
