//! Ends a game before a move that cannot be played, and keeps the rest of its text.

use super::FullReader;
use crate::{
    lexer::{Token, move_number},
    reject::Reject,
    resolve::Resolve,
    warning::Warning,
};
use plybook_chess::chess::{NullMove, Position};

impl<P: Resolve + Position + NullMove> FullReader<'_, P> {
    /// Ends the game before a word that is not a move that can be played. What follows becomes a comment, except for
    /// the result at the end, which is that of the game.
    ///
    /// # Errors
    /// The game is rejected for the same reason: something other than a move is wrong, no move comes before it, so
    /// that nothing would be kept, or the rest is too long for a comment.
    pub(super) fn end_before(&mut self, reject: Reject) -> Result<(), Reject> {
        let at = reject.at;
        let Some(word) = reject.reason.word().filter(|_| !self.moves.is_empty()) else { return Err(reject) };
        let plies = self.tree.plies();
        let dots = if plies.is_multiple_of(2) { "." } else { "..." };
        self.broken = Some(format!("{}{dots} {word}", move_number(plies)));
        self.warnings.mark_with(Warning::BrokenGames, at, reject.reason.clone());
        let end = self.skip_rest()?;
        let number = self.text.get(self.numbered..at).unwrap_or_default();
        let is_of_word =
            number.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace() || *byte == b'.');
        let from = if is_of_word { self.numbered } else { at };
        let text = self.text.get(from..end).unwrap_or_default().trim_ascii_end();
        self.kept(at, text, Warning::BrokenGames).map_err(|_| reject)
    }

    /// Reads to the end of the text. Returns where the result at its end begins.
    fn skip_rest(&mut self) -> Result<usize, Reject> {
        let (mut end, mut depth) = (self.text.len(), 0_usize);
        while let Some((at, token)) = self.tokens.next() {
            end = self.text.len();
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Result(outcome) if depth == 0 => {
                    self.result(at, outcome)?;
                    end = at;
                }
                Token::OddResult(text) if depth == 0 => {
                    self.odd_result(at, &String::from_utf8_lossy(text))?;
                    end = at;
                }
                _ => {}
            }
        }
        Ok(end)
    }
}
