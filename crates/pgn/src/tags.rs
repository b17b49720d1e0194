//! Reads the tag section of a game.

use std::{borrow::Cow, ops::Range};

use super::{
    comment_end::comment_length,
    reject::{Reject, RejectReason},
    warning::{Warning, Warnings},
};
use plybook_chess::{
    chess::Tags,
    limits::{MAX_TAG_BYTES, MAX_TAGS},
};

/// The name of the tag pair at the start of a line, if there is one: `[`, a name, white space, `"`; or `'` if the line
/// ends with `']`.
pub fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let bracket = line.iter().position(|&byte| !matches!(byte, b' ' | b'\t' | 0 | 0xef | 0xbb | 0xbf))?;
    let rest = line.get(bracket..)?.strip_prefix(b"[")?;
    let start = rest.iter().position(|byte| !is_blank(*byte))?;
    let rest = &rest[start..];
    let end = rest.iter().position(|byte| !is_name_byte(*byte))?;
    let after = rest[end..].iter().find(|byte| !is_blank(**byte))?;
    let quoted = *after == b'"' || *after == b'\'' && rest.trim_ascii_end().ends_with(b"']");
    (end > 0 && quoted).then_some(&rest[..end])
}

/// Whether a line is the end of a value that began on the previous line: its only quote closes the value.
pub fn is_tag_rest(line: &[u8]) -> bool {
    line.trim_ascii_end().strip_suffix(b"\"]").is_some_and(|value| !value.contains(&b'"'))
}

/// The name of the tag pair at the start of a line, if it has one.
pub fn tag_of_line(line: &[u8]) -> Option<&[u8]> {
    // A quick check before the full one: a bracket among the first bytes.
    let could_be = matches!(line.first(), Some(b'[' | b' ' | b'\t' | 0 | 0xef));
    let line = line.get(..MAX_TAG_BYTES).unwrap_or(line);
    could_be.then(|| tag_name(without_blank_end(line)))?
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

/// The tag section of a game.
#[derive(Debug, Default)]
pub struct TagSection<'a> {
    pub tags: Tags,
    /// The byte offset where the movetext begins.
    pub end: usize,
    /// The comments between the tag pairs.
    pub comments: Vec<&'a str>,
    /// The byte offset of the last tag pair, if it has no closing bracket.
    pub open: Option<usize>,
}

/// Reads the tag section at the start of a game.
pub fn read_tags<'a>(game: &'a str, warnings: &mut Warnings) -> Result<TagSection<'a>, Reject> {
    let (mut tags, mut comments, mut open) = (Tags::default(), Vec::new(), None);
    let (mut at, mut blank_lines, mut section_end) = (0, 0, 0);
    // Comments that belong to the tags only if a tag pair follows, and the byte offset of the first.
    let mut pending: (Vec<&str>, usize) = Default::default();
    while !begins_word(game, at)
        && let Some((line, next)) = tag_line_at(game, at)
    {
        if let Some((name, value)) = usual_tag(line).filter(|_| tags.len() < MAX_TAGS) {
            if !pending.0.is_empty() {
                place_comments(&mut pending, &mut comments, tags.is_empty(), warnings);
            }
            tags.push(name, value);
            (blank_lines, open) = (0, None);
            section_end = at + line.len();
        } else if tag_name(line.as_bytes()).is_some() {
            place_comments(&mut pending, &mut comments, tags.is_empty(), warnings);
            blank_lines = 0;
            open = None;
            if let Some((joined, end, after)) = over_two_lines(game, line, next) {
                warnings.mark(Warning::OddTag, at);
                read_tag_pair(&joined, at, &mut tags, warnings)?;
                (section_end, at) = (end, after);
                continue;
            }
            let read = read_tag_pair(line, at, &mut tags, warnings)?;
            section_end = at + read;
            if read < line.len() {
                at = section_end;
                continue;
            }
            open = is_open(line).then_some(at);
        } else if line.trim_matches(blank_char).is_empty() {
            blank_lines += usize::from(pending.0.is_empty());
        } else if let Some((comment, after)) = comment_at(game, at) {
            if pending.0.is_empty() {
                pending.1 = at;
            }
            pending.0.push(comment);
            at = after;
            continue;
        } else if !line.starts_with('%') {
            break;
        }
        at = next;
    }
    if tags.is_empty() {
        warnings.add(Warning::NoTags);
    } else if blank_lines > 1 && at < game.len() {
        warnings.add(Warning::ExtraBlankLines);
    }
    Ok(TagSection { tags, end: section_end, comments, open })
}

