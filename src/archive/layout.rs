//! Where the value of each tag stands. A value goes where it takes the fewest bytes, but only if it comes back
//! from there word for word.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};

use super::{
    GameKind,
    columns::{Columns, ReadColumns},
    headers::column,
};
use crate::{
    chess::{Date, Tags},
    limits::{MAX_NAME_BYTES, MAX_TAGS, MAX_TAGS_BYTES},
    rules::Outcome,
};

/// Tags whose values the games of a section mostly share.
const COMMON: [&str; 10] = [
    "TimeControl",
    "Termination",
    "Mode",
    "EventDate",
    "EventType",
    "EventCountry",
    "Section",
    "Source",
    "SourceTitle",
    "SourceDate",
];

/// Tags whose values many games share, each its own.
const SHARED: [&str; 13] = [
    "FEN",
    "Opening",
    "Variation",
    "SubVariation",
    "NIC",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "WhiteType",
    "BlackType",
    "Stage",
    "Annotator",
];

/// Where a value stands. The word is stored in `form.kinds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// In its own column of `game` or `section`, or told by the moves.
    Column,
    /// Nowhere: it is the value of the Date tag.
    Date,
    /// Nowhere: it is the last part of the address in the Site tag.
    Tail,
    /// An address: its last part comes first in `game.tags`, the rest is a name of `site`.
    Address,
    /// In `game.tags`: a number.
    Number,
    /// In `game.tags`: a number that is written with its sign.
    Signed,
    /// In `game.tags`: seconds, written as hours, minutes and seconds.
    Time,
    /// In `section.tags`: the id of a text in `value`.
    Common,
    /// In `game.tags`: the id of a text in `value`.
    Value,
    /// In `game.tags`, word for word.
    Text,
}

/// A value that stands in `game.tags`, or in `section.tags`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Number(i64),
    /// To be stored in `value`, its id in the section.
    Common(String),
    /// To be stored in `value`.
    Shared(String),
    Text(String),
}

impl Cell {
    /// About how many bytes it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let text = match self {
            Cell::Number(_) => 0,
            Cell::Common(text) | Cell::Shared(text) | Cell::Text(text) => text.len(),
        };
        size_of::<Cell>() + text
    }
}

/// What is laid out: the tag pairs of a game, and what else the values of some are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub kind: GameKind,
    pub tags: &'a Tags,
    pub result: Outcome,
}

impl<'a> Head<'a> {
    /// The value that stands in a column: that of the first tag which may.
    fn first(&self, wanted: &str) -> Option<&'a str> {
        self.tags.iter().find(|(name, _)| column(self.kind, name) == wanted).map(|(_, value)| value)
    }
}

impl Kind {
    /// Finds the place for a value that has no column.
    pub(super) fn of(name: &str, value: &str, head: &Head<'_>) -> (Kind, Option<Cell>) {
        let number = || value.parse::<i64>().ok();
        let is_date = column(head.kind, name) == "Date";
        if !is_date && head.first("Date") == Some(value) && Date::parse(value).is_some() {
            return (Kind::Date, None);
        }
        if head.first("Site").and_then(tail).is_some_and(|tail| tail == value) {
            return (Kind::Tail, None);
        }
        if COMMON.contains(&name) {
            return (Kind::Common, Some(Cell::Common(value.to_owned())));
        }
        if SHARED.contains(&name) {
            return (Kind::Value, Some(Cell::Shared(value.to_owned())));
        }
        if let Some(seconds) = seconds(value) {
            return (Kind::Time, Some(Cell::Number(seconds)));
        }
        if name.ends_with("Diff")
            && let Some(number) = number().filter(|number| format!("{number:+}") == value)
        {
            return (Kind::Signed, Some(Cell::Number(number)));
        }
        match number().filter(|number| number.to_string() == value) {
            Some(number) => (Kind::Number, Some(Cell::Number(number))),
            None => (Kind::Text, Some(Cell::Text(value.to_owned()))),
        }
    }

    /// Whether a value stands in `game.tags`.
    pub(super) fn in_tags(self) -> bool {
        !matches!(self, Kind::Column | Kind::Date | Kind::Tail | Kind::Common)
    }
}

/// The last part of an address, if it has one.
pub(super) fn tail(site: &str) -> Option<&str> {
    let (_, tail) = site.strip_prefix("http")?.rsplit_once('/')?;
    (!tail.is_empty()).then_some(tail)
}

