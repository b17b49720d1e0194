//! Finds where games begin in a text, line by line.
//!
//! A PGN game begins at a line that starts with
//! * a tag pair, after movetext. A single line that looks like a tag pair among the moves belongs to the game if moves
//!   follow it;
//! * a tag pair of the seven-tag roster that the game already has, if it is the game's first roster tag and others came
//!   between, or follows a blank line (games without moves). Any other repeated tag is a duplicate within one game;
//! * the number of a first move, after a result or a blank line and a long text without tag pairs.
//!
//! It also begins within a line, at a tag pair directly after a result, or after moves if no more moves follow on the line.
//!
//! A line among the tag pairs that is none (see [`bad_tags`](super::bad_tags)) belongs to the game, too.
//!
//! A blank line alone is not a boundary: it may separate tags or appear inside a movetext. Nor is a comment between
//! tags or before them. Inside a comment a tag pair is text, unless the brace was [never closed](super::comment_end).

use memchr::{memchr, memchr3, memmem};

use super::{
    bad_tags::{bad_tag_length, is_text},
    comment_end::{continues, tag_in_comment},
    tag_line::{is_tag_rest, tag_name, tag_of_line, without_blank_end},
    tags::after_tag_pair,
};
use plybook_chess::chess::roster_place;

/// Bytes of games without tag pairs that are kept together and read by one thread.
// Games without tags need no blank line between them, so the only certain boundary is a result followed by the number
// of a first move. Splitting at each one would make every short game an item of its own; splitting at none would give
// a source without tags to a single thread.
const UNTAGGED: usize = 64 << 10;

/// Longest end of a line, in bytes, that is searched for the tag pairs of a game after moves.
const LAST_TAGS: usize = 1024;

/// Finds where games begin, line by line: the part of a splitter that depends on the text format. Lines are passed
/// without line ends and trailing spaces, and very long ones in parts. Returns how many bytes were processed: if a game
/// may begin within the line, the rest is passed to `begins`.
pub trait Boundaries {
    /// Processes the next line, or its first part, and returns whether a game begins there.
    fn begins(&mut self, line: &[u8], ahead: Ahead<'_>) -> (Boundary, usize);

    /// Processes the next part of a line.
    fn continue_line(&mut self, part: &[u8]) -> usize;
}

/// The text from a line on, as far as it has been read.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// The text.
    pub text: &'a [u8],
    /// Whether it has been read to the end of the source.
    pub is_all: bool,
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
    /// More text is needed; the line is passed again with it.
    Unknown,
}

