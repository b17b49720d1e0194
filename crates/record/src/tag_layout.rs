//! Where the value of each tag is stored. A value is stored where it takes the fewest bytes, but only if it can be
//! restored from there exactly.

use std::sync::Arc;

use super::{
    GameKind,
    columns::{Columns, TagContext},
    time_control::TimeControl,
};
use plybook_chess::{
    chess::{Annotations, Date, Tags},
    codec::CodecId,
    rules::Outcome,
};

/// Tags whose values are mostly the same within a section.
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

/// Tags whose values recur in many games, independently of each other.
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

/// Where a value is stored. The name is stored in `tag_layout.slots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagSlot {
    /// In its own column of `game` or `section`, or implied by the moves.
    Column,
    /// Nowhere: the column of the date restores it.
    Date,
    /// Nowhere: it is the last segment of the URL in the Site tag.
    Tail,
    /// A URL: its last segment is the first value of `game.tags`, the rest is a name of `site`.
    Address,
    /// In `game.tags`: a number.
    Number,
    /// In `game.tags`: a number written with its sign.
    Signed,
    /// In `game.tags`: a time written as hours, minutes and seconds, stored as seconds.
    Time,
    /// In `section.tags`: the id of a text in `tag_value`.
    Common,
    /// In `game.tags`: the id of a text in `tag_value`.
    Value,
    /// In `game.tags`, unchanged.
    Text,
}

/// What many games share: the codec of their moves, and where the values of their tags are stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TagLayout {
    /// How the moves are encoded.
    pub codec: CodecId,
    /// Which game it is.
    pub kind: GameKind,
    /// JSON array of the tags' names, in order.
    pub names: String,
    /// JSON array of the slots of their values, after as many spaces as its [`ValueRules`] say.
    pub slots: String,
}

/// The rules by which values of tags were read into columns, and by which their speed is known.
// They are stored as spaces before the JSON array, which release 0.2 ignores. Games that it adds get layouts without
// spaces, and games that are copied as rows keep their rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueRules {
    /// Those of releases up to 0.2.
    Former = 0,
    /// The current ones.
    #[default]
    Current = 1,
    /// The current ones, and the time control is in minutes.
    CurrentInMinutes = 2,
}

impl ValueRules {
    /// Those of a layout, by its slots.
    pub fn of_slots(slots: &str) -> ValueRules {
        match slots.bytes().take_while(|byte| *byte == b' ').count() {
            0 => ValueRules::Former,
            1 => ValueRules::Current,
            _ => ValueRules::CurrentInMinutes,
        }
    }
}

impl TagLayout {
    /// Which values of `game.tags` are ids in `tag_value`, by the slots of a layout; `None` if the slots are invalid.
    pub fn ids_in_tags(slots: &str) -> Option<Vec<bool>> {
        let slots: Vec<TagSlot> = serde_json::from_str(slots).ok()?;
        let (first, rest): (Vec<_>, Vec<_>) =
            slots.into_iter().filter(|slot| slot.in_tags()).partition(|slot| *slot == TagSlot::Address);
        Some(first.into_iter().chain(rest).map(|slot| slot == TagSlot::Value).collect())
    }
}

/// Caches the layout of the previous game: most games of a source have the same.
#[derive(Debug, Default)]
pub struct TagLayoutCache {
    last: Option<LastLayout>,
}

#[derive(Debug)]
struct LastLayout {
    names: Vec<String>,
    slots: Vec<TagSlot>,
    rules: ValueRules,
    layout: Arc<TagLayout>,
}

