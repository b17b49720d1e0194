//! The numbers in comments: times, evaluations, depths. Parsing accepts only text that writing reproduces exactly.

use std::io::Write;

use super::{
    gap::{CLOCK, ELAPSED, EVAL, INTEGER},
    style::Style,
};

/// A number in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The clock time: in seconds, or in tenths if the style has them.
    Clock(u32),
    /// An elapsed time, in the same unit.
    Elapsed(u32),
    /// Hundredths of a pawn.
    Eval(i32),
    /// The number of moves to mate; negative if Black mates.
    Mate(i32),
    /// A depth.
    Integer(u32),
}

/// Most hours of a clock.
const MAX_HOURS: u32 = 9_999;

/// Parses the number of a gap.
pub(super) fn parse(gap: u8, text: &str, style: Style) -> Option<Value> {
    match gap {
        CLOCK => time(text, style).map(Value::Clock),
        ELAPSED => time(text, style).map(Value::Elapsed),
        EVAL => match text.strip_prefix('#') {
            Some(mate) => signed(mate, whole).map(Value::Mate),
            None => signed(text, |pawns| hundredths(pawns, style)).map(Value::Eval),
        },
        INTEGER => whole(text).map(Value::Integer),
        _ => None,
    }
}

/// An integer without leading zeros.
fn whole(text: &str) -> Option<u32> {
    let plain = text == "0" || !text.starts_with('0');
    (plain && (1..=9).contains(&text.len()) && is_digits(text)).then(|| text.parse().ok()).flatten()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Two digits below 60.
fn sixtieth(text: &str) -> Option<u32> {
    (text.len() == 2 && is_digits(text)).then(|| text.parse().ok()).flatten().filter(|part| *part < 60)
}

/// `h:mm:ss` or `h:mm:ss.d`.
fn time(text: &str, style: Style) -> Option<u32> {
    let (text, tenths) = match text.split_once('.') {
        Some((text, tenths)) => {
            (text, whole(tenths).filter(|tenths| style.tenths && (1..=9).contains(tenths))?)
        }
        None => (text, 0),
    };
    let (hours, rest) = text.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':')?;
    let hours = match hours.strip_prefix('0').filter(|_| style.padded) {
        Some(hours) => whole(hours).filter(|hours| *hours < 10)?,
        None => whole(hours).filter(|hours| *hours >= 10 || !style.padded)?,
    };
    if hours > MAX_HOURS {
        return None;
    }
    let seconds = (hours * 60 + sixtieth(minutes)?) * 60 + sixtieth(seconds)?;
    Some(if style.tenths { seconds * 10 + tenths } else { seconds })
}

fn signed(text: &str, read: impl Fn(&str) -> Option<u32>) -> Option<i32> {
    match text.strip_prefix('-') {
        Some(text) => read(text).and_then(|number| i32::try_from(number).ok()).filter(|n| *n > 0).map(|n| -n),
        None => read(text).and_then(|number| i32::try_from(number).ok()),
    }
}

/// Pawns with one or two digits after the point.
fn hundredths(text: &str, style: Style) -> Option<u32> {
    let (pawns, decimals) = text.split_once('.')?;
    let pawns = whole(pawns).filter(|pawns| *pawns < 10_000_000)?;
    let parts = match *decimals.as_bytes() {
        [tens @ b'0'..=b'9'] if !style.fixed => u32::from(tens - b'0') * 10,
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] if style.fixed || ones != b'0' => {
            u32::from(tens - b'0') * 10 + u32::from(ones - b'0')
        }
        _ => return None,
    };
    Some(pawns * 100 + parts)
}

/// Writes a number.
pub(super) fn write(value: Value, style: Style, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = match value {
        Value::Clock(time) | Value::Elapsed(time) => write_time(time, style, out),
        Value::Eval(eval) => write_eval(eval, style, out),
        Value::Mate(mate) => write!(out, "#{mate}"),
        Value::Integer(number) => write!(out, "{number}"),
    };
}

fn write_time(time: u32, style: Style, out: &mut Vec<u8>) -> std::io::Result<()> {
    let (seconds, tenths) = if style.tenths { (time / 10, time % 10) } else { (time, 0) };
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if style.padded {
        write!(out, "{hours:02}:{minutes:02}:{seconds:02}")?;
    } else {
        write!(out, "{hours}:{minutes:02}:{seconds:02}")?;
    }
    if tenths > 0 { write!(out, ".{tenths}") } else { Ok(()) }
}

fn write_eval(eval: i32, style: Style, out: &mut Vec<u8>) -> std::io::Result<()> {
    let sign = if eval < 0 { "-" } else { "" };
    let (pawns, parts) = (eval.unsigned_abs() / 100, eval.unsigned_abs() % 100);
    if style.fixed || parts % 10 > 0 {
        write!(out, "{sign}{pawns}.{parts:02}")
    } else {
        write!(out, "{sign}{pawns}.{}", parts / 10)
    }
}
