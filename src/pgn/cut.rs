//! Cuts a stream of PGN at the borders of games, in one sequential pass that looks only at line starts and
//! comments; or a stream of another form, whose [`Borders`] it is given. The same bytes give the same pieces,
//! whatever reads them and in whatever portions.
//!
//! # Where a game begins
//! At a line that begins with a tag pair
//! * after movetext, or
//! * among tag pairs, if it is one of the seven-tag roster that the game already has (games without moves).
//!
//! A blank line alone is no border: it may stand between tags and inside a movetext. Inside a comment a tag
//! pair is text, but for an `[Event` line after a blank line: there somebody forgot a brace, and the next
//! game must not suffer.

use std::io::{self, Read};

use memchr::{memchr, memchr2};

use super::tags::{roster_place, tag_name};
use crate::limits::MAX_GAME_BYTES;

/// Bytes read at once.
const PORTION: usize = 256 << 10;

/// A game's text with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
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
pub struct Batch {
    /// The text.
    pub text: Vec<u8>,
    /// The games, in order.
    pub pieces: Vec<Piece>,
}

/// Says where games begin, line by line: what a cutter has to know of the form of its text. Lines come without
/// their ends.
pub trait Borders {
    /// Takes note of the next line; tells whether a game begins at it.
    fn begins(&mut self, line: &[u8]) -> bool;

    /// Takes note of a line that is too long to be looked at.
    fn pass_endless(&mut self);
}

/// The borders between games of PGN.
#[derive(Clone, Debug)]
pub struct PgnBorders {
    part: Part,
    after_blank: bool,
    roster: u8,
}

/// Where the scan is within a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Tags,
    Movetext,
    Comment,
}

impl Default for PgnBorders {
    fn default() -> PgnBorders {
        PgnBorders { part: Part::Tags, after_blank: true, roster: 0 }
    }
}

impl Borders for PgnBorders {
    fn begins(&mut self, line: &[u8]) -> bool {
        if line.is_empty() {
            self.after_blank = true;
            return false;
        }
        let name = if could_be_tag(line) { tag_name(line) } else { None };
        let bit = name.map_or(0, roster_bit);
        let begins = match self.part {
            Part::Tags => self.roster & bit != 0,
            Part::Movetext => name.is_some(),
            Part::Comment => self.after_blank && name == Some(b"Event"),
        };
        if begins {
            (self.part, self.roster) = (Part::Tags, 0);
        }
        self.after_blank = line.iter().all(|byte| byte.is_ascii_whitespace());
        if self.part == Part::Comment {
            self.part = match memchr(b'}', line) {
                Some(close) => comment_after(&line[close + 1..]),
                None => Part::Comment,
            };
        } else if name.is_some() {
            self.part = Part::Tags;
            self.roster |= bit;
        } else if !self.after_blank && line[0] != b'%' {
            self.part = comment_after(line);
        }
        begins
    }

    fn pass_endless(&mut self) {
        self.part = Part::Movetext;
    }
}

/// Cuts a stream into batches of whole games.
#[derive(Debug)]
pub struct Cutter<R, B = PgnBorders> {
    reader: R,
    borders: B,
    /// Bytes from the start of the current game on.
    buffer: Vec<u8>,
    /// How far into the buffer the scan has come: always the start of a line.
    scanned: usize,
    /// The start of the current game in the buffer.
    start: usize,
    start_line: u64,
    line: u64,
    /// The byte of the source that the buffer begins with.
    base: u64,
    /// Whether the rest of a game that is too large is being thrown away.
    dropping: bool,
    ended: bool,
    /// What kept the reader from reading on, to be told when the games before it have been given.
    failure: Option<io::Error>,
}

impl<R: Read> Cutter<R> {
    /// Cuts the PGN that a reader gives, from its start.
    pub fn new(reader: R) -> Cutter<R> {
        Cutter::at(reader, 0, 1)
    }

    /// Cuts the PGN that a reader gives from a border on: a byte of the source and its 1-based line, as
    /// [`border`](Cutter::border) gave them.
    pub fn at(reader: R, byte: u64, line: u64) -> Cutter<R> {
        Cutter::with_borders(reader, PgnBorders::default(), byte, line)
    }
}

impl<R: Read, B: Borders> Cutter<R, B> {
    /// Cuts a text of any form from a border on: a byte of the source and its 1-based line.
    pub fn with_borders(reader: R, borders: B, byte: u64, line: u64) -> Cutter<R, B> {
        Cutter {
            reader,
            borders,
            buffer: Vec::new(),
            scanned: 0,
            start: 0,
            start_line: line,
            line,
            base: byte,
            dropping: false,
            ended: false,
            failure: None,
        }
    }

