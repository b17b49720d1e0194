//! The archive: one SQLite file. This is the only folder that names rusqlite; all SQL is here or in
//! `schema.sql`.

mod backup;
mod batches;
mod bounded;
mod checksum;
mod columns;
mod error;
mod filter;
mod find;
mod fingerprint;
mod fold;
mod game;
mod guard;
mod headers;
mod index;
mod keys;
mod kind;
mod layout;
mod leftover;
mod migrate;
mod names;
mod open;
mod order;
mod original;
mod patience;
mod recent;
mod restore;
mod salvage;
mod shape;
mod size;
mod source;
mod transfer;
mod turn;
mod verify;
mod walk;
mod write;
mod xelto;

pub use columns::{Forms, Record};
pub use error::ArchiveError;
pub use filter::{Filter, FilterError, Sort};
pub use find::Summary;
pub use fingerprint::{fingerprint, xelto_fingerprint};
pub use fold::{folded, matches};
pub use game::{GameError, StoredGame, StoredMoves};
pub use kind::GameKind;
pub use open::{APPLICATION_ID, Archive, VERSION};
pub use patience::{PATIENCE, Patience};
pub use salvage::Salvaged;
pub use shape::CHECKSUMS;
pub use size::{Part, Sizes};
pub use source::{KnownSource, Origin, SourceCounts, SourceState};
pub use transfer::{GameProof, Transfer};
pub use verify::{Fault, Unproved, Verdict};
pub use write::{Added, Writer};

/// The number of a game in its archive: 1 for the first one imported.
pub type GameId = i64;

/// How a game's moves are encoded. A number is never given a second meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodecId(pub u8);

impl CodecId {
    /// [`crate::codec::game::index`].
    pub const INDEX: CodecId = CodecId(1);
}
