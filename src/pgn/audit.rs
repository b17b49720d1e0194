//! The audit: an independent count of a movetext's tokens, which the reader's own count must equal.
//!
//! pgn-reader passes over words it does not know without a sign (`2. Sf3`, figurines, `e2-e4`), which can
//! turn a game into another legal game. So every game is counted twice, by two programs.

use std::ops::Range;

use super::{
    lenient_san::nonstandard_san,
    lexer::{Lexer, Token},
    reject::{Reject, RejectReason},
    result::glued_result,
};

/// Numbers of tokens of the mainline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves, and whatever else stands where a move could.
    pub words: usize,
    /// Results.
    pub results: usize,
}

/// What the audit says of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Tokens of the mainline.
    pub mainline: Counts,
    /// Whether there are only moves, right numbers and a result, as far as this can be said without a board.
    pub plain: bool,
    /// Whether a blank line stands among the moves.
    pub blank_line: bool,
    /// Whether moves are kept apart by other blanks than those of ASCII.
    pub odd_blanks: bool,
    /// Where a comma, a full stop after a move or an ellipsis stands.
    pub punctuation: Option<usize>,
    /// The byte after the game: where the text goes on with another game (a result, then more moves).
    pub end: usize,
}

/// Counts the tokens of the first game of a movetext, whose first move has so many plies before it.
///
/// # Errors
/// A comment or variation that is not closed.
pub fn audit(movetext: &[u8], first: usize) -> Result<Audit, Reject> {
    let mut tokens = Lexer::new(movetext);
    let mut audit = Audit {
        mainline: Counts::default(),
        plain: true,
        blank_line: false,
        odd_blanks: false,
        punctuation: None,
        end: movetext.len(),
    };
    let (mut depth, mut after_result, mut last, mut after_word) = (0usize, None, None, false);
    while let Some((at, token)) = tokens.next() {
        if let (0, Some(end), Token::Word(_)) = (depth, after_result, token) {
            audit.end = end;
            break;
        }
        audit.look_at_gap(movetext, last.unwrap_or(at)..at, after_word);
        last = Some(tokens.position());
        after_word = matches!(token, Token::Word(_));
        audit.plain &= matches!(token, Token::Word(_) | Token::Number(_) | Token::Result(_));
        match token {
            Token::OpenComment => return Err(Reject { reason: RejectReason::UnclosedComment, at }),
            Token::Open => depth += 1,
            Token::Close => {
                let reject = Reject { reason: RejectReason::UnmatchedParenthesis, at };
                depth = depth.checked_sub(1).ok_or(reject)?;
            }
            Token::Result(_) | Token::OddResult(_) if depth == 0 => {
                after_result.get_or_insert(tokens.position());
                audit.mainline.results += 1;
            }
            Token::Number(number) if depth == 0 => {
                audit.plain &= number == number_at(first + audit.mainline.words);
            }
            Token::Word(word) if depth == 0 => {
                audit.mainline.words += 1;
                audit.plain &= word.first() != Some(&b'0') && nonstandard_san(word).is_none();
                if glued_result(word).is_some() {
                    after_result.get_or_insert(tokens.position());
                    audit.plain = false;
                }
            }
            _ => {}
        }
    }
    audit.plain &= audit.mainline.results <= 1;
    if depth > 0 {
        return Err(Reject { reason: RejectReason::UnmatchedParenthesis, at: movetext.len() });
    }
    Ok(audit)
}

impl Audit {
    /// Takes note of what stands between two tokens.
    fn look_at_gap(&mut self, movetext: &[u8], place: Range<usize>, after_word: bool) {
        let gap = movetext.get(place.clone()).unwrap_or_default();
        let odd = match gap {
            [b'.', rest @ ..] if after_word => rest.first() != Some(&b'.'),
            [b' ' | b'\n' | b'.'] | [] => false,
            _ => gap.iter().any(|byte| matches!(byte, b',' | 0xe2)),
        };
        if odd {
            self.punctuation.get_or_insert(place.start);
            self.plain = false;
        }
        if gap.len() > 1 {
            let count = |wanted| gap.iter().filter(|&&byte| byte == wanted).count();
            self.blank_line |= count(b'\n').max(count(b'\r')) > 1;
            self.odd_blanks |= count(0xc2) > 0;
            self.plain &= !self.blank_line && !self.odd_blanks;
        }
    }
}

/// The move number of a move that has so many plies before it.
pub fn number_at(plies: usize) -> usize {
    plies / 2 + 1
}

/// The mainline word that stands at a 1-based ply, with its byte.
pub fn word_at(movetext: &[u8], ply: usize) -> Option<(usize, &[u8])> {
    mainline_words(movetext).nth(ply.checked_sub(1)?)
}

/// The words of the mainline with their bytes.
pub fn mainline_words(movetext: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut depth = 0usize;
    Lexer::new(movetext).filter_map(move |(at, token)| {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 => return Some((at, word)),
            _ => {}
        }
        None
    })
}
