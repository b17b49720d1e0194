//! Where the output of a run goes: a file that appears when it is whole, or standard output, a device or a pipe,
//! which get it at once.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    path::Path,
};

use super::{Destination, FileError, Protected, UnfinishedFile};

/// Where output goes. What is not [finished](Output::finish) has never been, where that is possible.
#[derive(Debug)]
pub struct Output {
    name: String,
    to: BufWriter<To>,
}

#[derive(Debug)]
enum To {
    Stdout(io::StdoutLock<'static>),
    Stream(File),
    File(UnfinishedFile),
}

/// Whether a name stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// Bytes that are gathered before they are written to a file: exports have hundreds of megabytes.
const BUFFER: usize = 1 << 18;

impl Output {
    /// Opens what a name stands for. A regular file that is there is replaced only by `force`, a database never.
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
                To::Stream(file.map_err(|error| FileError::io(&path, error))?)
            }
            destination => To::File(destination.begin(path, force)?),
        };
        Ok(Output { name: path.display().to_string(), to: BufWriter::with_capacity(BUFFER, to) })
    }

    /// Standard output.
    ///
    /// # Errors
    /// A shell has directed it into a protected file.
    pub fn stdout(protected: &Protected) -> Result<Output, FileError> {
        protected.check_stdout()?;
        Ok(Output { name: "standard output".to_owned(), to: BufWriter::new(To::Stdout(io::stdout().lock())) })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ends the output; a file gets its name now.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn finish(self) -> Result<(), FileError> {
        Output::finish_all(vec![self])
    }

    /// Ends several outputs; files get their names now, all or none.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn finish_all(outputs: Vec<Output>) -> Result<(), FileError> {
        let mut parts = Vec::new();
        for Output { name, to } in outputs {
            let error = |error| FileError::io(Path::new(&name), error);
            match to.into_inner().map_err(|failed| error(failed.into_error()))? {
                To::File(part) => parts.push(part),
                mut to => to.flush().map_err(error)?,
            }
        }
        UnfinishedFile::keep_all(parts)
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

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Stdout(out) => out.write(bytes),
            To::Stream(file) => file.write(bytes),
            To::File(part) => part.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            To::Stdout(out) => out.flush(),
            To::Stream(_) | To::File(_) => Ok(()),
        }
    }
}
