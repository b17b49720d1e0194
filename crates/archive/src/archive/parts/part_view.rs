//! Converts ids and name numbers of one of several archives to those across all of them.

use super::Part;
use crate::archive::{
    Archive, ArchiveError, GameEvent, GameLength, GamePlies, IndexableGame, NameKind, Origin, PlayedGame,
    SizedGame, Summary, segments::IndexedRow,
};
use plybook_record::{GameId, GameMetadata, StoredGame, StoredMoves};

/// A value that is read from an archive.
pub trait PartView: Sized + Send {
    /// Converts the ids in it, if any, to ids across all archives.
    fn of_part(self, _all: &Archive, _part: &Part) -> Result<Self, ArchiveError> {
        Ok(self)
    }
}

/// Values whose id is the only part to convert.
macro_rules! with_id {
    ($($what:ty),*) => {
        $(impl PartView for $what {
            fn of_part(mut self, _: &Archive, part: &Part) -> Result<Self, ArchiveError> {
                self.id += part.before;
                Ok(self)
            }
        })*
    };
}

with_id!(StoredGame, StoredMoves, GameMetadata, GamePlies, Summary, IndexedRow);

impl PartView for GameLength {}

impl PartView for Origin {}

impl PartView for Vec<u8> {}

impl PartView for GameId {
    fn of_part(self, _: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        Ok(self + part.before)
    }
}

impl PartView for SizedGame {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        Ok(SizedGame { summary: self.summary.of_part(all, part)?, ..self })
    }
}

impl PartView for PlayedGame {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        let number = |kind, id| all.names().number_for_all(part, kind, id);
        Ok(PlayedGame {
            facts: self.facts.of_part(all, part)?,
            white: number(NameKind::Player, self.white)?,
            black: number(NameKind::Player, self.black)?,
            event: number(NameKind::Event, self.event)?,
            site: number(NameKind::Site, self.site)?,
            plies: self.plies,
        })
    }
}

impl PartView for GameEvent {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        let number = |kind, id| all.names().number_for_all(part, kind, id);
        let (event, site) = (number(NameKind::Event, self.event)?, number(NameKind::Site, self.site)?);
        Ok(GameEvent { event, site, ..self })
    }
}

impl PartView for IndexableGame {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        Ok(IndexableGame { moves: self.moves.of_part(all, part)?, ..self })
    }
}

impl<A: PartView, B: PartView> PartView for (A, B) {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        Ok((self.0.of_part(all, part)?, self.1.of_part(all, part)?))
    }
}

impl<T: PartView> PartView for Option<T> {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        self.map(|what| what.of_part(all, part)).transpose()
    }
}

impl<T: PartView> PartView for Result<T, ArchiveError> {
    fn of_part(self, all: &Archive, part: &Part) -> Result<Self, ArchiveError> {
        Ok(self.map_err(|error| error.of_file_after(part.before)).and_then(|what| what.of_part(all, part)))
    }
}

impl ArchiveError {
    /// Converts the ids of games in the error, given the number of ids of the files before.
    pub(super) fn of_file_after(self, before: GameId) -> ArchiveError {
        let moved = |id: GameId| id.saturating_add(before);
        match self {
            ArchiveError::Removed(id) => ArchiveError::Removed(moved(id)),
            ArchiveError::NoSuchGame { id, first, last } => {
                ArchiveError::NoSuchGame { id: moved(id), first: moved(first), last: moved(last) }
            }
            ArchiveError::Empty(id) => ArchiveError::Empty(moved(id)),
            ArchiveError::Unreadable { first, last, what } => {
                ArchiveError::Unreadable { first: moved(first), last: last.map(moved), what }
            }
            ArchiveError::Damaged { id, what } => ArchiveError::Damaged { id: moved(id), what },
            other => other,
        }
    }
}
