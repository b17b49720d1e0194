//! The site.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "site",
        ValueType::Names(Some(NameKind::Site)),
        Heading::Origin,
        "Name of the site",
        ["Site", "Ort"],
        |given, draft| {
            draft.rows.site = Some(name(given.text())?);
            Ok(())
        },
    )
};
