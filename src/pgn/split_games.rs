//! Cuts a stream of PGN at the boundaries of games, in one sequential pass that looks only at line starts and
//! comments; or a stream of another form, whose [`Boundaries`] it is given. The same bytes give the same pieces,
//! whatever reads them and in whatever portions.

use std::io::{self, Read};

use memchr::memchr2;

use super::{
    boundaries::{Boundaries, Boundary, PgnBoundaries},
    tags::without_blank_end,
};
use crate::limits::MAX_GAME_BYTES;

/// Bytes read at once.
const PORTION: usize = 256 << 10;

/// Bytes of an unfinished line that are enough to tell what it is.
const LONG_LINE: usize = 64 << 10;

/// Bytes of blanks that end a game if no more of it could follow.
const GAP: usize = 64 << 10;

/// Most games of a batch.
const MOST_GAMES: usize = 1024;

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
    pub pieces: Vec<GameText>,
}

/// Cuts a stream into batches of whole games.
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
    /// Cuts the PGN that a reader gives, from its start.
    pub fn new(reader: R) -> GameSplitter<R> {
        GameSplitter::at(reader, 0, 1)
    }

    /// Cuts the PGN that a reader gives from a boundary on: a byte of the source and its 1-based line, as
    /// [`boundary`](GameSplitter::boundary) gave them.
    pub fn at(reader: R, byte: u64, line: u64) -> GameSplitter<R> {
        GameSplitter::with_boundaries(reader, PgnBoundaries::default(), byte, line)
    }
}

impl<R: Read, B: Boundaries> GameSplitter<R, B> {
    /// Cuts a text of any form from a boundary on: a byte of the source and its 1-based line.
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

