//! Records of Xelto in a file: finding their boundaries, and reading them.
//!
//! A record begins
//! * at a header after moves, or after a blank line if the current record already has a header with that name;
//! * at move 1 after moves;
//! * at anything after a result sentence.
//!
//! A blank line alone is not a boundary. A record needs moves, or headers and a result; so the records that plybook
//! writes are always split correctly.

use std::borrow::Cow;

use super::locator::Locator;
use crate::{
    import::{Games, games::GamePlace, text_format::TextFormat},
    limits::MAX_TAGS,
    pgn::{Ahead, Boundaries, Boundary, Encoding, GameText, Reader, Reject, RejectReason},
    record::Record,
    xelto::notation::{self, FILE_ENDING, LineKind, Problem, looks_like_record},
};

/// Records of Xelto.
#[derive(Debug)]
pub(super) struct XeltoRecords;

impl TextFormat for XeltoRecords {
    fn endings(&self) -> &'static [&'static str] {
        &[FILE_ENDING]
    }

    fn is_begun(&self, beginning: &[u8]) -> bool {
        looks_like_record(&String::from_utf8_lossy(beginning))
    }

    fn refusal(&self) -> Option<&'static str> {
        Some("these are records of Xelto, not PGN")
    }

    fn boundaries(&self) -> Box<dyn Boundaries> {
        Box::new(RecordBoundaries::default())
    }

    /// Whether it ends with a result sentence.
    fn is_terminated(&self, text: &[u8]) -> bool {
        let last = text.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let last = text_of(last);
        LineKind::of(&last) == LineKind::Result && last.ends_with('.')
    }

    /// Returns false if in doubt.
    fn is_another(&self, tail: &[u8], next: &[u8]) -> bool {
        let between = tail.ends_with(b"\n") || next.starts_with(b"\n") || next.starts_with(b"\r\n");
        let mut lines = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n');
        // The first line of the tail may be truncated, so it proves nothing.
        let (Some(last), Some(_)) = (lines.next(), lines.next()) else { return false };
        let (last, first) = (
            text_of(last),
            text_of(next.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default()),
        );
        let has_moves =
            matches!(LineKind::of(&last), LineKind::Moves | LineKind::Continuation | LineKind::Result);
        let begins = LineKind::of(&first) == LineKind::Header || is_first_move(&first);
        between && has_moves && begins
    }

    fn parse(&self, reader: &mut Reader, game: &GameText, text: &[u8], games: &mut Games<'_>) {
        let mut locator = Locator::new(game, text);
        let place = GamePlace { location: locator.at(0), text };
        let encoding = reader.options().encoding;
        games.record(place, |codec, layouts| {
            let record = read_text(text, encoding).and_then(|record| {
                Record::of_xelto(&record, codec, layouts)
                    .map_err(|error| Reject { reason: RejectReason::Unstorable(error.to_string()), at: 0 })
            });
            record.map_err(|Reject { reason, at }| (reason, locator.at(at)))
        });
    }
}

/// Finds the boundaries between records.
#[derive(Clone, Debug, Default)]
struct RecordBoundaries {
    part: RecordState,
    after_blank: bool,
    /// The header names of the current record.
    names: Vec<String>,
}

/// The position within a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RecordState {
    #[default]
    Headers,
    /// Moves, or unexpected text.
    Moves,
    /// After the result sentence.
    End,
}

impl Boundaries for RecordBoundaries {
    fn begins(&mut self, line: &[u8], _: Ahead<'_>) -> (Boundary, usize) {
        let length = line.len();
        let line = text_of(line);
        let kind = LineKind::of(&line);
        let begins = match (self.part, kind) {
            (_, LineKind::Blank) => false,
            (RecordState::Headers, LineKind::Header) => {
                self.after_blank && self.names.iter().any(|name| name == name_of(&line))
            }
            (RecordState::Headers, _) => false,
            (RecordState::Moves, LineKind::Header) => true,
            (RecordState::Moves, LineKind::Moves) => is_first_move(&line),
            (RecordState::Moves, _) => false,
            (RecordState::End, _) => true,
        };
        if begins {
            *self = RecordBoundaries::default();
        }
        self.after_blank = kind == LineKind::Blank;
        match kind {
            LineKind::Blank => {}
            LineKind::Header if self.part == RecordState::Headers => {
                // A record with more headers is rejected later.
                if self.names.len() <= MAX_TAGS {
                    self.names.push(name_of(&line).to_owned());
                }
            }
            LineKind::Result => self.part = RecordState::End,
            _ => self.part = RecordState::Moves,
        }
        (if begins { Boundary::Here } else { Boundary::Within }, length)
    }

