//! Where games begin in a text, line by line.
//!
//! A game of PGN begins at a line that begins with
//! * a tag pair, after movetext;
//! * a tag pair among others, if it is one of the seven-tag roster that the game already has (games without moves);
//! * the number of a first move, after a result and a long text without tag pairs.
//!
//! A blank line alone is no border: it may stand between tags and inside a movetext. Inside a comment a tag
//! pair is text, but for an `[Event` line after a blank line: there somebody forgot a brace, and the next
//! game must not suffer.

use memchr::{memchr, memchr2};

use super::tags::{roster_place, tag_name};

/// Bytes of games without tag pairs that stay together: each piece is read by one thread.
const UNTAGGED: usize = 64 << 10;

/// Says where games begin, line by line: what a cutter has to know of the form of its text. Lines come without
/// their ends and the blanks before those.
pub trait Borders {
    /// Takes note of the next line; tells whether a game begins at it.
    fn begins(&mut self, line: &[u8]) -> bool;

    /// Takes note of more of a line that is so long that only its beginning has been looked at.
    fn go_on(&mut self, part: &[u8]);
}

/// The borders between games of PGN.
#[derive(Clone, Debug)]
pub struct PgnBorders {
    part: Part,
    after_blank: bool,
    roster: u8,
    tagged: bool,
    /// Of a game without tag pairs: the bytes of its lines, and whether the last one ended with a result.
    bytes: usize,
    ended: bool,
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
        PgnBorders { part: Part::Tags, after_blank: true, roster: 0, tagged: false, bytes: 0, ended: false }
    }
}

impl Borders for PgnBorders {
    fn begins(&mut self, line: &[u8]) -> bool {
        let name = if could_be_tag(line) { tag_name(line) } else { None };
        let bit = name.map_or(0, roster_bit);
        let begins = match self.part {
            Part::Tags => self.roster & bit != 0,
            Part::Movetext => name.is_some() || self.is_next_untagged(line),
            Part::Comment => self.after_blank && name == Some(b"Event"),
        };
        if begins {
            *self = PgnBorders::default();
        }
        self.after_blank = line.is_empty();
        if self.part != Part::Comment && name.is_some() {
            (self.part, self.tagged) = (Part::Tags, true);
            self.roster |= bit;
        } else if self.part == Part::Comment || !line.is_empty() && line[0] != b'%' {
            self.go_on(line);
        }
        begins
    }

    fn go_on(&mut self, part: &[u8]) {
        if !self.tagged {
            self.bytes += part.len();
            self.ended = ends_with_result(part);
        }
        self.follow(part);
    }
}

impl PgnBorders {
    /// Whether a line of movetext begins another game without tag pairs. A few such games stay together.
    fn is_next_untagged(&self, line: &[u8]) -> bool {
        !self.tagged && self.ended && self.bytes >= UNTAGGED && line.starts_with(b"1.")
    }

    /// Follows the comments of a line of movetext.
    fn follow(&mut self, mut line: &[u8]) {
        if self.part == Part::Comment {
            match memchr(b'}', line) {
                Some(close) => line = &line[close + 1..],
                None => return,
            }
        }
        self.part = comment_after(line);
    }
}

/// Whether a text ends with the result of a game.
pub fn ends_with_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| text.ends_with(result))
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
    use super::{
        super::{Cutter, Piece},
        *,
    };

    /// The pieces that a text is cut into.
    fn pieces(text: &str) -> Vec<Piece> {
        let mut cutter = Cutter::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(batch) = cutter.next_batch(1).unwrap() {
            seen.extend(batch.pieces);
        }
        seen
    }

    #[test]
    fn blank_lines_of_any_kind_part_nothing() {
        let found = pieces("\u{feff} \n[Event \"a\"]\n\0\0\n[White \"w\"]\n\n1. e4 *\n");
        assert_eq!((found.len(), found[0].line), (1, 2));
    }

    #[test]
    fn games_without_tags_are_parted_at_results_once_they_are_many() {
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
}
