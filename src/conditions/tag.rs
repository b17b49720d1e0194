//! Any tag pair.

use super::condition::{Condition, Heading, ValueType};
use crate::request::RequestError;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME=VALUE",
    check,
    ..Condition::new(
        "tag",
        ValueType::Texts,
        Heading::Origin,
        "Tag pair, with the value matched like a name: Annotator=tal, 'Termination=*time*'; NAME alone matches any value",
        ["Tag", "PGN-Tag"],
        |given, draft| {
            given.values.iter().for_each(|text| draft.texts.add_tag(text));
            Ok(())
        },
    )
};

fn check(text: &str) -> Result<(), RequestError> {
    let name = text.split('=').next().unwrap_or_default().trim();
    if name.is_empty() { Err(RequestError::Tag(text.to_owned())) } else { Ok(()) }
}
