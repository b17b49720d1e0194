//! Restores the tag pairs of a stored game from the columns and values of its row.

use std::{borrow::Cow, cell::Cell, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};

use super::{GameKind, GameRow, tag_layout::TagSlot};
use plybook_chess::{
    chess::Tags,
    limits::{MAX_NAME_BYTES, MAX_TAGS, MAX_TAGS_BYTES},
};

/// Restores the tag pairs; `None` if the row is inconsistent, that is, the archive is damaged.
pub(super) fn read_tags(
    row: &GameRow,
    kind: GameKind,
    shared: impl Fn(i64) -> Option<String>,
) -> Option<Tags> {
    let layout = Layout::of(row)?;
    let tags = layout.read(row, kind, shared);
    LATEST.set(Some(layout));
    tags
}

thread_local! {
    /// The layout of the latest game, which the next game often has too: parsing it took half of the time of reading tags.
    static LATEST: Cell<Option<Layout>> = const { Cell::new(None) };
}

/// The names of the tags of some games, and where their values are.
struct Layout {
    names_json: String,
    slots_json: String,
    names: Vec<String>,
    slots: Vec<TagSlot>,
}

impl Layout {
    fn of(row: &GameRow) -> Option<Layout> {
        let is_same = |latest: &Layout| latest.names_json == row.names && latest.slots_json == row.slots;
        LATEST.take().filter(is_same).or_else(|| {
            Some(Layout {
                names: array(Some(&row.names))?,
                slots: array(Some(&row.slots))?,
                names_json: row.names.clone(),
                slots_json: row.slots.clone(),
            })
        })
    }

    fn read(&self, row: &GameRow, kind: GameKind, shared: impl Fn(i64) -> Option<String>) -> Option<Tags> {
        let Layout { names, slots, .. } = self;
        let common: Vec<i64> = array(row.section_tags.as_deref())?;
        let own: Vec<Value> = array(row.tags.as_deref())?;
        let count = |wanted: &dyn Fn(TagSlot) -> bool| slots.iter().filter(|slot| wanted(**slot)).count();
        if slots.len() != names.len()
            || count(&TagSlot::in_tags) != own.len()
            || count(&|slot| slot == TagSlot::Common) != common.len()
        {
            return None;
        }
        let (mut common, mut own) = (common.into_iter(), own.iter());
        let tail = if slots.contains(&TagSlot::Address) { own.next()?.as_str()? } else { "" };
        let shared = |id| shared(id).filter(|text| text.len() <= MAX_NAME_BYTES);
        let (mut tags, mut bytes) = (Tags::default(), 0);
        for (name, slot) in names.iter().zip(slots) {
            let value: Cow<'_, str> = match slot {
                TagSlot::Column => row.value(kind, name)?,
                TagSlot::Date => row.value(kind, "Date")?,
                TagSlot::Tail => tail.into(),
                TagSlot::Address => (row.site.clone()? + tail).into(),
                TagSlot::Number => own.next()?.as_i64()?.to_string().into(),
                TagSlot::Signed => format!("{:+}", own.next()?.as_i64()?).into(),
                TagSlot::Time => {
                    let seconds = u64::try_from(own.next()?.as_i64()?).ok()?;
                    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60).into()
                }
                TagSlot::Common => shared(common.next()?)?.into(),
                TagSlot::Value => shared(own.next()?.as_i64()?)?.into(),
                TagSlot::Text => own.next()?.as_str()?.into(),
            };
            // Games may share values, so a small file can contain games of any size.
            bytes += name.len() + value.len();
            if bytes > MAX_TAGS_BYTES {
                return None;
            }
            tags.push(name, &value);
        }
        Some(tags)
    }
}

/// A value of `game.tags`.
enum Value<'a> {
    Number(i64),
    Text(Cow<'a, str>),
}

impl Value<'_> {
    fn as_i64(&self) -> Option<i64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    fn as_str(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value<'de>, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Value<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a string")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'de>, E> {
                Ok(Value::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'de>, E> {
                i64::try_from(number).map(Value::Number).map_err(E::custom)
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Value<'de>, E> {
                Ok(Value::Text(text.into()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Value<'de>, E> {
                Ok(Value::Text(text.to_owned().into()))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// A JSON array with no more values than a game may have tags: chess games have at most that many, records of Xelto a
/// few more.
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

fn array<'de, T: Deserialize<'de>>(text: Option<&'de str>) -> Option<Vec<T>> {
    text.map_or(Some(Vec::new()), |text| serde_json::from_str(text).ok().map(|Few(values)| values))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn games_in_turn_with_one_list_of_names_or_slots_keep_their_own_values() {
        let tags = |name: &str, slot: &str, value: &str| {
            let row = GameRow {
                names: format!("[\"{name}\"]"),
                slots: format!("[\"{slot}\"]"),
                tags: Some(format!("[{value}]")),
                ..GameRow::default()
            };
            let tags = read_tags(&row, GameKind::from_id(0).unwrap(), |_| None)?;
            tags.iter().map(|(name, value)| format!("{name} {value}")).next()
        };
        for _ in 0..2 {
            assert_eq!(tags("A", "number", "5").as_deref(), Some("A 5"));
            assert_eq!(tags("A", "signed", "5").as_deref(), Some("A +5"));
            assert_eq!(tags("B", "signed", "5").as_deref(), Some("B +5"));
            assert_eq!(tags("B", "none", "5"), None);
        }
    }
}
