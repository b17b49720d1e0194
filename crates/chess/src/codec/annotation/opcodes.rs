//! The opcodes of the annotations: what is where.
//!
//! | byte | meaning |
//! |---|---|
//! | 0x00–0xdf in the mainline | advance by 1–224 moves |
//! | 0x00–0xdf in a variation | the legal move with this index |
//! | 0xe0, 0xe1 | start, end of a variation |
//! | 0xe2 | a null move |
//! | 0xe3, varint | a legal move with a higher index |
//! | 0xe4 | a comment with a new template, the next of the texts |
//! | 0xe5, varint | a comment with template 8 or higher |
//! | 0xe6, varint, varint | repeat N times: advance by one move, a comment with template T |
//! | 0xe7, varint | a glyph above 6, or 0 |
//! | 0xe8–0xed | the glyphs 1–6 |
//! | 0xee–0xf1 | a result in a variation: 1-0, 0-1, 1/2-1/2, * |
//! | 0xf2–0xf9 | a comment with template 0–7 |
//! | 0xfa | since version 2, once: what follows the game's last move continues it, as in a variation |

use super::{damaged, varint};
use crate::{
    codec::DecodeError,
    rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS},
};

const LOW: u8 = 0xe0;
const OPEN: u8 = 0xe0;
const CLOSE: u8 = 0xe1;
const NULL: u8 = 0xe2;
const FAR_MOVE: u8 = 0xe3;
const NEW_COMMENT: u8 = 0xe4;
const COMMENT: u8 = 0xe5;
const RUN: u8 = 0xe6;
const NAG: u8 = 0xe7;
const LOW_NAG: u8 = 0xe8;
const RESULT: u8 = 0xee;
const LOW_COMMENT: u8 = 0xf2;
const CONTINUE: u8 = 0xfa;

/// Templates with their own opcode.
const LOW_COMMENTS: u8 = 8;

const RESULTS: [Outcome; 4] = [WHITE_WINS, BLACK_WINS, DRAW, Outcome::Unknown];

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Advance by a number of mainline moves.
    Step(usize),
    /// A mainline move followed by a comment, repeated `times` times.
    Run { times: usize, template: usize },
    /// A comment with a template used before, or a frozen one.
    Comment(usize),
    /// A comment with a new template.
    NewComment,
    /// A glyph.
    Nag(u16),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A variation move: its index among the legal moves.
    Move(u32),
    /// A null move.
    Null,
    /// A result.
    Result(Outcome),
    /// The mainline continues after a null move.
    Continue,
}

/// Writes opcodes. A run of moves with the same kind of comment is held back until its length is known.
#[derive(Debug, Default)]
pub(super) struct OpcodeWriter {
    bytes: Vec<u8>,
    run: (usize, usize),
    /// Moves advanced since the last operation.
    steps: usize,
}

impl OpcodeWriter {
    /// Advances in the mainline.
    pub(super) fn step(&mut self, plies: usize) {
        self.steps += plies;
    }

    pub(super) fn push(&mut self, op: Op) {
        match op {
            Op::Comment(template) if self.steps == 1 => {
                if self.run.0 > 0 && self.run.1 != template {
                    self.end_run();
                }
                self.run = (self.run.0 + 1, template);
                self.steps = 0;
            }
            _ => {
                self.end_run();
                self.end_steps();
                self.write(op);
            }
        }
    }

    fn end_steps(&mut self) {
        while let Some(last) = self.steps.checked_sub(1) {
            let op = u8::try_from(last).unwrap_or(u8::MAX).min(LOW - 1);
            self.bytes.push(op);
            self.steps = last - usize::from(op);
        }
    }

    fn end_run(&mut self) {
        let (times, template) = std::mem::take(&mut self.run);
        match times {
            0 => {}
            1 => {
                self.bytes.push(0);
                self.write(Op::Comment(template));
            }
            _ => self.write(Op::Run { times, template }),
        }
    }

