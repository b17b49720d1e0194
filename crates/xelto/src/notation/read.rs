//! Reads records, line by line.
//!
//! Blank lines are skipped, and so are lines that begin with `%`, as in PGN; a line may contain several numbered
//! moves. Anything else that is not understood is an error with its location.

use std::str::FromStr;

use super::{
    Header, LineKind, Problem, Record, RecordError, Written,
    line::{FROM_HERE, UP_TO_HERE},
};
use crate::{Position, Ruleset};
use plybook_chess::limits::{MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_BYTES, MAX_TAGS};

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        Record::read(text, Ruleset::default())
    }
}

impl Record {
    /// Reads a record of a game with the given rules.
    ///
    /// # Errors
    /// The first error, with its line and ply.
    pub fn read(text: &str, ruleset: Ruleset) -> Result<Record, RecordError> {
        let record = Record { ruleset, ..Record::default() };
        let mut reader = Reader { position: record.start(), record, part: RecordSection::Headers };
        if text.len() > MAX_GAME_BYTES {
            return Err(reader.at(1, Problem::TooLarge));
        }
        let mut last = 1;
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            reader.line(content.trim()).map_err(|problem| reader.at(line, problem))?;
            last = line;
        }
        reader.finish().map_err(|problem| reader.at(last, problem))?;
        Ok(reader.record)
    }

    /// Adds a continuation after the moves, from numbered moves.
    ///
    /// # Errors
    /// The error in the words.
    pub fn continue_with(&mut self, words: &str) -> Result<(), Problem> {
        let (position, record) = (self.last_position(), std::mem::take(self));
        let mut reader = Reader { position, record, part: RecordSection::Continuation };
        words.split_whitespace().try_for_each(|word| reader.numbered_move(word))?;
        *self = reader.record;
        if self.continuation.is_empty() { Err(Problem::EmptyContinuation) } else { Ok(()) }
    }
}

/// Maximum number of characters of a word or line that an error quotes. No valid move or result is longer.
const TOLD: usize = 80;

fn answer(text: &str) -> String {
    text.chars().take(TOLD).collect()
}

/// The parts of a record, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RecordSection {
    Headers,
    Moves,
    /// Inside 以下 … まで。
    Continuation,
    AfterContinuation,
    Result,
}

struct Reader {
    record: Record,
    position: Position,
    part: RecordSection,
}

impl Reader {
    fn at(&self, line: usize, problem: Problem) -> RecordError {
        RecordError { line, ply: self.due(), problem }
    }

    /// The 1-based number of the next move.
    fn due(&self) -> usize {
        self.record.moves.len() + self.record.continuation.len() + 1
    }

    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let unknown = || Problem::UnknownLine(answer(line));
        match LineKind::of(line) {
            LineKind::Blank => Ok(()),
            _ if self.part == RecordSection::Continuation => self.moves(line),
            LineKind::Moves => self.moves(line),
            LineKind::Continuation => {
                let rest = line.strip_prefix(FROM_HERE).ok_or_else(unknown)?;
                self.enter(RecordSection::Continuation, RecordSection::Moves, FROM_HERE)?;
                self.moves(rest)
            }
            LineKind::Header => self.header(Header::read(line).ok_or_else(unknown)?),
            LineKind::Result if line.chars().count() > TOLD => Err(unknown()),
            LineKind::Result => {
                self.enter(RecordSection::Result, RecordSection::AfterContinuation, line)?;
                self.result(line)
            }
            LineKind::Unknown => Err(unknown()),
        }
    }

    /// Enters another part, unless a later part than `latest` has already begun.
    fn enter(&mut self, part: RecordSection, latest: RecordSection, what: &str) -> Result<(), Problem> {
        if self.part > latest {
            return Err(Problem::OutOfPlace(answer(what)));
        }
        self.part = part;
        Ok(())
    }

    fn header(&mut self, header: Header) -> Result<(), Problem> {
        if header.name().len() + header.value().len() > MAX_TAG_BYTES {
            return Err(Problem::HeaderTooLong);
        }
        self.enter(RecordSection::Headers, RecordSection::Headers, header.name())?;
        if self.record.header(header.name()).is_some() {
            return Err(Problem::HeaderTwice(header.name().to_owned()));
        }
        if self.record.headers.len() == MAX_TAGS {
            return Err(Problem::TooManyHeaders);
        }
        self.record.headers.push(header);
        Ok(())
    }

    fn moves(&mut self, words: &str) -> Result<(), Problem> {
        for word in words.split_whitespace() {
            if word == UP_TO_HERE && self.part == RecordSection::Continuation {
                self.close_continuation()?;
            } else {
                self.numbered_move(word)?;
            }
        }
        Ok(())
    }

    fn close_continuation(&mut self) -> Result<(), Problem> {
        self.part = RecordSection::AfterContinuation;
        if self.record.continuation.is_empty() { Err(Problem::EmptyContinuation) } else { Ok(()) }
    }

    fn numbered_move(&mut self, word: &str) -> Result<(), Problem> {
        if self.part != RecordSection::Continuation {
            self.enter(RecordSection::Moves, RecordSection::Moves, word)?;
        }
        let (number, word) = word.split_once('.').ok_or_else(|| Problem::NoNumber(answer(word)))?;
        let word = answer(word);
        let due = self.due();
        if due > MAX_PLIES {
            return Err(Problem::TooLong);
        }
        if number != due.to_string() {
            return Err(Problem::Number(answer(number), due));
        }
        let written: Written = word.parse()?;
        let m = written.to_move(&self.position).map_err(|reason| Problem::Illegal(word, reason))?;
        self.position.play(m);
        let list = match self.part {
            RecordSection::Continuation => &mut self.record.continuation,
            _ => &mut self.record.moves,
        };
        list.push(m);
        Ok(())
    }

    /// A result must not contradict the board. Points are not checked, because the way they are counted is inferred.
    fn result(&mut self, line: &str) -> Result<(), Problem> {
        let said = line.parse()?;
        self.record.result = Some(said);
        match self.record.last_position().ending() {
            Some(board) if (board.winner, board.reason) != (said.winner, said.reason) => {
                Err(Problem::Contradiction(said, board))
            }
            _ => Ok(()),
        }
    }

    fn finish(&self) -> Result<(), Problem> {
        match self.part {
            RecordSection::Continuation => Err(Problem::OpenContinuation),
            RecordSection::Headers if self.record.headers.is_empty() => Err(Problem::Empty),
            _ => Ok(()),
        }
    }
}
