//! Splits a stream of PGN at game boundaries, in one sequential pass that examines only line starts and comments; or a
//! stream of another format, given its [`Boundaries`]. The same bytes give the same games, whatever the reader and its
//! buffer size.

use std::io::{self, Read};

use memchr::memchr2;

use super::{
    boundaries::{Ahead, Boundaries, Boundary, PgnBoundaries},
    tag_line::without_blank_end,
};
use plybook_chess::limits::MAX_GAME_BYTES;

/// Bytes read at a time.
// One thread splits each source: 0.73 µs per game, compared with 7.1 µs for parsing and 1.4 µs for writing
// (docs/growth.md), so the single writer limits an import first. Splitting at arbitrary offsets in parallel would make
// it hard to guarantee the same games for any number of threads.
const PORTION: usize = 256 << 10;

/// Length of the parts of a longer line.
// A buffer that waits for the end of every line could be made to hold a source of any size. A part is longer than a tag
// pair, and than what is kept together of games without tag pairs.
const LONG_LINE: usize = 80 << 10;

/// Bytes of white space that end a game when nothing more could belong to it.
const GAP: usize = 64 << 10;

/// Maximum number of games in a batch.
// A batch is parsed in one step, and a parsed game takes hundreds of bytes, so the number of games is limited in
// addition to the bytes: a source of tiny games would otherwise need many times its own size.
const MOST_GAMES: usize = 1024;

/// Size of a text that ends a batch: without tag pairs it may contain thousands of games.
const LONG_TEXT: usize = 64 << 10;

/// The text of a game and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// The bytes of the game, in the batch's text.
    pub range: std::ops::Range<usize>,
    /// 0-based byte offset in the source.
    pub byte: u64,
    /// 1-based line in the source.
    pub line: u64,
    /// Whether the game is larger than [`MAX_GAME_BYTES`]; only its beginning is kept then.
    pub cut_short: bool,
}

/// Some complete games: a text, and the ranges of the games in it.
#[derive(Clone, Debug, Default)]
pub struct GameBatch {
    /// The text.
    pub text: Vec<u8>,
    /// The games, in order.
    pub games: Vec<GameText>,
}

/// Splits a stream into batches of complete games.
pub struct GameSplitter<R> {
    reader: R,
    boundaries: Box<dyn Boundaries>,
    /// The bytes from the start of the current game.
    buffer: Vec<u8>,
    /// Offset up to which the buffer has been scanned: the start of a line, except in very long lines.
    scanned: usize,
    within_line: bool,
    /// The start of the current game in the buffer, or of the white space before it.
    start: usize,
    /// The end of its text without trailing white space.
    text_end: usize,
    start_line: u64,
    line: u64,
    /// The byte offset and line of the source where a game may have begun within the current one.
    doubtful: (u64, u64),
    /// The byte offset in the source of the start of the buffer.
    base: u64,
    /// Whether the rest of an oversized game is being discarded.
    dropping: bool,
    ended: bool,
    /// Whether the batch is full although the buffer may contain more games.
    full: bool,
    /// A read error, to be returned after the games before it.
    failure: Option<io::Error>,
}

impl<R: Read> GameSplitter<R> {
    /// Splits PGN from its start.
    pub fn new(reader: R) -> GameSplitter<R> {
        GameSplitter::with_boundaries(reader, Box::new(PgnBoundaries::default()), 0, 1)
    }

    /// Splits a text of any format from a boundary on: a byte offset in the source and its 1-based line, as returned by
    /// [`boundary`](GameSplitter::boundary).
    pub fn with_boundaries(
        reader: R,
        boundaries: Box<dyn Boundaries>,
        byte: u64,
        line: u64,
    ) -> GameSplitter<R> {
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

    /// The next games: about as many bytes as requested, up to the first text of 64 KiB or more, and at most 1,024
    /// texts. `None` at the end.
    ///
    /// # Errors
    /// A read error. The complete games before it are returned by this call and the next ones.
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
                // Return the games found so far; the next call returns the error.
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
        // `read_to_end` on a limited reader fills the portion even if the source returns a few bytes at a time, so
        // batches do not depend on how a pipe or a decompressor delivers its data.
        let read = (&mut self.reader).take(PORTION as u64).read_to_end(&mut self.buffer)?;
        self.ended = read == 0;
        Ok(())
    }

    /// Scans the lines that have not been scanned yet.
    fn scan(&mut self, games: &mut Vec<GameText>) {
        self.full = false;
        while let Some((end, next)) = self.line_end() {
            let Some(taken) = self.take_line(end, games) else { return };
            if taken < end {
                (self.scanned, self.within_line) = (taken, false);
            } else {
                // A tag pair may follow white space.
                self.within_line = next == end && (self.within_line || self.text_end > self.scanned);
                self.line += u64::from(next > end);
                self.scanned = next;
            }
            if is_full(games) && !self.dropping {
                self.full = true;
                return;
            }
        }
    }

