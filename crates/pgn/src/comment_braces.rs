//! Comments that contain braces. PGN cannot express a closing brace in braces, and many programs cannot read the comment
//! to the end of the line that it offers instead: they stop at an opening brace, or lose the moves after it.
//!
//! So such a comment is written with parentheses, and ends with a command that says for every parenthesis whether it is a
//! brace: `a {b} (c)` is written `{a (b) (c) [%braces 1100]}`. A comment that itself ends like that gets a second command.

use std::borrow::Cow;

use plybook_chess::limits::MAX_COMMENT_BYTES;

const COMMAND: &str = " [%braces ";

/// The text between the braces of a comment.
pub(crate) fn in_braces(comment: &str) -> Cow<'_, str> {
    if !needs_command(comment) {
        return Cow::Borrowed(comment);
    }
    let text = comment.replace('{', "(").replace('}', ")");
    let parentheses = comment.chars().filter(|c| "(){}".contains(*c));
    let are_braces: String = parentheses.map(|c| if "{}".contains(c) { '1' } else { '0' }).collect();
    let command = [COMMAND, &are_braces, "]"].concat();
    // A longer comment could not be read back.
    if text.len() + command.len() > MAX_COMMENT_BYTES { text } else { text + &command }.into()
}

/// The comment that was written with this text; `None` if it is the text itself.
pub(crate) fn with_braces(text: &str) -> Option<String> {
    let (plain, are_braces) = split_command(text)?;
    if plain.contains(['{', '}']) {
        return None;
    }
    let mut are_braces = are_braces.chars();
    let mut comment = String::with_capacity(plain.len());
    for c in plain.chars() {
        comment.push(match c {
            '(' if are_braces.next()? == '1' => '{',
            ')' if are_braces.next()? == '1' => '}',
            c => c,
        });
    }
    // A comment with line breaks and closing braces cannot be stored.
    let is_stored = !(comment.contains('}') && comment.contains(['\n', '\r']));
    (are_braces.next().is_none() && is_stored && needs_command(&comment)).then_some(comment)
}

fn needs_command(comment: &str) -> bool {
    comment.contains(['{', '}']) || split_command(comment).is_some()
}

/// The text before the command, and what the command says about its parentheses.
fn split_command(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix(']')?;
    let plain = text.trim_end_matches(['0', '1']).strip_suffix(COMMAND)?;
    Some((plain, text.get(plain.len() + COMMAND.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comment_is_read_back_from_a_text_without_braces() {
        let comments = [
            "",
            "plain (a)",
            "a {b} c",
            "{",
            "}",
            "}{",
            "(a {b (c} d)",
            "x [%braces 1]",
            "x [%braces ]",
            "{ [%braces 1]",
            "( [%braces 1]",
            "( [%braces 0]",
            "() [%braces 11] [%braces 11]",
            "[%braces 1]",
            "é{ü}",
            "a\n{",
            "[%eval 0.1] {} [%clk 0:01:00]",
            " [%braces 2]",
            " [%braces ] ",
        ];
        for comment in comments {
            let text = in_braces(comment);
            assert!(!text.contains(['{', '}']), "{text}");
            assert_eq!(with_braces(&text).as_deref().unwrap_or(&text), comment, "{text}");
        }
        assert_eq!(in_braces("a {b} (c)"), "a (b) (c) [%braces 1100]");
    }

    #[test]
    fn text_that_no_comment_is_written_as_is_kept() {
        let texts = [
            "x [%braces ]",
            "(a) [%braces 1]",
            "a [%braces 1]",
            "(a) [%braces 00]",
            "{( [%braces 1]",
            "a\n) [%braces 1]",
        ];
        for text in texts {
            assert_eq!(with_braces(text), None, "{text}");
        }
    }

    #[test]
    fn a_comment_near_the_limit_stays_readable() {
        let long = "}".repeat(MAX_COMMENT_BYTES);
        assert_eq!(in_braces(&long), ")".repeat(MAX_COMMENT_BYTES));
    }
}
