//! The file of rejected games: each with its place and reason in an escaped line (`%`), so that the file is
//! PGN itself and can be imported when it has been mended.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{ImportError, parse::Rejected};
use crate::pgn::Place;

/// Writes rejected games.
#[derive(Debug)]
pub(super) struct RejectFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl RejectFile {
    pub(super) fn create(path: &Path) -> Result<RejectFile, ImportError> {
        let error = |error| ImportError::Rejects { path: path.to_owned(), error };
        Ok(RejectFile { path: path.to_owned(), file: BufWriter::new(File::create(path).map_err(error)?) })
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
        let Place { line, byte, .. } = rejected.trouble;
        writeln!(
            self.file,
            "% {source}: game {}, line {line}, byte {byte}: {}",
            place.game, rejected.reason
        )?;
        self.file.write_all(rejected.text.trim_ascii())?;
        self.file.write_all(b"\n\n")
    }

    pub(super) fn flush(&mut self) -> Result<(), ImportError> {
        self.file.flush().map_err(|error| self.error(error))
    }

    fn error(&self, error: io::Error) -> ImportError {
        ImportError::Rejects { path: self.path.clone(), error }
    }
}
