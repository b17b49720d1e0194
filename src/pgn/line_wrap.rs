//! Words wrapped into the lines of a movetext.

use std::fmt::{Arguments, Write};

use shakmaty::san::SanPlus;

/// Longest line of movetext, but for comments that are longer.
const COLUMNS: usize = 80;

/// Appends words to a text, at most [`COLUMNS`] a line.
pub(super) struct LineWrap<'a> {
    out: &'a mut String,
    /// Where the current line ends, in characters.
    column: usize,
    /// Whether the next word follows without a blank.
    tight: bool,
    scratch: String,
}

impl<'a> LineWrap<'a> {
    pub(super) fn new(out: &'a mut String) -> LineWrap<'a> {
        LineWrap { out, column: 0, tight: false, scratch: String::new() }
    }

    /// Appends a word of ASCII.
    pub(super) fn word(&mut self, word: Arguments<'_>) {
        self.word_of(|text| {
            // Writing to a string cannot fail.
            let _ = text.write_fmt(word);
        });
    }

    /// The same of a move.
    pub(super) fn san(&mut self, san: SanPlus) {
        self.word_of(|text| san.append_to_string(text));
    }

    fn word_of(&mut self, write: impl FnOnce(&mut String)) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        write(&mut scratch);
        self.separate(scratch.len());
        self.put(&scratch);
        self.scratch = scratch;
    }

    /// Begins a variation: the next word follows without a blank.
    pub(super) fn open(&mut self) {
        self.separate(1);
        self.put("(");
        self.tight = true;
    }

    /// Ends a variation, without a blank before.
    pub(super) fn close(&mut self) {
        self.tight = false;
        self.put(")");
    }

    pub(super) fn comment(&mut self, comment: &str) {
        if comment.contains('}') {
            self.separate(comment.chars().count() + 1);
            self.put(";");
            self.out.push_str(comment);
            self.end();
        } else {
            let first_line = comment.split('\n').next().unwrap_or_default();
            self.separate(first_line.chars().count() + 2);
            self.put("{");
            self.out.push_str(comment);
            match comment.rsplit_once('\n') {
                Some((_, last)) => self.column = last.chars().count(),
                None => self.column += comment.chars().count(),
            }
            self.put("}");
        }
    }

    /// Ends the current line.
    pub(super) fn end(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Makes room for a word of so many characters, with a blank or a new line before it.
    fn separate(&mut self, length: usize) {
        if std::mem::take(&mut self.tight) || self.column == 0 {
            return;
        }
        if self.column + 1 + length < COLUMNS {
            self.put(" ");
        } else {
            self.end();
        }
    }

    /// Appends some ASCII to the line.
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }
}
