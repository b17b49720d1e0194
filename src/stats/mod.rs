//! How few bits a game or a position takes: lengths, sizes, pictures.

mod batches;
mod lengths;
mod measure;
mod positions;
mod spread;
mod xelto;

pub use lengths::{Estimates, Lengths, Percentile};
pub use measure::{measure, measure_codec, measure_kinds};
pub use positions::{Costs, PieceCounts, PositionCosts, count_pieces, measure_positions};
pub use spread::Spread;
pub use xelto::measure_xelto;