/// The seconds of a time of day as `hh:mm:ss`.
fn seconds(value: &str) -> Option<i64> {
    let [h, hh, b':', m, mm, b':', s, ss] = *value.as_bytes() else { return None };
    let two = |tens: u8, ones: u8| {
        let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        digits.then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
    };
    let (hours, minutes, seconds) = (two(h, hh)?, two(m, mm)?, two(s, ss)?);
    (hours < 24 && minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// The kinds of all tags of a game; fills its columns and its cells.
pub(super) fn lay_out(head: &Head<'_>, columns: &mut Columns, cells: &mut Vec<Cell>) -> Vec<Kind> {
    let mut kinds = Vec::with_capacity(head.tags.len());
    for (place, (name, value)) in head.tags.iter().enumerate() {
        let own = column(head.kind, name);
        let repeated = match head.kind {
            GameKind::Chess(_) => head.tags.place_of(name) != Some(place),
            GameKind::Xelto => head.tags.iter().take(place).any(|(other, _)| column(head.kind, other) == own),
        };
        kinds.push(if repeated {
            cells.push(Cell::Text(value.to_owned()));
            Kind::Text
        } else if own == "Site"
            && let Some(tail) = tail(value)
        {
            cells.insert(0, Cell::Text(tail.to_owned()));
            columns.site = Some((place, value.len() - tail.len()));
            Kind::Address
        } else if columns.take(place, name, value, head) {
            Kind::Column
        } else {
            let (kind, cell) = Kind::of(name, value, head);
            cells.extend(cell);
            kind
        });
    }
    kinds
}

/// The texts of a row that tags are made of.
pub(super) struct Stored<'a> {
    /// `form.layout`.
    pub layout: &'a str,
    /// `form.kinds`.
    pub kinds: &'a str,
    /// `section.tags`.
    pub common: Option<&'a str>,
    /// `game.tags`.
    pub own: Option<&'a str>,
}

/// Gives the tag pairs back; `None` if the parts do not fit: the archive is damaged.
pub(super) fn read_tags(
    columns: &ReadColumns,
    stored: &Stored<'_>,
    shared: impl Fn(i64) -> Option<String>,
) -> Option<Tags> {
    let layout: Vec<String> = array(Some(stored.layout))?;
    let kinds: Vec<Kind> = array(Some(stored.kinds))?;
    let (common, own) = (array::<i64>(stored.common)?, array::<Value>(stored.own)?);
    let count = |wanted: &dyn Fn(Kind) -> bool| kinds.iter().filter(|kind| wanted(**kind)).count();
    if kinds.len() != layout.len()
        || count(&Kind::in_tags) != own.len()
        || count(&|kind| kind == Kind::Common) != common.len()
    {
        return None;
    }
    let (mut common, mut own) = (common.into_iter(), own.iter());
    let tail = if kinds.contains(&Kind::Address) { own.next()?.as_str()? } else { "" };
    let shared = |id| shared(id).filter(|text| text.len() <= MAX_NAME_BYTES);
    let (mut tags, mut bytes) = (Tags::default(), 0);
    for (name, kind) in layout.iter().zip(kinds) {
        let value = match kind {
            Kind::Column => columns.value(name)?,
            Kind::Date => columns.value("Date")?,
            Kind::Tail => tail.to_owned(),
            Kind::Address => columns.site.clone()? + tail,
            Kind::Number => own.next()?.as_i64()?.to_string(),
            Kind::Signed => format!("{:+}", own.next()?.as_i64()?),
            Kind::Time => {
                let seconds = u64::try_from(own.next()?.as_i64()?).ok()?;
                format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
            }
            Kind::Common => shared(common.next()?)?,
            Kind::Value => shared(own.next()?.as_i64()?)?,
            Kind::Text => own.next()?.as_str()?.to_owned(),
        };
        // Games may share values, so that a small file has games of any size.
        bytes += name.len() + value.len();
        if bytes > MAX_TAGS_BYTES {
            return None;
        }
        tags.push(name, &value);
    }
    Some(tags)
}

/// A value of `game.tags`.
enum Value {
    Number(i64),
    Text(String),
}

impl Value {
    fn as_i64(&self) -> Option<i64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    fn as_str(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a text")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
                i64::try_from(number).map(Value::Number).map_err(E::custom)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// A JSON array of no more values than a game may have tags: chess games get at most that many, records of Xelto
/// a few more.
struct Few<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Few<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Few<T>, D::Error> {
        struct Read<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Read<T> {
            type Value = Few<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Few<T>, A::Error> {
                let mut few = Vec::new();
                while let Some(value) = values.next_element()? {
                    if few.len() == 2 * MAX_TAGS {
                        return Err(A::Error::custom("too many values"));
                    }
                    few.push(value);
                }
                Ok(Few(few))
            }
        }
        deserializer.deserialize_seq(Read(PhantomData))
    }
}

fn array<T: serde::de::DeserializeOwned>(text: Option<&str>) -> Option<Vec<T>> {
    text.map_or(Some(Vec::new()), |text| serde_json::from_str(text).ok().map(|Few(values)| values))
}
