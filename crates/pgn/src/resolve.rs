//! Maps SAN to a legal move, in standard chess and its variants, and reports what a SAN gives without need.

use shakmaty::{
    san::{San, SanError},
    variant::VariantPosition,
};

use super::warning::Warning;
use plybook_chess::{
    chess::{Move, QuickChess, Resolved, SortedMoves, fits, resolve},
    rules::Rules,
};

/// Finds the legal move that a SAN denotes.
pub trait Resolve: Rules<Move = Move> {
    /// The legal move that it denotes, with its index.
    ///
    /// # Errors
    /// None or several match.
    fn resolve(&self, san: San) -> Result<Resolved, SanError>;

    /// Whether a SAN matches exactly one legal move.
    fn fits(&self, san: San) -> bool;
}

impl Resolve for QuickChess {
    #[inline(always)]
    fn resolve(&self, san: San) -> Result<Resolved, SanError> {
        resolve(self, san)
    }

    fn fits(&self, san: San) -> bool {
        fits(self, san)
    }
}

impl Resolve for VariantPosition {
    fn resolve(&self, san: San) -> Result<Resolved, SanError> {
        match self {
            VariantPosition::Chess(position) => resolve(position, san),
            other => SortedMoves::new(other).resolve(san),
        }
    }

    fn fits(&self, san: San) -> bool {
        match self {
            VariantPosition::Chess(position) => fits(position, san),
            other => SortedMoves::new(other).resolve(san).is_ok(),
        }
    }
}

/// Superfluous disambiguation in a SAN.
pub(super) fn over_disambiguated(san: San, position: &impl Resolve) -> Option<Warning> {
    let San::Normal { role, file, rank, capture, to, promotion } = san else { return None };
    let fits = |file, rank| position.fits(San::Normal { role, file, rank, capture, to, promotion });
    match (file, rank) {
        (None, None) => None,
        (Some(_), None) if role == shakmaty::Role::Pawn => None,
        (Some(_), Some(_)) if fits(file, None) || fits(None, rank) => Some(Warning::LongMoves),
        (Some(_), Some(_)) => None,
        _ => fits(None, None).then_some(Warning::OddDisambiguations),
    }
}
