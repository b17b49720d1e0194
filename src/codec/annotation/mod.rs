//! The annotations of a game as bytes: comments, glyphs and variations, in the order of the movetext.
//!
//! # Layout, version 1
//! | part | what |
//! |---|---|
//! | 1 byte | the version: 1 |
//! | varint | the length of the script |
//! | … | the [script](script): what stands where, one byte an opcode or a variation's move |
//! | varint, … | the [prose](prose): the texts of comments, packed if that makes them shorter |
//! | rest | the [numbers](numbers): clocks, times and evaluations, a few bits each |
//!
//! Where every move has one comment of the same frozen template and there is nothing else, as in most games
//! played online, there is a shorter form: one byte, 16 and the template's place, and the numbers.
//!
//! A comment is a [template](template), a text with gaps, and the numbers in its gaps. So `[%clk 0:04:58]`
//! costs only the difference to what was expected, whatever blanks or words stand around it; and what is
//! not written in the usual way stays text. A variation's move is its index among the legal moves.
//!
//! A varint has seven bits a byte, the lowest first, and a high bit on all bytes but the last.
//!
//! # Stability
//! The version, the opcodes, the frozen templates and the dictionary of the prose never change; a better
//! encoding is another version. Annotations may have several forms (packers differ), but each form means
//! one thing for ever.

mod numbers;
mod prose;
mod rice;
mod script;
mod template;
mod value;
mod varint;
mod walk;

use script::{Op, Script};
use template::{Style, Templates};
use walk::Walk;

use super::{DecodeError, EncodeError};
use crate::{
    chess::{Annotation, Annotations, Move, Pass},
    limits::{MAX_ANNOTATION_BYTES, MAX_ANNOTATIONS, MAX_COMMENT_BYTES},
    rules::{LegalMoves, Rules},
};

/// The version that is written.
const VERSION: u8 = 1;

/// The first byte of the short form, for the first frozen template.
const UNIFORM: u8 = 16;

fn damaged(what: &'static str) -> DecodeError {
    DecodeError::Annotations { what }
}

/// Whether a comment can stand in a PGN: in braces, or else in the rest of a line.
fn fits_pgn(comment: &str) -> bool {
    comment.len() <= MAX_COMMENT_BYTES && !(comment.contains('}') && comment.contains('\n'))
}

/// Encodes the annotations of a game.
///
/// # Errors
/// A variation's move that is not legal, a variation where none can be, or a comment that no PGN can hold.
pub fn encode<P: Rules<Move = Move> + Pass>(
    annotations: &Annotations,
    start: &P,
    moves: &[Move],
) -> Result<Vec<u8>, EncodeError> {
    let comments = annotations.iter().filter_map(|(_, annotation)| match annotation {
        Annotation::Comment(comment) => Some(comment),
        _ => None,
    });
    let mut encoder = Encoder {
        walk: Walk::new(start, moves),
        templates: Templates::new(Style::of(comments)),
        script: Script::default(),
        prose: Vec::new(),
        numbers: Vec::new(),
        template: Vec::new(),
        ply: 0,
        bytes: 0,
    };
    for (ply, annotation) in annotations.iter() {
        encoder
            .annotation(ply, annotation)
            .ok_or(EncodeError::IllegalMove { ply: encoder.walk.plies() + 1 })?;
    }
    match encoder.walk.in_variation() {
        true => Err(EncodeError::CannotHold { codec: "annotation", what: "a variation without end" }),
        false => Ok(encoder.finish()),
    }
}

struct Encoder<'a, P: Rules> {
    walk: Walk<'a, P>,
    templates: Templates,
    script: Script,
    prose: Vec<u8>,
    numbers: Vec<numbers::Number>,
    /// The template of the comment at hand.
    template: Vec<u8>,
    ply: usize,
    /// Bytes of all comments so far.
    bytes: usize,
}

