//! Bit mixing for hashes.

/// Mixes a number over all 64 bits (the finalizer of MurmurHash3).
///
/// # Stability
/// The position index stores the results.
#[inline]
pub const fn mix(mut number: u64) -> u64 {
    number = (number ^ number >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    number = (number ^ number >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ number >> 33
}