    /// The next games: about as many bytes as asked for, or one game if it is larger, and at most 1,024
    /// games. `None` at the end.
    ///
    /// # Errors
    /// The reader failed. What was read before, up to an unfinished last game, is given by this call and the next
    /// ones.
    pub fn next_batch(&mut self, bytes: usize) -> io::Result<Option<GameBatch>> {
        let mut pieces = Vec::new();
        loop {
            if !self.ended
                && !std::mem::take(&mut self.full)
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
            if self.full {
                return Ok(self.take_batch(pieces));
            }
            if self.ended {
                self.close_game(&mut pieces);
            } else {
                self.make_room(&mut pieces);
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
    fn scan(&mut self, pieces: &mut Vec<GameText>) {
        self.full = false;
        while let Some((end, next)) = self.line_end() {
            self.take_line(end, pieces);
            (self.scanned, self.within_line) = (next, false);
            self.line += 1;
            if pieces.len() >= MOST_GAMES && !self.dropping {
                self.full = true;
                return;
            }
        }
    }

    /// Looks at a line, or a part of a very long one, from `scanned` to its end.
    fn take_line(&mut self, end: usize, pieces: &mut Vec<GameText>) {
        let line = without_blank_end(&self.buffer[self.scanned..end]);
        let length = line.len();
        let boundary = if self.within_line {
            self.boundaries.continue_line(line);
            Boundary::Within
        } else {
            self.boundaries.begins(line)
        };
        match boundary {
            Boundary::Here => self.close_game(pieces),
            Boundary::There => self.close_game_there(pieces),
            Boundary::Perhaps => self.doubtful = (self.base + self.scanned as u64, self.line),
            Boundary::Within => {}
        }
        if boundary != Boundary::Here && length > 0 && self.is_behind_gap() {
            self.close_game(pieces);
        }
        if length > 0 {
            if self.text_end == self.start {
                (self.start, self.start_line) = (self.scanned, self.line);
            }
            self.text_end = self.scanned + length;
        }
        if self.text_end - self.start > MAX_GAME_BYTES && !self.dropping {
            let range = self.start..self.start + LONG_LINE;
            pieces.push(self.piece(range, true));
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
    fn close_game(&mut self, pieces: &mut Vec<GameText>) {
        if self.text_end > self.start && !self.dropping {
            let too_long = self.scanned - self.start > MAX_GAME_BYTES;
            let end = if too_long { self.text_end.min(self.scanned) } else { self.scanned };
            pieces.push(self.piece(self.start..end, false));
        }
        self.dropping = false;
        (self.start, self.start_line, self.text_end) = (self.scanned, self.line, self.scanned);
    }

    /// The same before the line where a game may have begun.
    fn close_game_there(&mut self, pieces: &mut Vec<GameText>) {
        let (scanned, line, text_end) = (self.scanned, self.line, self.text_end);
        let there = usize::try_from(self.doubtful.0.saturating_sub(self.base)).unwrap_or(0);
        (self.scanned, self.line) = (there.clamp(self.start, scanned), self.doubtful.1);
        self.close_game(pieces);
        (self.scanned, self.line, self.text_end) = (scanned, line, text_end.max(self.start));
    }

    fn piece(&self, range: std::ops::Range<usize>, cut_short: bool) -> GameText {
        GameText { byte: self.base + range.start as u64, line: self.start_line, range, cut_short }
    }

    /// When the buffer holds more than the largest game, lets go of what cannot be needed: the rest of a game
    /// that is too large, and blanks.
    fn make_room(&mut self, pieces: &mut Vec<GameText>) {
        if self.buffer.len() - self.start <= MAX_GAME_BYTES {
            return;
        }
        if self.buffer.len() - self.scanned >= LONG_LINE {
            self.take_line(self.buffer.len(), pieces);
            // A tag pair may stand behind blanks.
            self.within_line |= self.text_end > self.scanned;
            self.scanned = self.buffer.len();
        }
        if self.is_behind_gap() {
            self.close_game(pieces);
        } else if self.dropping {
            (self.start, self.text_end) = (self.scanned, self.scanned);
        }
    }

    /// Moves the finished games out of the buffer.
    fn take_batch(&mut self, pieces: Vec<GameText>) -> Option<GameBatch> {
        if pieces.is_empty() && self.ended {
            return None;
        }
        let rest = self.buffer.split_off(self.start);
        let text = std::mem::replace(&mut self.buffer, rest);
        self.base += self.start as u64;
        self.scanned -= self.start;
        self.text_end -= self.start;
        self.start = 0;
        Some(GameBatch { text, pieces })
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
        let mut cutter = GameSplitter::new(Slow(text.as_bytes(), portion));
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

    /// Lines among moves that look like tag pairs; some of them begin a game.
    const DOUBTFUL: &str = "[Event \"a\"]\n\n1. e4\n[Source \"x\"]\n% y\n1... e5\n\n[Source \"z\"]\n\n2. d4\n\
        [White \"w\"]\n\n[Black \"b\"]\n\n1. c4\n[White \"v\"]\n1. b4\n{c}\n[Site \"s\"]\n*\n[Site \"t\"]\n";

    #[test]
    fn a_line_like_a_tag_pair_begins_a_game_if_the_next_lines_say_so() {
        let games = cut(DOUBTFUL, 1 << 20, 1 << 20);
        let places: Vec<(u64, usize)> =
            games.iter().map(|(game, _, line)| (*line, game.lines().count())).collect();
        assert_eq!(places, [(1, 10), (11, 5), (16, 5), (21, 1)], "{games:#?}");
    }

    #[test]
    fn the_pieces_do_not_depend_on_portions_or_line_ends() {
        for text in [TEXT, DOUBTFUL] {
            let whole = cut(text, 1 << 20, 1 << 20);
            for (portion, bytes) in [(1, 1), (7, 30), (64, 1), (1000, 100)] {
                assert_eq!(cut(text, portion, bytes), whole);
            }
            for end in ["\r\n", "\r"] {
                let other = cut(&text.replace('\n', end), 3, 50);
                let back = other.iter().map(|(game, _, line)| (game.replace(end, "\n"), *line));
                let expected = whole.iter().map(|(game, _, line)| (game.clone(), *line));
                assert!(back.eq(expected));
            }
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
        let mut cutter = GameSplitter::new(Failing(text.as_bytes()));
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
        let mut cutter = GameSplitter::new(TEXT.as_bytes());
        let mut done = 0;
        while let Some(batch) = cutter.next_batch(1).unwrap() {
            done += batch.pieces.len();
            let (byte, line) = cutter.boundary().unwrap();
            let rest = &TEXT.as_bytes()[usize::try_from(byte).unwrap()..];
            let mut other = GameSplitter::at(rest, byte, line);
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
    fn a_batch_has_no_more_games_than_it_may_and_its_border_is_behind_them() {
        let text = "[Event \"a\"]\n*\n".repeat(5 * MOST_GAMES + 7);
        let (mut cutter, mut games) = (GameSplitter::new(text.as_bytes()), 0);
        while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
            assert!(batch.pieces.len() <= MOST_GAMES);
            games += batch.pieces.len();
            let whole = (games as u64 * 14, games as u64 * 2 + 1);
            assert_eq!(cutter.boundary(), Some(whole));
            assert!(
                batch.pieces.iter().all(|piece| &batch.text[piece.range.clone()] == b"[Event \"a\"]\n*\n")
            );
        }
        assert_eq!(games, 5 * MOST_GAMES + 7);
    }

    #[test]
    fn a_game_too_large_is_dropped_and_the_next_one_found() {
        let text = format!("[Event \"big\"]\n\n{{{}}} *\n\n[Event \"next\"]\n\n*\n", "x\n".repeat(9 << 20));
        let mut cutter = GameSplitter::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
            assert!(batch.text.len() < MAX_GAME_BYTES + 2 * PORTION);
            seen.extend(batch.pieces.iter().map(|piece| (piece.cut_short, piece.line)));
        }
        assert_eq!(seen, [(true, 1), (false, (9 << 20) + 5)]);
    }

    /// The pieces of a text: whether each is cut short, its first byte, line and length.
    fn pieces(text: &[u8], bytes: usize) -> Vec<(bool, u64, u64, usize)> {
        let mut cutter = GameSplitter::new(text);
        let mut seen = Vec::new();
        while let Some(batch) = cutter.next_batch(bytes).unwrap() {
            assert!(batch.text.len() < MAX_GAME_BYTES + 2 * PORTION);
            let piece = |piece: &GameText| (piece.cut_short, piece.byte, piece.line, piece.range.len());
            seen.extend(batch.pieces.iter().map(piece));
        }
        seen
    }

    #[test]
    fn the_largest_game_is_read_and_one_byte_more_is_too_large() {
        for line in ["x\n", &format!("{}\n", "x".repeat(127)), &"x".repeat(1 << 20)] {
            for (more, cut_short) in [(0, false), (1, true)] {
                let text = "[Event \"a\"]\n\n".to_owned() + &line.repeat(MAX_GAME_BYTES / line.len());
                let text = text[..MAX_GAME_BYTES - 1].trim_end().to_owned();
                let text = text.clone() + &"y".repeat(MAX_GAME_BYTES + more - text.len());
                for after in ["", "\n\n[Event \"b\"]\n\n*\n"] {
                    let found = pieces((text.clone() + after).as_bytes(), 1 << 20);
                    assert_eq!((found[0].0, found.len()), (cut_short, if after.is_empty() { 1 } else { 2 }));
                    assert!(!found.last().unwrap().0 || after.is_empty());
                }
            }
        }
    }

    #[test]
    fn blanks_make_no_game_too_large() {
        let next = "[Event \"b\"]\n\n*\n";
        for blank in ["\n", "\0", " ", "\n\0"] {
            let blanks = blank.repeat((17 << 20) / blank.len());
            let game = "[Event \"a\"]\n\n1. e4 *";
            let found = pieces(format!("{game}{blanks}").as_bytes(), 1 << 20);
            assert_eq!(found.len(), 1, "{blank:?}");
            assert_eq!(found[0], (false, 0, 1, game.len()));
            let before = pieces(format!("{blanks}{}\n{next}", "\n".repeat(500_000)).as_bytes(), 1 << 20);
            assert_eq!((before.len(), before[0].0, before[0].3), (1, false, next.len()), "{blank:?}");
            let found = pieces(format!("{game}{blanks}\n{next}").as_bytes(), 1 << 20);
            let byte = (game.len() + blanks.len() + 1) as u64;
            assert_eq!((found.len(), found[1].1), (2, byte), "{blank:?}");
            assert_eq!(found[1].2, 4 + blanks.matches('\n').count() as u64);
        }
    }

    #[test]
    fn a_comment_of_one_endless_line_hides_the_tags_in_it() {
        let text = format!(
            "[Event \"a\"]\n\n1. e4 {{{}\n[Site \"no\"]\n}} *\n\n[Event \"b\"]\n\n*\n",
            "x".repeat(40 << 20)
        );
        let found = pieces(text.as_bytes(), 1 << 20);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].0, found[1].0), (true, false));
    }
}