impl<P: Rules<Move = Move> + Pass> Encoder<'_, P> {
    /// `None` if it has no place there.
    fn annotation(&mut self, ply: usize, annotation: Annotation<'_>) -> Option<()> {
        let steps = ply.checked_sub(self.ply)?;
        if ply > self.walk.mainline_plies() || steps > 0 && self.walk.in_variation() {
            return None;
        }
        self.script.step(steps);
        self.ply = ply;
        match annotation {
            Annotation::Comment(comment) => {
                self.bytes += comment.len();
                (fits_pgn(comment) && self.bytes <= MAX_ANNOTATION_BYTES).then_some(())?;
                self.comment(comment);
            }
            Annotation::Nag(nag) => self.script.push(Op::Nag(nag)),
            Annotation::Open => {
                self.walk.open(ply)?;
                self.script.push(Op::Open);
            }
            Annotation::Close => {
                self.walk.close()?;
                self.script.push(Op::Close);
            }
            Annotation::Move(m) => {
                let index = self.walk.variation()?.legal().index_of(m)?;
                self.script.push(Op::Move(index));
                self.walk.play(m)?;
            }
            Annotation::Null => {
                self.walk.pass()?;
                self.script.push(Op::Null);
            }
            Annotation::Result(outcome) => {
                self.walk.variation()?;
                self.script.push(Op::Result(outcome));
            }
        }
        Some(())
    }

    fn comment(&mut self, comment: &str) {
        let black = self.walk.plies_to(self.ply) % 2 == 0;
        let (style, numbers) = (self.templates.style(), &mut self.numbers);
        template::split(comment, style, &mut self.template, |value| {
            numbers.push(numbers::Number { value, black });
        });
        match self.templates.find(&self.template) {
            Some(place) => self.script.push(Op::Comment(place)),
            None => {
                self.script.push(Op::NewComment);
                self.prose.extend(&self.template);
                self.prose.push(0);
                self.templates.keep(&self.template);
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        let plies = self.walk.mainline_plies();
        let mut bytes = match self.script.uniform(plies).filter(|_| self.prose.is_empty()) {
            Some(template) => vec![UNIFORM + template],
            None => {
                let (mut bytes, script) = (vec![VERSION], self.script.into_bytes());
                varint::push(&mut bytes, script.len() as u64);
                bytes.extend(script);
                prose::push(&mut bytes, &self.prose);
                bytes
            }
        };
        bytes.extend(numbers::write(self.templates.style(), &self.numbers));
        bytes
    }
}

/// Decodes the annotations of a game.
///
/// # Errors
/// The bytes are not annotations of this game.
pub fn decode<P: Rules<Move = Move> + Pass>(
    bytes: &[u8],
    start: &P,
    moves: &[Move],
) -> Result<Annotations, DecodeError> {
    let (&form, rest) = bytes.split_first().ok_or(damaged("no bytes at all"))?;
    if let Some(template) = form.checked_sub(UNIFORM) {
        let mut decoder = Decoder::new(start, moves, &[], rest)?;
        decoder.op(Op::Run { times: moves.len(), template: usize::from(template) })?;
        return decoder.finish();
    }
    if form != VERSION {
        return Err(damaged("an unknown version"));
    }
    let (length, rest) = varint::take(rest).ok_or(damaged("no script"))?;
    let length = usize::try_from(length).map_err(|_| damaged("no script"))?;
    let (script, rest) = rest.split_at_checked(length).ok_or(damaged("the script is cut short"))?;
    let (prose, rest) = prose::take(rest)?;
    let mut decoder = Decoder::new(start, moves, &prose, rest)?;
    decoder.run(script)?;
    decoder.finish()
}

struct Decoder<'a, P: Rules> {
    walk: Walk<'a, P>,
    templates: Templates,
    prose: &'a [u8],
    numbers: numbers::Reader<'a>,
    annotations: Annotations,
    ply: usize,
    /// Bytes of all comments so far.
    bytes: usize,
}

