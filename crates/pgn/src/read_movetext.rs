//! Reads a movetext: a plain one from its words alone, every other one in full.

use shakmaty::Position;

use super::{
    lexer::PlainMovetext,
    movetext::{Movetext, ReadMovetext},
    observer::Observer,
    piece_letters::{OTHERS, PieceLetters},
    read_ambiguous::read_any,
    read_mainline::MainlineReader,
    reject::Reject,
    resolve::Resolve,
};
use plybook_chess::chess::NullMove;

impl<P: Resolve + Position + NullMove + PartialEq> MainlineReader<P> {
    /// Reads a movetext from a start position; `plain` has its words if it is plain. Then passes it to the observer.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(super) fn read(
        &mut self,
        start: &P,
        movetext: &Movetext<'_>,
        plain: &PlainMovetext,
        letters: PieceLetters,
        observer: &mut impl Observer<P>,
    ) -> Result<ReadMovetext, Reject> {
        if movetext.is_plain && movetext.comments.is_empty() && letters.is_english() {
            // On failure, the full reader below reports the error.
            if let Some(read) = self.read_plain(start, movetext.text, plain, observer) {
                return Ok(read);
            }
            observer.forget();
        }
        let read = |letters| read_any(movetext, start, letters);
        read(letters).or_else(|reject| {
            let others = if letters == PieceLetters::Auto { &OTHERS[..] } else { &[] };
            others.iter().find_map(|&letters| read(letters).ok()).ok_or(reject)
        })
    }
}
