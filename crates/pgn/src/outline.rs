//! The outline of a movetext before any move is read: where its game ends, and whether its comments and variations are
//! closed.

use std::ops::Range;

use super::{
    lexer::{Lexer, PlainMovetext, Token},
    reject::{Reject, RejectReason},
    result::glued_result,
};

/// What the tokens of a movetext show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Moves of the mainline, and anything else in place of a move.
    pub words: usize,
    /// Results after the mainline.
    pub results: usize,
    /// Whether there is a blank line among the moves.
    pub blank_line: bool,
    /// Whether moves are separated by non-ASCII white space.
    pub odd_blanks: bool,
    /// Offset of the first comma, full stop after a move, or ellipsis.
    pub punctuation: Option<usize>,
    /// The byte after the game, where another game begins: after a result more moves, after a blank line a first move.
    pub end: usize,
}

/// The outline of the first game of a movetext.
///
/// # Errors
/// A comment or variation that is not closed.
pub fn outline(movetext: &[u8]) -> Result<Outline, Reject> {
    let mut tokens = Lexer::new(movetext);
    let mut outline = Outline { end: movetext.len(), ..Outline::default() };
    let (mut depth, mut after_result, mut last, mut after_word) = (0usize, None, None, false);
    let mut is_numbered = false;
    while let Some((at, token)) = tokens.next() {
        if let (0, Some(end), Token::Word(_)) = (depth, after_result, token) {
            outline.end = end;
            break;
        }
        if let (0, Token::Number(1), Some(end)) = (depth, token, last) {
            // A first move after a blank line begins another game, also without a result before it.
            if is_numbered && after_result.is_none() && outline.words > 0 && begins_line(movetext, end..at) {
                outline.end = end;
                break;
            }
        }
        is_numbered |= outline.words == 0 && matches!(token, Token::Number(_));
        outline.look_at_gap(movetext, last.unwrap_or(at)..at, after_word);
        last = Some(tokens.position());
        after_word = matches!(token, Token::Word(_));
        match token {
            Token::OpenComment => return Err(Reject { reason: RejectReason::UnclosedComment, at }),
            Token::Open => depth += 1,
            Token::Close => {
                let reject = Reject { reason: RejectReason::UnmatchedParenthesis, at };
                depth = depth.checked_sub(1).ok_or(reject)?;
            }
            Token::Result(_) | Token::OddResult(_) if depth == 0 => {
                after_result.get_or_insert(tokens.position());
                outline.results += 1;
            }
            Token::Word(word) if depth == 0 => {
                outline.words += 1;
                if glued_result(word).is_some() {
                    after_result.get_or_insert(tokens.position());
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(Reject { reason: RejectReason::UnmatchedParenthesis, at: movetext.len() });
    }
    Ok(outline)
}

impl Outline {
    /// The outline of a plain movetext.
    pub fn of_plain(plain: &PlainMovetext, movetext: &[u8]) -> Outline {
        let results = usize::from(plain.result().is_some());
        Outline { words: plain.count(), results, end: movetext.len(), ..Outline::default() }
    }

    /// Checks the text between two tokens.
    fn look_at_gap(&mut self, movetext: &[u8], place: Range<usize>, after_word: bool) {
        let gap = movetext.get(place.clone()).unwrap_or_default();
        let odd = match gap {
            [b'.', rest @ ..] if after_word => rest.first() != Some(&b'.'),
            [b' ' | b'\n' | b'.'] | [] => false,
            _ => gap.iter().any(|byte| matches!(byte, b',' | 0xe2)),
        };
        if odd {
            self.punctuation.get_or_insert(place.start);
        }
        if gap.len() > 1 {
            self.blank_line |= has_blank_line(gap);
            self.odd_blanks |= gap.contains(&0xc2);
        }
    }
}

/// Whether the move number 1 of White follows a gap with a blank line.
fn begins_line(movetext: &[u8], gap: Range<usize>) -> bool {
    let number = movetext.get(gap.end..).unwrap_or_default();
    has_blank_line(movetext.get(gap).unwrap_or_default()) && !number.starts_with(b"1..")
}

/// Whether the text between two tokens has a blank line.
fn has_blank_line(gap: &[u8]) -> bool {
    let count = |wanted| gap.iter().filter(|&&byte| byte == wanted).count();
    count(b'\n').max(count(b'\r')) > 1
}

/// The first word of the mainline.
pub fn first_word(movetext: &[u8]) -> Option<&[u8]> {
    let mut depth = 0usize;
    Lexer::new(movetext).find_map(|(_, token)| {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 => return Some(word),
            _ => {}
        }
        None
    })
}
