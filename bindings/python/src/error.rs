//! Errors as exceptions: the built-in ones of Python where one fits.

use std::io;

use plybook::{
    archive, files::FileError, import::ImportError, parts::PartsError, present::PresentError,
    record::GameError, sources::SourceError,
};
use pyo3::{
    PyErr, create_exception,
    exceptions::{
        PyException, PyFileExistsError, PyFileNotFoundError, PyIndexError, PyIsADirectoryError, PyKeyError,
        PyMemoryError, PyPermissionError, PyRuntimeError, PyTimeoutError, PyValueError,
    },
};

create_exception!(
    plybook,
    ArchiveError,
    PyException,
    "The file is not a plybook archive, or it cannot be used."
);
create_exception!(plybook, DamagedError, ArchiveError, "Data in the archive is corrupt.");

/// The exception for an error.
pub fn exception(error: impl Into<PresentError>) -> PyErr {
    let text = |error: &dyn std::error::Error| error.to_string();
    match error.into() {
        PresentError::Archive(error) => of_archive(error),
        PresentError::Game(error) => of_game(&error),
        PresentError::Decode(error) => PyValueError::new_err(text(&error)),
        PresentError::Encode(error) => PyValueError::new_err(text(&error)),
        PresentError::Request(error) => PyValueError::new_err(with_causes(&error)),
        PresentError::Write(error) => error.into(),
        error @ PresentError::Picture => PyMemoryError::new_err(text(&error)),
        error => PyValueError::new_err(text(&error)),
    }
}

fn of_archive(error: archive::ArchiveError) -> PyErr {
    use archive::ArchiveError as Error;
    let text = error.to_string();
    match error {
        Error::Missing(_) => PyFileNotFoundError::new_err(text),
        Error::Folder(_) => PyIsADirectoryError::new_err(text),
        Error::InParts { path, collection } => {
            let text = format!("{text}: plybook merge {} -o all.db", collection.display());
            if path.is_dir() { PyIsADirectoryError::new_err(text) } else { PyValueError::new_err(text) }
        }
        Error::ReadOnly(_) => PyPermissionError::new_err(text),
        Error::Busy(_) | Error::Held(_) => PyTimeoutError::new_err(text),
        Error::NoSuchGame { .. } | Error::Removed(_) | Error::Empty(_) => PyKeyError::new_err(text),
        Error::Io { error, .. } | Error::NoRoom { error, .. } => of_system(&error, text),
        Error::File(error) => of_file(error),
        Error::Edit(_) | Error::Equal { .. } | Error::Conflict(_) => PyValueError::new_err(text),
        Error::Damaged { .. } | Error::Unreadable { .. } | Error::DamagedIndex(_) => {
            DamagedError::new_err(text)
        }
        _ => ArchiveError::new_err(text),
    }
}

fn of_game(error: &GameError) -> PyErr {
    let text = error.to_string();
    match error {
        GameError::NoSuchPly { .. } => PyIndexError::new_err(text),
        GameError::OtherFamily { .. } => PyValueError::new_err(text),
        _ => DamagedError::new_err(text),
    }
}

fn of_file(error: FileError) -> PyErr {
    let text = error.to_string();
    match error {
        FileError::Folder(_) => PyIsADirectoryError::new_err(text),
        FileError::Io { error, .. } => of_system(&error, text),
        _ => PyFileExistsError::new_err(text),
    }
}

/// The exception for an error in the parts of a collection.
pub fn of_parts(error: PartsError) -> PyErr {
    match error {
        PartsError::Missing(_) => PyFileNotFoundError::new_err(error.to_string()),
        PartsError::Damaged { .. } => DamagedError::new_err(error.to_string()),
        error => ArchiveError::new_err(with_causes(&error)),
    }
}

/// The exception for a failed import.
pub fn of_import(error: ImportError) -> PyErr {
    let text = with_causes(&error);
    match error {
        ImportError::Archive(error) => of_archive(error),
        ImportError::File(error) => of_file(error),
        ImportError::Source(SourceError::Io(_, error)) => of_system(&error, text),
        ImportError::Source(_) | ImportError::NotPgn(_) => PyValueError::new_err(text),
        ImportError::NotRejects(_) => PyFileExistsError::new_err(text),
        ImportError::Rejects { error, .. } => of_system(&error, text),
        _ => PyRuntimeError::new_err(text),
    }
}

/// The exception for an I/O error, by its kind.
fn of_system(error: &io::Error, text: String) -> PyErr {
    io::Error::new(error.kind(), text).into()
}

/// The text of an error with its causes, unless it contains them already.
fn with_causes(error: &dyn std::error::Error) -> String {
    let (mut text, mut error) = (error.to_string(), error);
    while let Some(cause) = error.source() {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        error = cause;
    }
    text
}
