//! Splits PGN into fields before its encoding is known: tag values, comments, and the text around them. Only ASCII
//! delimiters separate them. Together the fields cover the complete text.

/// A field, with its closing delimiter or the text that leads up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextField<'a> {
    pub bytes: &'a [u8],
    /// Whether it is a tag value or a comment, that is, text in a natural language.
    pub is_prose: bool,
}

/// Iterates over the fields of PGN.
#[derive(Clone, Debug)]
pub(super) struct TextFields<'a> {
    rest: &'a [u8],
    inside: Inside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Tag names, moves and the like, at most to the end of the line.
    Line,
    /// A tag value.
    Quotes,
    Braces,
    /// A comment to the end of the line.
    Semicolon,
}

impl<'a> TextFields<'a> {
    pub(super) fn new(raw: &'a [u8]) -> TextFields<'a> {
        TextFields { rest: raw, inside: Inside::Line }
    }

    /// Whether a byte ends the field, given the byte before it.
    fn ends(&self, before: u8, byte: u8) -> bool {
        match (self.inside, byte) {
            (Inside::Braces, byte) => byte == b'}',
            (_, b'\n' | b'\r') => true,
            (Inside::Line, byte) => matches!(byte, b'"' | b'{' | b';'),
            (Inside::Quotes, byte) => byte == b'"' && before != b'\\',
            (Inside::Semicolon, _) => false,
        }
    }
}

impl<'a> Iterator for TextFields<'a> {
    type Item = TextField<'a>;

    fn next(&mut self) -> Option<TextField<'a>> {
        let mut before = 0;
        let end = self.rest.iter().position(|&byte| self.ends(std::mem::replace(&mut before, byte), byte));
        let (bytes, rest) = self.rest.split_at_checked(end.map_or(self.rest.len(), |end| end + 1))?;
        let field = TextField { bytes, is_prose: self.inside != Inside::Line };
        self.inside = match (self.inside, bytes.last()?) {
            (Inside::Line, b'"') => Inside::Quotes,
            (Inside::Line, b'{') => Inside::Braces,
            (Inside::Line, b';') => Inside::Semicolon,
            _ => Inside::Line,
        };
        self.rest = rest;
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(raw: &str) -> Vec<&str> {
        let fields = TextFields::new(raw.as_bytes()).filter(|field| field.is_prose);
        fields.map(|field| std::str::from_utf8(field.bytes).unwrap()).collect()
    }

    #[test]
    fn values_and_comments_are_separate_fields() {
        let raw = "[White \"a {\"] [Black \"b \\\" ;\"]\n1. e4 {c\n\"d} e5 ; e {f\n(d4 {g}) {h";
        assert_eq!(prose(raw), ["a {\"", "b \\\" ;\"", "c\n\"d}", " e {f\n", "g}", "h"]);
        let whole: Vec<u8> = TextFields::new(raw.as_bytes()).flat_map(|field| field.bytes).copied().collect();
        assert_eq!(whole, raw.as_bytes());
        assert_eq!(prose("[White \"not closed]\n[Black \"x\"]"), ["not closed]\n", "x\""]);
        assert!(prose("").is_empty());
    }
}
