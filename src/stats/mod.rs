//! How few bits a game or a position takes: lengths, sizes, pictures.

mod batches;
mod lengths;
mod measure;
mod positions;
mod spread;

pub use lengths::{Estimates, Lengths, Percentile};
pub use measure::{measure, measure_codecs, measure_kinds};
pub use positions::{Costs, PieceCounts, PositionCosts, count_pieces, measure_positions};
pub use spread::Spread;
