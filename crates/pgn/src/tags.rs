//! Reads the tag section of a game.

use std::{borrow::Cow, ops::Range};

use super::{
    bad_tags::{
        after_brackets, bad_tag_length, begins_text, end_of_text, is_needed, is_text, without_earlier_fens,
    },
    comment_end::comment_length,
    reject::{Reject, RejectReason},
    tag_line::{blank_char, is_blank, is_name_byte, is_tag_rest, line_at, tag_line_at, tag_name},
    warning::Warning,
    warnings::Warnings,
};
use plybook_chess::{
    chess::Tags,
    limits::{MAX_TAG_BYTES, MAX_TAGS},
};

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
    let section = TagSection::default();
    let mut reader =
        TagReader { game, warnings, section, at: 0, blank_lines: 0, pending: Default::default(), bad: None };
    while !begins_moves(game, reader.at, reader.section.tags.is_empty())
        && let Some((line, next)) = tag_line_at(game, reader.at)
        && let Some(after) = reader.read_line(line, next)?
    {
        reader.at = after;
    }
    Ok(reader.finish())
}

/// A tag section being read.
struct TagReader<'a, 'w> {
    game: &'a str,
    warnings: &'w mut Warnings,
    section: TagSection<'a>,
    at: usize,
    blank_lines: usize,
    /// Comments that belong to the tags only if a tag pair follows, and the byte offset of the first.
    pending: (Vec<&'a str>, usize),
    /// The first line that is no tag pair, if none precedes it.
    bad: Option<usize>,
}

impl<'a> TagReader<'a, '_> {
    /// Reads a line; the one after it begins at `next`. Returns where to continue, or `None` after the section.
    fn read_line(&mut self, line: &'a str, next: usize) -> Result<Option<usize>, Reject> {
        let (game, at) = (self.game, self.at);
        if let Some((name, value)) = usual_tag(line).filter(|_| self.section.tags.len() < MAX_TAGS) {
            self.place_comments();
            push(&mut self.section.tags, name, value, at, self.warnings);
            self.blank_lines = 0;
            (self.section.open, self.section.end) = (None, at + line.len());
            return Ok(Some(next));
        }
        if tag_name(line.as_bytes()).is_some() {
            return self.read_other_pair(line, next).map(Some);
        }
        if line.trim_matches(blank_char).is_empty() {
            self.blank_lines += usize::from(self.pending.0.is_empty());
            return Ok(Some(next));
        }
        if let Some(length) = bad_tag_length(line.as_bytes()) {
            let after = if length < line.len() { at + length } else { next };
            return self.read_bad_lines(at + length, after).map(Some);
        }
        if !self.section.tags.is_empty()
            && let Some(end) = end_of_text(game, at, self.blank_lines > 0 || self.section.open.is_some())
        {
            return self.read_bad_lines(end, end).map(Some);
        }
        if let Some((comment, after)) = comment_at(game, at) {
            if self.pending.0.is_empty() {
                self.pending.1 = at;
            }
            self.pending.0.push(comment);
            return Ok(Some(after));
        }
        Ok(line.starts_with('%').then_some(next))
    }

    /// Reads a tag pair that is not written in the usual way. Returns where to continue.
    fn read_other_pair(&mut self, line: &'a str, next: usize) -> Result<usize, Reject> {
        self.place_comments();
        self.blank_lines = 0;
        let Self { game, at, warnings, section, .. } = self;
        section.open = None;
        if let Some((joined, end, after)) = over_two_lines(game, line, next) {
            warnings.mark(Warning::OddTag, *at);
            read_tag_pair(&joined, *at, &mut section.tags, warnings)?;
            section.end = end;
            return Ok(after);
        }
        let read = read_tag_pair(line, *at, &mut section.tags, warnings)?;
        section.end = *at + read;
        if read < line.len() {
            return Ok(section.end);
        }
        section.open = is_open(line).then_some(*at);
        Ok(next)
    }

