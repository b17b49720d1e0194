//! Chess vocabulary over shakmaty: variants, positions and the canonical order of legal moves.

mod line;
mod order;
mod sets;
mod variant;

pub use line::{LineError, san_line};
pub use order::{MoveKey, SortedMoves, VariantMoves};
pub use sets::LegalSets;
pub use shakmaty::{Chess, Color, Move, Outcome, Position, Role, Square, san::San, variant::VariantPosition};
pub use variant::Variant;