impl<'a, P: Rules<Move = Move> + Pass> Decoder<'a, P> {
    fn new(
        start: &P,
        moves: &'a [Move],
        prose: &'a [u8],
        numbers: &'a [u8],
    ) -> Result<Decoder<'a, P>, DecodeError> {
        let numbers = numbers::Reader::new(numbers)?;
        Ok(Decoder {
            walk: Walk::new(start, moves),
            templates: Templates::new(numbers.style()),
            prose,
            numbers,
            annotations: Annotations::default(),
            ply: 0,
            bytes: 0,
        })
    }

    fn run(&mut self, script: &[u8]) -> Result<(), DecodeError> {
        let mut ops = script::Ops::new(script);
        while let Some(op) = ops.next(self.walk.in_variation())? {
            self.op(op)?;
        }
        Ok(())
    }

    /// The annotations, if nothing is left over or open.
    fn finish(self) -> Result<Annotations, DecodeError> {
        if self.walk.in_variation() {
            return Err(damaged("a variation without end"));
        }
        if !self.prose.is_empty() {
            return Err(damaged("text without a place"));
        }
        self.numbers.finish()?;
        Ok(self.annotations)
    }

    fn op(&mut self, op: Op) -> Result<(), DecodeError> {
        let nowhere = damaged("a variation where none can be");
        match op {
            Op::Step(plies) => self.step(plies),
            Op::Run { times, template } => {
                for _ in 0..times {
                    self.step(1)?;
                    self.comment(template)?;
                }
                Ok(())
            }
            Op::Comment(template) => self.comment(template),
            Op::NewComment => self.new_comment(),
            Op::Nag(nag) => self.push(Annotation::Nag(nag)),
            Op::Open => {
                self.walk.open(self.ply).ok_or(nowhere)?;
                self.push(Annotation::Open)
            }
            Op::Close => {
                self.walk.close().ok_or(nowhere)?;
                self.push(Annotation::Close)
            }
            Op::Move(index) => {
                let no_move = DecodeError::NoSuchMove { ply: self.walk.plies() };
                let m = self.walk.variation().and_then(|now| now.legal().nth(index)).ok_or(no_move)?;
                self.walk.play(m).ok_or(nowhere)?;
                self.push(Annotation::Move(m))
            }
            Op::Null => {
                self.walk.pass().ok_or(nowhere)?;
                self.push(Annotation::Null)
            }
            Op::Result(outcome) => self.push(Annotation::Result(outcome)),
        }
    }

    fn step(&mut self, plies: usize) -> Result<(), DecodeError> {
        self.ply += plies;
        if self.ply > self.walk.mainline_plies() {
            Err(damaged("more moves than the game has"))
        } else {
            Ok(())
        }
    }

    fn push(&mut self, annotation: Annotation<'_>) -> Result<(), DecodeError> {
        if self.annotations.len() >= MAX_ANNOTATIONS {
            return Err(damaged("more annotations than a game may have"));
        }
        self.annotations.push(self.ply, annotation);
        Ok(())
    }

    fn new_comment(&mut self) -> Result<(), DecodeError> {
        let end = memchr::memchr(0, self.prose).ok_or(damaged("a text without end"))?;
        let (template, rest) = self.prose.split_at_checked(end).unwrap_or_default();
        self.prose = rest.get(1..).unwrap_or_default();
        self.templates.keep(template);
        self.fill(template)
    }

    fn comment(&mut self, place: usize) -> Result<(), DecodeError> {
        let template = self.templates.get(place).ok_or(damaged("a comment that was never written"))?;
        self.fill(&template.to_vec())
    }

    /// Puts numbers into the gaps of a template and adds the comment.
    fn fill(&mut self, template: &[u8]) -> Result<(), DecodeError> {
        let black = self.walk.plies_to(self.ply) % 2 == 0;
        let mut comment = Vec::with_capacity(template.len() + 16);
        let style = self.numbers.style();
        template::fill(template, style, &mut comment, |gap| self.numbers.next(gap, black))?;
        self.bytes += comment.len();
        if self.bytes > MAX_ANNOTATION_BYTES {
            return Err(damaged("more text than a game may have"));
        }
        let comment = std::str::from_utf8(&comment).map_err(|_| damaged("a text that is not UTF-8"))?;
        if !fits_pgn(comment) {
            return Err(damaged("a comment that no PGN can hold"));
        }
        self.push(Annotation::Comment(comment))
    }
}
