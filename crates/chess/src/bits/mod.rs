//! Integers and bit strings for codecs.
//!
//! [`Integer`] is the public number type: num-bigint's, which is also the reference that the fast limbs of
//! [`mixed_radix`] are tested against. [`Bits`] is a bit string, written and read most significant bit first.

pub mod arithmetic;
mod golomb;
pub mod huffman;
mod key_filter;
mod limbs;
mod mix;
pub mod mixed_radix;
mod read;
pub mod weighted_radix;
mod write;

pub use key_filter::KeyFilter;
pub use mix::mix;
pub use num_bigint::BigUint as Integer;
pub use read::{BitError, BitReader};
pub use write::Bits;

/// The number of bits needed to distinguish `states` states: ⌈log2 states⌉, and 0 for one state or none.
///
/// ```
/// use plybook_chess::bits::{Integer, width_of};
/// assert_eq!(width_of(&Integer::from(13u8).pow(64)), 237);
/// assert_eq!([1u8, 2, 3, 64, 65].map(|n| width_of(&n.into())), [0, 1, 2, 6, 7]);
/// ```
pub fn width_of(states: &Integer) -> usize {
    if *states == Integer::ZERO { 0 } else { bit_length(&(states - 1u8)) }
}

/// The number of binary digits of a number, 0 for 0.
pub fn bit_length(number: &Integer) -> usize {
    usize::try_from(number.bits()).unwrap_or(usize::MAX)
}
