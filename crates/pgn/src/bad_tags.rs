//! Lines among the tag pairs that are none: `[Annotator]`, `[White Elo "2400"]`, `[%evp 0,30]`, text. The splitter and the
//! reader recognize them here, so that their game stays one game. Only its original text has them.

use memchr::{memchr2, memchr3};

use super::tag_line::{blank_char, is_blank, tag_line_at, tag_name};
use plybook_chess::chess::Tags;

/// The length of the brackets at the start of a text that are no tag pairs, up to where something else follows on their
/// line.
pub fn bad_tag_length(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    // All of them at once: a line of many must not be searched to its end for each.
    while let Some(after) = after_bad_tag(rest) {
        rest = after;
    }
    (rest.len() < text.len()).then(|| text.len() - rest.len())
}

/// The text after the bracket at its start that is no tag pair.
fn after_bad_tag(text: &[u8]) -> Option<&[u8]> {
    let rest = text.trim_ascii_start().strip_prefix(b"[")?;
    let end = memchr3(b']', b'\n', b'\r', rest).filter(|&end| rest[end] == b']')?;
    let is_bad = tag_name(text).is_none() && memchr2(b'{', b'}', &rest[..end]).is_none();
    is_bad.then(|| after_brackets(&rest[end..]))
}

/// A text without superfluous closing brackets at its start.
pub fn after_brackets(text: &[u8]) -> &[u8] {
    let length = text.iter().take_while(|byte| **byte == b']' || is_blank(**byte)).count();
    text.get(length..).unwrap_or_default()
}

/// Whether a line cannot be moves, a comment or a tag pair.
pub fn is_text(line: &[u8]) -> bool {
    begins_text(line) && memchr3(b'{', b'}', b';', line).is_none() && tag_name(line).is_none()
}

/// Whether the first word of a text is neither a move nor anything else of a movetext: nearly all of these have a digit
/// or begin with a sign.
pub fn begins_text(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let word = text.iter().position(u8::is_ascii_whitespace).map_or(text, |end| &text[..end]);
    let is_castling = word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"O-O"));
    let is_word = |first: &u8| first.is_ascii_alphabetic() || *first >= 0x80 || b"[]\"'=_#".contains(first);
    let signs = ["½", "\u{2013}", "\u{2014}", "\u{2212}", "\u{2026}"];
    word.first().is_some_and(is_word)
        && !is_castling
        && !word.iter().any(u8::is_ascii_digit)
        && !signs.iter().any(|sign| word.starts_with(sign.as_bytes()))
}

/// The offset after lines of text among tag pairs, which a bracket follows, or an empty line if the text is directly after
/// a complete tag pair.
pub fn end_of_text(game: &str, mut at: usize, is_apart: bool) -> Option<usize> {
    while let Some((line, next)) = tag_line_at(game, at)
        && !line.trim_matches(blank_char).is_empty()
    {
        let line = line.as_bytes();
        if tag_name(line).is_some() || bad_tag_length(line).is_some() {
            return Some(at);
        }
        at = Some(next).filter(|_| is_text(line))?;
    }
    (!is_apart).then_some(at)
}

/// Whether a game cannot be read without one of these lines that are no tag pairs: it may decide how the moves are read,
/// or it is a bracket whose value begins with a quote that is never closed.
pub fn is_needed(lines: &str) -> bool {
    let mut names = lines.split(['[', '\n', '\r']).map(str::trim_start);
    let mut brackets = lines.split('[').skip(1).map(str::split_ascii_whitespace);
    names.any(|name| name.starts_with("FEN") || name.starts_with("Variant"))
        || brackets.any(|mut words| words.nth(1).is_some_and(|value| value.starts_with('\'')))
}

/// The tag pairs without the earlier ones of several FEN tags that differ; `None` if there are none.
// The moves are read from the last, but releases up to 0.2 read those of a stored game from the first.
pub fn without_earlier_fens(tags: &Tags) -> Option<Tags> {
    let fen = tags.get("FEN")?;
    let is_earlier = |(name, value): &(&str, &str)| *name == "FEN" && *value != fen;
    tags.iter().any(|pair| is_earlier(&pair)).then(|| tags.iter().filter(|pair| !is_earlier(pair)).collect())
}
