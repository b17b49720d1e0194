//! Reports on a player, on the games of an archive, and on events.
//!
//! Each report takes a filter and returns a complete value: percentages, means and orders are computed here, and
//! printing adds nothing. Games are read once, and only as far into their moves as the report needs.

mod crosstable;
mod endings;
mod lengths;
mod lines;
mod openings;
mod overview;
mod player;
mod preparation;
mod profile;
mod results;

pub use crosstable::{
    Against, Crosstable, CrosstableError, Crosstables, Edition, Standing, crosstables, editions,
};
pub use endings::EndingResults;
pub use lengths::{LengthResults, Lengths};
pub use lines::LineScore;
pub use openings::{MostPlayed, PlayedFamily, PlayedOpening};
pub use overview::{Overview, Period, PeriodFamily, overview};
pub use player::{Player, PlayerName, PlayerReport, names_of, player_report, player_score};
pub use preparation::{PreparationReport, PreparedPlayer, preparation_report};
pub use profile::{
    MonthRating, NamedScore, PlayerProfile, PositionReport, YearResults, YearScore, position_report,
};
pub use results::{Band, Results, Score};
