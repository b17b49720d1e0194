//! The result of a game as pages show it.

/// Its text, with the signs of print.
pub(super) fn text(result: &'static str) -> &'static str {
    match result {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        other => other,
    }
}

/// The class of its colour.
pub(super) fn class(result: &str) -> &'static str {
    match result {
        "1-0" => "w",
        "0-1" => "b",
        "1/2-1/2" => "d",
        _ => "open",
    }
}
