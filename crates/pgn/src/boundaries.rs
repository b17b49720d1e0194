//! Finds where games begin in a text, line by line.
//!
//! A PGN game begins at a line that starts with
//! * a tag pair, after movetext. A single line that looks like a tag pair among the moves belongs to the game if moves
//!   follow it;
//! * a tag pair of the seven-tag roster that the game already has, if it is the game's first roster tag or follows a
//!   blank line (games without moves). Any other repeated tag is a duplicate within one game;
//! * the number of a first move, after a result and a long text without tag pairs.
//!
//! A blank line alone is not a boundary: it may separate tags or appear inside a movetext. Nor is a comment between
//! tags or before them. Inside a comment a tag pair is text, except for an `[Event` line after a blank line: the
//! closing brace is missing there, and the next game must not be lost.

use memchr::{memchr, memchr2};

use super::tags::{is_tag_rest, tag_name};
use plybook_chess::chess::roster_place;

/// Bytes of games without tag pairs that are kept together and read by one thread.
// Games without tags need no blank line between them, so the only certain boundary is a result followed by the number
// of a first move. Splitting at each one would make every short game an item of its own; splitting at none would give
// a source without tags to a single thread.
const UNTAGGED: usize = 64 << 10;

/// Finds where games begin, line by line: the part of a splitter that depends on the text format. Lines are passed
/// without line ends and trailing spaces.
pub trait Boundaries {
    /// Processes the next line and returns whether a game begins there.
    fn begins(&mut self, line: &[u8]) -> Boundary;

    /// Processes more of a line that is so long that only its beginning was passed to `begins`.
    fn continue_line(&mut self, part: &[u8]);
}

/// What a line says about game boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// No game begins here.
    Within,
    /// A game begins here.
    Here,
    /// A game may begin here; the next lines decide.
    Perhaps,
    /// A game begins at the last line that returned `Perhaps`.
    There,
}

/// The boundaries between PGN games.
#[derive(Clone, Debug)]
pub struct PgnBoundaries {
    section: ScanState,
    after_blank: bool,
    roster: u8,
    /// The first roster tag.
    first: u8,
    tagged: bool,
    /// Number of bytes in a game without tag pairs.
    bytes: usize,
    /// The last bytes of movetext outside comments.
    tail: [u8; 3],
    /// A line among the moves that looks like a tag pair.
    doubtful: Option<Doubtful>,
}

/// A line that may begin a game or may be a stray line within a movetext.
#[derive(Clone, Copy, Debug)]
struct Doubtful {
    /// Its roster tag.
    bit: u8,
    /// Whether a blank line comes before or after it.
    apart: bool,
}

/// Position of the scan within a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScanState {
    Tags,
    Movetext,
    Comment,
    /// A comment before or between tag pairs.
    TagComment,
}

impl Default for PgnBoundaries {
    fn default() -> PgnBoundaries {
        PgnBoundaries {
            section: ScanState::Tags,
            after_blank: true,
            roster: 0,
            first: 0,
            tagged: false,
            bytes: 0,
            tail: [0; 3],
            doubtful: None,
        }
    }
}

impl Boundaries for PgnBoundaries {
    fn begins(&mut self, line: &[u8]) -> Boundary {
        let name = if could_be_tag(line) { tag_name(line) } else { None };
        let bit = name.map_or(0, roster_bit);
        let boundary = match self.section {
            // Games without moves: a broadcast export of 605 such games was read as a single game by pgn-reader, which
            // collects tags until moves come. A repeated roster tag is the only sign of the next game there.
            ScanState::Tags if self.roster & bit != 0 && (self.after_blank || bit == self.first) => {
                Boundary::Here
            }
            ScanState::Movetext if self.doubtful.is_some() => self.decide(line, name),
            ScanState::Movetext => match name {
                Some(name) if self.may_be_stray(name) => Boundary::Perhaps,
                Some(_) => Boundary::Here,
                None if self.is_next_untagged(line) => Boundary::Here,
                None => Boundary::Within,
            },
            // A splitter that skips comments completely would lose all games after an unclosed brace; one that ignores
            // comments would split at a tag pair quoted in a comment. A blank line followed by an Event tag is the
            // safest sign that the brace is missing.
            ScanState::Comment | ScanState::TagComment if self.after_blank && name == Some(b"Event") => {
                Boundary::Here
            }
            _ => Boundary::Within,
        };
        match boundary {
            Boundary::Within => {}
            Boundary::Here => *self = PgnBoundaries::default(),
            Boundary::There => {
                let roster = self.doubtful.map_or(0, |doubtful| doubtful.bit);
                *self = PgnBoundaries { roster, first: roster, tagged: true, ..PgnBoundaries::default() };
            }
            Boundary::Perhaps => {
                self.doubtful = Some(Doubtful { bit, apart: self.after_blank });
                self.after_blank = false;
                return boundary;
            }
        }
        self.after_blank = line.is_empty();
        self.take(line, name.is_some(), bit);
        boundary
    }

