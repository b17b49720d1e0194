//! Splits words that are several moves, numbers and glyphs without spaces between them: `e4e5`, `Nf3Nc63`.

use super::{
    lenient_san::{self, FoundMove},
    nag::glyph,
    piece_letters::PieceLetters,
    warning::Warning,
};
use plybook_chess::{
    chess::{Position, SortedMoves},
    limits::MAX_PLIES,
};

/// A part of such a word.
#[derive(Clone, Debug)]
pub(super) enum WordPart {
    Move(FoundMove),
    Number(usize),
    Glyph(u16),
}

/// The first part of such a word, and its length: a number, a glyph, or the shortest move.
fn next_part<P: Position>(now: &P, rest: &str, letters: PieceLetters) -> Option<(WordPart, usize)> {
    if let Some(nag) = glyph(rest) {
        return Some((WordPart::Glyph(nag), rest.len()));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && !rest.starts_with("0-0") {
        return Some((WordPart::Number(rest.get(..digits)?.parse().ok()?), digits));
    }
    let legal = SortedMoves::new(now);
    let longest = rest.len().min(MAX_GLUED_MOVE);
    let ends = (2..=longest).filter(|&end| rest.is_char_boundary(end));
    let (found, length) = ends
        .filter_map(|end| Some((lenient_san::find(rest.get(..end)?, letters, legal.as_slice()).ok()?, end)))
        // A shorter capture, `ed` in `ed5`, does not count.
        .find(|(found, end)| {
            let cut = rest.as_bytes().get(end - 1).is_some_and(|byte| (b'a'..=b'h').contains(byte));
            !cut && !found.warnings.contains(&Warning::LongMoves)
        })?;
    let signs = rest.get(length..)?;
    let signs =
        if glyph(signs).is_some() { 0 } else { signs.bytes().take_while(|b| b"+#".contains(b)).count() };
    Some((WordPart::Move(found), length + signs))
}

/// Longest move that is searched for in such a word, in bytes.
const MAX_GLUED_MOVE: usize = 12;

fn is_format(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}')
}

/// Splits a word whose first move is played from a position. Returns `None` if it does not begin with a move, is a
/// single move, or contains anything else.
pub(super) fn parts<P: Position + Clone>(
    now: &P,
    word: &str,
    letters: PieceLetters,
) -> Option<Vec<WordPart>> {
    let (mut now, mut rest, mut parts) = (now.clone(), word, Vec::new());
    while !rest.is_empty() && parts.len() <= MAX_PLIES {
        let (part, length) = next_part(&now, rest, letters)?;
        if let WordPart::Move(FoundMove { m, .. }) = part {
            now.play_unchecked(m);
        }
        parts.push(part);
        rest = rest.get(length..)?.trim_start_matches(|c: char| c.is_whitespace() || is_format(c));
    }
    matches!(parts.as_slice(), [WordPart::Move(_), _, ..]).then_some(parts)
}
