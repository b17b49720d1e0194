//! The audit: an independent count of a movetext's tokens, which the reader's own count must equal.
//!
//! pgn-reader passes over words it does not know without a sign (`2. Sf3`, figurines, `e2-e4`), which can
//! turn a game into another legal game. So every game is counted twice, by two programs.

use super::{
    reject::{Reason, Reject},
    token::{Token, Tokens},
};

/// Numbers of tokens of the mainline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves, and whatever else stands where a move could.
    pub words: usize,
    /// Results.
    pub results: usize,
    /// Comments.
    pub comments: usize,
    /// Annotation glyphs.
    pub nags: usize,
    /// Variations.
    pub variations: usize,
}

/// What the audit says of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Tokens of the mainline.
    pub mainline: Counts,
    /// Tokens inside variations, at any depth.
    pub inner: Counts,
    /// Comments to the end of a line and escaped lines, which the reader does not report.
    pub line_comments: usize,
    /// The byte after the game: where the text goes on with another game (a result, then more moves).
    pub end: usize,
}

/// Counts the tokens of the first game of a movetext.
///
/// # Errors
/// A comment or variation that is not closed.
pub fn audit(movetext: &[u8]) -> Result<Audit, Reject> {
    let mut tokens = Tokens::new(movetext);
    let mut audit = Audit {
        mainline: Counts::default(),
        inner: Counts::default(),
        line_comments: 0,
        end: movetext.len(),
    };
    let (mut depth, mut after_result) = (0usize, None);
    while let Some((at, token)) = tokens.next() {
        let counts = if depth == 0 { &mut audit.mainline } else { &mut audit.inner };
        match token {
            Token::Word(_) => {
                if let (0, Some(end)) = (depth, after_result) {
                    audit.end = end;
                    break;
                }
                counts.words += 1;
            }
            Token::Number => {}
            Token::Result => {
                counts.results += 1;
                if depth == 0 {
                    after_result.get_or_insert(tokens.position());
                }
            }
            Token::Comment(_) if movetext.get(at) == Some(&b';') => audit.line_comments += 1,
            Token::Comment(_) => counts.comments += 1,
            Token::Escape => audit.line_comments += 1,
            Token::OpenComment => return Err(Reject { reason: Reason::UnclosedComment, at }),
            Token::Nag => counts.nags += 1,
            Token::Open => {
                counts.variations += 1;
                depth += 1;
            }
            Token::Close => {
                let reject = Reject { reason: Reason::UnmatchedParenthesis, at };
                depth = depth.checked_sub(1).ok_or(reject)?;
            }
        }
    }
    if depth > 0 {
        return Err(Reject { reason: Reason::UnmatchedParenthesis, at: movetext.len() });
    }
    Ok(audit)
}

/// The mainline word that stands at a 1-based ply, with its byte.
pub fn word_at(movetext: &[u8], ply: usize) -> Option<(usize, &[u8])> {
    mainline_words(movetext).nth(ply.checked_sub(1)?)
}

/// The words of the mainline with their bytes.
pub fn mainline_words(movetext: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut depth = 0usize;
    Tokens::new(movetext).filter_map(move |(at, token)| {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 => return Some((at, word)),
            _ => {}
        }
        None
    })
}
