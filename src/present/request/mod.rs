//! What front ends are asked for, in words: a filter, a position, a codec, a code.

mod code;
mod error;
mod filter;
mod line;
mod names;
mod position;
mod sought;

pub(super) use code::hex;
pub use code::{Code, CodeFormat};
pub use error::RequestError;
pub use filter::{FilterText, SORTS};
pub use line::line;
pub(super) use names::unknown_codec;
pub use names::{game_codec, game_kind, outcome, position_codec, variant};
pub use position::{PositionText, fen_of, lacks_castling};
