//! Reading games: one by its id, all that pass a filter, all that can be read of a damaged file.

mod completions;
mod extent;
pub(super) mod filter;
mod filter_ranges;
pub(super) mod game;
mod game_set;
mod holdings;
mod leading;
mod looked_up;
mod original;
mod paging;
mod played;
mod recovery_scan;
mod sections;
mod snapshot;
mod sorting;
mod sources;
mod summaries;
mod texts;
mod transfer;

pub use completions::NameKind;
pub use extent::{Extent, KindExtent};
pub use filter::{Filter, Sort};
pub use filter_ranges::FilterError;
pub(super) use game::{LAYOUT, moves, read_moves};
pub use game_set::GameSet;
pub use holdings::Holdings;
pub(super) use looked_up::Named;
pub(super) use paging::{Pages, Wanted};
pub use played::PlayedGame;
pub use sections::{SectionFacts, SectionReader};
pub use snapshot::Snapshot;
pub use sources::ImportedSource;
pub(super) use summaries::IDS;
pub use summaries::Summary;
pub use transfer::{GameProof, Transfer};
