//! Which games: the keyword arguments of Python as the words of a filter.

use plybook::{
    archive::{Archive, Filter},
    conditions::FilterText,
    present::PresentError,
    query::PositionIndex,
    record::GameId,
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};

use crate::{index::open_index, shared::Watch};

/// The filter that keyword arguments mean.
pub fn filter_text(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<FilterText> {
    let Some(arguments) = arguments else { return Ok(FilterText::default()) };
    let json = arguments.py().import("json")?.call_method1("dumps", (arguments,))?;
    serde_json::from_str(json.extract()?).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// The filter that words mean for an archive, with the index where the archive has one, both within a snapshot; nothing if it was broken off.
pub fn filter_of(
    text: &FilterText,
    archive: &Archive,
    watch: &mut Watch,
) -> Result<Option<(Filter, Option<PositionIndex>)>, PresentError> {
    let index = open_index(archive)?;
    let filter = text.filter(archive, index.as_ref(), |_| watch.look())?;
    Ok(filter.map(|filter| (filter, index)))
}

/// The ids of the games that words mean, in their order; nothing if it was broken off.
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
