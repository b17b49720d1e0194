//! What a format of text with games must have.

use std::fmt::Debug;

use super::Games;
use crate::pgn::{Boundaries, GameText, Reader};

/// A kind of source that is text.
pub(super) trait TextFormat: Debug + Sync {
    /// The extensions of its files, in lower case.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a text with this beginning is in this format, whatever its file name.
    fn is_begun(&self, beginning: &[u8]) -> bool;

    /// Why its games can only be imported; `None` if they can also be read as games of chess.
    fn refusal(&self) -> Option<&'static str>;

    /// Finds the boundaries between games.
    fn boundaries(&self) -> Box<dyn Boundaries>;

    /// Whether a text ends with a complete game.
    fn is_terminated(&self, text: &[u8]) -> bool;

    /// Whether the text after the `tail` of a source that was read completely starts another game, and none of it
    /// belongs to the last game.
    fn is_another(&self, tail: &[u8], next: &[u8]) -> bool;

    /// Reads a game; one PGN text may contain several.
    fn parse(&self, reader: &mut Reader, game: &GameText, text: &[u8], games: &mut Games<'_>);
}
