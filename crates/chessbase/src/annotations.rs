//! The annotations of a game as they are stored: each has the number of its move in the stored order, a type and data.

use std::collections::BTreeMap;

use crate::{bytes::Bytes, text::TextSurvey};

/// Bytes before the annotations of a game.
pub(crate) const HEADER: usize = 14;
/// Bytes before the data of an annotation.
const ITEM_HEADER: u16 = 6;

/// Types of annotations.
pub(crate) mod kind {
    pub const TEXT_AFTER: u8 = 0x02;
    pub const GLYPHS: u8 = 0x03;
    pub const SQUARES: u8 = 0x04;
    pub const ARROWS: u8 = 0x05;
    pub const TIME_SPENT: u8 = 0x07;
    pub const TRAINING: u8 = 0x09;
    pub const QUOTATION: u8 = 0x13;
    pub const WHITE_CLOCK: u8 = 0x16;
    pub const BLACK_CLOCK: u8 = 0x17;
    pub const EVALUATION: u8 = 0x21;
    pub const TIME_CONTROL: u8 = 0x24;
    pub const EVALUATIONS: u8 = 0x26;
    pub const TEXT_BEFORE: u8 = 0x82;
}

/// An annotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub kind: u8,
    pub data: &'a [u8],
}

/// The annotations of a game by the number of their move; −1 is before the first one.
pub(crate) type Items<'a> = BTreeMap<i32, Vec<Item<'a>>>;

/// The size that the header of a game's annotations states, with the header.
pub(crate) fn stated_size(header: &[u8]) -> Option<u32> {
    Bytes::at(header, HEADER - size_of::<u32>()).u32()
}

/// Reads the annotations of a game.
///
/// # Errors
/// The byte at which an annotation is incomplete.
pub(crate) fn read_items(bytes: &[u8]) -> Result<Items<'_>, usize> {
    let mut items = Items::new();
    let mut rest = Bytes::at(bytes, HEADER);
    while !rest.0.is_empty() {
        let at = bytes.len() - rest.0.len();
        let (position, item) = read_item(&mut rest).ok_or(at)?;
        items.entry(position).or_default().push(item);
    }
    Ok(items)
}

fn read_item<'a>(bytes: &mut Bytes<'a>) -> Option<(i32, Item<'a>)> {
    let (position, kind) = (bytes.i24()?, bytes.u8()?);
    let length = bytes.u16()?.checked_sub(ITEM_HEADER)?;
    Some((position, Item { kind, data: bytes.take(usize::from(length))? }))
}

/// Shows the texts of a game's annotations to a survey.
pub(crate) fn survey(bytes: &[u8], survey: &mut TextSurvey) {
    let items = read_items(bytes).unwrap_or_default();
    for item in items.values().flatten() {
        if let (kind::TEXT_AFTER | kind::TEXT_BEFORE, Some(text)) = (item.kind, item.data.get(2..)) {
            survey.prose(text);
        }
    }
}