    fn continue_line(&mut self, part: &[u8]) {
        if self.section == ScanState::TagComment {
            return self.take(part, false, 0);
        }
        if !self.tagged {
            self.bytes += part.len();
        }
        self.follow(part);
    }
}

impl PgnBoundaries {
    /// Processes a line of the game.
    fn take(&mut self, line: &[u8], is_tag: bool, bit: u8) {
        match self.section {
            ScanState::Tags | ScanState::Movetext if is_tag => {
                (self.section, self.tagged) = (ScanState::Tags, true);
                if self.roster == 0 {
                    self.first = bit;
                }
                self.roster |= bit;
            }
            ScanState::Tags if matches!(line.first(), Some(b'{' | b';')) => self.comments_among_tags(line),
            ScanState::Tags if is_tag_rest(line) => {}
            ScanState::Tags | ScanState::Movetext if matches!(line.first(), None | Some(b'%')) => {}
            ScanState::Tags | ScanState::Movetext | ScanState::Comment => self.continue_line(line),
            ScanState::TagComment => {
                if let Some(close) = memchr(b'}', line) {
                    self.comments_among_tags(&line[close + 1..]);
                }
            }
        }
    }

    /// Skips the comments at the start of a line. More tags may follow if the line has nothing else.
    fn comments_among_tags(&mut self, line: &[u8]) {
        let mut rest = line.trim_ascii_start();
        self.section = ScanState::Tags;
        while rest.first() == Some(&b'{') {
            let Some(close) = memchr(b'}', rest) else {
                self.section = ScanState::TagComment;
                return;
            };
            rest = rest[close + 1..].trim_ascii_start();
        }
        match (rest.first(), tag_name(rest)) {
            (None | Some(b';'), _) => {}
            (_, Some(name)) => self.take(b"", true, roster_bit(name)),
            (_, None) => self.continue_line(rest),
        }
    }

    /// Whether a line like a tag pair after movetext may be a stray line: not if the game has ended, or if the tag is
    /// one that begins games.
    // These four tags change how the moves are read or start nearly every game, so keeping them as a comment would be
    // worse than splitting here.
    fn may_be_stray(&self, name: &[u8]) -> bool {
        let ended =
            matches!(&self.tail, b"1-0" | b"0-1" | b"1/2" | b"1:0" | b"0:1" | b"0-0" | b"- 0" | b"- 1")
                || matches!(self.tail, [.., b'*'] | [_, 0xc2, 0xbd]);
        !ended && !matches!(name, b"Event" | b"FEN" | b"SetUp" | b"Variant")
    }

    /// Uses a later line to decide whether a doubtful one began a game.
    fn decide(&mut self, line: &[u8], name: Option<&[u8]>) -> Boundary {
        // One line is not enough to decide: real files have both stray tag pairs among the moves and games that begin
        // right after moves. The next line with content shows which one it is.
        let Some(doubtful) = &mut self.doubtful else { return Boundary::Within };
        let first_move = [&b"1."[..], b"1 "].iter().any(|number| line.starts_with(number));
        match line.first() {
            None => doubtful.apart = true,
            Some(b'%') => {}
            _ if name.is_some() || first_move && !line.starts_with(b"1..") => return Boundary::There,
            Some(byte) if doubtful.apart && (!byte.is_ascii_digit() || begins_with_result(line)) => {
                return Boundary::There;
            }
            Some(_) => self.doubtful = None,
        }
        Boundary::Within
    }

    /// Whether a line of movetext begins another game without tag pairs. A few such games are kept together.
    fn is_next_untagged(&self, line: &[u8]) -> bool {
        !self.tagged && self.bytes >= UNTAGGED && line.starts_with(b"1.") && ends_with_result(&self.tail)
    }