    /// The next games: about as many bytes as asked for, or one game if it is larger. `None` at the end.
    ///
    /// # Errors
    /// The reader failed. What was read before and forms whole games has been given already; the unfinished
    /// last game is given by the next call.
    pub fn next_batch(&mut self, bytes: usize) -> io::Result<Option<Batch>> {
        let mut pieces = Vec::new();
        loop {
            if !self.ended
                && let Err(error) = self.fill()
            {
                if pieces.is_empty() {
                    self.ended = true;
                    return Err(error);
                }
                // First the games that have been found; the next call tells.
                self.failure = Some(error);
                return Ok(self.take_batch(pieces));
            }
            self.scan(&mut pieces);
            if self.ended {
                self.close_game(self.buffer.len(), &mut pieces);
                self.start = self.buffer.len();
            } else {
                self.drop_overlong(&mut pieces);
            }
            if self.ended || self.start >= bytes {
                return Ok(self.take_batch(pieces));
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
    fn scan(&mut self, pieces: &mut Vec<Piece>) {
        while let Some((end, next)) = self.line_end() {
            if self.borders.begins(&self.buffer[self.scanned..end]) {
                self.close_game(self.scanned, pieces);
                (self.start, self.start_line) = (self.scanned, self.line);
            }
            self.scanned = next;
            self.line += 1;
        }
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

    fn close_game(&mut self, end: usize, pieces: &mut Vec<Piece>) {
        let text = self.buffer.get(self.start..end).unwrap_or_default();
        let blank = text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        if !blank && !self.dropping {
            let byte = self.base + self.start as u64;
            pieces.push(Piece { range: self.start..end, byte, line: self.start_line, cut_short: false });
        }
        self.dropping = false;
    }

    /// Gives up a game that is too large: keeps its beginning for the reject, throws the rest away.
    fn drop_overlong(&mut self, pieces: &mut Vec<Piece>) {
        if self.buffer.len() - self.start <= MAX_GAME_BYTES {
            return;
        }
        if !self.dropping {
            let range = self.start..self.start + (64 << 10);
            let byte = self.base + self.start as u64;
            pieces.push(Piece { range, byte, line: self.start_line, cut_short: true });
            self.dropping = true;
        }
        // All but the unfinished line is done with; of an endless line only its comment state matters.
        if self.scanned == self.start {
            self.borders.pass_endless();
            self.scanned = self.buffer.len();
        }
        self.start = self.scanned;
    }

    /// Moves the finished games out of the buffer.
    fn take_batch(&mut self, pieces: Vec<Piece>) -> Option<Batch> {
        if pieces.is_empty() && self.ended {
            return None;
        }
        let rest = self.buffer.split_off(self.start);
        let text = std::mem::replace(&mut self.buffer, rest);
        self.base += self.start as u64;
        self.scanned -= self.start;
        self.start = 0;
        Some(Batch { text, pieces })
    }

    /// Where the next game begins: its byte and 1-based line. `None` in the midst of a game that is too large.
    /// A cutter that begins there gives the same games.
    pub fn border(&self) -> Option<(u64, u64)> {
        let line = if self.ended { self.line } else { self.start_line };
        (!self.dropping).then_some((self.position(), line))
    }

    /// Bytes of the source that have been cut so far.
    pub fn position(&self) -> u64 {
        self.base + self.start as u64
    }
}

/// A quick look before the full one: a bracket among the first bytes.
fn could_be_tag(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'[' | b' ' | b'\t' | 0 | 0xef))
}

/// A bit for each name of the seven-tag roster; 0 for other names.
fn roster_bit(name: &[u8]) -> u8 {
    roster_place(name).map_or(0, |place| 1 << place)
}

/// Whether a line of movetext leaves a comment open.
fn comment_after(mut line: &[u8]) -> Part {
    while let Some(mark) = memchr2(b'{', b';', line) {
        if line[mark] == b';' {
            break;
        }
        match memchr(b'}', &line[mark..]) {
            Some(close) => line = &line[mark + close + 1..],
            None => return Part::Comment,
        }
    }
    Part::Movetext
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts with a reader that gives a few bytes at a time.
    fn cut(text: &str, portion: usize, bytes: usize) -> Vec<(String, u64, u64)> {
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let end = self.1.min(buffer.len());
                self.0.read(&mut buffer[..end])
            }
        }
        let mut cutter = Cutter::new(Slow(text.as_bytes(), portion));
        let mut games = Vec::new();
        while let Some(batch) = cutter.next_batch(bytes).unwrap() {
            for piece in batch.pieces {
                let game = String::from_utf8(batch.text[piece.range].to_vec()).unwrap();
                games.push((game.trim().to_owned(), piece.byte, piece.line));
            }
        }
        games
    }

