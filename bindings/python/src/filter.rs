//! Filters, from the keyword arguments of Python.

use plybook::{
    archive::{Archive, Filter},
    conditions::FilterText,
    present::PresentError,
    query::PositionIndex,
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

/// Resolves a filter for an archive, with the index if the archive has one, both in one snapshot; `None` if it was
/// cancelled.
pub fn filter_of(
    text: &FilterText,
    archive: &Archive,
    watch: &mut Watch,
) -> Result<Option<(Filter, Option<PositionIndex>)>, PresentError> {
    let index = open_index(archive)?;
    let filter = text.filter(archive, index.as_ref(), |_| watch.look())?;
    Ok(filter.map(|filter| (filter, index)))
}

/// The ids of the games that match a filter, in its order; `None` if it was cancelled.
pub fn ids(
    text: &FilterText,
    archive: &Archive,
    watch: &mut Watch,
) -> Result<Option<Vec<GameId>>, PresentError> {
    let _snapshot = archive.snapshot()?;
    let Some((filter, _)) = filter_of(text, archive, watch)? else { return Ok(None) };
    let mut ids = Vec::new();
    for id in archive.list::<GameId>(&filter) {
        ids.push(id?);
        if ids.len() % 4096 == 0 && watch.look().is_break() {
            return Ok(None);
        }
    }
    Ok(Some(ids))
}
