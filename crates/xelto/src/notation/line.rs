//! Classifies a line of a record without context.

use super::{Header, Written};

/// Opens a continuation: "from here".
pub(super) const FROM_HERE: &str = "以下";

/// Closes a continuation: "up to here".
pub(super) const UP_TO_HERE: &str = "まで。";

/// The kind of a line in a record. Whether it is allowed in its place is checked by the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Empty, or a remark that starts with `%`, as in PGN.
    Blank,
    /// `arxe : name`
    Header,
    /// Numbered moves.
    Moves,
    /// The start or end of a continuation.
    Continuation,
    /// `arxe vast vol hacma ok 3 ito.`
    Result,
    /// None of these.
    Unknown,
}

impl LineKind {
    /// The kind of a line; surrounding spaces are ignored.
    pub fn of(line: &str) -> LineKind {
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            LineKind::Blank
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            LineKind::Moves
        } else if line.starts_with(FROM_HERE) || line == UP_TO_HERE {
            LineKind::Continuation
        } else if Header::read(line).is_some() {
            LineKind::Header
        } else if line.split_whitespace().nth(1) == Some("vast") {
            LineKind::Result
        } else {
            LineKind::Unknown
        }
    }
}

/// Whether a text begins like a record: after blank lines and other headers there is a header with the name of a side,
/// or a numbered move that is not a chess move.
///
/// ```
/// use plybook_xelto::notation::looks_like_record;
///
/// assert!(looks_like_record("event : x\n\narxe : seren arbazard\n"));
/// assert!(looks_like_record("1.b5vio\n2.s5lin\n"));
/// assert!(!looks_like_record("1.e4 e5\n") && !looks_like_record("[Event \"x\"]\n"));
/// ```
pub fn looks_like_record(text: &str) -> bool {
    for line in text.trim_start_matches('\u{feff}').lines() {
        match LineKind::of(line) {
            LineKind::Blank => {}
            LineKind::Header => {
                let name = line.split(':').next().unwrap_or_default().trim();
                if matches!(name, "arxe" | "sorn") {
                    return true;
                }
            }
            LineKind::Moves => return begins_with_move(line),
            LineKind::Result => return true,
            LineKind::Continuation | LineKind::Unknown => return false,
        }
    }
    false
}

fn begins_with_move(line: &str) -> bool {
    let word = line.split_whitespace().next().and_then(|word| word.split_once('.'));
    word.is_some_and(|(_, word)| word.parse::<Written>().is_ok())
}
