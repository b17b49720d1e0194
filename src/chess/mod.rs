//! Chess vocabulary over shakmaty: variants, positions and the canonical order of legal moves.

mod annotations;
mod castling;
mod check;
mod date;
mod game_tree;
mod line;
mod nth;
mod order;
mod pass;
mod pawns;
mod processor;
mod rays;
mod resolve;
mod sets;
mod tag_pairs;
mod variant;
mod view;

pub use annotations::{Annotation, Annotations, Mileage, Numbers};
pub use check::CheckState;
pub use date::Date;
pub use game_tree::{NoVariation, TreeCursor};
pub use line::{LineError, san_line};
pub use order::{MoveKey, SortedMoves, VariantMoves};
pub use pass::Pass;
pub use resolve::{Resolved, fits, resolve};
pub use sets::LegalSets;
pub use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Outcome, Piece, Position, Rank, Role, Setup,
    Square,
    fen::Fen,
    san::{San, SanPlus},
    variant::VariantPosition,
};
pub(crate) use tag_pairs::roster_place;
pub use tag_pairs::{Pair, ROSTER, Tags};
pub use variant::Variant;
