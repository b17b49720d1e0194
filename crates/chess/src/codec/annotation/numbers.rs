//! Encodes the numbers in comments, in a few bits each.
//!
//! The first three bits are the [style](super::style::Style): tenths, padded, fixed. They are followed by the numbers
//! in the order of the comments:
//! * a **clock** as the time used since the previous clock of the same side, plus the increment: what the clock gains
//!   in a move that takes no time. The first clock of the game is written in full, with the increment and a bit that
//!   says whether any clock gains more than that; the other side's first clock is written as the difference to it;
//! * an **elapsed time** as it is;
//! * an **evaluation** as a bit for mate, then the distance to mate, or the difference to the previous evaluation;
//! * a **depth** as the difference to the previous one.
//!
//! Small numbers have short codes, and the expected magnitude is learned from the previous numbers (see [`Rice`]).

use shakmaty::ByColor;

use super::{
    damaged,
    gap::{CLOCK, ELAPSED, EVAL, INTEGER},
    rice::{self, Rice},
    style::Style,
    value::Value,
};
use crate::{
    bits::{BitReader, Bits},
    codec::DecodeError,
    rules::Color,
};

/// A number, and the side whose move it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: Value,
    pub mover: Color,
}

/// Predictions for the next numbers.
#[derive(Clone, Debug)]
struct Model {
    clocks: ByColor<Option<i64>>,
    increment: i64,
    /// Whether clocks may gain more than the increment.
    gains: bool,
    eval: i64,
    depth: i64,
    used: Rice,
    elapsed: Rice,
    evals: Rice,
    mates: Rice,
    depths: Rice,
}

impl Model {
    fn new() -> Model {
        Model {
            clocks: ByColor::default(),
            increment: 0,
            gains: false,
            eval: 0,
            depth: 0,
            used: Rice::new(8),
            elapsed: Rice::new(8),
            evals: Rice::new(40),
            mates: Rice::new(6),
            depths: Rice::new(4),
        }
    }
}

/// The numbers of a game as bytes; empty if there are none.
pub(super) fn write(style: Style, numbers: &[Number]) -> Vec<u8> {
    let mut bits = Bits::default();
    if numbers.is_empty() {
        return bits.into_bytes();
    }
    for flag in [style.tenths, style.padded, style.fixed] {
        bits.push_bit(flag);
    }
    let mut model = Model::new();
    (model.increment, model.gains) = increment(numbers);
    for number in numbers {
        model.write(number, &mut bits);
    }
    bits.into_bytes()
}

/// The usual maximum gain of clocks, and whether any clock gains more.
fn increment(numbers: &[Number]) -> (i64, bool) {
    let (mut model, mut gains) = (Model::new(), Vec::new());
    for number in numbers {
        if let Value::Clock(clock) = number.value {
            let clock = i64::from(clock);
            gains.extend(model.clocks[number.mover].replace(clock).map(|before| clock - before));
        }
    }
    gains.sort_unstable();
    let highest = gains.last().copied().unwrap_or(0);
    // A few players are given time by their opponents or the arbiter.
    let usual = gains.get(gains.len() - gains.len() / 32 - usize::from(!gains.is_empty()));
    let usual = usual.copied().unwrap_or(0).max(0);
    (usual, highest > usual)
}

impl Model {
    fn write(&mut self, number: &Number, bits: &mut Bits) {
        match number.value {
            Value::Clock(clock) => self.write_clock(i64::from(clock), number.mover, bits),
            Value::Elapsed(time) => self.elapsed.write(u64::from(time), bits),
            Value::Eval(eval) => {
                bits.push_bit(false);
                self.evals.write(rice::folded(i64::from(eval) - self.eval), bits);
                self.eval = i64::from(eval);
            }
            Value::Mate(moves) => {
                bits.push_bit(true);
                self.mates.write(rice::folded(i64::from(moves)), bits);
            }
            Value::Integer(depth) => {
                self.depths.write(rice::folded(i64::from(depth) - self.depth), bits);
                self.depth = i64::from(depth);
            }
        }
    }