impl TagLayoutCache {
    /// Assigns a slot to every tag pair of a game with some annotations: returns the layout, the columns, and the other
    /// values.
    pub(super) fn assign(
        &mut self,
        codec: CodecId,
        kind: GameKind,
        tags: &Tags,
        result: Outcome,
        annotations: &Annotations,
    ) -> (Arc<TagLayout>, Columns, Vec<TagValue>) {
        let (mut columns, mut values) = (Columns::default(), Vec::new());
        let mut head = TagContext { kind, tags, result, date: None };
        if let Some((date, text)) = Date::of_game(head.value("Date"), || tags.get("UTCDate")) {
            columns.date = Some(date.packed());
            head.date = Some(text).filter(|text| Date::parse(text).is_some());
        }
        let slots = assign_slots(&head, &mut columns, &mut values);
        let rules = match TimeControl::is_in_minutes(tags, annotations) {
            true => ValueRules::CurrentInMinutes,
            false => ValueRules::Current,
        };
        if let Some(last) = &self.last
            && (last.layout.codec, last.layout.kind, last.rules) == (codec, kind, rules)
            && last.slots == slots
            && last.names.iter().eq(tags.iter().map(|(name, _)| name))
        {
            return (Arc::clone(&last.layout), columns, values);
        }
        let names: Vec<String> = tags.iter().map(|(name, _)| name.to_owned()).collect();
        let spaces = " ".repeat(rules as usize);
        let layout = Arc::new(TagLayout { codec, kind, names: json(&names), slots: spaces + &json(&slots) });
        self.last = Some(LastLayout { names, slots, rules, layout: Arc::clone(&layout) });
        (layout, columns, values)
    }
}

/// Strings and numbers can always be written as JSON.
fn json<T: serde::Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

/// A value stored in `game.tags` or `section.tags`.
#[derive(Clone, Debug, PartialEq)]
pub enum TagValue {
    /// A number.
    Number(i64),
    /// To be stored in `tag_value`, with its id in the section.
    Common(String),
    /// To be stored in `tag_value`.
    Shared(String),
    /// A text, unchanged.
    Text(String),
}

impl TagValue {
    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let text = match self {
            TagValue::Number(_) => 0,
            TagValue::Common(text) | TagValue::Shared(text) | TagValue::Text(text) => text.len(),
        };
        size_of::<TagValue>() + text
    }
}

impl TagSlot {
    /// Finds the slot for a value without a column.
    fn of(name: &str, value: &str, head: &TagContext<'_>) -> (TagSlot, Option<TagValue>) {
        let number = || value.parse::<i64>().ok();
        let is_date = head.kind.family().column(name) == "Date";
        if !is_date && head.date == Some(value) {
            return (TagSlot::Date, None);
        }
        if head.value("Site").and_then(tail).is_some_and(|tail| tail == value) {
            return (TagSlot::Tail, None);
        }
        if COMMON.contains(&name) {
            return (TagSlot::Common, Some(TagValue::Common(value.to_owned())));
        }
        if SHARED.contains(&name) {
            return (TagSlot::Value, Some(TagValue::Shared(value.to_owned())));
        }
        if let Some(seconds) = seconds(value) {
            return (TagSlot::Time, Some(TagValue::Number(seconds)));
        }
        if name.ends_with("Diff")
            && let Some(number) = number().filter(|number| format!("{number:+}") == value)
        {
            return (TagSlot::Signed, Some(TagValue::Number(number)));
        }
        match number().filter(|number| number.to_string() == value) {
            Some(number) => (TagSlot::Number, Some(TagValue::Number(number))),
            None => (TagSlot::Text, Some(TagValue::Text(value.to_owned()))),
        }
    }

    /// Whether a value is stored in `game.tags`.
    pub(super) fn in_tags(self) -> bool {
        !matches!(self, TagSlot::Column | TagSlot::Date | TagSlot::Tail | TagSlot::Common)
    }
}

/// The last segment of a URL, if it has one.
fn tail(site: &str) -> Option<&str> {
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

/// The slots of all tags of a game; also sets its columns and its values.
fn assign_slots(head: &TagContext<'_>, columns: &mut Columns, values: &mut Vec<TagValue>) -> Vec<TagSlot> {
    let (family, mut slots) = (head.kind.family(), Vec::with_capacity(head.tags.len()));
    for (place, (name, value)) in head.tags.iter().enumerate() {
        slots.push(if family.is_repeated(head.tags, place, name) {
            values.push(TagValue::Text(value.to_owned()));
            TagSlot::Text
        } else if family.column(name) == "Site"
            && let Some(tail) = tail(value)
        {
            values.insert(0, TagValue::Text(tail.to_owned()));
            columns.site = Some((place, value.len() - tail.len()));
            TagSlot::Address
        } else if columns.take(place, name, value, head) {
            TagSlot::Column
        } else {
            let (kind, cell) = TagSlot::of(name, value, head);
            values.extend(cell);
            kind
        });
    }
    slots
}
