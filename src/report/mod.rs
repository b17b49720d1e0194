//! Reports: what a player does, what becomes of the games of an archive, how an event ended.
//!
//! Each is asked with a filter, and is a value that says everything: percentages, means and orders are worked out here, and
//! those who print it add nothing. Games are read once, and only as far into their moves as the report needs.

mod crosstable;
mod endings;
mod lengths;
mod lines;
mod openings;
mod overview;
mod periods;
mod player;
mod preparation;
mod results;
mod score;

pub use crosstable::{Against, Crosstable, CrosstableError, Crosstables, Standing, crosstables};
pub use endings::EndingResults;
pub use lengths::{LengthResults, Lengths};
pub use lines::LineScore;
pub use openings::{FamilyScore, OpeningScore, OpeningScores};
pub use overview::{DifferenceResults, FamilyResults, OpeningResults, Overview, overview};
pub use periods::{Period, PeriodFamily};
pub use player::{BandScore, Player, PlayerName, PlayerReport, YearScore, names_of, player_report};
pub use preparation::{PreparationReport, preparation_report};
pub use results::Results;
pub use score::Score;