    fn write_clock(&mut self, clock: i64, mover: Color, bits: &mut Bits) {
        match (self.clocks[mover], self.clocks[!mover]) {
            (Some(before), _) => {
                let used = before + self.increment - clock;
                match (u64::try_from(used), self.gains) {
                    (Ok(used), gains) => self.used.write(used + u64::from(gains), bits),
                    (Err(_), _) => {
                        // A 0 is the escape: the time used is one more if clocks may gain.
                        self.used.write(0, bits);
                        bits.push_exp_golomb(used.unsigned_abs() - 1, 0);
                    }
                }
            }
            (None, Some(other)) => bits.push_exp_golomb(rice::folded(clock - other), 0),
            (None, None) => {
                bits.push_exp_golomb(clock.unsigned_abs(), 0);
                bits.push_exp_golomb(self.increment.unsigned_abs(), 0);
                bits.push_bit(self.gains);
            }
        }
        self.clocks[mover] = Some(clock);
    }
}

/// Reads numbers.
pub(super) struct Reader<'a> {
    bits: BitReader<'a>,
    style: Style,
    model: Model,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Reader<'a>, DecodeError> {
        let (mut bits, mut style) = (BitReader::new(bytes), Style::default());
        if !bytes.is_empty() {
            style = Style { tenths: bits.bit()?, padded: bits.bit()?, fixed: bits.bit()? };
        }
        Ok(Reader { bits, style, model: Model::new() })
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// The number for a gap.
    pub(super) fn next(&mut self, gap: u8, mover: Color) -> Result<Value, DecodeError> {
        let bits = &mut self.bits;
        let too_large = |_| damaged("number out of range");
        Ok(match gap {
            CLOCK => Value::Clock(u32::try_from(self.model.clock(mover, bits)?).map_err(too_large)?),
            ELAPSED => Value::Elapsed(u32::try_from(self.model.elapsed.read(bits)?).map_err(too_large)?),
            EVAL if bits.bit()? => {
                let moves = rice::unfolded(self.model.mates.read(bits)?);
                Value::Mate(i32::try_from(moves).map_err(too_large)?)
            }
            EVAL => {
                let eval = self.model.eval.saturating_add(rice::unfolded(self.model.evals.read(bits)?));
                self.model.eval = eval;
                Value::Eval(i32::try_from(eval).map_err(too_large)?)
            }
            INTEGER => {
                let depth = self.model.depth.saturating_add(rice::unfolded(self.model.depths.read(bits)?));
                self.model.depth = depth;
                Value::Integer(u32::try_from(depth).map_err(too_large)?)
            }
            _ => return Err(damaged("unknown gap")),
        })
    }

    /// Whether everything has been read.
    pub(super) fn finish(self) -> Result<(), DecodeError> {
        Ok(self.bits.finish()?)
    }
}

impl Model {
    fn clock(&mut self, mover: Color, bits: &mut BitReader<'_>) -> Result<i64, DecodeError> {
        let clock = match (self.clocks[mover], self.clocks[!mover]) {
            (Some(before), _) => before.saturating_add(self.increment).saturating_sub(self.used(bits)?),
            (None, Some(other)) => other.saturating_add(rice::unfolded(bits.take_exp_golomb(0)?)),
            (None, None) => {
                let clock = bits.take_exp_golomb(0)?;
                self.increment = signed(bits.take_exp_golomb(0)?)?;
                self.gains = bits.bit()?;
                signed(clock)?
            }
        };
        self.clocks[mover] = Some(clock);
        Ok(clock)
    }

    /// The time used; negative for a gain above the increment.
    fn used(&mut self, bits: &mut BitReader<'_>) -> Result<i64, DecodeError> {
        let used = self.used.read(bits)?;
        if !self.gains {
            return signed(used);
        }
        match used.checked_sub(1) {
            Some(used) => signed(used),
            None => Ok(-signed(bits.take_exp_golomb(0)? + 1)?),
        }
    }
}

fn signed(number: u64) -> Result<i64, DecodeError> {
    i64::try_from(number).map_err(|_| damaged("number out of range"))
}
