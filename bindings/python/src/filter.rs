//! Filters, from the keyword arguments of Python.

use plybook::{
    archive::{Archive, ArchiveError},
    conditions::FilterText,
    present::PresentError,
    query::Context,
    record::GameId,
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};

use crate::{index::open_index, shared::Watch};

/// Parses keyword arguments as a filter.
pub fn filter_text(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<FilterText> {
    let Some(arguments) = arguments else { return Ok(FilterText::default()) };
    let json = arguments.py().import("json")?.call_method1("dumps", (arguments,))?;
    serde_json::from_str(json.extract()?).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// The ids of the games that match a filter, in its order, from one snapshot of the archive and its index.
pub fn ids(text: &FilterText, archive: &Archive, watch: &Watch) -> Result<Vec<GameId>, PresentError> {
    let _snapshot = archive.snapshot()?;
    let (index, look) = (open_index(archive)?, |_| watch.look());
    let context = Context::new(archive).with_index(index.as_ref()).watched_by(&look);
    let filter = text.filter(context)?;
    let mut ids = Vec::new();
    for id in archive.list::<GameId>(&filter) {
        ids.push(id?);
        if ids.len() % 4096 == 0 && watch.look().is_break() {
            return Err(ArchiveError::Stopped.into());
        }
    }
    Ok(ids)
}
