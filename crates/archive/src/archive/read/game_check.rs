//! Checks that games are unchanged. A changed byte can turn a game into a different valid game, which only its
//! fingerprint reveals.

use super::transfer::{CHANGED, GameProof, MOST_HELD, other_plies};
use crate::archive::{
    Archive, ArchiveError,
    keys::{KeyKind, stored_between},
};
use plybook_record::{GameId, StoredGame};

/// What the games of an export are checked against.
#[derive(Debug)]
pub struct GameCheck {
    /// The fingerprints of each file, with the number of ids of the files before it.
    files: Vec<(GameId, GameProof)>,
    /// Faults that do not concern a single game.
    pub faults: u64,
}

impl GameCheck {
    /// The last game when the fingerprints were read.
    pub fn last(&self) -> GameId {
        self.files.last().map_or(0, |(before, proof)| before + proof.last())
    }

    /// Checks that a game is one that was stored.
    ///
    /// # Errors
    /// It is not, or it cannot be decoded.
    pub fn check(&self, game: &StoredGame) -> Result<(), ArchiveError> {
        let hash = fingerprint(game).map_err(|what| ArchiveError::damaged(game.id, what))?;
        let behind = self.files.partition_point(|(before, _)| *before < game.id);
        let file = behind.checked_sub(1).and_then(|place| self.files.get(place));
        match file {
            Some((_, proof)) if proof.has(hash)? => Ok(()),
            _ => Err(ArchiveError::damaged(game.id, CHANGED)),
        }
    }
}

/// The fingerprint of a decoded game, if its number of plies is correct.
pub(in crate::archive) fn fingerprint(game: &StoredGame) -> Result<u64, String> {
    let (hash, plies) = game.replay_fingerprint().map_err(|error| error.to_string())?;
    if plies == game.plies { Ok(hash) } else { Err(other_plies(plies, game.plies)) }
}

impl Archive {
    /// Reads a game by its id, and checks it.
    ///
    /// # Errors
    /// There is no such game, or it is damaged.
    pub fn checked_game(&self, id: GameId) -> Result<StoredGame, ArchiveError> {
        if let Some(game) = self.files().ask_part_with(id, Archive::checked_game) {
            return game;
        }
        let game = self.game(id)?;
        let hash = fingerprint(&game).map_err(|what| ArchiveError::damaged(id, what))?;
        match stored_between(&self.db, KeyKind::Fingerprints, hash, hash) {
            Ok(found) if !found.is_empty() => Ok(game),
            Ok(_) => Err(ArchiveError::damaged(id, CHANGED)),
            Err(error) => Err(self.db.error(error)),
        }
    }

    /// Reads what games are checked against. First compares all rows with their checksums, as `verify` does: a damaged
    /// byte can also make a game unreadable, or exclude it from a filter. Changes are passed to `fault`.
    ///
    /// # Errors
    /// The fingerprints cannot be read.
    pub fn game_check(&self, mut fault: impl FnMut(ArchiveError)) -> Result<GameCheck, ArchiveError> {
        let (mut files, mut faults) = (Vec::new(), 0);
        for file in self.files().all() {
            let (archive, before) = (file.lock(), file.before());
            archive.check_rows(&mut |game, what| {
                faults += 1;
                fault(match game {
                    Some(id) => ArchiveError::damaged(before + id, what),
                    None => ArchiveError::Changed(archive.path().to_owned(), what),
                });
            });
            files.push((
                before,
                archive.maintenance().proof_holding(MOST_HELD / self.files().all().count() as u64)?,
            ));
        }
        Ok(GameCheck { files, faults })
    }
}
