//! What front ends are asked for, in words: a filter, a position, a pattern, a codec, a code.

mod any_file;
mod code;
mod error;
mod filter;
mod line;
mod material;
mod names;
mod pattern;
mod position;
mod result;
mod search;
mod sought;

pub(super) use code::hex;
pub(crate) use code::{Code, CodeFormat};
pub use error::RequestError;
pub use filter::{FilterText, SORTS};
pub(crate) use line::line;
pub use material::material;
pub(super) use names::unknown_codec;
pub use names::{game_codec, outcome, position_codec, variant};
pub use pattern::pattern;
pub use position::{PositionText, fen_of};
pub(crate) use position::{lacks_castling, named_opening};
pub use search::{CASTLED, ENDS, PROMOTIONS};