/// Assigns the comments before a tag pair: those before the first tag pair belong to no game.
fn place_comments<'a>(
    (pending, at): &mut (Vec<&'a str>, usize),
    comments: &mut Vec<&'a str>,
    before_all: bool,
    warnings: &mut Warnings,
) {
    if pending.is_empty() {
    } else if before_all {
        warnings.mark(Warning::CommentsOutside, *at);
        warnings.add_many(Warning::CommentsOutside, pending.len() as u64 - 1);
        pending.clear();
    } else {
        warnings.mark(Warning::CommentsAmongTags, *at);
        comments.append(pending);
    }
}

/// The comment at a byte offset, possibly after white space, and the offset after it.
fn comment_at(game: &str, at: usize) -> Option<(&str, usize)> {
    let rest = game.get(at..)?;
    let text = rest.trim_start_matches([' ', '\t']);
    let start = at + rest.len() - text.len() + 1;
    let inner = game.get(start..)?;
    match text.as_bytes().first()? {
        b'{' => {
            let length = comment_length(inner.as_bytes())?;
            Some((inner.get(..length)?, start + length + 1))
        }
        b';' => {
            let (comment, after) = line_at(game, start).unwrap_or(("", start));
            Some((comment, after))
        }
        _ => None,
    }
}

/// Whether a line of tag pairs has an unclosed value.
fn is_open(line: &str) -> bool {
    !line.trim_matches(blank_char).ends_with(']')
}

/// Joins a tag pair whose value continues to the end of the next line; returns it, the offset where it ends, and the
/// start of the following line.
fn over_two_lines(game: &str, line: &str, next: usize) -> Option<(String, usize, usize)> {
    if !is_open(line) || line.matches('"').nth(1).is_some() {
        return None;
    }
    let (second, after) = tag_line_at(game, next)?;
    let fits = is_tag_rest(second.as_bytes()) && tag_name(second.as_bytes()).is_none();
    fits.then(|| (format!("{} {}", line.trim_end(), second.trim()), next + second.len(), after))
}

/// Characters without meaning between lines: white space, NUL, byte order marks.
pub(super) fn blank_char(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\0' || c == '\u{feff}'
}

/// A text without the characters of [`blank_char`] at its end.
pub(super) fn without_blank_end(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., byte] if byte.is_ascii_whitespace() || *byte == 0 => rest,
            [rest @ .., 0xef, 0xbb, 0xbf] => rest,
            _ => return text,
        };
    }
}

/// Whether a movetext word follows at a byte offset, possibly after white space: then the end of its line need not be
/// found.
fn begins_word(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes().get(at..).unwrap_or_default();
    bytes.iter().find(|byte| !is_blank(**byte)).is_some_and(u8::is_ascii_alphanumeric)
}

/// The line at a byte offset, without its line end (`\n`, `\r\n` or `\r`), and the offset of the next one.
fn line_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    if rest.is_empty() {
        return None;
    }
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let (line, after) = rest.split_at(end);
    let ending = if after.starts_with("\r\n") { 2 } else { after.len().min(1) };
    Some((line, at + end + ending))
}

/// The line at a byte offset, or the beginning of a line that is longer than a tag pair can be. A line of many games must
/// not be searched to its end for each of them.
fn tag_line_at(text: &str, at: usize) -> Option<(&str, usize)> {
    // A character has at most four bytes, so the beginning is too long for a tag pair in any case.
    line_at(text.get(..text.floor_char_boundary(at + MAX_TAG_BYTES + 4))?, at)
}

