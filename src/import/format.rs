//! The forms that games are written in, and how a source is told to be of one.

use super::xelto_records::{is_finished, is_next};
use crate::{
    pgn::ends_with_result,
    sources::Source,
    xelto::notation::{FILE_ENDING, looks_like_record},
};

/// The form of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceFormat {
    /// PGN.
    Pgn,
    /// Records of Xelto.
    Xelto,
}

impl SourceFormat {
    /// The form of a source: records of Xelto where its name or its beginning says so, else PGN.
    pub(super) fn of(source: &Source, beginning: &[u8]) -> SourceFormat {
        let is_xelto =
            source.has_ending(FILE_ENDING) || looks_like_record(&String::from_utf8_lossy(beginning));
        if is_xelto { SourceFormat::Xelto } else { SourceFormat::Pgn }
    }

    /// Whether a text ends with the end of a game: nothing is missing of it.
    pub(super) fn is_terminated(self, text: &[u8]) -> bool {
        match self {
            SourceFormat::Pgn => ends_with_result(text),
            SourceFormat::Xelto => is_finished(text.trim_ascii_end()),
        }
    }

    /// Whether what comes after the `tail` of a text that has been read to its end is another game, and none
    /// of it belongs to the last one.
    pub(super) fn is_another(self, tail: &[u8], next: &[u8]) -> bool {
        match self {
            SourceFormat::Pgn => next.trim_ascii_start().starts_with(b"[") && self.is_terminated(tail),
            SourceFormat::Xelto => is_next(tail, next),
        }
    }
}
