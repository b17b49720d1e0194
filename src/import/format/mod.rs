//! The formats that games are written in, and how that of a source is recognized.

mod pgn;
mod xelto;

use std::fmt::Debug;

use super::parse::{Items, Parser};
use crate::{
    pgn::{Boundaries, GameText},
    sources::Source,
};

/// A format that the games of a source are written in.
pub(super) trait SourceFormat: Debug + Sync {
    /// The ending of the names of its files, in small letters.
    fn file_ending(&self) -> &'static str;

    /// Whether a text that begins so is in this format, whatever its name.
    fn is_begun(&self, beginning: &[u8]) -> bool;

    /// The boundaries between its games.
    fn boundaries(&self) -> Box<dyn Boundaries>;

    /// Whether a text ends with the end of a game: nothing is missing of it.
    fn is_terminated(&self, text: &[u8]) -> bool;

    /// Whether what comes after the `tail` of a text that has been read to its end is another game, and none
    /// of it belongs to the last one.
    fn is_another(&self, tail: &[u8], next: &[u8]) -> bool;

    /// Parses and encodes a game; of PGN, several may stand in one text.
    fn parse(&self, parser: &mut Parser, game: &GameText, text: &[u8], items: &mut Items<'_>);
}

/// A format in the list.
pub(super) type Format = &'static dyn SourceFormat;

/// Every format. A later one goes before an earlier one, so that PGN is what no other recognizes.
const FORMATS: [Format; 2] = [&pgn::Pgn, &xelto::XeltoRecords];

/// The format of a source, by its name or its beginning.
pub(super) fn format_of(source: &Source, beginning: &[u8]) -> Format {
    let is_of = |format: &Format| source.has_ending(format.file_ending()) || format.is_begun(beginning);
    FORMATS.into_iter().rev().find(is_of).unwrap_or(&pgn::Pgn)
}

/// The endings of the names of files of games.
pub(super) fn file_endings() -> [&'static str; FORMATS.len()] {
    FORMATS.map(SourceFormat::file_ending)
}
