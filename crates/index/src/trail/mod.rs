//! The trail of a game: its irreversible events, that is, all pawn moves and captures.
//!
//! For every moment of a game a trail tells how many pieces of each kind there are and where the pawns are, in a
//! fraction of the bytes and of the time of a replay. Anything beyond that, and games without a trail, need a replay.
//!
//! * The *material* of a game is a few bytes: phrases of captures and promotions.
//! * The *pawns* are one bit string: events in prefix codes that depend on the following material.
//! * *Facts* say how a game castled, how many checks followed each other, and how it ended: see [`Facts`].
//!
//! Trails contain the order of events and who moved, but not how many moves lie between. A game has a trail if it is
//! standard chess or Chess960, is not damaged, and begins with the pieces of standard chess and its pawns on their
//! usual squares; for other games one byte says that they have none.
//!
//! This directory defines the format of trails and builds them; the archive stores their rows.

mod codes;
mod facts;
mod material;
mod pawns;
mod phrases;
mod read;
mod recorded;
mod segment;
mod write;

pub use self::{
    facts::{Castled, Facts, Final, MOST_CHECKS},
    material::{MOST, Material, ROLES},
    pawns::Pawns,
    phrases::{Change, PHRASES, Phrase},
    read::{Moment, TrailReader},
    recorded::RecordedTrails,
    segment::{Part, TrailBuilder, TrailRow, TrailShape, Trails},
};

/// The number of this kind of segment, including the version of its format.
// Replaying all games cannot answer a search in the time of an index: 1.2 s for 297,156 games on two threads. The
// number of plies between events is not stored: in a prototype it would have taken 8.8 bytes per game in addition to
// 16.7. Searches that depend on it replay the games found by the trail.
pub const KIND: i64 = 4;

/// The trails contain invalid data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the trails of games are damaged")]
pub struct DamagedTrail;

#[cfg(test)]
mod tests;
