//! The fields of comments: `d=29, sd=62, pv=e4 e5 Nf3`, as written by engines and match managers at every move.
//!
//! The value of a field is removed from its comment and leaves a gap. The values of one name form a column, in the
//! order of the comments: similar data is stored together, and compresses better and faster than comment by comment.
//!
//! A name consists of the letters and digits directly before the `=` sign; a value extends to the next comma or to the
//! end of its text. A text with a byte below 7 is left unchanged. A column contains its values, each terminated by a
//! byte 0, and ends with a byte 1. The columns are in the order in which their names first occur.

use super::{
    damaged,
    gap::{VALUE, is_plain, push_text},
};
use crate::{codec::DecodeError, limits::MAX_ANNOTATION_BYTES};

/// Maximum number of columns in a game. Fields with further names stay in their comments.
const MOST: usize = 64;

/// Minimum size of the comments, in bytes, for splitting them into fields.
const LEAST_TEXT: usize = 1024;

/// Maximum number of comment bytes per field for which columns are used.
const SPARSE: usize = 64;

const VALUE_END: u8 = 0;
const COLUMN_END: u8 = 1;

/// Whether the concatenated comments consist mostly of fields. Comments larger than a quarter of the limit per game
/// are excluded, so that gaps and escapes cannot exceed the limit.
pub(super) fn are_many(comments: &str) -> bool {
    (LEAST_TEXT..=MAX_ANNOTATION_BYTES / 4).contains(&comments.len())
        && memchr::memchr_iter(b'=', comments.as_bytes()).count() * SPARSE >= comments.len()
}

/// Names in the order of their columns. Comments mostly have the same fields in the same order, so the next name is
/// tried first.
#[derive(Debug, Default)]
struct Names {
    names: Vec<Vec<u8>>,
    next: usize,
}

impl Names {
    /// The index of a name. A new name gets the next index, up to `most`; an empty name has none.
    fn place(&mut self, name: &[u8], most: usize) -> Option<usize> {
        let is_name = |other: &Vec<u8>| other == name;
        let place = if self.names.get(self.next).is_some_and(is_name) {
            self.next
        } else if let Some(place) = self.names.iter().position(is_name) {
            place
        } else if self.names.len() < most && !name.is_empty() {
            self.names.push(name.to_vec());
            self.names.len() - 1
        } else {
            return None;
        };
        self.next = if place + 1 < self.names.len() { place + 1 } else { 0 };
        Some(place)
    }
}

/// The name of the field whose sign is at the end of a text; empty if there is none.
fn name(text: &[u8]) -> &[u8] {
    let Some(text) = text.strip_suffix(b"=") else { return &[] };
    let length = text.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    text.get(text.len() - length..).unwrap_or_default()
}

/// Columns during writing.
#[derive(Debug, Default)]
pub(super) struct ColumnWriter {
    names: Names,
    columns: Vec<Vec<u8>>,
}

impl ColumnWriter {
    /// Appends a text to a template, with gaps for the values of its fields.
    pub(super) fn split(&mut self, text: &str, template: &mut Vec<u8>) {
        if !is_plain(text) {
            return push_text(template, text);
        }
        let mut rest = text;
        while let Some(sign) = memchr::memchr(b'=', rest.as_bytes()) {
            let (before, after) = rest.split_at_checked(sign + 1).unwrap_or((rest, ""));
            template.extend(before.bytes());
            rest = after;
            if let Some(column) = self.column(name(template)) {
                let end = memchr::memchr(b',', after.as_bytes()).unwrap_or(after.len());
                let (value, behind) = after.split_at_checked(end).unwrap_or((after, ""));
                column.extend(value.bytes());
                column.push(VALUE_END);
                template.push(VALUE);
                rest = behind;
            }
        }
        template.extend(rest.bytes());
    }

    /// The column of a name, if it has one or a new one is allowed.
    fn column(&mut self, name: &[u8]) -> Option<&mut Vec<u8>> {
        let place = self.names.place(name, MOST)?;
        if place == self.columns.len() {
            self.columns.push(Vec::new());
        }
        self.columns.get_mut(place)
    }

    /// The columns.
    pub(super) fn into_columns(mut self) -> Vec<Vec<u8>> {
        for column in &mut self.columns {
            column.push(COLUMN_END);
        }
        self.columns
    }
}

/// Columns during reading.
#[derive(Debug, Default)]
pub(super) struct ColumnReader<'a> {
    names: Names,
    columns: Vec<&'a [u8]>,
}

impl<'a> ColumnReader<'a> {
    pub(super) fn new(mut bytes: &'a [u8]) -> Result<ColumnReader<'a>, DecodeError> {
        let mut columns = Vec::new();
        while !bytes.is_empty() {
            if columns.len() == MOST {
                return Err(damaged("too many columns"));
            }
            let (column, rest) = cut(bytes, COLUMN_END).ok_or(damaged("unterminated column"))?;
            columns.push(column);
            bytes = rest;
        }
        Ok(ColumnReader { names: Names::default(), columns })
    }

    /// The value of the gap after a part of a template.
    pub(super) fn next(&mut self, template: &[u8]) -> Result<&'a [u8], DecodeError> {
        let place = self.names.place(name(template), self.columns.len());
        let column = place.and_then(|place| self.columns.get_mut(place)).ok_or(damaged("unknown column"))?;
        let (value, rest) = cut(column, VALUE_END).ok_or(damaged("missing value"))?;
        *column = rest;
        Ok(value)
    }

    /// Whether everything has been read.
    pub(super) fn finish(self) -> Result<(), DecodeError> {
        let is_read = self.columns.iter().all(|column| column.is_empty());
        match is_read && self.names.names.len() == self.columns.len() {
            true => Ok(()),
            false => Err(damaged("unused values")),
        }
    }
}

/// The bytes before and after the first occurrence of a byte.
fn cut(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let (before, rest) = bytes.split_at_checked(memchr::memchr(at, bytes)?)?;
    Some((before, rest.get(1..)?))
}
