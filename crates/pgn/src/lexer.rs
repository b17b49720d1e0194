//! The tokens of a movetext. Every byte belongs to a token or to white space; nothing is skipped silently.

mod fast_lane;

use memchr::memchr2;
use pgn_reader::Nag;

pub use fast_lane::PlainMovetext;

use super::{
    comment_end::comment_length,
    lenient_san::looks_like_move,
    piece_letters::PieceLetters,
    result::odd_result,
    tag_line::{DOS_END, tag_name},
    warning::Warning,
};
use plybook_chess::rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS};

/// A token of a movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A move, or any other word.
    Word(&'a [u8]),
    /// A move number without its dots.
    Number(usize),
    /// A result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(Outcome),
    /// A result in another notation: `1/2`, `1:0`, `1 - 0`.
    OddResult(&'a [u8]),
    /// A comment in braces or to the end of the line, without its delimiters.
    Comment(&'a [u8]),
    /// A comment whose brace is never closed.
    OpenComment,
    /// A numeric annotation glyph, also as `!?`.
    Nag(u16),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A line that begins with `%`, which PGN reserves for data of other programs.
    Escape,
    /// Text that is kept as a comment, and the warning about it: a comment that contains braces; a `%` in the middle of a
    /// line with what it hides, the rest of its word or, if no move follows, of its line; `(=)`, the sign of a draw offer
    /// on a scoresheet; a line that looks like a tag pair.
    Kept(&'a [u8], Warning),
}

/// Iterates over the tokens of a movetext, each with its byte offset.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// How many more times the end of a comment with nested braces may be searched for.
    nested: u8,
    /// The end of the line of the last `%`, and the first parenthesis or brace after it in that line, or the end of
    /// the line. A line with many of them must not be scanned for each one.
    line_end: usize,
    mark: usize,
}

/// Bytes that are searched for the end of a comment with nested braces.
// Without this limit and the limit on their number below, a movetext of opening braces would be searched
// quadratically.
const NESTED_COMMENT: usize = 16 << 10;

impl<'a> Lexer<'a> {
    /// The tokens of a movetext.
    pub fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0, nested: 100, line_end: 0, mark: 0 }
    }

    /// The byte after the last token.
    pub fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n' | b'.' | b',' | 0 | 0x0b | 0x0c | &DOS_END) => self.at += 1,
                Some(&NBSP_LEAD) if self.text.get(self.at + 1) == Some(&0xa0) => self.at += 2,
                Some(0xe2) if self.rest().starts_with(ELLIPSIS) => self.at += ELLIPSIS.len(),
                _ => return,
            }
        }
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text.get(self.at - 1), Some(b'\n' | b'\r'))
    }

    /// Takes a token of one byte.
    fn take_byte(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// Takes the bytes up to the end of the line.
    fn take_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn take_brace(&mut self) -> Token<'a> {
        let rest = &self.rest()[1..];
        match comment_length(rest) {
            Some(end) => {
                let nested = if rest[..end].contains(&b'{') { self.nested_end(rest, end) } else { None };
                let end_of_text = nested.unwrap_or(end);
                self.at += end_of_text + 2;
                let comment = &rest[..end_of_text];
                if nested.is_some() {
                    Token::Kept(comment, Warning::NestedBraces)
                } else {
                    Token::Comment(comment)
                }
            }
            None => {
                self.at = self.text.len();
                Token::OpenComment
            }
        }
    }

    /// Where a comment ends if the braces in it belong to its text; `None` if it ends at the first closing brace. It
    /// ends there if a move follows that brace, or if the braces are not balanced: without the inner ones no closing
    /// brace would be left over, which occurs in no movetext.
    fn nested_end(&mut self, comment: &[u8], first: usize) -> Option<usize> {
        let after = comment.get(first + 1..)?;
        // pgn-reader ends every comment at the first closing brace, and drops the words after it without a report. A
        // move after that brace is the best evidence that the comment has really ended there.
        if is_move_like(next_word(after)) {
            return None;
        }
        self.nested = self.nested.checked_sub(1)?;
        let mut depth = 1usize;
        for (at, byte) in comment.iter().enumerate().take(NESTED_COMMENT) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Takes a `%` within a line.
    fn take_percent(&mut self) -> Token<'a> {
        let start = self.at;
        let line = self.rest_of_line();
        if self.mark < self.line_end {
            return self.take_word();
        }
        let word = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let next = next_word(line.get(word..).unwrap_or_default());
        let hidden = if is_move_like(next) || next.is_empty() { word } else { line.len() };
        self.at += hidden;
        Token::Kept(self.since(start), Warning::StrayPercents)
    }

    /// The rest of the line; updates `line_end` and `mark` for it.
    fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        if self.line_end <= self.at {
            self.line_end = self.at + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        }
        let line = &rest[..self.line_end - self.at];
        if self.mark <= self.at {
            self.mark = self.at + line.iter().position(|byte| b"(){}".contains(byte)).unwrap_or(line.len());
        }
        line
    }

    /// Takes a line that looks like a tag pair, or the part of it up to the closing bracket.
    fn take_tag_line(&mut self) -> Token<'a> {
        let start = self.at;
        let line = self.take_line();
        if let Some(end) = line.windows(2).position(|pair| matches!(pair, b"\"]" | b"']")) {
            self.at = start + end + 2;
        }
        Token::Kept(self.since(start), Warning::StrayTags)
    }

    fn is_tag_line(&self) -> bool {
        if !self.at_line_start() {
            return false;
        }
        let rest = self.rest();
        let line = &rest[..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
        tag_name(line).is_some()
    }

    /// Takes `!`, `?` or a pair of them.
    fn take_marks(&mut self) -> Token<'a> {
        let rest = self.rest();
        let read = |length| Some((Nag::from_ascii(rest.get(..length)?).ok()?, length));
        let (Nag(nag), length) = read(2).or_else(|| read(1)).unwrap_or((Nag::MISTAKE, 1));
        self.at += length;
        Token::Nag(nag.into())
    }

    /// Takes `$` and a number; without a number it is a word.
    fn take_nag(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let nag = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        nag.map_or(Token::Word(self.since(start)), Token::Nag)
    }

    /// Takes a move, including suffixes that contain bytes which normally end a move: `e8(Q)`, `exd6e.p.`.
    fn take_word(&mut self) -> Token<'a> {
        let start = self.at;
        // The first byte of the word may be one that ends other words.
        self.at += 1;
        self.take_while(|byte| !ends_word(byte));
        let last = self.text.get(self.at.wrapping_sub(1));
        match self.rest() {
            [b'(', letter, b')', ..]
                if matches!(last, Some(b'1' | b'8' | b'=')) && letter.is_ascii_alphabetic() =>
            {
                self.at += 3;
                self.take_while(|byte| !ends_word(byte));
            }
            [b'.', b'p', rest @ ..] if last == Some(&b'e') && rest.first().is_none_or(|&b| ends_word(b)) => {
                self.at += 2 + usize::from(rest.first() == Some(&b'.'));
                self.take_while(|byte| !ends_word(byte));
            }
            _ => {}
        }
        Token::Word(self.since(start))
    }

    fn since(&self, start: usize) -> &'a [u8] {
        self.text.get(start..self.at).unwrap_or(&[])
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes a move number, a result, castling written with zeros, or a word that begins with a digit.
    fn take_digit_word(&mut self) -> Token<'a> {
        let rest = self.rest();
        for (text, result) in RESULTS {
            if rest.starts_with(text.as_bytes()) && rest.get(text.len()).is_none_or(|&b| ends_word(b)) {
                self.at += text.len();
                return Token::Result(result);
            }
        }
        if let [b'0' | b'1', b' ' | b'\t' | b'-' | b':' | b'/' | 0xe2, ..]
        | [b'0' | b'1', b'.' | b',', b'0' | b'5', ..] = rest
            && let Some(length) = odd_result(rest)
        {
            self.at += length;
            return Token::OddResult(&rest[..length]);
        }
        if matches!(rest, [b'0', b'-' | 0xe2, ..]) || rest.starts_with(b"1/2") || rest.starts_with(b"0000") {
            return match self.take_word() {
                Token::Word(word @ b"1/2") => Token::OddResult(word),
                token => token,
            };
        }
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let number = digits.iter().fold(0usize, |number, &digit| {
            number.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
        });
        Token::Number(number)
    }

    fn take_parenthesis(&mut self) -> Token<'a> {
        let start = self.at;
        let sign = self.rest().get(1..).and_then(|inner| inner.trim_ascii_start().strip_prefix(b"="));
        let Some(after) = sign.and_then(|after| after.trim_ascii_start().strip_prefix(b")")) else {
            return self.take_byte(Token::Open);
        };
        self.at = self.text.len() - after.len();
        Token::Kept(self.since(start), Warning::DrawOffers)
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = (usize, Token<'a>);

    #[inline]
    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        self.skip_blanks();
        let start = self.at;
        let token = match self.text.get(start)? {
            b'0'..=b'9' => self.take_digit_word(),
            b'{' => self.take_brace(),
            b';' => {
                self.at += 1;
                Token::Comment(self.take_line())
            }
            b'%' if self.at_line_start() => {
                self.take_line();
                Token::Escape
            }
            b'%' => self.take_percent(),
            b'[' if self.is_tag_line() => self.take_tag_line(),
            b'(' => self.take_parenthesis(),
            b')' => self.take_byte(Token::Close),
            b'$' => self.take_nag(),
            b'!' | b'?' => self.take_marks(),
            b'*' => self.take_byte(Token::Result(Outcome::Unknown)),
            b'}' => self.take_byte(Token::Word(b"}")),
            _ if self.rest().starts_with("½-½".as_bytes()) => {
                self.at += "½-½".len();
                Token::Result(DRAW)
            }
            _ if self.rest().starts_with("½".as_bytes()) => {
                let rest = self.rest();
                self.at += odd_result(rest).unwrap_or("½".len());
                Token::OddResult(self.since(start))
            }
            _ => self.take_word(),
        };
        Some((start, token))
    }
}

