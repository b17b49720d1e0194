//! The text formats of games, and how the format of a source is detected.

mod pgn;
mod xelto;

use std::fmt::Debug;

use super::parse::{Items, Parser};
use crate::{
    pgn::{Boundaries, GameText},
    sources::Source,
};

/// A text format of games.
pub(super) trait SourceFormat: Debug + Sync {
    /// The file extension, in lower case.
    fn file_ending(&self) -> &'static str;

    /// Whether a text with this beginning is in this format, whatever its file name.
    fn is_begun(&self, beginning: &[u8]) -> bool;

    /// Finds the boundaries between games.
    fn boundaries(&self) -> Box<dyn Boundaries>;

    /// Whether a text ends with a complete game.
    fn is_terminated(&self, text: &[u8]) -> bool;

    /// Whether the text after the `tail` of a source that was read completely starts another game, and none of it
    /// belongs to the last game.
    fn is_another(&self, tail: &[u8], next: &[u8]) -> bool;

    /// Parses and encodes a game; one PGN text may contain several.
    fn parse(&self, parser: &mut Parser, game: &GameText, text: &[u8], items: &mut Items<'_>);
}

/// A format in [`FORMATS`].
pub(super) type Format = &'static dyn SourceFormat;

/// Every format, tried in order. PGN comes last, because it accepts what no other format recognizes.
const FORMATS: [Format; 2] = [&pgn::Pgn, &xelto::XeltoRecords];

/// The format of a source, by its name or its beginning.
pub(super) fn format_of(source: &Source, beginning: &[u8]) -> Format {
    let is_of = |format: &Format| source.has_ending(format.file_ending()) || format.is_begun(beginning);
    FORMATS.into_iter().rev().find(is_of).unwrap_or(&pgn::Pgn)
}

/// The file extensions of all formats.
pub(super) fn file_endings() -> [&'static str; FORMATS.len()] {
    FORMATS.map(SourceFormat::file_ending)
}
