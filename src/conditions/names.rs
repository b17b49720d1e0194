//! Names as values of conditions.

use crate::{name_pattern::MOST_PATTERNS, request::RequestError};

/// Checks that a pattern does not contain too many names.
pub(super) fn name(text: &str) -> Result<String, RequestError> {
    if text.matches(';').count() >= MOST_PATTERNS {
        Err(RequestError::ManyNames)
    } else {
        Ok(text.to_owned())
    }
}
