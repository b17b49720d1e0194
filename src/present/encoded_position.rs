//! Positions as codes in text, and back.

use super::PresentError;
use crate::{
    bits::{BitReader, Bits, Integer, bit_length},
    chess::Setup,
    codec::position::PositionCodec,
    request::{Code, CodeFormat, RequestError},
};

/// More zero bits in front than any position of an encoding has.
const MOST_ZEROS: usize = 512;

/// Writes a position in an encoding.
///
/// # Errors
/// The encoding cannot hold it.
pub fn encode_position(
    codec: &dyn PositionCodec,
    format: CodeFormat,
    setup: &Setup,
) -> Result<String, PresentError> {
    Ok(format.write(&codec.encode(setup)?, number))
}

/// Reads a position. Where an integer could mean several, `bits` says how many bits it has.
///
/// # Errors
/// The text is no code of this format, or no position of this encoding.
pub fn decode_position(
    codec: &dyn PositionCodec,
    format: CodeFormat,
    text: &str,
    bits: Option<usize>,
) -> Result<Setup, PresentError> {
    match format.read(text)? {
        Code::Bytes(bytes) => Ok(codec.decode(&bytes)?),
        Code::Number(number) => Ok(of_number(codec, &number, bits)?),
    }
}

/// The number that bits are, the most significant first.
fn number(bits: &Bits) -> Integer {
    let whole = BitReader::new(bits.bytes()).take_integer(bits.len());
    whole.unwrap_or_default() // there are as many bits
}

/// The position with this number. If it is not known how many bits it has, only one number may fit.
fn of_number(
    codec: &dyn PositionCodec,
    number: &Integer,
    bits: Option<usize>,
) -> Result<Setup, RequestError> {
    let least = bit_length(number);
    let widths = bits.map_or(least..=least + MOST_ZEROS, |bits| bits..=bits);
    let mut fitting = widths.filter_map(|width| Some((width, exactly(codec, number, width)?)));
    let (first, setup) = fitting.next().ok_or(RequestError::NoSuchNumber)?;
    match fitting.next() {
        Some((second, _)) => Err(RequestError::SeveralNumbers { first, second }),
        None => Ok(setup),
    }
}

/// The position whose code is a number of exactly so many bits.
fn exactly(codec: &dyn PositionCodec, number: &Integer, width: usize) -> Option<Setup> {
    let mut bits = Bits::default();
    bits.push_integer(number, width);
    let setup = codec.decode(bits.bytes()).ok()?;
    (codec.encode(&setup).ok()?.len() == width).then_some(setup)
}