    fn write(&mut self, op: Op) {
        match op {
            Op::Open => self.bytes.push(OPEN),
            Op::Close => self.bytes.push(CLOSE),
            Op::Null => self.bytes.push(NULL),
            Op::Continue => self.bytes.push(CONTINUE),
            Op::NewComment => self.bytes.push(NEW_COMMENT),
            Op::Move(index) => match u8::try_from(index) {
                Ok(index) if index < LOW => self.bytes.push(index),
                _ => self.with_number(FAR_MOVE, u64::from(index)),
            },
            Op::Comment(template) => match u8::try_from(template) {
                Ok(template) if template < LOW_COMMENTS => self.bytes.push(LOW_COMMENT + template),
                _ => self.with_number(COMMENT, template as u64),
            },
            Op::Nag(nag @ 1..=6) => self.bytes.extend(u8::try_from(nag - 1).map(|nag| LOW_NAG + nag)),
            Op::Nag(nag) => self.with_number(NAG, u64::from(nag)),
            Op::Result(outcome) => {
                let place = RESULTS.iter().zip(RESULT..).find(|(other, _)| **other == outcome);
                self.bytes.extend(place.map(|(_, code)| code));
            }
            Op::Run { times, template } => {
                self.with_number(RUN, times as u64);
                varint::push(&mut self.bytes, template as u64);
            }
            Op::Step(_) => {}
        }
    }

    fn with_number(&mut self, op: u8, number: u64) {
        self.bytes.push(op);
        varint::push(&mut self.bytes, number);
    }

    /// The template that all `plies` moves share, if there is nothing else and the template has its own opcode.
    pub(super) fn uniform(&self, plies: usize) -> Option<u8> {
        let alone = self.bytes.is_empty() && self.run.0 == plies && plies > 0;
        u8::try_from(self.run.1).ok().filter(|template| alone && *template < LOW_COMMENTS)
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.end_run();
        self.bytes
    }
}

/// Reads opcodes.
pub(super) struct OpcodeReader<'a>(&'a [u8]);

impl<'a> OpcodeReader<'a> {
    pub(super) fn new(opcodes: &'a [u8]) -> OpcodeReader<'a> {
        OpcodeReader(opcodes)
    }

    /// The next operation. A low byte has a different meaning in a variation.
    pub(super) fn next(&mut self, in_variation: bool) -> Result<Option<Op>, DecodeError> {
        let Some((&code, rest)) = self.0.split_first() else { return Ok(None) };
        self.0 = rest;
        let op = match code {
            0..LOW if in_variation => Op::Move(u32::from(code)),
            0..LOW => Op::Step(usize::from(code) + 1),
            OPEN => Op::Open,
            CLOSE => Op::Close,
            NULL => Op::Null,
            FAR_MOVE => Op::Move(self.number()?),
            NEW_COMMENT => Op::NewComment,
            COMMENT => Op::Comment(self.number()?),
            RUN => Op::Run { times: self.number()?, template: self.number()? },
            NAG => Op::Nag(self.number()?),
            LOW_NAG..RESULT => Op::Nag(u16::from(code - LOW_NAG) + 1),
            RESULT..LOW_COMMENT => {
                let outcome = RESULTS.get(usize::from(code - RESULT)).copied();
                Op::Result(outcome.ok_or(damaged("unknown opcode"))?)
            }
            LOW_COMMENT..CONTINUE => Op::Comment(usize::from(code - LOW_COMMENT)),
            CONTINUE => Op::Continue,
            _ => return Err(damaged("unknown opcode")),
        };
        if in_variation && matches!(op, Op::Run { .. }) || !in_variation && matches!(op, Op::Result(_)) {
            return Err(damaged("an opcode that is not allowed there"));
        }
        Ok(Some(op))
    }

    fn number<N: TryFrom<u64>>(&mut self) -> Result<N, DecodeError> {
        let (number, rest) = varint::take(self.0).ok_or(damaged("unterminated number"))?;
        self.0 = rest;
        N::try_from(number).map_err(|_| damaged("number out of range"))
    }
}
