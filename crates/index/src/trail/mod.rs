//! The trail of a game: what it does that cannot be undone, which is all that its pawns do and every capture.
//!
//! A trail says for every moment of a game how many pieces of each kind there are and where the pawns stand, in a fraction of
//! the bytes and of the time that a replay takes. What is asked for beyond that, or of games without a trail, is
//! confirmed by replay.
//!
//! * The *material* of a game is a few bytes, phrases of captures and promotions.
//! * The *pawns* are one bit string: each event with prefix codes that depend on the material to come.
//! * *Facts* say how a game castled and how it ended: see [`Facts`].
//!
//! Trails know the order of events, and who moved, but not how many moves lie between. A game has a trail if it is one of
//! standard chess or Chess960, not damaged, and begins with the pieces of standard chess and its pawns on their squares; of
//! others one byte says that they have none.
//!
//! This folder knows how trails look and how they are made; where their rows are kept is the archive's affair.

mod build;
mod codes;
mod events;
mod facts;
mod material;
mod pawns;
mod phrases;
mod read;
mod recorded;
mod segment;
mod write;

pub use self::{
    build::{BuiltTrails, TrailBuilder},
    facts::{Castled, Facts, Final},
    material::{MOST, Material, ROLES},
    pawns::Pawns,
    phrases::{Change, PHRASES, Phrase},
    read::{Moment, TrailReader},
    recorded::RecordedTrails,
    segment::{MOST_GAMES, Part, TrailRow, TrailShape, Trails},
};

/// What segments of trails are called in an archive, and the version of their format.
pub const KIND: i64 = 2;

/// Bytes of trails that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the trails of games are damaged")]
pub struct DamagedTrail;

#[cfg(test)]
mod tests;