    fn continue_line(&mut self, part: &[u8]) -> usize {
        self.part = RecordState::Moves;
        part.len()
    }
}

fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_start_matches('\u{feff}').trim().to_owned()
}

fn name_of(header: &str) -> &str {
    header.split(':').next().unwrap_or_default().trim()
}

fn is_first_move(line: &str) -> bool {
    line.starts_with("1.")
}

/// Parses a game.
fn read_text(text: &[u8], encoding: Option<Encoding>) -> Result<notation::Record, Reject> {
    let text = str::from_utf8(text).map(Cow::Borrowed).or_else(|error| {
        let not_utf8 = Reject { reason: RejectReason::NotUtf8, at: error.valid_up_to() };
        encoding.and_then(|encoding| encoding.decode(text)).ok_or(not_utf8)
    })?;
    let record = read_record(&text)?;
    if is_game(&record) { Ok(record) } else { Err(bad_record(1, &Problem::NoGame, 0)) }
}

fn bad_record(ply: usize, problem: &Problem, at: usize) -> Reject {
    Reject { reason: RejectReason::BadRecord(ply, problem.to_string()), at }
}

fn read_record(text: &str) -> Result<notation::Record, Reject> {
    // Old Macintosh files end lines with CR; replacing it with LF keeps all byte positions.
    let lines = if text.contains('\n') { text.into() } else { text.replace('\r', "\n") };
    lines.parse::<notation::Record>().map_err(|error| {
        let before = lines.split_inclusive('\n').take(error.line.saturating_sub(1));
        let at = before.map(str::len).sum();
        bad_record(error.ply, &error.problem, at)
    })
}

/// Whether a record is complete enough to have a recognizable end.
fn is_game(record: &notation::Record) -> bool {
    let says_more = record.result.is_some() || !record.continuation.is_empty();
    !record.moves.is_empty() || (!record.headers.is_empty() && says_more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::GameSplitter;

    fn cut(text: &str) -> Vec<String> {
        let mut splitter =
            GameSplitter::with_boundaries(text.as_bytes(), Box::new(RecordBoundaries::default()), 0, 1);
        let mut records = Vec::new();
        while let Some(batch) = splitter.next_batch(1).unwrap() {
            records.extend(batch.games.iter().map(|game| {
                String::from_utf8(batch.text[game.range.clone()].to_vec()).unwrap().trim().to_owned()
            }));
        }
        records
    }

    #[test]
    fn records_are_split_at_their_beginnings() {
        let records = [
            "arxe : a\n\nsorn : b\n\n1.b5vio\n\n2.s5lin",
            "arxe : c\n1.b5vio",
            "1.b4fav\n2.s5lin\n以下 3.t6mel\nまで。\narxe vast vol hacma.",
            "something else",
            "1.b5vio 2.s5lin\nsorn vast vol teomsast.",
            "event : x",
            "event : y\n% a remark\n1.b5vio",
        ];
        assert_eq!(cut(&records.join("\n\n")), records);
        assert_eq!(cut(&records.join("\r\n\r\n").replace("\r\n", "\n")), records);
        assert_eq!(cut("\u{feff}arxe : a\n1.b5vio\n1.b5vio").len(), 2);
        assert!(cut("\n\n").is_empty());
    }

    #[test]
    fn only_a_new_record_counts_as_another() {
        let tail = b"arxe : a\n1.b5vio\n2.s5lin\n";
        for next in ["1.b5vio\n", "\narxe : x\n", "\n\n1.b"] {
            assert!(XeltoRecords.is_another(tail, next.as_bytes()), "{next:?}");
        }
        for next in ["3.b4fav\n", "arxe vast vol hacma.\n", "", "1"] {
            assert!(!XeltoRecords.is_another(tail, next.as_bytes()), "{next:?}");
        }
        assert!(!XeltoRecords.is_another(b"arxe : a\n1.b5vio\n2.s5lin", b"1.b5vio"));
        assert!(!XeltoRecords.is_another(b"sorn : x\narxe : a\n", b"1.b5vio"));
    }
}