/// The boundaries between PGN games.
#[derive(Clone, Debug, Default)]
pub struct PgnBoundaries {
    section: ScanState,
    /// Whether the line comes after one that is not blank.
    after_text: bool,
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
    /// Whether the current comment is known to be closed.
    closed: bool,
    /// Whether the rest of the line is a comment, or an escaped line.
    hidden: bool,
    /// Whether the value of a tag pair may continue on the next line.
    open_value: bool,
    /// Whether a tag pair follows the first roster tag.
    has_others: bool,
    /// Whether the line comes after a blank one.
    apart: bool,
    /// Whether the last line was text among tag pairs.
    text: bool,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ScanState {
    #[default]
    Tags,
    Movetext,
    Comment,
    /// A comment before or between tag pairs.
    TagComment,
}

impl Boundaries for PgnBoundaries {
    fn begins(&mut self, line: &[u8], ahead: Ahead<'_>) -> (Boundary, usize) {
        let name = match self.section {
            ScanState::Comment | ScanState::TagComment => tag_in_comment(line),
            ScanState::Tags | ScanState::Movetext => tag_of_line(line),
        };
        let bit = name.map_or(0, roster_bit);
        self.hidden = false;
        let boundary = match self.section {
            // Games without moves: a broadcast export of 605 such games was read as a single game by pgn-reader, which
            // collects tags until moves come. A repeated roster tag is the only sign of the next game there.
            ScanState::Tags
                if self.roster & bit != 0 && (!self.after_text || bit == self.first && self.has_others) =>
            {
                Boundary::Here
            }
            ScanState::Movetext if self.doubtful.is_some() => self.decide(line, name),
            ScanState::Movetext => match name {
                Some(_) if self.has_ended() => Boundary::Here,
                Some(name) if may_be_stray(name) => Boundary::Perhaps,
                Some(_) => Boundary::Here,
                None if self.is_next_untagged(line) => Boundary::Here,
                // It begins the tags of the next game.
                None if line.starts_with(b"[") && self.has_ended() && bad_tag_length(line).is_some() => {
                    Boundary::Here
                }
                None => Boundary::Within,
            },
            ScanState::Comment | ScanState::TagComment if name.is_some() => self.at_tag_in_comment(ahead),
            _ => Boundary::Within,
        };
        match boundary {
            Boundary::Unknown => return (boundary, 0),
            Boundary::Within => {}
            Boundary::Here => *self = PgnBoundaries::default(),
            Boundary::There => {
                let roster = self.doubtful.map_or(0, |doubtful| doubtful.bit);
                *self = PgnBoundaries { roster, first: roster, tagged: true, ..PgnBoundaries::default() };
            }
            Boundary::Perhaps => {
                self.doubtful = Some(Doubtful { bit, apart: !self.after_text });
                self.after_text = true;
                return (boundary, line.len());
            }
        }
        self.apart = !std::mem::replace(&mut self.after_text, !line.is_empty());
        if std::mem::take(&mut self.text) && !self.after_text {
            self.section = ScanState::Movetext;
        }
        let is_rest = std::mem::take(&mut self.open_value) && is_tag_rest(line);
        let rest = match self.section {
            ScanState::Tags if name.is_some() => self.take_tag(bit, line),
            ScanState::Tags if is_rest => &[],
            ScanState::Tags | ScanState::Movetext => {
                self.hidden = line.first() == Some(&b'%');
                line
            }
            ScanState::Comment | ScanState::TagComment => line,
        };
        (boundary, line.len() - rest.len() + self.continue_line(rest))
    }

    fn continue_line(&mut self, part: &[u8]) -> usize {
        let taken = if self.hidden { part.len() } else { self.take(part) };
        if !self.tagged {
            self.bytes += taken;
        }
        taken
    }
}

impl PgnBoundaries {
    /// Processes a line of the game, or a part of it, up to where another game may begin.
    fn take(&mut self, line: &[u8]) -> usize {
        let mut rest = line;
        while !rest.is_empty() {
            rest = match self.section {
                ScanState::Comment | ScanState::TagComment => self.comment(rest),
                ScanState::Tags => self.tags(rest),
                ScanState::Movetext => match self.movetext(rest) {
                    Ok(rest) => rest,
                    Err(next) => return line.len() - next.len(),
                },
            };
        }
        line.len()
    }

    /// Skips a comment.
    fn comment<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let Some(close) = memchr(b'}', text) else { return &[] };
        self.section = match self.section {
            ScanState::TagComment => ScanState::Tags,
            _ => ScanState::Movetext,
        };
        &text[close + 1..]
    }

    /// Decides at a line like a tag pair whether the comment that it is in was closed.
    fn at_tag_in_comment(&mut self, ahead: Ahead<'_>) -> Boundary {
        // The next brace stays the same up to the end of the comment; searching for it at each line would take quadratic
        // time.
        let is_closed = if self.closed { Some(true) } else { continues(ahead.text, ahead.is_all) };
        self.closed = is_closed == Some(true);
        match is_closed {
            Some(true) => Boundary::Within,
            Some(false) => Boundary::Here,
            None => Boundary::Unknown,
        }
    }

    /// Begins a comment.
    fn open(&mut self, section: ScanState) {
        (self.section, self.closed) = (section, false);
    }

