//! Reading games: one by its id, all that pass a filter, and all readable ones of a damaged file.

mod filter;
mod filter_ranges;
pub(super) mod filter_sql;
pub(super) mod game;
mod game_check;
mod holdings;
mod leading;
mod listed;
mod names;
mod near_names;
mod paging;
mod resolved_filter;
mod sections;
mod selection;
mod snapshot;
mod transfer;

pub use filter::{Filter, GameNumber, GameSet, Sort};
pub use filter_ranges::FilterError;
pub(super) use game::{LAYOUT, MOVES, read_moves};
pub use game_check::GameCheck;
pub(super) use game_check::fingerprint;
pub use holdings::{Extent, Holdings, KindExtent};
pub use listed::{Listed, PlayedGame, Summary};
pub use names::{CountedName, NameKind, Names};
pub(super) use paging::{Pages, Selected};
pub(super) use resolved_filter::Named;
pub(super) use sections::cached;
pub use sections::{SectionMetadata, SectionReader};
pub use snapshot::Snapshot;
pub(super) use transfer::CHANGED;
pub use transfer::{GameProof, Transfer};
