//! Long numbers in limbs of less than 64 bits, little endian, and their bytes.

use super::Integer;

/// The limbs of the number with these little-endian bytes, `BYTES` per limb, without zero limbs on top.
pub(super) fn from_bytes_le<const BYTES: usize>(bytes: &[u8]) -> Vec<u64> {
    let limbs = bytes.chunks(BYTES).map(|chunk| {
        let mut limb = [0; 8];
        for (to, from) in limb.iter_mut().zip(chunk) {
            *to = *from;
        }
        u64::from_le_bytes(limb)
    });
    let mut limbs: Vec<u64> = limbs.collect();
    drop_zeros(&mut limbs);
    limbs
}

/// Little-endian bytes without trailing zero bytes; none for 0.
pub(super) fn to_bytes_le<const BYTES: usize>(limbs: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(limbs.len() * BYTES);
    for limb in limbs {
        bytes.extend_from_slice(&limb.to_le_bytes()[..BYTES]);
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

/// The same number in the public type.
pub(super) fn to_integer<const BYTES: usize>(limbs: &[u64]) -> Integer {
    Integer::from_bytes_le(&to_bytes_le::<BYTES>(limbs))
}

/// Removes zero limbs on top.
#[inline]
pub(super) fn drop_zeros(limbs: &mut Vec<u64>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}