    /// Adds the tag pair at the start of a text, and returns the rest.
    fn take_tag<'a>(&mut self, bit: u8, text: &'a [u8]) -> &'a [u8] {
        self.has_others |= self.roster != 0 && bit != self.first;
        if self.roster == 0 {
            self.first = bit;
        }
        self.apart = false;
        (self.tagged, self.roster) = (true, self.roster | bit);
        let rest = after_tag_pair(text);
        self.open_value = rest.is_empty() && !text.ends_with(b"]");
        rest
    }

    /// Processes a tag pair, or what may be next to it; the movetext begins at anything else.
    fn tags<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let text = text.trim_ascii_start();
        match (text.first(), tag_name(text)) {
            (Some(b'{'), _) => {
                self.open(ScanState::TagComment);
                &text[1..]
            }
            (Some(b';'), _) => {
                self.hidden = true;
                &[]
            }
            (_, Some(name)) => self.take_tag(roster_bit(name), text),
            _ => match bad_tag_length(text) {
                Some(length) => &text[length..],
                None if self.tagged && !self.apart && is_text(text) => {
                    self.text = true;
                    &[]
                }
                None => {
                    self.section = ScanState::Movetext;
                    text
                }
            },
        }
    }

    /// Processes movetext up to the next comment or bracket, and remembers its last bytes. Returns the rest, or as an
    /// error the text with which another game may begin.
    fn movetext<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8], &'a [u8]> {
        let mark = memchr3(b'{', b';', b'[', text).unwrap_or(text.len());
        let next = self.next_untagged(&text[..mark]);
        let (moves, rest) = text.split_at(next.unwrap_or(mark));
        let moves = without_blank_end(moves);
        if !moves.is_empty() {
            self.tail = moves.last_chunk().copied().unwrap_or_else(|| last_of_short(moves));
        }
        match rest.split_first() {
            _ if next.is_some() => Err(rest),
            Some((b'{', comment)) => {
                self.open(ScanState::Comment);
                Ok(comment)
            }
            Some((b'[', _)) if tag_name(rest).is_some_and(|name| self.may_begin(name, rest)) => Err(rest),
            Some((b'[', after)) => Ok(after),
            semicolon => {
                self.hidden = semicolon.is_some();
                Ok(&[])
            }
        }
    }

    /// Whether a game may begin at a tag pair within a line: after a result, or if no moves follow on the line.
    fn may_begin(&self, name: &[u8], rest: &[u8]) -> bool {
        let is_last = |after: &[u8]| after.is_empty() || tag_name(after).is_some();
        // A line of many brackets must not be searched to its end for each of them.
        self.has_ended() || !may_be_stray(name) || rest.len() <= LAST_TAGS && is_last(after_tag_pair(rest))
    }

    /// Where another game without tag pairs begins within a text.
    fn next_untagged(&self, moves: &[u8]) -> Option<usize> {
        if self.tagged || self.bytes < UNTAGGED {
            return None;
        }
        memmem::find_iter(moves, b" 1.").find(|&at| ends_with_result(&moves[..at])).map(|at| at + 1)
    }

    /// Whether the moves end with a result.
    fn has_ended(&self) -> bool {
        matches!(&self.tail, b"1-0" | b"0-1" | b"1/2" | b"1:0" | b"0:1" | b"0-0" | b"- 0" | b"- 1")
            || matches!(&self.tail, b"0.5" | b"0,5" | b"0.0" | b"0,0" | b"1.0" | b"1,0")
            || matches!(self.tail, [.., b'*'] | [_, 0xc2, 0xbd] | [0x80, 0x93 | 0x94, b'0' | b'1'])
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
            Some(b'[') if bad_tag_length(line).is_some() => return Boundary::There,
            Some(byte) if doubtful.apart && (!byte.is_ascii_digit() || begins_with_result(line)) => {
                return Boundary::There;
            }
            Some(_) => self.doubtful = None,
        }
        Boundary::Within
    }

    /// Whether a line of movetext begins another game without tag pairs. A few such games are kept together.
    fn is_next_untagged(&self, line: &[u8]) -> bool {
        let has_ended = || !self.after_text || ends_with_result(&self.tail);
        !self.tagged && self.bytes >= UNTAGGED && line.starts_with(b"1.") && has_ended()
    }
}

/// Whether a line like a tag pair among moves may be a stray line: not if its tag is one that begins games.
// These four tags change how the moves are read or start nearly every game, so keeping them as a comment would be
// worse than splitting here.
fn may_be_stray(name: &[u8]) -> bool {
    !matches!(name, b"Event" | b"FEN" | b"SetUp" | b"Variant")
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

/// One bit for each name of the seven-tag roster; 0 for other names.
fn roster_bit(name: &[u8]) -> u8 {
    roster_place(name).map_or(0, |place| 1 << place)
}

#[cfg(test)]
mod tests;
