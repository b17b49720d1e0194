//! What a line of a record is, by its looks alone.

use super::{Header, Written};

/// Opens a continuation: "from here".
pub(super) const FROM_HERE: &str = "以下";

/// Closes it: "up to here".
pub(super) const UP_TO_HERE: &str = "まで。";

/// What a line of a record is. What it may be where it stands is the reader's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing, or a remark behind `%` at its start, as in PGN.
    Blank,
    /// `arxe : name`
    Header,
    /// Numbered moves.
    Moves,
    /// The beginning or the end of a continuation.
    Continuation,
    /// `arxe vast vol hacma ok 3 ito.`
    Result,
    /// None of these.
    Unknown,
}

impl LineKind {
    /// What a line is; spaces around it are of no matter.
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

/// Whether a text begins like a record: after blank lines and other headers comes a header with the name of a
/// side, or a numbered move that no game of chess has.
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
