//! Encoded positions as text, and back.

use super::PresentError;
use crate::{
    bits::{BitReader, Bits, Integer, bit_length},
    chess::Setup,
    codec::position::PositionCodec,
    request::{Code, CodeFormat, RequestError},
};

/// More leading zero bits than any encoded position has.
const MOST_ZEROS: usize = 512;

/// Encodes a position.
///
/// # Errors
/// The encoding cannot represent it.
pub fn encode_position(
    codec: &PositionCodec,
    format: CodeFormat,
    setup: &Setup,
) -> Result<String, PresentError> {
    Ok(format.write(&codec.encode(setup)?, number))
}

/// Decodes a position. If an integer is ambiguous, `bits` gives the number of bits.
///
/// # Errors
/// The text is not a valid code of this format, or not a position of this encoding.
pub fn decode_position(
    codec: &PositionCodec,
    format: CodeFormat,
    text: &str,
    bits: Option<usize>,
) -> Result<Setup, PresentError> {
    match format.read(text)? {
        Code::Bytes(bytes) => Ok(codec.decode(&bytes)?),
        Code::Number(number) => Ok(of_number(codec, &number, bits)?),
    }
}

/// The number that the bits represent, most significant first.
fn number(bits: &Bits) -> Integer {
    let whole = BitReader::new(bits.bytes()).take_integer(bits.len());
    whole.unwrap_or_default() // there are as many bits
}

/// The position with this number. If the number of bits is unknown, exactly one width must fit.
fn of_number(codec: &PositionCodec, number: &Integer, bits: Option<usize>) -> Result<Setup, RequestError> {
    let least = bit_length(number);
    let widths = bits.map_or(least..=least + MOST_ZEROS, |bits| bits..=bits);
    let mut fitting = widths.filter_map(|width| Some((width, exactly(codec, number, width)?)));
    let (first, setup) = fitting.next().ok_or(RequestError::NoSuchNumber)?;
    match fitting.next() {
        Some((second, _)) => Err(RequestError::SeveralNumbers { first, second }),
        None => Ok(setup),
    }
}

/// The position encoded by a number of exactly `width` bits.
fn exactly(codec: &PositionCodec, number: &Integer, width: usize) -> Option<Setup> {
    let mut bits = Bits::default();
    bits.push_integer(number, width);
    let setup = codec.decode(bits.bytes()).ok()?;
    (codec.encode(&setup).ok()?.len() == width).then_some(setup)
}
