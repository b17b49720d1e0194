//! Where a comment in braces ends. The splitter, the readers and the writer decide it here, so that what one of them
//! writes or keeps together is the same comment for the others.
//!
//! A comment ends at the first closing brace; the [lexer](super::lexer) may extend it to a later one of the same game.
//! If a brace was never closed, because a program was killed or a file was cut, that closing brace is the end of a
//! comment of a later game. So a line in a comment that looks like a tag pair belongs to it only if the next brace is a
//! closing one, no farther away than a comment may be long. Otherwise the game ends before that line.

use memchr::{memchr, memchr2, memchr2_iter, memchr3, memrchr};

use super::tag_line::tag_of_line;
use plybook_chess::limits::MAX_COMMENT_BYTES;

/// Whether a comment continues at a line that looks like a tag pair, with which `text` begins. `None` if that depends on
/// the text after it; `is_all` says that there is none.
pub fn continues(text: &[u8], is_all: bool) -> Option<bool> {
    let near = text.get(..MAX_COMMENT_BYTES);
    match memchr2(b'{', b'}', near.unwrap_or(text)) {
        Some(brace) => Some(text[brace] == b'}'),
        None => (is_all || near.is_some()).then_some(false),
    }
}

/// The length of the comment with which a text begins, after its brace; `None` if the brace was never closed.
pub fn comment_length(text: &[u8]) -> Option<usize> {
    let brace = memchr2(b'{', b'}', text)?;
    if text[brace] == b'}' {
        return Some(brace);
    }
    memchr(b'}', text).filter(|&end| !is_cut(&text[..end]))
}

/// Whether an opening brace comes after a line that looks like a tag pair, in a text without closing braces.
fn is_cut(comment: &[u8]) -> bool {
    memrchr(b'{', comment).is_some_and(|open| {
        let mut ends = memchr2_iter(b'\n', b'\r', &comment[..open]);
        ends.any(|end| tag_in_comment(&comment[end + 1..]).is_some())
    })
}

/// The name of the tag pair that a line in a comment looks like.
pub fn tag_in_comment(text: &[u8]) -> Option<&[u8]> {
    // What follows the comment on its last line does not matter.
    tag_of_line(&text[..memchr3(b'\n', b'\r', b'}', text).unwrap_or(text.len())])
}
