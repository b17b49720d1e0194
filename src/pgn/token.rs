//! The tokens of a movetext, every one of them: nothing is skipped without being named.

use memchr::{memchr, memchr2};

/// A token of a movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A move, or any other word.
    Word(&'a [u8]),
    /// A move number without its dots.
    Number,
    /// A result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
    /// A comment in braces or to the end of the line, without its marks.
    Comment(&'a [u8]),
    /// A comment whose brace is never closed.
    OpenComment,
    /// A numeric annotation glyph, also as `!?`.
    Nag,
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A line that begins with `%`, which PGN reserves for other programs.
    Escape,
}

/// Iterates over the tokens of a movetext, each with the byte it starts at.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of a movetext.
    pub fn new(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// The byte after the last token.
    pub fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n' | b'.' | 0 | 0x0b | 0x0c) = self.text.get(self.at) {
            self.at += 1;
        }
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text.get(self.at - 1), Some(b'\n' | b'\r'))
    }

    /// Takes bytes up to the end of the line.
    fn take_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn take_brace(&mut self) -> Token<'a> {
        let rest = &self.rest()[1..];
        match memchr(b'}', rest) {
            Some(end) => {
                self.at += end + 2;
                Token::Comment(&rest[..end])
            }
            None => {
                self.at = self.text.len();
                Token::OpenComment
            }
        }
    }

    fn take_glyph(&mut self) -> Token<'a> {
        let pair = matches!(self.rest(), [b'!' | b'?', b'!' | b'?', ..]);
        self.at += 1 + usize::from(pair);
        Token::Nag
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A move number, a result, castling written with zeros, or a word that begins with a digit.
    fn take_digit_word(&mut self) -> Token<'a> {
        let rest = self.rest();
        for result in ["1-0", "0-1", "1/2-1/2", "1\u{2013}0", "0\u{2013}1", "1/2\u{2013}1/2"] {
            if rest.starts_with(result.as_bytes()) && rest.get(result.len()).is_none_or(|&b| ends_word(b)) {
                self.at += result.len();
                return Token::Result;
            }
        }
        if rest.starts_with(b"0-0") || rest.starts_with(b"1/2") {
            return Token::Word(self.take_while(|byte| !ends_word(byte)));
        }
        self.take_while(|byte| byte.is_ascii_digit());
        Token::Number
    }
}

impl<'a> Iterator for Tokens<'a> {
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
            b'(' => {
                self.at += 1;
                Token::Open
            }
            b')' => {
                self.at += 1;
                Token::Close
            }
            b'$' => {
                self.at += 1;
                self.take_while(|byte| byte.is_ascii_digit());
                Token::Nag
            }
            b'!' | b'?' => self.take_glyph(),
            b'*' => {
                self.at += 1;
                Token::Result
            }
            b'}' => {
                self.at += 1;
                Token::Word(b"}")
            }
            _ if self.rest().starts_with("½-½".as_bytes()) => {
                self.at += "½-½".len();
                Token::Result
            }
            _ => Token::Word(self.take_while(|byte| !ends_word(byte))),
        };
        Some((start, token))
    }
}

/// Whether a byte ends a move.
fn ends_word(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b'{'
            | b'}'
            | b'('
            | b')'
            | b'!'
            | b'?'
            | b'$'
            | b';'
            | b'.'
            | b'*'
            | 0
            | 0x0b
            | 0x0c
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        Tokens::new(text.as_bytes())
            .map(|(_, token)| match token {
                Token::Word(word) => format!("<{}>", String::from_utf8_lossy(word)),
                Token::Number => "n".to_owned(),
                Token::Result => "=".to_owned(),
                Token::Comment(text) => format!("{{{}}}", String::from_utf8_lossy(text)),
                Token::OpenComment => "{".to_owned(),
                Token::Nag => "$".to_owned(),
                Token::Open => "(".to_owned(),
                Token::Close => ")".to_owned(),
                Token::Escape => "%".to_owned(),
            })
            .collect()
    }

    #[test]
    fn every_token_is_named() {
        assert_eq!(kinds("1.e4 e5 2. Nf3 $1 Nc6!? (2... d6) {x} 1-0"), "n<e4><e5>n<Nf3>$<Nc6>$(n<d6>){x}=");
        assert_eq!(kinds("0-0 0-0-0+ 1/2-1/2 * ½-½"), "<0-0><0-0-0+>===");
        assert_eq!(kinds("%x 1-0\n1. e4 ; {rest\ne5 {open"), "%n<e4>{ {rest}<e5>{");
        assert_eq!(kinds("2. Sf3?? a } b 1/2 %"), "n<Sf3>$<a><}><b><1/2><%>");
    }
}
