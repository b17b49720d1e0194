//! The archive: one SQLite file. This is the only directory that uses rusqlite; all SQL is here or in `schema.sql`.
//!
//! An [`Archive`] reads, a [`WritableArchive`] can also be written to. [`open`](Archive::open) checks a file before
//! using it (`hardening`, `schema_check`, `order`, `bounded`). `write` adds games, `read` reads them, `keys` are the
//! indexes of fingerprints, names and the games of players, `checksum` proves rows, `totals` counts games, `segments`
//! stores larger indexes, `maintain` operates on entire files, and `parts` reads several archives as one.

mod batches;
mod bounded;
mod busy_timeout;
mod changes;
mod checksum;
mod different;
mod error;
mod game_table;
mod hardening;
mod integers;
mod keys;
mod maintain;
mod named_players;
mod one_state;
mod open;
mod open_to_write;
mod order;
mod parts;
mod purpose;
mod read;
mod rejects;
mod row_hash;
mod schema;
mod schema_check;
mod segments;
mod side_rows;
mod snapshot;
mod source;
mod sql;
mod sql_functions;
mod stale_journal;
mod text_views;
mod totals;
#[doc(hidden)]
pub mod two_generation_cache;
mod write;

#[doc(hidden)]
pub use batches::{in_batches, in_batches_in_order};
#[doc(hidden)]
pub use stale_journal::log_of;

pub use busy_timeout::{BusyTimeout, PATIENCE};
pub use changes::{
    Change, ChangeSummary, ChangedGame, Editor, FormerFingerprint, ImportedSources, LoggedChange, WhyApart,
    WhyFormer,
};
pub use checksum::{LATEST_VERSION, StoredRows};
pub use different::DifferentGames;
pub use error::{ArchiveError, Result, SqliteError};
pub use keys::{FingerprintLookup, StoredFingerprints};
pub use maintain::{
    CopyRange, Extent, FilePart, GameLength, Holdings, Maintenance, Problem, Salvaged, Sizes, Unproved,
    VariantGames, VerifyReport, salvage,
};
pub use one_state::HeldArchive;
pub use open::{Archive, Snapshot};
pub use open_to_write::WritableArchive;
pub use parts::ArchivePaths;
#[doc(hidden)]
pub use parts::{
    ArchiveFile, CATALOGUE, check_is_not_in_parts, number_of_part, part_name, unfinished_part_name,
};
pub use plybook_chess::{case_fold::folded, name_pattern::matches};
pub use read::{
    CountedName, Filter, FilterError, GameCheck, GameEvent, GameNumber, GamePlies, GameProof, GameSet,
    Listed, NameKind, Names, PlayedGame, RangeKind, SectionMetadata, SectionReader, SizedGame, Sort, Summary,
    Transfer,
};
pub use rejects::{KeptReject, KeptRejects};
pub use schema::{APPLICATION_ID, CHANGED_VERSION, REJECTS_VERSION, UPDATED_VERSION, VERSION};
pub use schema_check::CHECKSUMS;
pub use segments::{
    BuiltSegment, IndexFlaws, IndexableGame, Recorded, RecordedRange, RecordedRanges, SegmentBlocks,
    Segments, Shape, StoredSegment, gaps,
};
pub use side_rows::SharedValues;
pub use source::{ImportedSource, KnownSource, Origin, SourceCounts, SourceState};
pub use sql::{SQL_EXAMPLES, SqlArchive, SqlError, SqlLimits, SqlRows, SqlValue};
pub use write::{
    Added, Beside, GameSize, NewGame, OnUpdate, Preparation, PreparedGames, RawGames, Version, Writer,
};
