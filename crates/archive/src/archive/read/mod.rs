//! Reading games: one by its id, all that pass a filter, and all readable ones of a damaged file.

mod filter;
mod filter_ranges;
pub(super) mod filter_sql;
pub(super) mod game;
mod listed;
mod names;
mod near_names;
mod paging;
mod resolved_filter;
mod sections;
mod selection;
mod transfer;

pub use filter::{Filter, GameNumber, GameSet, Sort};
pub use filter_ranges::{FilterError, RangeKind};
pub(super) use game::{LAYOUT, MOVES, bound_row, read_moves, round_of, tag_value};
pub use listed::{GameEvent, GamePlies, Listed, PlayedGame, SizedGame, Summary};
pub use names::{CountedName, NameKind, Names};
pub(super) use paging::{Pages, Selected};
pub(super) use resolved_filter::Named;
pub(super) use sections::{IndexedSections, all_sections, cached};
pub use sections::{SectionMetadata, SectionReader};
pub(super) use transfer::{CHANGED, fingerprint, fingerprint_with};
pub use transfer::{GameCheck, GameProof, Transfer};