/// An ellipsis as a single character.
const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();

/// Longer than any word of a movetext, in bytes.
const LONG_WORD: usize = 40;

/// The move number of a move after the given number of plies.
pub fn move_number(plies: usize) -> usize {
    plies / 2 + 1
}

/// The first word of a text, or its beginning.
fn next_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    &text[..text.iter().position(|&byte| ends_word(byte)).unwrap_or(text.len()).min(LONG_WORD)]
}

/// Whether a word may be a move, a number, a result or a glyph.
fn is_move_like(word: &[u8]) -> bool {
    match word.first() {
        None => false,
        Some(first) => {
            first.is_ascii_digit()
                || matches!(first, b'*' | b'$')
                || looks_like_move(&String::from_utf8_lossy(word), PieceLetters::En)
        }
    }
}

/// The first byte of a no-break space and of other Latin-1 signs (`±`), but of no letter that is used in moves.
const NBSP_LEAD: u8 = 0xc2;

/// The results that begin with a digit.
const RESULTS: [(&str, Outcome); 6] = [
    ("1-0", WHITE_WINS),
    ("0-1", BLACK_WINS),
    ("1/2-1/2", DRAW),
    ("1\u{2013}0", WHITE_WINS),
    ("0\u{2013}1", BLACK_WINS),
    ("1/2\u{2013}1/2", DRAW),
];

/// Whether a byte ends a move.
fn ends_word(byte: u8) -> bool {
    matches!(byte, 0 | b'\t'..=b'\r' | DOS_END | b' ' | NBSP_LEAD)
        || matches!(byte, b'!' | b'$' | b'('..=b'*' | b',' | b'.' | b';' | b'?' | b'{' | b'}')
}

#[cfg(test)]
mod tests;
