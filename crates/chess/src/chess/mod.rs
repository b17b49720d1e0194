//! Chess types based on shakmaty: variants, positions and the canonical order of legal moves.

mod annotations;
mod board_text;
mod castling;
mod check_state;
mod counting;
mod date;
mod epd;
mod fen_problem;
mod game_tree;
mod listing;
mod move_list;
mod nth;
mod null_move;
mod order;
mod pawns;
mod position_view;
mod quick_chess;
mod rating;
mod rays;
mod resolve;
mod san_suffix;
mod simd_dispatch;
mod tag_pairs;
mod target_position;
mod typed_date;
mod untouched;
mod variant;
mod zobrist;

pub use annotations::{Annotation, AnnotationCounts, Annotations, Checkpoint, Mark};
pub use board_text::{BoardStyle, board, board_of_setup, squares_of};
pub use check_state::CheckState;
pub use counting::MoveSets;
pub use date::Date;
pub use epd::fen_or_epd;
#[doc(hidden)]
pub use fen_problem::fen_problem;
pub use game_tree::{NoVariation, TreeCursor};
pub(crate) use listing::Step;
pub use move_list::{MoveListError, move_list};
pub use null_move::NullMove;
pub use order::{MoveKey, SortedMoves, VariantMoves};
pub(crate) use position_view::Placement;
pub use quick_chess::QuickChess;
#[doc(hidden)]
pub use rating::{rating, rating_of_tag};
pub use resolve::{Resolved, resolve};
pub use san_suffix::SanSuffix;
pub use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingSide, Chess, Color, File, Move, Outcome, Piece, Position, Rank,
    Role, Setup, Square,
    fen::Fen,
    san::{San, SanPlus},
    uci::UciMove,
    variant::VariantPosition,
};
pub use tag_pairs::{BROKEN, Pair, ROSTER, Tags, roster_place};
pub use target_position::{SearchPosition, TargetPosition, TargetPositionError};
pub use typed_date::{DateError, typed_date};
pub(crate) use untouched::Untouched;
pub use variant::Variant;
pub use zobrist::{Keyed, RunningKey, castling_key, en_passant_key, men_key, turn_key, whole_key};
