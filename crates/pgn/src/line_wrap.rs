//! Wraps words into the lines of a movetext.

use std::fmt::{Arguments, Write};

use shakmaty::{Color, Outcome, san::SanPlus};

use super::comment_braces::in_braces;

/// Longest line of movetext, except for longer comments.
const COLUMNS: usize = 80;

/// Appends words to a text, at most [`COLUMNS`] characters per line.
pub(super) struct LineWrap<'a> {
    out: &'a mut String,
    /// The length of the current line, in characters.
    column: usize,
    /// Whether the next word follows without a space.
    tight: bool,
}

impl<'a> LineWrap<'a> {
    pub(super) fn new(out: &'a mut String) -> LineWrap<'a> {
        LineWrap { out, column: 0, tight: false }
    }

    /// Appends an ASCII word.
    pub(super) fn word(&mut self, word: Arguments<'_>) {
        self.word_of(|text| {
            // Writing to a string cannot fail.
            let _ = text.write_fmt(word);
        });
    }

    /// Appends a move number. A Black move has one only if it is the first of its line of moves.
    pub(super) fn number(&mut self, number: u32, turn: Color, begins: bool) {
        if turn.is_white() || begins {
            self.word_of(|text| {
                push_number(text, number);
                text.push_str(turn.fold_wb(".", "..."));
            });
        }
    }

    /// Appends a move.
    pub(super) fn san(&mut self, san: SanPlus) {
        self.word_of(|text| san.append_to_string(text));
    }

    fn word_of(&mut self, write: impl FnOnce(&mut String)) {
        let (start, first) = (self.out.len(), self.is_first());
        if !first {
            self.out.push(' ');
        }
        write(self.out);
        let length = self.out.len() - start;
        if first || self.column + length < COLUMNS {
            self.column += length;
        } else {
            self.out.replace_range(start..=start, "\n");
            self.column = length - 1;
        }
    }

    /// Begins a variation: the next word follows without a space.
    pub(super) fn open(&mut self) {
        self.separate(1);
        self.put("(");
        self.tight = true;
    }

    /// Ends a variation, without a space before the parenthesis.
    pub(super) fn close(&mut self) {
        self.tight = false;
        self.put(")");
    }

    pub(super) fn comment(&mut self, comment: &str) {
        let text = in_braces(comment);
        let first_line = text.split('\n').next().unwrap_or_default();
        self.separate(first_line.chars().count() + 2);
        self.put("{");
        self.out.push_str(&text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
        self.put("}");
    }

    /// Appends the result and ends the line; returns the text so that the caller can append more.
    pub(super) fn result(mut self, outcome: Outcome) -> &'a mut String {
        self.word(format_args!("{outcome}"));
        self.end();
        self.out
    }

    /// Ends the current line.
    pub(super) fn end(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Makes room for a word of the given length, with a space or a new line before it.
    fn separate(&mut self, length: usize) {
        if self.is_first() {
        } else if self.column + 1 + length < COLUMNS {
            self.put(" ");
        } else {
            self.end();
        }
    }

    /// Whether the next word follows the previous one directly.
    fn is_first(&mut self) -> bool {
        std::mem::take(&mut self.tight) || self.column == 0
    }

    /// Appends ASCII to the line.
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }
}

/// Appends a number in decimal.
fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.extend(char::from_digit(number % 10, 10));
}
