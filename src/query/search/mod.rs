//! Searches games by properties of positions (material, contents of squares, and their sequence) and of complete games.

mod by_replay;
mod by_trail;
mod condition;
mod course;
mod line_progress;
mod pattern;
mod trail_index;

pub(super) use self::by_trail::reaching_by_trails;
pub use self::{
    by_trail::games_matching,
    condition::{Line, MaterialRange, Search, Step, StepWay},
    course::{Course, MovesRun},
    pattern::{Match, Pattern, RankContent, SquareContent},
    trail_index::TrailIndex,
};
