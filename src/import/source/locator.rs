//! Locations in a text.

use crate::pgn::{GameText, Location};

/// Converts byte offsets of a game to lines; fastest in ascending order.
pub(super) struct Locator<'a> {
    game: &'a GameText,
    text: &'a [u8],
    line_end: u8,
    /// The previous offset, and the lines before it.
    byte: usize,
    lines: u64,
}

impl<'a> Locator<'a> {
    pub(super) fn new(game: &'a GameText, text: &'a [u8]) -> Locator<'a> {
        let line_end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
        Locator { game, text, line_end, byte: 0, lines: 0 }
    }

    pub(super) fn at(&mut self, byte: usize) -> Location {
        if byte < self.byte {
            (self.byte, self.lines) = (0, 0);
        }
        let end = byte.min(self.text.len());
        let between = self.text.get(self.byte..end).unwrap_or_default();
        self.lines += memchr::memchr_iter(self.line_end, between).count() as u64;
        self.byte = end;
        Location {
            line: self.game.line + self.lines,
            byte: self.game.byte + byte as u64,
            ..Location::default()
        }
    }
}
