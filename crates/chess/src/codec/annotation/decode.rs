//! Decodes annotations: any bytes give annotations of the game or an error.

use super::{
    CONTINUED, FIELDS, UNIFORM, VERSION,
    body::{self, Body},
    comment_text, damaged,
    fields::ColumnReader,
    fits_pgn,
    gap::VALUE,
    numbers,
    opcodes::{Op, OpcodeReader},
    template::{self, Templates},
    value,
    variation_cursor::VariationCursor,
    varint,
};
use crate::{
    chess::{Annotation, Annotations, Move, NullMove},
    codec::DecodeError,
    limits::{MAX_ANNOTATION_BYTES, MAX_ANNOTATIONS},
    rules::{Color, LegalMoves, Rules},
};

/// Decodes the annotations of a game.
///
/// # Errors
/// The bytes are not annotations of this game.
pub fn decode<P: Rules<Move = Move> + NullMove>(
    bytes: &[u8],
    start: &P,
    moves: &[Move],
) -> Result<Annotations, DecodeError> {
    let (&form, rest) = bytes.split_first().ok_or(damaged("there are no bytes"))?;
    if let Some(template) = form.checked_sub(UNIFORM) {
        let mut decoder = Decoder::new(start, moves, &[], rest)?;
        decoder.op(Op::Run { times: moves.len(), template: usize::from(template) })?;
        return decoder.finish();
    }
    match form {
        VERSION | CONTINUED => {
            let (opcodes, rest) = varint::take_bytes(rest).ok_or(damaged("truncated opcodes"))?;
            let (texts, numbers) = comment_text::take(rest)?;
            let mut decoder = Decoder::new(start, moves, &texts, numbers)?;
            decoder.may_continue = form == CONTINUED;
            decoder.run(opcodes)
        }
        FIELDS => {
            let (body, numbers) = body::take(rest)?;
            let Body { opcodes, texts, columns } = Body::read(&body)?;
            let mut decoder = Decoder::new(start, moves, texts, numbers)?;
            (decoder.may_continue, decoder.columns) = (true, ColumnReader::new(columns)?);
            decoder.run(opcodes)
        }
        _ => Err(damaged("unknown version")),
    }
}

struct Decoder<'a, P: Rules> {
    cursor: VariationCursor<'a, P>,
    templates: Templates,
    texts: &'a [u8],
    /// Empty before version 3.
    columns: ColumnReader<'a>,
    numbers: numbers::Reader<'a>,
    annotations: Annotations,
    /// Whether this version has the opcode `Continue`.
    may_continue: bool,
    ply: usize,
    /// Size of all comments so far, in bytes.
    bytes: usize,
}

impl<'a, P: Rules<Move = Move> + NullMove> Decoder<'a, P> {
    fn new(
        start: &P,
        moves: &'a [Move],
        texts: &'a [u8],
        numbers: &'a [u8],
    ) -> Result<Decoder<'a, P>, DecodeError> {
        let numbers = numbers::Reader::new(numbers)?;
        Ok(Decoder {
            cursor: VariationCursor::new(start, moves),
            templates: Templates::new(numbers.style()),
            texts,
            columns: ColumnReader::default(),
            numbers,
            annotations: Annotations::default(),
            may_continue: false,
            ply: 0,
            bytes: 0,
        })
    }

    fn run(mut self, opcodes: &[u8]) -> Result<Annotations, DecodeError> {
        let mut ops = OpcodeReader::new(opcodes);
        while let Some(op) = ops.next(self.cursor.in_variation())? {
            self.op(op)?;
        }
        self.finish()
    }

    /// The annotations, if everything has been read and no variation is open.
    fn finish(self) -> Result<Annotations, DecodeError> {
        if self.cursor.is_open() {
            return Err(damaged("unterminated variation"));
        }
        if !self.texts.is_empty() {
            return Err(damaged("unused text"));
        }
        self.columns.finish()?;
        self.numbers.finish()?;
        Ok(self.annotations)
    }

    fn op(&mut self, op: Op) -> Result<(), DecodeError> {
        let nowhere = damaged("a variation before the first move, or nested too deeply");
        let annotation = match op {
            Op::Step(plies) => return self.step(plies),
            Op::Run { times, template } => {
                for _ in 0..times {
                    self.step(1)?;
                    self.comment(template)?;
                }
                return Ok(());
            }
            Op::Comment(template) => return self.comment(template),
            Op::NewComment => return self.new_comment(),
            Op::Nag(nag) => Annotation::Nag(nag),
            Op::Open => Annotation::Open,
            Op::Close => Annotation::Close,
            Op::Move(index) => {
                let no_move = DecodeError::NoSuchMove(self.cursor.plies(self.ply));
                let m = self.cursor.variation().and_then(|now| now.legal().nth(index));
                Annotation::Move(m.ok_or(no_move)?)
            }
            Op::Null => Annotation::Null,
            Op::Result(outcome) => Annotation::Result(outcome),
            Op::Continue if !self.may_continue => return Err(nowhere),
            Op::Continue => Annotation::Continue,
        };
        self.cursor.follow(self.ply, annotation).ok_or(nowhere)?;
        self.push(annotation)
    }

    fn step(&mut self, plies: usize) -> Result<(), DecodeError> {
        self.ply += plies;
        if self.ply > self.cursor.mainline_plies() {
            Err(damaged("a position after the end of the game"))
        } else {
            Ok(())
        }
    }

    fn push(&mut self, annotation: Annotation<'_>) -> Result<(), DecodeError> {
        if self.annotations.len() >= MAX_ANNOTATIONS {
            return Err(damaged("too many annotations"));
        }
        self.annotations.push(self.ply, annotation);
        Ok(())
    }

    fn new_comment(&mut self) -> Result<(), DecodeError> {
        let end = memchr::memchr(0, self.texts).ok_or(damaged("unterminated text"))?;
        let (template, rest) = self.texts.split_at_checked(end).unwrap_or_default();
        self.texts = rest.get(1..).unwrap_or_default();
        self.templates.keep(template);
        self.fill(template)
    }

    fn comment(&mut self, place: usize) -> Result<(), DecodeError> {
        let template = self.templates.get(place).map(<[u8]>::to_vec);
        self.fill(&template.ok_or(damaged("unknown comment template"))?)
    }

    /// Fills the gaps of a template with numbers and values, and adds the comment.
    fn fill(&mut self, template: &[u8]) -> Result<(), DecodeError> {
        let mover = Color::from_black(self.cursor.plies(self.ply).is_multiple_of(2));
        let mut comment = Vec::with_capacity(template.len() + 16);
        let style = self.numbers.style();
        template::fill(template, &mut comment, |gap, before, comment| {
            match gap {
                VALUE => comment.extend(self.columns.next(before)?),
                _ => value::write(self.numbers.next(gap, mover)?, style, comment),
            }
            Ok(())
        })?;
        self.bytes += comment.len();
        if self.bytes > MAX_ANNOTATION_BYTES {
            return Err(damaged("too much text"));
        }
        let comment = std::str::from_utf8(&comment).map_err(|_| damaged("invalid UTF-8"))?;
        if !fits_pgn(comment) {
            return Err(damaged("a comment that cannot be written as PGN"));
        }
        self.push(Annotation::Comment(comment))
    }
}
