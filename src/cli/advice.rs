//! What to do about an error, in terms of the command line: the library knows no commands and no options.

use std::error::Error;

use crate::present::{PresentError, RequestError};

/// What to add to the text of an error; nothing for most.
pub(super) fn advice(error: &anyhow::Error) -> String {
    let request = error.chain().find_map(request);
    request.and_then(on_request).unwrap_or_default()
}

/// What was wrong with a request. An error that only hands on the words of another is not its source.
fn request<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RequestError> {
    match error.downcast_ref() {
        Some(PresentError::Request(error)) => Some(error),
        _ => error.downcast_ref(),
    }
}

fn on_request(error: &RequestError) -> Option<String> {
    match error {
        RequestError::SeveralNumbers { .. } => Some(": give the number with --bits".to_owned()),
        _ => None,
    }
}
