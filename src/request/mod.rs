//! Parses what users and clients write: a position, a line, a codec, a code. For filters, see
//! [conditions](crate::conditions).

mod code;
mod error;
mod line;
mod names;
mod position;

pub(crate) use code::hex;
pub use code::{Code, CodeFormat};
pub use error::{PresentError, RequestError};
pub use line::line;
pub(crate) use names::unknown_codec;
pub use names::{game_codec, game_kind, outcome, position_codec, variant};
pub use position::{PositionText, fen_of, lacks_castling, named_opening};
