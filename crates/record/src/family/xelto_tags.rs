//! The headers of a Xelto record as tag pairs, and back.
//!
//! | record | tag pair |
//! |---|---|
//! | `arxe : name`, who moves first | `White` |
//! | `sorn : name` | `Black` |
//! | any other header | the same name and value |
//! | a header whose name has another meaning here | the same with `_` after the name, which no header has |
//! | – | `Variant`, `Result` |
//! | `arxe vast vol hacma ok 3 ito.` | `Termination`, the sentence |
//! | `以下 68.e7mir 69.v5dyu まで。` | `Continuation`, the moves with their numbers |
//!
//! The headers `event`, `site`, `date` and `round`, also with a capital, go to the columns of these tags: see
//! [`column`].

use crate::GameKind;
use plybook_chess::chess::Tags;
use plybook_xelto::{
    Side,
    notation::{Header, Record},
};

/// The tag of the result sentence.
const SENTENCE: &str = "Termination";

/// The tag of the moves that would have followed.
const CONTINUATION: &str = "Continuation";

/// Tags with another meaning than a header of the same name.
const TAKEN: [&str; 7] = ["White", "Black", "Variant", "Result", SENTENCE, CONTINUATION, "FEN"];

/// The column that may store a header's value: headers are written in lower case.
pub(super) fn column(name: &str) -> &str {
    match name {
        "event" => "Event",
        "site" => "Site",
        "date" => "Date",
        "round" => "Round",
        _ => name,
    }
}

/// The tag pairs of a record.
pub(super) fn tags_of(record: &Record) -> Tags {
    let mut tags = Tags::default();
    for header in &record.headers {
        match (Side::from_name(header.name()), header.name()) {
            (Some(Side::Arxe), _) => tags.push("White", header.value()),
            (Some(Side::Sorn), _) => tags.push("Black", header.value()),
            (None, name) if TAKEN.contains(&name) => tags.push(&format!("{name}_"), header.value()),
            (None, name) => tags.push(name, header.value()),
        };
    }
    tags.push("Variant", GameKind::Xelto.name());
    tags.push("Result", record.outcome().as_str());
    if let Some(sentence) = record.result {
        tags.push(SENTENCE, &sentence.to_string());
    }
    if let Some(words) = record.continuation_words() {
        tags.push(CONTINUATION, &words);
    }
    tags
}

/// A record with the headers, the continuation and the result from tag pairs; `record` has its moves. `Err` describes
/// what is wrong with them.
pub(super) fn with_tags(mut record: Record, tags: &Tags) -> Result<Record, String> {
    let mut continuation = None;
    for (name, value) in tags.iter() {
        let name = match name {
            "Variant" | "Result" => continue,
            SENTENCE => {
                record.result = Some(value.parse().map_err(|error| format!("invalid result: {error}"))?);
                continue;
            }
            CONTINUATION => {
                continuation = Some(value);
                continue;
            }
            "White" => Side::Arxe.name(),
            "Black" => Side::Sorn.name(),
            name => name.strip_suffix('_').unwrap_or(name),
        };
        let header =
            Header::new(name, value).ok_or_else(|| format!("{name:?} is not a valid record header"))?;
        record.headers.push(header);
    }
    if let Some(words) = continuation {
        record.continue_with(words).map_err(|problem| format!("invalid continuation: {problem}"))?;
    }
    Ok(record)
}
