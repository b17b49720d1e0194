//! The site.

use super::condition::{Condition, Heading, Kind, Place};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: Place::Games,
    ..Condition::new(
        "site",
        Kind::Names(Some(NameKind::Site)),
        Heading::Origin,
        "Name of the site",
        ["Site", "Ort"],
        |given, draft| {
            draft.rows.site = Some(name(given.text())?);
            Ok(())
        },
    )
};
