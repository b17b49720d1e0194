//! The file of rejected games: each with its place and reason in an escaped line (`%`), so that the file is
//! PGN itself and can be imported when it has been mended.
//!
//! It is only ever added to, and is on disk before the archive says that its games are done with: after a crash
//! a game may stand in it twice, but never not at all.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{ImportError, parse::Rejected};
use crate::{pgn::Place, printable};

/// Writes rejected games.
#[derive(Debug)]
pub(super) struct RejectFile {
    path: PathBuf,
    file: BufWriter<File>,
    unsaved: bool,
}

impl RejectFile {
    pub(super) fn open(path: &Path) -> Result<RejectFile, ImportError> {
        let error = |error| ImportError::Rejects { path: path.to_owned(), error };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(error)?;
        Ok(RejectFile { path: path.to_owned(), file: BufWriter::new(file), unsaved: false })
    }

    pub(super) fn write(
        &mut self,
        source: &str,
        place: Place,
        rejected: &Rejected,
    ) -> Result<(), ImportError> {
        self.try_write(source, place, rejected).map_err(|error| self.error(error))
    }

    fn try_write(&mut self, source: &str, place: Place, rejected: &Rejected) -> io::Result<()> {
        self.unsaved = true;
        let Place { line, byte, .. } = rejected.trouble;
        let about = format!("{source}: game {}, line {line}, byte {byte}: {}", place.game, rejected.reason);
        writeln!(self.file, "% {}", printable::line(&about))?;
        self.file.write_all(rejected.text.trim_ascii())?;
        self.file.write_all(b"\n\n")
    }

    /// Makes what has been written durable.
    pub(super) fn save(&mut self) -> Result<(), ImportError> {
        if !std::mem::take(&mut self.unsaved) {
            return Ok(());
        }
        self.file.flush().map_err(|error| self.error(error))?;
        match self.file.get_ref().sync_data() {
            // A pipe or a terminal cannot be synced.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(self.error(error)),
            _ => Ok(()),
        }
    }

    fn error(&self, error: io::Error) -> ImportError {
        ImportError::Rejects { path: self.path.clone(), error }
    }
}
