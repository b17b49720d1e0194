//! Names in conditions.

use crate::{name_pattern::MOST_PATTERNS, request::RequestError};

/// A pattern of names, unless it is of more of them than are looked for.
pub(super) fn name(text: &str) -> Result<String, RequestError> {
    if text.matches(';').count() >= MOST_PATTERNS {
        Err(RequestError::ManyNames)
    } else {
        Ok(text.to_owned())
    }
}
