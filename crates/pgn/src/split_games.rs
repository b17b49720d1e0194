//! Splits a stream of PGN at the boundaries of games, in one sequential pass that looks only at line starts and
//! comments; or a stream of another form, whose [`Boundaries`] it is given. The same bytes give the same games,
//! whatever reads them and in whatever portions.

use std::io::{self, Read};

use memchr::memchr2;

use super::{
    boundaries::{Boundaries, Boundary, PgnBoundaries},
    tags::without_blank_end,
};
use plybook_chess::limits::MAX_GAME_BYTES;

/// Bytes read at once.
const PORTION: usize = 256 << 10;

/// Bytes of an unfinished line that are enough to tell what it is.
const LONG_LINE: usize = 64 << 10;

/// Bytes of blanks that end a game if no more of it could follow.
const GAP: usize = 64 << 10;

/// Most games of a batch.
const MOST_GAMES: usize = 1024;

/// Bytes of a text behind which a batch ends: without tag pairs it may be thousands of games.
const LONG_TEXT: usize = 64 << 10;

/// A game's text with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// The bytes of the game, in the batch's text.
    pub range: std::ops::Range<usize>,
    /// 0-based byte in the source.
    pub byte: u64,
    /// 1-based line in the source.
    pub line: u64,
    /// Whether the game is larger than [`MAX_GAME_BYTES`]; then only its beginning is here.
    pub cut_short: bool,
}

/// Some whole games: a text and where in it they are.
#[derive(Clone, Debug, Default)]
pub struct GameBatch {
    /// The text.
    pub text: Vec<u8>,
    /// The games, in order.
    pub games: Vec<GameText>,
}

/// Splits a stream into batches of whole games.
#[derive(Debug)]
pub struct GameSplitter<R, B = PgnBoundaries> {
    reader: R,
    boundaries: B,
    /// Bytes from the start of the current game on.
    buffer: Vec<u8>,
    /// How far into the buffer the scan has come: the start of a line, but for very long ones.
    scanned: usize,
    within_line: bool,
    /// The start of the current game in the buffer, or of the blanks before it.
    start: usize,
    /// The end of what it has that is not blank.
    text_end: usize,
    start_line: u64,
    line: u64,
    /// The byte of the source and the line where a game may have begun within the current one.
    doubtful: (u64, u64),
    /// The byte of the source that the buffer begins with.
    base: u64,
    /// Whether the rest of a game that is too large is being thrown away.
    dropping: bool,
    ended: bool,
    /// Whether a batch has as many games as it may have, and the buffer may have more.
    full: bool,
    /// What kept the reader from reading on, to be given when the games before it have been given.
    failure: Option<io::Error>,
}

impl<R: Read> GameSplitter<R> {
    /// Splits the PGN that a reader gives, from its start.
    pub fn new(reader: R) -> GameSplitter<R> {
        GameSplitter::at(reader, 0, 1)
    }

    /// Splits the PGN that a reader gives from a boundary on: a byte of the source and its 1-based line, as
    /// [`boundary`](GameSplitter::boundary) gave them.
    pub fn at(reader: R, byte: u64, line: u64) -> GameSplitter<R> {
        GameSplitter::with_boundaries(reader, PgnBoundaries::default(), byte, line)
    }
}

impl<R: Read, B: Boundaries> GameSplitter<R, B> {
    /// Splits a text of any form from a boundary on: a byte of the source and its 1-based line.
    pub fn with_boundaries(reader: R, boundaries: B, byte: u64, line: u64) -> GameSplitter<R, B> {
        GameSplitter {
            reader,
            boundaries,
            buffer: Vec::new(),
            scanned: 0,
            within_line: false,
            start: 0,
            text_end: 0,
            start_line: line,
            line,
            doubtful: (byte, line),
            base: byte,
            dropping: false,
            ended: false,
            full: false,
            failure: None,
        }
    }