    /// Scans a line, or a part of a very long one, from `scanned` to its end. Returns where scanning continues: before the
    /// end if a game may begin within the line. `None` if more text is needed.
    fn take_line(&mut self, end: usize, games: &mut Vec<GameText>) -> Option<usize> {
        let line = without_blank_end(&self.buffer[self.scanned..end]);
        let (boundary, taken) = if self.within_line {
            (Boundary::Within, self.boundaries.continue_line(line))
        } else {
            let ahead = Ahead { text: &self.buffer[self.scanned..], is_all: self.ended };
            self.boundaries.begins(line, ahead)
        };
        let next = if taken < line.len() { self.scanned + taken } else { end };
        match boundary {
            Boundary::Here => self.close_game(games),
            Boundary::There => self.close_game_there(games),
            Boundary::Perhaps => self.doubtful = (self.base + self.scanned as u64, self.line),
            Boundary::Within => {}
            Boundary::Unknown => return None,
        }
        if boundary != Boundary::Here && taken > 0 && self.is_behind_gap() {
            self.close_game(games);
        }
        if taken > 0 {
            if self.text_end == self.start {
                (self.start, self.start_line) = (self.scanned, self.line);
            }
            self.text_end = self.scanned + taken;
        }
        if self.text_end - self.start > MAX_GAME_BYTES && !self.dropping {
            let range = self.start..self.start + LONG_LINE;
            games.push(self.game_text(range, true));
            // Only a beginning of the game is kept for the report. Keeping all of it would make one broken quote or
            // brace cost as much memory as the source is large.
            self.dropping = true;
        }
        Some(next)
    }

    /// Whether the game is followed by so much white space that nothing more can belong to it.
    fn is_behind_gap(&self) -> bool {
        self.scanned - self.start > MAX_GAME_BYTES && self.scanned - self.text_end > GAP && !self.dropping
    }

    /// The end of the line at `scanned` and the start of the next, which are the same for a part of a very long line;
    /// `None` while the line is incomplete.
    fn line_end(&self) -> Option<(usize, usize)> {
        let rest = self.buffer.get(self.scanned..)?;
        let Some(length) = memchr2(b'\n', b'\r', rest.get(..LONG_LINE).unwrap_or(rest)) else {
            let is_last = self.ended && !rest.is_empty();
            let part = (rest.len() >= LONG_LINE || is_last).then(|| self.scanned + rest.len().min(LONG_LINE));
            return part.map(|end| (end, end));
        };
        let end = self.scanned + length;
        match (self.buffer.get(end), self.buffer.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some((end, end + 2)),
            // A carriage return at the end of the buffer may be half of a CRLF; deciding now would count the line
            // twice.
            (Some(b'\r'), None) if !self.ended => None,
            _ => Some((end, end + 1)),
        }
    }

    /// Ends the game before `scanned`, if any, and begins the next.
    fn close_game(&mut self, games: &mut Vec<GameText>) {
        if self.text_end > self.start && !self.dropping {
            let too_long = self.scanned - self.start > MAX_GAME_BYTES;
            let end = if too_long { self.text_end.min(self.scanned) } else { self.scanned };
            games.push(self.game_text(self.start..end, false));
        }
        self.dropping = false;
        (self.start, self.start_line, self.text_end) = (self.scanned, self.line, self.scanned);
    }

    /// Ends the game before the line where the next may have begun, and begins the next there.
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

    /// Discards what cannot be needed: the rest of an oversized game, and white space after a game.
    fn make_room(&mut self, games: &mut Vec<GameText>) {
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

    /// Where the next game begins: its byte offset and 1-based line. `None` inside an oversized game. A splitter that
    /// begins there yields the same games.
    pub fn boundary(&self) -> Option<(u64, u64)> {
        let line = if self.ended && !self.full { self.line } else { self.start_line };
        (!self.dropping).then_some((self.position(), line))
    }

    /// Whether everything has been read and returned: no more games follow.
    pub fn has_ended(&self) -> bool {
        self.ended && !self.full
    }

    /// Bytes of the source that have been split so far.
    pub fn position(&self) -> u64 {
        self.base + self.start as u64
    }
}

/// Whether a batch is full.
fn is_full(games: &[GameText]) -> bool {
    games.len() >= MOST_GAMES || games.last().is_some_and(|game| game.range.len() >= LONG_TEXT)
}

#[cfg(test)]
mod tests;
