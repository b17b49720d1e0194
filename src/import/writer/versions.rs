//! What a report says of new versions of stored games.

use super::{ImportWriter, Note};
use crate::{
    archive::{Beside, Version, Writer},
    pgn::Location,
    record::GameId,
};

const LATER: Note = Note { key: "updated", text: "games updated by later versions" };
const JOINED: Note = Note { key: "joined", text: "games joined with other versions" };
const EARLIER: Note =
    Note { key: "earlier_versions", text: "games of which the archive has as much or more" };
const SKIPPED: Note =
    Note { key: "skipped_versions", text: "games left as they are, although other versions say more" };
const BESIDE: Note =
    Note { key: "other_versions", text: "games stored in addition to other versions of them" };
const SAME_ADDRESS: Note = Note { key: "same_address", text: "games with the address of another game" };
const COMMON_IDENTITY: Note = Note {
    key: "common_identity",
    text: "games with an address, or players, event, date and round, that many games have; they were not compared",
};

impl ImportWriter<'_> {
    /// The place in the log of the import after what it has updated.
    pub(super) fn place_of_updates(&self) -> u32 {
        self.writer.as_ref().map_or(0, Writer::place_of_updates)
    }

    /// Counts a record of a game that the archive has. Returns the game, if that was updated.
    pub(super) fn count_version(&mut self, version: Version, location: Location) -> Option<GameId> {
        self.source.counts.duplicate += 1;
        self.report.duplicate += 1;
        let note = match version {
            Version::Later(_) => LATER,
            Version::Joined(_) => JOINED,
            Version::Earlier(_) => EARLIER,
            Version::Skipped(_) => SKIPPED,
        };
        self.report.add_note(note, &self.source.name, location);
        let (Version::Later(id) | Version::Joined(id)) = version else { return None };
        self.report.updated += 1;
        self.since_commit += 1;
        Some(id)
    }

    /// Notes that a game was stored although it has something in common with another.
    pub(super) fn note_beside(&mut self, beside: Beside, location: Location) {
        let note = match beside {
            Beside::SameAddress(_) => SAME_ADDRESS,
            Beside::Version(_) => BESIDE,
            Beside::CommonIdentity => COMMON_IDENTITY,
        };
        self.report.add_note(note, &self.source.name, location);
    }
}