    /// Follows the comments in a line of movetext and remembers the last bytes outside them.
    fn follow(&mut self, mut line: &[u8]) {
        if self.section == ScanState::Comment {
            match memchr(b'}', line) {
                Some(close) => line = &line[close + 1..],
                None => return,
            }
        }
        self.section = ScanState::Movetext;
        loop {
            let mark = memchr2(b'{', b';', line);
            let moves = line[..mark.unwrap_or(line.len())].trim_ascii_end();
            if !moves.is_empty() {
                self.tail = moves.last_chunk().copied().unwrap_or_else(|| last_of_short(moves));
            }
            let Some(open) = mark.filter(|&mark| line[mark] == b'{') else { return };
            match memchr(b'}', &line[open..]) {
                Some(close) => line = &line[open + close + 1..],
                None => {
                    self.section = ScanState::Comment;
                    return;
                }
            }
        }
    }
}

/// The last bytes of a line that has fewer than three.
fn last_of_short(line: &[u8]) -> [u8; 3] {
    let mut tail = [0; 3];
    tail.iter_mut().rev().zip(line.iter().rev()).for_each(|(to, from)| *to = *from);
    tail
}

/// Whether a line begins with a game result.
fn begins_with_result(line: &[u8]) -> bool {
    [&b"1-0"[..], b"0-1", b"1/2", b"1:0", b"0:1"].iter().any(|result| line.starts_with(result))
}

/// Whether a text ends with a game result.
pub fn ends_with_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    [&b"1-0"[..], b"0-1", b"1/2", b"*"].iter().any(|result| text.ends_with(result))
}

/// A quick check before the full one: a bracket among the first bytes.
fn could_be_tag(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'[' | b' ' | b'\t' | 0 | 0xef))
}

/// One bit for each name of the seven-tag roster; 0 for other names.
fn roster_bit(name: &[u8]) -> u8 {
    roster_place(name).map_or(0, |place| 1 << place)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{GameSplitter, GameText},
        *,
    };

    /// The pieces that a text is split into.
    fn pieces(text: &str) -> Vec<GameText> {
        let mut cutter = GameSplitter::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(batch) = cutter.next_batch(1).unwrap() {
            seen.extend(batch.games);
        }
        seen
    }

    #[test]
    fn blank_lines_are_not_boundaries() {
        let found = pieces("\u{feff} \n[Event \"a\"]\n\0\0\n[White \"w\"]\n\n1. e4 *\n");
        assert_eq!((found.len(), found[0].line), (1, 2));
    }

    #[test]
    fn many_games_without_tags_are_split_at_results() {
        let few = "1. e4 e5\n1. d4 *\n".repeat(100);
        assert_eq!(pieces(&few).len(), 1);
        let many = "1. e4 e5\n2. Nf3 *\n".repeat(100_000);
        let found = pieces(&many);
        assert!(
            found.len() > 20 && found.iter().all(|piece| piece.range.len() < 2 * UNTAGGED),
            "{}",
            found.len()
        );
        assert!(found.iter().all(|piece| piece.byte % 18 == 0), "{:?}", &found[..3]);
        let endless = "1. e4 e5\n1. Nf3 Nf6\n".repeat(100_000);
        assert_eq!(pieces(&endless).len(), 1);
    }

    #[test]
    fn a_comment_after_a_result_hides_no_game() {
        for comment in ["{A won}", "; A won", "{A\nwon}", "{A won}\n; at last", "{A} {won} ; at last"] {
            let text = format!(
                "[White \"A\"]\n\n1. e4 e5 1-0 {comment}\n\n[White \"B\"]\n\n1-0 {{forfeit}}\n\n\
                 [White \"C\"]\n\n0-1 {{forfeit}}\n"
            );
            assert_eq!(pieces(&text).len(), 3, "{text}");
        }
        // A result in a comment does not end the game.
        assert_eq!(pieces("[White \"A\"]\n\n1. e4 e5 {not 1-0}\n[Source \"x\"]\n2. Nf3 *\n").len(), 1);
    }

    #[test]
    fn a_game_with_only_a_result_follows_one_without_a_result() {
        for result in ["1-0", "0-1", "1/2-1/2", "1:0", "*"] {
            let text = format!("[White \"A\"]\n\n1. e4 e5\n\n[White \"B\"]\n\n{result}\n");
            assert_eq!(pieces(&text).len(), 2, "{text}");
        }
    }
}
