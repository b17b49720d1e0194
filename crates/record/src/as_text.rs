//! Values that have a type here and are text in JSON, for `#[serde(serialize_with)]`.

use std::fmt::Display;

use serde::Serializer;

/// Serializes a value as its text.
///
/// # Errors
/// Those of the serializer.
pub fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serializes a value as its text, and a missing one as null.
///
/// # Errors
/// Those of the serializer.
pub fn as_optional_text<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}
