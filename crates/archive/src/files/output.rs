//! Destinations of output: a file that appears when it is complete, or standard output, a device or a pipe, which are
//! written to directly.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    path::Path,
};

use super::{AtomicFile, Destination, FileError, Protected};

/// A destination of output. A file that is not [finished](Output::finish) never appears.
#[derive(Debug)]
pub struct Output {
    /// Its name, for error messages.
    pub name: String,
    to: BufWriter<OutputTarget>,
}

#[derive(Debug)]
enum OutputTarget {
    Stdout(io::StdoutLock<'static>),
    Stream(File),
    File(AtomicFile),
}

/// Whether a name means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// Buffer size for files: exports have hundreds of megabytes.
const BUFFER: usize = 1 << 18;

impl Output {
    /// Opens a destination. An existing regular file is only replaced with `force`, a database never.
    ///
    /// # Errors
    /// It cannot be written, or must not be.
    pub fn create(path: &Path, force: bool, protected: &Protected) -> Result<Output, FileError> {
        if is_stdout(path) {
            return Output::stdout(protected);
        }
        let to = match Destination::of(path, protected)? {
            Destination::Stream(path) => {
                let file = OpenOptions::new().write(true).open(&path);
                OutputTarget::Stream(file.map_err(|error| FileError::io(&path, error))?)
            }
            destination => OutputTarget::File(destination.begin(path, force)?),
        };
        Ok(Output { name: path.display().to_string(), to: BufWriter::with_capacity(BUFFER, to) })
    }

    /// Standard output.
    ///
    /// # Errors
    /// The shell has redirected it to a protected file.
    pub fn stdout(protected: &Protected) -> Result<Output, FileError> {
        protected.check_stdout()?;
        Ok(Output {
            name: "standard output".to_owned(),
            to: BufWriter::new(OutputTarget::Stdout(io::stdout().lock())),
        })
    }

    /// Completes the output; a file is renamed to its final name.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn finish(self) -> Result<(), FileError> {
        Output::finish_all(vec![self])
    }

    /// Completes several outputs; their files are renamed, all or none.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn finish_all(outputs: Vec<Output>) -> Result<(), FileError> {
        let mut parts = Vec::new();
        for Output { name, to } in outputs {
            let error = |error| FileError::io(Path::new(&name), error);
            match to.into_inner().map_err(|failed| error(failed.into_error()))? {
                OutputTarget::File(part) => parts.push(part),
                mut to => to.flush().map_err(error)?,
            }
        }
        AtomicFile::keep_all(parts)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputTarget::Stdout(out) => out.write(bytes),
            OutputTarget::Stream(file) => file.write(bytes),
            OutputTarget::File(part) => (&part.file).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputTarget::Stdout(out) => out.flush(),
            OutputTarget::Stream(_) | OutputTarget::File(_) => Ok(()),
        }
    }
}