    const TEXT: &str = "[Event \"a\"]\n[Site \"s\"]\n\n1. e4 {[Event \"no\"]\n[Event \"no\"]\n} e5 *\n\n\n\
        [Event \"b\"]\n\n[Site \"t\"]\n\n1. d4\n\nd5 1-0\n[Event \"c\"]\n[White \"w\"]\n[Event \"d\"]\n\n*\n\n\
        [Event \"e\"]\n\n1. e4 {open\n\n[Event \"f\"]\n\n1. d4 {closed} *\n";

    #[test]
    fn games_are_cut_where_they_begin() {
        let games = cut(TEXT, 1 << 20, 1 << 20);
        let first = |place: usize| games[place].0.lines().next().unwrap();
        assert_eq!(games.len(), 6, "{games:?}");
        assert_eq!([first(0), first(1), first(2)], ["[Event \"a\"]", "[Event \"b\"]", "[Event \"c\"]"]);
        assert!(games[1].0.ends_with("1-0"));
        assert_eq!(games[2].0.lines().count(), 2);
        assert!(games[4].0.ends_with("{open"));
        for (game, byte, line) in &games {
            let byte = usize::try_from(*byte).unwrap();
            assert!(TEXT[byte..].starts_with(game));
            assert_eq!(TEXT[..byte].matches('\n').count() as u64 + 1, *line);
        }
    }

    #[test]
    fn the_pieces_do_not_depend_on_portions_or_line_ends() {
        let whole = cut(TEXT, 1 << 20, 1 << 20);
        for (portion, bytes) in [(1, 1), (7, 30), (64, 1), (1000, 100)] {
            assert_eq!(cut(TEXT, portion, bytes), whole);
        }
        for end in ["\r\n", "\r"] {
            let other = cut(&TEXT.replace('\n', end), 3, 50);
            let back: Vec<_> = other.iter().map(|(game, _, line)| (game.replace(end, "\n"), *line)).collect();
            let expected: Vec<_> = whole.iter().map(|(game, _, line)| (game.clone(), *line)).collect();
            assert_eq!(back, expected);
        }
    }

    #[test]
    fn no_game_before_a_failure_is_lost() {
        struct Failing<'a>(&'a [u8]);
        impl Read for Failing<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if self.0.is_empty() {
                    return Err(io::Error::other("the disk is gone"));
                }
                self.0.read(buffer)
            }
        }
        let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(40_000);
        let mut cutter = Cutter::new(Failing(text.as_bytes()));
        let (mut games, mut failures) = (0, 0);
        loop {
            match cutter.next_batch(256 << 10) {
                Ok(Some(batch)) => games += batch.pieces.len(),
                Ok(None) => break,
                Err(_) => failures += 1,
            }
        }
        assert_eq!((games, failures), (40_000, 1));
    }

    #[test]
    fn cutting_goes_on_at_every_border() {
        let whole = cut(TEXT, 1 << 20, 1 << 20);
        let mut cutter = Cutter::new(TEXT.as_bytes());
        let mut done = 0;
        while let Some(batch) = cutter.next_batch(1).unwrap() {
            done += batch.pieces.len();
            let (byte, line) = cutter.border().unwrap();
            let rest = &TEXT.as_bytes()[usize::try_from(byte).unwrap()..];
            let mut other = Cutter::at(rest, byte, line);
            let mut places = Vec::new();
            while let Some(batch) = other.next_batch(1 << 20).unwrap() {
                places.extend(batch.pieces.iter().map(|piece| (piece.byte, piece.line)));
            }
            let expected: Vec<_> = whole[done..].iter().map(|(_, byte, line)| (*byte, *line)).collect();
            assert_eq!(places, expected);
        }
        assert_eq!(done, whole.len());
    }

    #[test]
    fn a_game_too_large_is_dropped_and_the_next_one_found() {
        let text = format!("[Event \"big\"]\n\n{{{}}} *\n\n[Event \"next\"]\n\n*\n", "x\n".repeat(9 << 20));
        let mut cutter = Cutter::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
            assert!(batch.text.len() < MAX_GAME_BYTES + 2 * PORTION);
            seen.extend(batch.pieces.iter().map(|piece| (piece.cut_short, piece.line)));
        }
        assert_eq!(seen, [(true, 1), (false, (9 << 20) + 5)]);
    }
}
