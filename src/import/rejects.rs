//! The file of rejected games: each game follows an escape line (`%`) with its position and reason, so that the file is
//! valid PGN input and can be imported again after the games have been fixed.
//!
//! The file is only ever appended to, and it is synced before the archive records that its games have been processed:
//! after a crash a game may be in the file twice, but never missing. Nothing is appended to a file with other contents.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use super::{ImportError, games::Rejected};
use crate::{
    files::{Destination, FileError, Protected, folder_of, is_stdout, save_folder},
    pgn::Location,
    printable,
};

/// How often to check for cancellation while a named pipe has no reader.
const LOOK: Duration = Duration::from_millis(50);

/// The first byte of the file and of each entry.
// A PGN reader skips lines that begin with `%`, so the file can be imported as it is.
const HEAD: u8 = b'%';

/// Writes rejected games.
pub(super) struct RejectFile {
    path: PathBuf,
    /// `None` until the first rejected game, if the file does not exist yet.
    out: Option<Out>,
    unsaved: bool,
}

struct Out {
    out: Box<dyn Write + Send>,
    /// `None` for standard output, which is not synced.
    file: Option<File>,
}

impl RejectFile {
    /// Opens the file. If it is a named pipe without a reader, waits until `cancel` is set.
    pub(super) fn open(
        path: &Path,
        protected: &Protected,
        cancel: &AtomicBool,
    ) -> Result<RejectFile, ImportError> {
        let error = |error| ImportError::Rejects { path: path.to_owned(), error };
        let out = if is_stdout(path) {
            protected.check_stdout()?;
            Some(Out { out: Box::new(BufWriter::new(io::stdout())), file: None })
        } else {
            match Destination::of(path, protected)? {
                Destination::New(real) => {
                    // Fail now instead of at the first rejected game.
                    tempfile::tempfile_in(folder_of(&real)).map_err(error)?;
                    None
                }
                Destination::Database(_) => return Err(FileError::Database(path.to_owned()).into()),
                Destination::File(real) if !is_own(&real).map_err(error)? => {
                    return Err(ImportError::NotRejects(path.to_owned()));
                }
                Destination::File(real) => Some(Out::add_to(&real).map_err(error)?),
                Destination::Stream(real) => Some(Out::open_stream(real, cancel).map_err(error)?),
            }
        };
        Ok(RejectFile { path: path.to_owned(), out, unsaved: false })
    }

    pub(super) fn write(
        &mut self,
        source: &str,
        location: Location,
        rejected: &Rejected,
    ) -> Result<(), ImportError> {
        self.try_write(source, location, rejected).map_err(|error| self.error(error))
    }

    fn try_write(&mut self, source: &str, location: Location, rejected: &Rejected) -> io::Result<()> {
        self.unsaved = true;
        if self.out.is_none() {
            self.out = Some(Out::add_to(&self.path)?);
            save_folder(&self.path);
        }
        let Some(out) = &mut self.out else { return Ok(()) };
        let at = Location { game: location.game, ..rejected.problem_at };
        write_reject(
            &mut out.out,
            &format!("{source}: {at}: {}", rejected.reason),
            rejected.text.trim_ascii(),
        )
    }

    /// Syncs what has been written.
    pub(super) fn save(&mut self) -> Result<(), ImportError> {
        match &mut self.out {
            Some(out) if std::mem::take(&mut self.unsaved) => out.save().map_err(|error| self.error(error)),
            _ => Ok(()),
        }
    }

    fn error(&self, error: io::Error) -> ImportError {
        ImportError::Rejects { path: self.path.clone(), error }
    }
}

/// Writes a rejected game as to the file of [`Options::rejects`](super::Options::rejects): its text, after a line with its
/// place and the reason.
///
/// # Errors
/// `out` cannot be written.
pub fn write_reject(out: &mut dyn Write, about: &str, text: &[u8]) -> io::Result<()> {
    writeln!(out, "% {}", printable::line(about))?;
    out.write_all(text)?;
    out.write_all(b"\n\n")
}

impl Out {
    fn add_to(path: &Path) -> io::Result<Out> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut out = BufWriter::new(file.try_clone()?);
        // A crash may have truncated the last game.
        if !ends_a_line(path)? {
            out.write_all(b"\n\n")?;
        }
        Ok(Out { out: Box::new(out), file: Some(file) })
    }

    /// Opens a pipe or a device. Opening a named pipe blocks until it has a reader, so another thread does it.
    fn open_stream(path: PathBuf, cancel: &AtomicBool) -> io::Result<Out> {
        let (send, opened) = channel();
        thread::spawn(move || send.send(Out::add_to(&path)));
        loop {
            match opened.recv_timeout(LOOK) {
                Ok(out) => return out,
                Err(RecvTimeoutError::Timeout) if !cancel.load(Ordering::Relaxed) => {}
                Err(_) => return Err(ErrorKind::Interrupted.into()),
            }
        }
    }

    fn save(&mut self) -> io::Result<()> {
        self.out.flush()?;
        match self.file.as_ref().map_or(Ok(()), File::sync_data) {
            // A pipe or a terminal cannot be synced.
            Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
            synced => synced,
        }
    }
}

/// Whether a file contains rejected games or is empty.
fn is_own(path: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(1).read_to_end(&mut first)?;
    Ok(first.first().is_none_or(|&byte| byte == HEAD))
}

/// Whether a file is empty or ends with a complete line; true for anything that is not a regular file.
fn ends_a_line(path: &Path) -> io::Result<bool> {
    if !path.metadata()?.is_file() {
        return Ok(true);
    }
    let (mut file, mut last) = (File::open(path)?, Vec::new());
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    file.take(1).read_to_end(&mut last)?;
    Ok(last == b"\n")
}