/// The pair in a line of the most common form: `[Name "value"]`, without a backslash or a quote in the value.
fn usual_tag(line: &str) -> Option<(&str, &str)> {
    let pair = line.strip_prefix('[')?.strip_suffix("\"]")?;
    let name_end = pair.bytes().position(|byte| !is_name_byte(byte)).filter(|&end| end > 0)?;
    let value = pair.get(name_end..)?.strip_prefix(" \"")?;
    let plain = line.len() <= MAX_TAG_BYTES && memchr::memchr2(b'"', b'\\', value.as_bytes()).is_none();
    plain.then(|| (&pair[..name_end], value))
}

/// Reads the tag pair at the start of a line. Returns the bytes read, with the white space after it; another tag pair or
/// moves may follow on the line.
fn read_tag_pair(line: &str, at: usize, tags: &mut Tags, warnings: &mut Warnings) -> Result<usize, Reject> {
    let bad = || Reject { reason: RejectReason::bad_tag(line), at };
    let name = tag_name(line.as_bytes()).and_then(|name| std::str::from_utf8(name).ok()).ok_or_else(bad)?;
    if tags.len() == MAX_TAGS {
        return Err(Reject { reason: RejectReason::TooManyTags, at });
    }
    let value = quoted_value(line.as_bytes()).filter(|value| value.end <= MAX_TAG_BYTES).ok_or_else(bad)?;
    if value.odd {
        warnings.mark(Warning::OddTag, at);
    }
    tags.push(name, &unescaped(line.get(value.text).unwrap_or_default()));
    let rest = line.get(value.end..).unwrap_or_default().trim_start_matches(blank_char);
    Ok(line.len() - rest.len())
}

/// The text after the tag pair at the start of a line.
pub fn after_tag_pair(line: &[u8]) -> &[u8] {
    // Nearly always there is none.
    if memchr::memchr(b']', line).is_some_and(|end| end + 1 == line.len()) {
        return &[];
    }
    quoted_value(line).and_then(|value| line.get(value.end..)).unwrap_or_default()
}

/// The value of a tag pair.
struct QuotedValue {
    text: Range<usize>,
    /// The byte after the pair.
    end: usize,
    /// Whether the pair is malformed.
    odd: bool,
}

/// The value of the tag pair at the start of a line. It ends at the first quote that is followed by `]`; other quotes are
/// part of it.
// The PGN standard escapes quotes in values, but most programs do not. pgn-reader ends the tag section at such a quote
// and takes the remaining tags for another game.
fn quoted_value(line: &[u8]) -> Option<QuotedValue> {
    let quote = line.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let (start, mut escaped, mut last_quote) = (quote + 1, false, None);
    if line[quote] == b'\'' {
        let length = line[start..].windows(2).position(|pair| pair == b"']")?;
        return Some(QuotedValue { text: start..start + length, end: start + length + 2, odd: true });
    }
    for (at, &byte) in line.iter().enumerate().skip(start) {
        if byte == b'"' && !escaped {
            let blanks = line[at + 1..].iter().take_while(|byte| is_blank(**byte)).count();
            let end = at + 1 + blanks;
            if line.get(end) == Some(&b']') {
                return Some(QuotedValue { text: start..at, end: end + 1, odd: last_quote.is_some() });
            }
            last_quote = Some(at);
        }
        escaped = byte == b'\\' && !escaped;
    }
    // Without a closing bracket, the value extends to the last quote or the end of the line.
    let end =
        line.iter().rposition(|byte| !matches!(byte, b']' | b' ' | b'\t' | b'\r')).map_or(0, |last| last + 1);
    Some(QuotedValue { text: start..last_quote.unwrap_or(end.max(start)), end: line.len(), odd: true })
}

fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return value.into();
    }
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('"' | '\\')) => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    text.into()
}

