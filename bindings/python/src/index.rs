//! The index of an archive. If it is corrupt, Python gets a warning, and queries run without it.

use std::ffi::CString;

use plybook::{
    archive::{Archive, ArchiveError},
    query::PositionIndex,
};
use pyo3::{exceptions::PyRuntimeWarning, prelude::*};

/// The index of an archive; `None` if there is none or it is corrupt.
pub fn open_index(archive: &Archive) -> Result<Option<PositionIndex>, ArchiveError> {
    PositionIndex::open_reporting(archive, warn)
}

fn warn(error: &ArchiveError) {
    let Ok(text) = CString::new(format!(
        "{error}; all games are scanned instead, which is slow. Rebuild the index: run \"plybook index --drop\", then \"plybook index\""
    )) else {
        return;
    };
    Python::attach(|py| {
        if let Err(error) = PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1) {
            // If warnings are configured as errors, no caller could receive the exception.
            error.write_unraisable(py, None);
        }
    });
}
