//! Writes games in PGN export format: the seven-tag roster first, movetext in lines of at most 80 columns.
//!
//! A comment is never wrapped or changed, so it comes back byte for byte. It stands in braces, but for one
//! with a closing brace in it, which was a comment to the end of its line and is written as such.

use std::fmt::Write;

use shakmaty::{Color, Move, Outcome, Position, san::SanPlus};

use super::{line_wrap::LineWrap, tags::escaped};
use crate::chess::{Annotation, Annotations, NullMove, Tags};

/// Appends a game.
pub fn write_game<P: Position + Clone + NullMove>(
    out: &mut String,
    tags: &Tags,
    start: &P,
    moves: &[Move],
    annotations: &Annotations,
    outcome: Outcome,
) {
    let no_result = tags.get("Result").is_none();
    for (name, value) in tags.in_export_order() {
        let value = if no_result && name == "Result" { outcome.as_str() } else { value };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", escaped(value));
    }
    out.push('\n');
    movetext(out, start, moves, annotations, outcome);
    out.push('\n');
}

/// Appends a movetext: numbered moves with their annotations and the result, and the end of the line.
pub fn movetext<P: Position + Clone + NullMove>(
    out: &mut String,
    start: &P,
    moves: &[Move],
    annotations: &Annotations,
    outcome: Outcome,
) {
    let mut writer =
        Movetext { lines: LineWrap::new(out), line: Line::new(start.clone()), outer: Vec::new() };
    let mut annotations = annotations.iter().peekable();
    for (ply, &m) in moves.iter().enumerate() {
        while let Some((_, annotation)) = annotations.next_if(|&(at, _)| at <= ply) {
            writer.annotation(annotation);
        }
        // Only where variations follow is the position before a move needed again.
        let varied = matches!(annotations.peek(), Some(&(at, _)) if at == ply + 1);
        writer.play(m, varied);
    }
    for (_, annotation) in annotations {
        writer.annotation(annotation);
    }
    writer.lines.word(format_args!("{outcome}"));
    writer.lines.end();
}

/// What a game goes on with after a null move, from the position after its last move; `None` if it does not.
pub fn continuation<P: Position + Clone + NullMove>(last: &P, annotations: &Annotations) -> Option<String> {
    let mut text = String::new();
    let mut writer =
        Movetext { lines: LineWrap::new(&mut text), line: Line::new(last.clone()), outer: Vec::new() };
    for (_, annotation) in
        annotations.iter().skip_while(|(_, annotation)| *annotation != Annotation::Continue)
    {
        writer.annotation(annotation);
    }
    writer.lines.end();
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// A line of moves while it is written.
struct Line<P> {
    now: P,
    before: Option<P>,
    /// Whether a move of Black has its number in front: the first one, and after what breaks the line.
    numbered: bool,
}

impl<P> Line<P> {
    fn new(now: P) -> Line<P> {
        Line { now, before: None, numbered: true }
    }
}

struct Movetext<'a, P> {
    lines: LineWrap<'a>,
    line: Line<P>,
    outer: Vec<Line<P>>,
}

impl<P: Position + Clone + NullMove> Movetext<'_, P> {
    fn annotation(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Comment(comment) => {
                self.lines.comment(comment);
                self.line.numbered = true;
            }
            Annotation::Nag(nag) => self.lines.word(format_args!("${nag}")),
            Annotation::Open => {
                self.lines.open();
                let before = self.line.before.as_ref().unwrap_or(&self.line.now).clone();
                self.outer.push(std::mem::replace(&mut self.line, Line::new(before)));
            }
            Annotation::Close => {
                self.lines.close();
                if let Some(outer) = self.outer.pop() {
                    self.line = Line { numbered: true, ..outer };
                }
            }
            Annotation::Move(m) => self.play(m, true),
            Annotation::Null => {
                self.number();
                self.lines.word(format_args!("--"));
                if let Some(passed) = self.line.now.null_move() {
                    self.line.before = Some(std::mem::replace(&mut self.line.now, passed));
                }
            }
            Annotation::Result(outcome) => self.lines.word(format_args!("{outcome}")),
            // The moves that follow are written like those of the game.
            Annotation::Continue => {}
        }
    }

    fn play(&mut self, m: Move, varied: bool) {
        self.number();
        self.line.before = varied.then(|| self.line.now.clone());
        let san = SanPlus::from_move_and_play_unchecked(&mut self.line.now, m);
        self.lines.word(format_args!("{san}"));
    }

    fn number(&mut self) {
        let number = self.line.now.fullmoves();
        match self.line.now.turn() {
            Color::White => self.lines.word(format_args!("{number}.")),
            Color::Black if self.line.numbered => self.lines.word(format_args!("{number}...")),
            Color::Black => {}
        }
        self.line.numbered = false;
    }
}
