//! Writes games in PGN export format: the seven-tag roster first, movetext in lines of at most 80 columns.

use std::fmt::Write;

use shakmaty::{Color, Move, Outcome, Position, san::SanPlus};

use super::tags::{Tags, escaped};

/// Longest line of movetext.
const COLUMNS: usize = 80;

/// Appends a game.
pub fn write_game<P: Position + Clone>(
    out: &mut String,
    tags: &Tags,
    start: &P,
    moves: &[Move],
    outcome: Outcome,
) {
    for (name, value) in tags.in_export_order() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", escaped(value));
    }
    out.push('\n');
    movetext(out, start, moves, outcome);
    out.push('\n');
}

/// Appends a movetext: numbered moves and the result, and the end of the line.
pub fn movetext<P: Position + Clone>(out: &mut String, start: &P, moves: &[Move], outcome: Outcome) {
    let mut position = start.clone();
    let mut lines = Lines { out, column: 0 };
    let mut word = String::new();
    for (place, &m) in moves.iter().enumerate() {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => lines.word(format_args!("{number}."), &mut word),
            Color::Black if place == 0 => lines.word(format_args!("{number}..."), &mut word),
            Color::Black => {}
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        lines.word(format_args!("{san}"), &mut word);
    }
    lines.word(format_args!("{outcome}"), &mut word);
    lines.out.push('\n');
}

/// Words wrapped into lines.
struct Lines<'a> {
    out: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn word(&mut self, word: std::fmt::Arguments<'_>, scratch: &mut String) {
        scratch.clear();
        let _ = scratch.write_fmt(word);
        if self.column > 0 {
            let fits = self.column + 1 + scratch.len() < COLUMNS;
            self.out.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.out.push_str(scratch);
        self.column += scratch.len();
    }
}