/// Escapes a value for PGN.
pub fn escaped(value: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'"', b'\\', value.as_bytes()).is_none() {
        return value.into();
    }
    value.replace('\\', "\\\\").replace('"', "\\\"").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, String)>, usize) {
        let mut warnings = Warnings::default();
        let TagSection { tags, end, .. } = read_tags(text, &mut warnings).unwrap();
        (tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(), end)
    }

    fn one(line: &str) -> (String, String) {
        read(line).0.remove(0)
    }

    #[test]
    fn malformed_tag_pairs_are_repaired() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(one(r#"[Event "a"]"#), pair("Event", "a"));
        assert_eq!(one(r#" [ Event   "a b" ] "#), pair("Event", "a b"));
        assert_eq!(one(r#"[Event "The \"Big\" one\\"]"#), pair("Event", r#"The "Big" one\"#));
        assert_eq!(one(r#"[Event "The "Big" one"]"#), pair("Event", r#"The "Big" one"#));
        assert_eq!(one(r#"[Event "a""#), pair("Event", "a"));
        assert_eq!(one(r#"[Event "a"#), pair("Event", "a"));
        assert_eq!(one(r#"[Event ""]"#), pair("Event", ""));
        assert_eq!(read(r#"[A "x"] [B "y"]"#).0.len(), 2);
        assert_eq!(read(r#"[A "x"] [B "y"] 1. e4"#), (vec![pair("A", "x"), pair("B", "y")], 16));
    }

    #[test]
    fn a_value_may_have_single_quotes_or_one_line_break() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(one("[Event 'a b']"), pair("Event", "a b"));
        assert_eq!(one("[White 'O'Neil']"), pair("White", "O'Neil"));
        assert_eq!(one("[Event \"a\nb\"]\n\n1. e4"), pair("Event", "a b"));
        assert_eq!(one("[Event \"a\n\n1. e4"), pair("Event", "a"));
        assert_eq!(read("[Event \"a\nb\"]\n[White \"c\"]\n\n1. e4").0.len(), 2);
        assert_eq!(read("1. e4 [Event 'a']").0.len(), 0);
    }

    #[test]
    fn a_line_may_be_longer_than_a_tag_pair() {
        let tags = "[A \"x\"] ".repeat(MAX_TAGS);
        let moves = format!("1. e4 {{{}}} *", "x".repeat(2 * MAX_TAG_BYTES));
        assert_eq!(read(&format!("{tags}{moves}")).1, tags.len());
        let pair = |length: usize| format!("[A \"{}\"]", "x".repeat(length - 6));
        let three = |length: usize| format!("{} {}{} {moves}", pair(10), pair(length), pair(length));
        assert_eq!(read(&three(MAX_TAG_BYTES)).0.len(), 3);
        let rejected = |text: &str| read_tags(text, &mut Warnings::default()).unwrap_err().at;
        assert_eq!(rejected(&three(MAX_TAG_BYTES + 1)), 11);
        assert_eq!(rejected(&pair(MAX_TAG_BYTES + 1)), 0);
        // A line of many games is not searched to its end for each of them; the million here would take hours.
        let text = "[A \"x\"] 1. e4 * ".repeat(1 << 20);
        assert!((0..2000).all(|game| read(&text[16 * game..]).1 == 8));
    }

    #[test]
    fn comments_between_tags_are_returned_separately() {
        let mut warnings = Warnings::default();
        let text = "{head} ; more\n[A \"x\"]\n; one\n{two\nlines} [B \"y\"]\n\n{movetext} 1. e4";
        let section = read_tags(text, &mut warnings).unwrap();
        assert_eq!((section.tags.len(), section.comments), (2, vec![" one", "two\nlines"]));
        assert_eq!(&text[section.end..], "\n\n{movetext} 1. e4");
        assert_eq!(warnings.count(Warning::CommentsOutside), 2);
        assert_eq!(warnings.count(Warning::CommentsAmongTags), 1);
    }

    #[test]
    fn a_blank_line_between_tags_does_not_end_them() {
        let (tags, end) = read("[Event \"a\"]\r\n\r\n[White \"b\"]\r\n\r\n1. e4");
        assert_eq!(tags.len(), 2);
        assert_eq!(end, 26);
    }
}
