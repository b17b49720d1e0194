//! Encodes annotations.

use super::{
    CONTINUED, FIELDS, UNIFORM, VERSION, body, comment_text,
    fields::{self, ColumnWriter},
    fits_pgn, numbers,
    opcodes::{Op, OpcodeWriter},
    style::Style,
    template::{self, Templates},
    variation_cursor::VariationCursor,
    varint,
};
use crate::{
    chess::{Annotation, Annotations, Move, NullMove},
    codec::EncodeError,
    limits::MAX_ANNOTATION_BYTES,
    rules::{Color, LegalMoves, Rules},
};

/// Encodes the annotations of a game.
///
/// # Errors
/// An illegal move in a variation, a variation before the first move or nested too deeply, or a comment that cannot be
/// written as PGN.
pub fn encode<P: Rules<Move = Move> + NullMove>(
    annotations: &Annotations,
    start: &P,
    moves: &[Move],
) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder {
        cursor: VariationCursor::new(start, moves),
        templates: Templates::new(Style::of(annotations.text())),
        opcodes: OpcodeWriter::default(),
        texts: Vec::new(),
        columns: fields::are_many(annotations.text()).then(ColumnWriter::default),
        numbers: Vec::new(),
        template: Vec::new(),
        version: VERSION,
        ply: 0,
        bytes: 0,
    };
    for (ply, annotation) in annotations.iter() {
        encoder
            .annotation(ply, annotation)
            .ok_or(EncodeError::IllegalMove(encoder.cursor.plies(encoder.ply) + 1))?;
    }
    match encoder.cursor.is_open() {
        true => Err(EncodeError::CannotHold("annotation", "an unterminated variation")),
        false => Ok(encoder.finish()),
    }
}

struct Encoder<'a, P: Rules> {
    cursor: VariationCursor<'a, P>,
    templates: Templates,
    opcodes: OpcodeWriter,
    texts: Vec<u8>,
    /// The values of fields, if there are many.
    columns: Option<ColumnWriter>,
    numbers: Vec<numbers::Number>,
    /// The template of the current comment.
    template: Vec<u8>,
    version: u8,
    ply: usize,
    /// Size of all comments so far, in bytes.
    bytes: usize,
}

impl<P: Rules<Move = Move> + NullMove> Encoder<'_, P> {
    /// `None` if the annotation is not allowed there.
    fn annotation(&mut self, ply: usize, annotation: Annotation<'_>) -> Option<()> {
        let steps = ply.checked_sub(self.ply)?;
        if ply > self.cursor.mainline_plies() || steps > 0 && self.cursor.in_variation() {
            return None;
        }
        self.opcodes.step(steps);
        self.ply = ply;
        let op = match annotation {
            Annotation::Comment(comment) => {
                self.bytes += comment.len();
                (fits_pgn(comment) && self.bytes <= MAX_ANNOTATION_BYTES).then_some(())?;
                self.comment(comment);
                return Some(());
            }
            Annotation::Nag(nag) => Op::Nag(nag),
            Annotation::Open => Op::Open,
            Annotation::Close => Op::Close,
            Annotation::Move(m) => Op::Move(self.cursor.variation()?.legal().index_of(m)?),
            Annotation::Null => Op::Null,
            Annotation::Result(outcome) => Op::Result(outcome),
            Annotation::Continue => {
                self.version = CONTINUED;
                Op::Continue
            }
        };
        self.cursor.follow(ply, annotation)?;
        self.opcodes.push(op);
        Some(())
    }

    fn comment(&mut self, comment: &str) {
        let mover = Color::from_black(self.cursor.plies(self.ply).is_multiple_of(2));
        let (style, numbers) = (self.templates.style(), &mut self.numbers);
        template::split(comment, style, &mut self.template, &mut self.columns, |value| {
            numbers.push(numbers::Number { value, mover });
        });
        match self.templates.find(&self.template) {
            Some(place) => self.opcodes.push(Op::Comment(place)),
            None => {
                self.opcodes.push(Op::NewComment);
                self.texts.extend(&self.template);
                self.texts.push(0);
                self.templates.keep(&self.template);
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        let plies = self.cursor.mainline_plies();
        let uniform = self.opcodes.uniform(plies).filter(|_| self.texts.is_empty());
        let mut bytes = Vec::new();
        match (uniform, self.columns.map(ColumnWriter::into_columns)) {
            (Some(template), _) => bytes.push(UNIFORM + template),
            (None, Some(columns)) => {
                bytes.push(FIELDS);
                body::push(&mut bytes, &self.opcodes.into_bytes(), &self.texts, &columns);
            }
            (None, None) => {
                let opcodes = self.opcodes.into_bytes();
                bytes.push(self.version);
                varint::push(&mut bytes, opcodes.len() as u64);
                bytes.extend(opcodes);
                comment_text::push(&mut bytes, &self.texts);
            }
        }
        bytes.extend(numbers::write(self.templates.style(), &self.numbers));
        bytes
    }
}
