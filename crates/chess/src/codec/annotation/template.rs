//! Comments as templates: text with gaps for the numbers of the commands `[%clk …]`, `[%emt …]`, `[%eval …]`.
//!
//! A template is the comment's bytes with a byte below 7 for each gap: 1 a clock, 2 an elapsed time, 3 an evaluation,
//! 4 an integer (the depth of an evaluation), and since version 3, 5 the value of a [field](super::fields). Such bytes
//! in the comment itself are written as 6 and a digit. The byte 0 terminates a template in the texts.

use super::{
    damaged,
    fields::ColumnWriter,
    gap::{CLOCK, ELAPSED, ESCAPE, EVAL, INTEGER, VALUE, push_text},
    style::{Style, split_number},
    value,
    value::Value,
};
use crate::codec::DecodeError;

/// Templates that are available in every game. They never change.
const FROZEN: [&[u8]; 8] = [
    b" [%clk \x01] ",
    b"[%clk \x01]",
    b" [%eval \x03] [%clk \x01] ",
    b"[%eval \x03]",
    b" [%eval \x03] ",
    b"[%eval \x03] [%clk \x01]",
    b"[%emt \x02]",
    b"[%clk \x01] [%emt \x02]",
];

/// Maximum number of templates that a game remembers.
const MOST: usize = 250;

/// The templates of a game: the frozen ones, then those with gaps that it has used.
pub(super) struct Templates {
    style: Style,
    own: Vec<Vec<u8>>,
    /// The last template used.
    last: usize,
}

impl Templates {
    pub(super) fn new(style: Style) -> Templates {
        Templates { style, own: Vec::new(), last: 0 }
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    pub(super) fn get(&self, place: usize) -> Option<&[u8]> {
        match place.checked_sub(FROZEN.len()) {
            None => FROZEN.get(place).copied(),
            Some(own) => self.own.get(own).map(Vec::as_slice),
        }
    }

    /// The index of a template, if it is known.
    pub(super) fn find(&mut self, template: &[u8]) -> Option<usize> {
        if self.get(self.last) != Some(template) {
            let places = 0..FROZEN.len() + self.own.len();
            self.last = places.into_iter().find(|&place| self.get(place) == Some(template))?;
        }
        Some(self.last)
    }

    /// Remembers a new template if it can be reused.
    pub(super) fn keep(&mut self, template: &[u8]) {
        let has_gap = template.iter().any(|byte| (CLOCK..=VALUE).contains(byte));
        if has_gap && self.own.len() < MOST {
            self.own.push(template.to_vec());
        }
    }
}

/// Splits a comment into its template, the numbers of its gaps, and the values of its fields if there are columns.
pub(super) fn split(
    comment: &str,
    style: Style,
    template: &mut Vec<u8>,
    columns: &mut Option<ColumnWriter>,
    mut number: impl FnMut(Value),
) {
    template.clear();
    let mut push_fields = |template: &mut Vec<u8>, text: &str| match columns {
        Some(columns) => columns.split(text, template),
        None => push_text(template, text),
    };
    let mut rest = comment;
    while let Some(at) = command_at(rest) {
        let (text, command) = rest.split_at_checked(at).unwrap_or((rest, ""));
        push_fields(template, text);
        let Some((name, gap)) = NAMES.iter().find(|(name, _)| command.starts_with(name)) else {
            push_text(template, "[%");
            rest = command.get(2..).unwrap_or_default();
            continue;
        };
        push_text(template, name);
        rest = command.get(name.len()..).unwrap_or_default();
        rest = take_number(rest, *gap, style, template, &mut number);
        if let (EVAL, Some(depth)) = (*gap, rest.strip_prefix(',')) {
            push_text(template, ",");
            rest = take_number(depth, INTEGER, style, template, &mut number);
        }
    }
    push_fields(template, rest);
}

/// The offset of the first command in a text.
fn command_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'[', bytes).find(|at| bytes.get(at + 1) == Some(&b'%'))
}

/// The text before each kind of gap.
const NAMES: [(&str, u8); 3] = [("[%clk ", CLOCK), ("[%emt ", ELAPSED), ("[%eval ", EVAL)];

/// Reads a number at the start of a text if it is written in the game's style.
fn take_number<'a>(
    text: &'a str,
    gap: u8,
    style: Style,
    template: &mut Vec<u8>,
    number: &mut impl FnMut(Value),
) -> &'a str {
    let (digits, rest) = split_number(text);
    match value::parse(gap, digits, style) {
        Some(value) => {
            template.push(gap);
            number(value);
        }
        None => push_text(template, digits),
    }
    rest
}

/// Fills the gaps of a template and appends the result to the comment. `gap` writes the text of one gap; its arguments
/// are the byte that marks the gap and the part of the template before it.
pub(super) fn fill(
    template: &[u8],
    comment: &mut Vec<u8>,
    mut gap: impl FnMut(u8, &[u8], &mut Vec<u8>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    let mut bytes = template.iter().enumerate();
    while let Some((at, &byte)) = bytes.next() {
        match byte {
            CLOCK..=VALUE => gap(byte, template.get(..at).unwrap_or_default(), comment)?,
            ESCAPE => {
                let code = bytes.next().and_then(|(_, byte)| byte.checked_sub(b'0'));
                comment.push(code.filter(|code| *code <= ESCAPE).ok_or(damaged("unknown escape"))?);
            }
            0 => return Err(damaged("unknown gap")),
            _ => comment.push(byte),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(comment: &str) -> (Vec<u8>, usize) {
        let style = Style::of(comment);
        let (mut template, mut values) = (Vec::new(), Vec::new());
        split(comment, style, &mut template, &mut None, |value| values.push(value));
        let (count, mut values) = (values.len(), values.into_iter());
        let mut back = Vec::new();
        let fill_gap = |_, _: &[u8], back: &mut Vec<u8>| {
            value::write(values.next().unwrap(), style, back);
            Ok(())
        };
        fill(&template, &mut back, fill_gap).unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), comment);
        (template, count)
    }

    #[test]
    fn comments_round_trip() {
        assert_eq!(there_and_back(" [%clk 0:04:58] "), (FROZEN[0].to_vec(), 1));
        assert_eq!(there_and_back("[%clk 0:04:58.7]"), (FROZEN[1].to_vec(), 1));
        assert_eq!(there_and_back(" [%eval -0.25] [%clk 1:40:58] "), (FROZEN[2].to_vec(), 2));
        assert_eq!(there_and_back("[%eval #-3]"), (FROZEN[3].to_vec(), 1));
        assert_eq!(there_and_back("[%eval 0.20,18]").1, 2);
        assert_eq!(there_and_back("[%emt 00:00:05] x [%clk 01:02:03]").1, 2);
        for odd in [
            "",
            "[%",
            "[%clk",
            "[%clk ]",
            "[%clk 0:4:58]",
            "[%clk 0:04:60]",
            "[%clk 00:04:58] [%clk 0:04:58]",
            "[%clk 0:04:58.0]",
            "[%clk -0:04:58]",
            "[%clk 99999999999:00:00]",
            "[%eval +0.25]",
            "[%eval -0.0]",
            "[%eval 0]",
            "[%eval #]",
            "[%eval #-0]",
            "[%eval 00.25]",
            "[%eval 0.25,]",
            "[%eval 0.25,007]",
            "[%eval 0.2] [%eval 0.20]",
            "a\u{0}b\u{1}c\u{6}d\u{7}",
            "é [%cal Gé2e4]",
        ] {
            there_and_back(odd);
        }
    }
}
