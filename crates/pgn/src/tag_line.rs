//! Lines of a tag section: where they end, and whether they look like tag pairs. The splitter, the readers and the writer
//! decide it here.

use plybook_chess::limits::MAX_TAG_BYTES;

/// The mark that DOS programs put at the end of a file, and `copy` between the files that it joins.
pub const DOS_END: u8 = 0x1a;

/// The name of the tag pair at the start of a line, if there is one: `[`, a name, white space, `"`; or `'` if the line
/// ends with `']`.
pub fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let bracket =
        line.iter().position(|&byte| !matches!(byte, b' ' | b'\t' | 0 | DOS_END | 0xef | 0xbb | 0xbf))?;
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
    let could_be = matches!(line.first(), Some(b'[' | b' ' | b'\t' | 0 | &DOS_END | 0xef));
    let line = line.get(..MAX_TAG_BYTES).unwrap_or(line);
    could_be.then(|| tag_name(without_blank_end(line)))?
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

/// Characters without meaning between lines: white space, NUL, DOS end marks, byte order marks.
pub fn blank_char(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\0' | '\u{1a}' | '\u{feff}')
}

/// A text without the characters of [`blank_char`] at its end.
pub fn without_blank_end(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., byte] if byte.is_ascii_whitespace() || matches!(*byte, 0 | DOS_END) => rest,
            [rest @ .., 0xef, 0xbb, 0xbf] => rest,
            _ => return text,
        };
    }
}

/// The line at a byte offset, without its line end (`\n`, `\r\n` or `\r`), and the offset of the next one.
pub fn line_at(text: &str, at: usize) -> Option<(&str, usize)> {
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
pub fn tag_line_at(text: &str, at: usize) -> Option<(&str, usize)> {
    // A character has at most four bytes, so the beginning is too long for a tag pair in any case.
    line_at(text.get(..text.floor_char_boundary(at + MAX_TAG_BYTES + 4))?, at)
}
