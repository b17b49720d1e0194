//! Maps SAN to a legal move, in standard chess and its variants, and reports what a SAN gives without need.

use shakmaty::{san::San, variant::VariantPosition};

use super::warning::Warning;
use plybook_chess::{
    chess::{Move, QuickChess, Resolved, SortedMoves, resolve},
    rules::Rules,
};

/// Positions in which SAN denotes moves.
pub trait Resolve: Rules<Move = Move> {
    /// The legal move that a SAN denotes, with its index; `None` if none or several match.
    fn resolve(&self, san: San) -> Option<Resolved>;
}

impl Resolve for QuickChess {
    #[inline(always)]
    fn resolve(&self, san: San) -> Option<Resolved> {
        resolve(self, san)
    }
}

impl Resolve for VariantPosition {
    fn resolve(&self, san: San) -> Option<Resolved> {
        match self {
            VariantPosition::Chess(position) => resolve(position, san),
            other => SortedMoves::new(other).resolve(san),
        }
    }
}

/// Superfluous disambiguation in a SAN.
pub(super) fn over_disambiguated(san: San, position: &impl Resolve) -> Option<Warning> {
    let San::Normal { role, file, rank, capture, to, promotion } = san else { return None };
    let fits =
        |file, rank| position.resolve(San::Normal { role, file, rank, capture, to, promotion }).is_some();
    match (file, rank) {
        (None, None) => None,
        (Some(_), None) if role == shakmaty::Role::Pawn => None,
        (Some(_), Some(_)) if fits(file, None) || fits(None, rank) => Some(Warning::LongMoves),
        (Some(_), Some(_)) => None,
        _ => fits(None, None).then_some(Warning::OddDisambiguations),
    }
}
