//! How few bits a game takes: lengths, sizes, pictures.

mod lengths;
mod measure;
pub mod svg;

pub use lengths::{Estimates, Lengths, Percentile};
pub use measure::{measure, measure_codec};
