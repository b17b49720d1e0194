//! Text in a comment.

use super::condition::{Condition, Heading, ValueType};
use crate::request::RequestError;

pub(super) const CONDITION: Condition = Condition {
    value: "TEXT",
    check: |text| if text.is_empty() { Err(RequestError::Empty("comment")) } else { Ok(()) },
    ..Condition::new(
        "comment",
        ValueType::Texts,
        Heading::Origin,
        "Text in a comment, ignoring case",
        ["Comment", "Kommentar"],
        |given, draft| {
            given.values.iter().for_each(|text| draft.texts.add_comment(text));
            Ok(())
        },
    )
};