    /// Reads text or brackets up to a byte offset that are no tag pair. Returns where to continue.
    fn read_bad_lines(&mut self, end: usize, after: usize) -> Result<usize, Reject> {
        let at = self.at;
        let text = self.game.get(at..end).unwrap_or_default();
        if is_needed(text) {
            return Err(Reject { reason: RejectReason::bad_tag(text), at });
        }
        self.bad.get_or_insert(at);
        if !self.section.tags.is_empty() {
            self.place_comments();
            self.section.end = end;
        }
        Ok(after)
    }

    /// Assigns the comments before a tag pair: those before the first tag pair belong to no game.
    fn place_comments(&mut self) {
        let Self { warnings, section, pending: (pending, at), .. } = self;
        if pending.is_empty() {
        } else if section.tags.is_empty() {
            warnings.mark(Warning::CommentsOutside, *at);
            warnings.add_many(Warning::CommentsOutside, pending.len() as u64 - 1);
            pending.clear();
        } else {
            warnings.mark(Warning::CommentsAmongTags, *at);
            section.comments.append(pending);
        }
    }

    fn finish(self) -> TagSection<'a> {
        let TagReader { game, warnings, mut section, at, blank_lines, bad, .. } = self;
        if let Some(at) = bad.filter(|_| !section.tags.is_empty()) {
            warnings.mark(Warning::BadTagLines, at);
        }
        if let Some(without) = without_earlier_fens(&section.tags) {
            section.tags = without;
        }
        if section.tags.is_empty() {
            warnings.add(Warning::NoTags);
        } else if blank_lines > 1 && at < game.len() {
            warnings.add(Warning::ExtraBlankLines);
        }
        section
    }
}

/// Adds a tag pair.
fn push(tags: &mut Tags, name: &str, value: &str, at: usize, warnings: &mut Warnings) {
    if tags.push(name, value) {
        warnings.mark(Warning::RepeatedTags, at);
        if name == "FEN" && tags.iter().any(|(other, earlier)| other == name && earlier != value) {
            warnings.mark(Warning::BadTagLines, at);
        }
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

/// Whether a movetext word follows at a byte offset, possibly after white space: then the end of its line need not be
/// found.
fn begins_moves(text: &str, at: usize, before_all: bool) -> bool {
    let bytes = text.as_bytes().get(at..).unwrap_or_default();
    let is_word = bytes.iter().find(|byte| !is_blank(**byte)).is_some_and(u8::is_ascii_alphanumeric);
    is_word && (before_all || !begins_text(bytes))
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
    let after = line.get(value.end..).unwrap_or_default();
    let rest = after.trim_start_matches(|c| blank_char(c) || c == ']');
    if value.odd || after.trim_start_matches(blank_char).starts_with(']') {
        warnings.mark(Warning::OddTag, at);
    }
    push(tags, name, &unescaped(line.get(value.text).unwrap_or_default()), at, warnings);
    Ok(line.len() - rest.len())
}

/// The text after the tag pair at the start of a line.
pub fn after_tag_pair(line: &[u8]) -> &[u8] {
    // Nearly always there is none.
    if memchr::memchr(b']', line).is_some_and(|end| end + 1 == line.len()) {
        return &[];
    }
    after_brackets(quoted_value(line).and_then(|value| line.get(value.end..)).unwrap_or_default())
}

/// Longest text, in bytes, that may follow a quote and `]` within a value.
// A line of many of them must not be searched to its end for each.
const LONG_REST: usize = 1024;

/// The value of a tag pair.
struct QuotedValue {
    text: Range<usize>,
    /// The byte after the pair.
    end: usize,
    /// Whether the pair is malformed.
    odd: bool,
}

/// The value of the tag pair at the start of a line. It ends at the first quote that is followed by `]`, unless only text
/// and another such quote follow; other quotes are part of it.
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
            let rest = line.get(end + 1..).unwrap_or_default();
            if line.get(end) == Some(&b']')
                && !(rest.len() <= LONG_REST && rest.ends_with(b"\"]") && is_text(rest))
            {
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
mod tests;
