//! The forms that games are written in, and how a source is told to be of one.

use std::io::{self, Cursor, Read};

use super::records::{is_finished, is_next};
use crate::{
    pgn::{Source, ends_with_result},
    xelto::notation::looks_like_record,
};

/// Bytes that are looked at to tell the form.
const AHEAD: u64 = 4096;

/// The form of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// PGN.
    Pgn,
    /// Records of Xelto.
    Xelto,
}

impl Form {
    /// The form of a source: records of Xelto where its name or its beginning says so, else PGN. What has been
    /// read of it is read again.
    pub(super) fn of<'a>(source: &Source, rest: &'a mut dyn Read) -> (Form, Ahead<'a>) {
        let mut ahead = Ahead { seen: Cursor::new(Vec::new()), failure: None, rest };
        if source.is_xelto() {
            return (Form::Xelto, ahead);
        }
        let mut seen = Vec::new();
        ahead.failure = Read::take(&mut *ahead.rest, AHEAD).read_to_end(&mut seen).err();
        let form = if looks_like_record(&String::from_utf8_lossy(&seen)) { Form::Xelto } else { Form::Pgn };
        ahead.seen = Cursor::new(seen);
        (form, ahead)
    }

    /// Whether a text ends with the end of a game: nothing is missing of it.
    pub(super) fn is_terminated(self, text: &[u8]) -> bool {
        match self {
            Form::Pgn => ends_with_result(text),
            Form::Xelto => is_finished(text.trim_ascii_end()),
        }
    }

    /// Whether what comes after the `tail` of a text that has been read to its end is another game, and none
    /// of it belongs to the last one.
    pub(super) fn is_another(self, tail: &[u8], next: &[u8]) -> bool {
        match self {
            Form::Pgn => next.trim_ascii_start().starts_with(b"[") && self.is_terminated(tail),
            Form::Xelto => is_next(tail, next),
        }
    }
}

/// A source whose beginning has been looked at.
pub(super) struct Ahead<'a> {
    seen: Cursor<Vec<u8>>,
    /// What kept more of the beginning from being read.
    failure: Option<io::Error>,
    rest: &'a mut dyn Read,
}

impl Read for Ahead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.seen.read(buffer)? {
            0 => self.failure.take().map_or_else(|| self.rest.read(buffer), Err),
            read => Ok(read),
        }
    }
}
