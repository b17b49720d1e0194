//! Parses what users and clients write: a position, a line, a codec, a code. For filters, see
//! [conditions](crate::conditions).

mod code;
mod error;
mod line;
mod position;
mod reason;

pub use code::{Code, CodeFormat, game_codec, game_kind, outcome, position_codec, variant};
pub(crate) use code::{hex, unknown_codec};
pub use error::{CodeError, PresentError, RequestError};
pub use line::line;
pub use position::{PositionText, fen_of, lacks_castling, named_opening};
pub use reason::{Expected, MaterialError, PatternError, Requirement, UnclearWinner, WordError};