    /// The next games: about as many bytes as asked for, up to the first text of 64 KiB or more, and at most 1,024
    /// texts. `None` at the end.
    ///
    /// # Errors
    /// The reader failed. What was read before, up to an unfinished last game, is given by this call and the next
    /// ones.
    pub fn next_batch(&mut self, bytes: usize) -> io::Result<Option<GameBatch>> {
        let mut games = Vec::new();
        loop {
            if !self.ended
                && !std::mem::take(&mut self.full)
                && let Err(error) = self.fill()
            {
                if games.is_empty() {
                    self.ended = true;
                    return Err(error);
                }
                // First the games that have been found; the next call tells.
                self.failure = Some(error);
                return Ok(self.take_batch(games));
            }
            self.scan(&mut games);
            if self.full {
                return Ok(self.take_batch(games));
            }
            if self.ended {
                self.close_game(&mut games);
            } else {
                self.make_room(&mut games);
            }
            if self.ended || self.start >= bytes {
                return Ok(self.take_batch(games));
            }
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let read = (&mut self.reader).take(PORTION as u64).read_to_end(&mut self.buffer)?;
        self.ended = read == 0;
        Ok(())
    }

    /// Looks at every whole line that has not been looked at.
    fn scan(&mut self, games: &mut Vec<GameText>) {
        self.full = false;
        while let Some((end, next)) = self.line_end() {
            self.take_line(end, games);
            (self.scanned, self.within_line) = (next, false);
            self.line += 1;
            if is_full(games) && !self.dropping {
                self.full = true;
                return;
            }
        }
    }

    /// Looks at a line, or a part of a very long one, from `scanned` to its end.
    fn take_line(&mut self, end: usize, games: &mut Vec<GameText>) {
        let line = without_blank_end(&self.buffer[self.scanned..end]);
        let length = line.len();
        let boundary = if self.within_line {
            self.boundaries.continue_line(line);
            Boundary::Within
        } else {
            self.boundaries.begins(line)
        };
        match boundary {
            Boundary::Here => self.close_game(games),
            Boundary::There => self.close_game_there(games),
            Boundary::Perhaps => self.doubtful = (self.base + self.scanned as u64, self.line),
            Boundary::Within => {}
        }
        if boundary != Boundary::Here && length > 0 && self.is_behind_gap() {
            self.close_game(games);
        }
        if length > 0 {
            if self.text_end == self.start {
                (self.start, self.start_line) = (self.scanned, self.line);
            }
            self.text_end = self.scanned + length;
        }
        if self.text_end - self.start > MAX_GAME_BYTES && !self.dropping {
            let range = self.start..self.start + LONG_LINE;
            games.push(self.game_text(range, true));
            self.dropping = true;
        }
    }

    /// Whether so many blanks have come after the game that nothing more can belong to it.
    fn is_behind_gap(&self) -> bool {
        self.scanned - self.start > MAX_GAME_BYTES && self.scanned - self.text_end > GAP && !self.dropping
    }

    /// The end of the line at `scanned` and the start of the next; `None` while it is unfinished.
    fn line_end(&self) -> Option<(usize, usize)> {
        let rest = self.buffer.get(self.scanned..)?;
        let Some(length) = memchr2(b'\n', b'\r', rest) else {
            let last = self.ended && !rest.is_empty();
            return last.then_some((self.buffer.len(), self.buffer.len()));
        };
        let end = self.scanned + length;
        match (self.buffer.get(end), self.buffer.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some((end, end + 2)),
            (Some(b'\r'), None) if !self.ended => None,
            _ => Some((end, end + 1)),
        }
    }

    /// Ends the game before `scanned`, if there is one, and begins the next.
    fn close_game(&mut self, games: &mut Vec<GameText>) {
        if self.text_end > self.start && !self.dropping {
            let too_long = self.scanned - self.start > MAX_GAME_BYTES;
            let end = if too_long { self.text_end.min(self.scanned) } else { self.scanned };
            games.push(self.game_text(self.start..end, false));
        }
        self.dropping = false;
        (self.start, self.start_line, self.text_end) = (self.scanned, self.line, self.scanned);
    }

    /// The same before the line where a game may have begun.
    fn close_game_there(&mut self, games: &mut Vec<GameText>) {
        let (scanned, line, text_end) = (self.scanned, self.line, self.text_end);
        let there = usize::try_from(self.doubtful.0.saturating_sub(self.base)).unwrap_or(0);
        (self.scanned, self.line) = (there.clamp(self.start, scanned), self.doubtful.1);
        self.close_game(games);
        (self.scanned, self.line, self.text_end) = (scanned, line, text_end.max(self.start));
    }

    fn game_text(&self, range: std::ops::Range<usize>, cut_short: bool) -> GameText {
        GameText { byte: self.base + range.start as u64, line: self.start_line, range, cut_short }
    }

    /// When the buffer holds more than the largest game, lets go of what cannot be needed: the rest of a game
    /// that is too large, and blanks.
    fn make_room(&mut self, games: &mut Vec<GameText>) {
        if self.buffer.len() - self.start <= MAX_GAME_BYTES {
            return;
        }
        if self.buffer.len() - self.scanned >= LONG_LINE {
            self.take_line(self.buffer.len(), games);
            // A tag pair may stand behind blanks.
            self.within_line |= self.text_end > self.scanned;
            self.scanned = self.buffer.len();
        }
        if self.is_behind_gap() {
            self.close_game(games);
        } else if self.dropping {
            (self.start, self.text_end) = (self.scanned, self.scanned);
        }
    }

    /// Moves the finished games out of the buffer.
    fn take_batch(&mut self, games: Vec<GameText>) -> Option<GameBatch> {
        if games.is_empty() && self.ended {
            return None;
        }
        let rest = self.buffer.split_off(self.start);
        let text = std::mem::replace(&mut self.buffer, rest);
        self.base += self.start as u64;
        self.scanned -= self.start;
        self.text_end -= self.start;
        self.start = 0;
        Some(GameBatch { text, games })
    }

    /// Where the next game begins: its byte and 1-based line. `None` in the midst of a game that is too large.
    /// A cutter that begins there gives the same games.
    pub fn boundary(&self) -> Option<(u64, u64)> {
        let line = if self.ended && !self.full { self.line } else { self.start_line };
        (!self.dropping).then_some((self.position(), line))
    }

    /// Whether all has been read and given: no game comes any more.
    pub fn has_ended(&self) -> bool {
        self.ended && !self.full
    }

    /// Bytes of the source that have been cut so far.
    pub fn position(&self) -> u64 {
        self.base + self.start as u64
    }
}

/// Whether a batch takes no more games.
fn is_full(games: &[GameText]) -> bool {
    games.len() >= MOST_GAMES || games.last().is_some_and(|game| game.range.len() >= LONG_TEXT)
}

#[cfg(test)]
mod tests;
