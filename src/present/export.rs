//! Games as PGN again, and games without PGN as records.

use std::{
    io::Write,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::PresentError;
use crate::{
    archive::{Archive, ArchiveError, Filter},
    record::StoredGame,
};

/// Writes the games of an archive.
///
/// ```
/// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, present::Export};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let (mut pgn, mut export) = (Vec::new(), Export::new(&archive));
/// export.write(&Filter { limit: Some(3), ..Filter::default() }, &mut pgn, |damage| eprintln!("{damage}"))?;
/// assert_eq!(export.counts.written, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Export<'a> {
    archive: &'a Archive,
    original: bool,
    cancel: Option<&'a AtomicBool>,
    /// What has been done so far, also if it was stopped by an error.
    pub counts: ExportCounts,
}

/// What an export has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ExportCounts {
    /// Games written.
    pub written: u64,
    /// Games that cannot be read: reported and left out.
    pub damaged: u64,
    /// Games that have no PGN, among games that have: left out.
    pub left_out: u64,
}

impl<'a> Export<'a> {
    /// An export of games as they are stored.
    pub fn new(archive: &'a Archive) -> Export<'a> {
        Export { archive, original: false, cancel: None, counts: ExportCounts::default() }
    }

    /// Games whose original text is kept are written byte for byte as they stood in their source.
    pub fn original(self, original: bool) -> Export<'a> {
        Export { original, ..self }
    }

    /// The export ends after the game at which this has become true.
    pub fn cancel(self, cancel: &'a AtomicBool) -> Export<'a> {
        Export { cancel: Some(cancel), ..self }
    }

    /// Writes the games that pass a filter, each with a blank line after it. Games that have no PGN are
    /// written as records if the filter asks for them alone, and left out otherwise. Every game that is damaged is handed
    /// to `damaged`, and the next one is written.
    ///
    /// # Errors
    /// The archive cannot be read on, or `out` cannot be written.
    pub fn write(
        &mut self,
        filter: &Filter,
        out: &mut dyn Write,
        mut damaged: impl FnMut(PresentError),
    ) -> Result<(), PresentError> {
        let mut text = Vec::new();
        for game in self.archive.games(filter) {
            text.clear();
            if filter.kind.is_none() && game.as_ref().is_ok_and(|game| !game.kind.family().has_pgn()) {
                self.counts.left_out += 1;
                continue;
            }
            let appended = match game {
                Ok(game) => self.append(&mut text, &game),
                Err(error @ ArchiveError::Damaged { .. }) => Err(error.into()),
                Err(error) => return Err(error.into()),
            };
            match appended {
                Ok(()) => self.counts.written += 1,
                Err(error) => {
                    damaged(error);
                    self.counts.damaged += 1;
                }
            }
            out.write_all(&text)?;
            if self.cancel.is_some_and(|cancel| cancel.load(Relaxed)) {
                break;
            }
        }
        Ok(())
    }

    /// Adds a game to a text.
    fn append(&self, text: &mut Vec<u8>, game: &StoredGame) -> Result<(), PresentError> {
        if self.original
            && let Some(bytes) = self.archive.original(game.id)?
        {
            text.extend(bytes.trim_ascii());
            text.extend(b"\n\n");
            return Ok(());
        }
        let mut written = String::new();
        game.kind.family().write(game, &mut written)?;
        text.extend(written.as_bytes());
        Ok(())
    }
}
