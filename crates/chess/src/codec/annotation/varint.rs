//! Integers in as many bytes as they need.

/// Appends a number: seven bits per byte, lowest first.
pub(super) fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while let Some(low) = u8::try_from(number & 0x7f).ok().filter(|_| number > 0x7f) {
        bytes.push(low | 0x80);
        number >>= 7;
    }
    bytes.extend(u8::try_from(number));
}

/// Reads a number from the start of some bytes; `None` if it is unterminated or has more than 32 bits.
pub(super) fn take(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().enumerate().take(5) {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let rest = bytes.get(place + 1..)?;
            return (number <= u64::from(u32::MAX)).then_some((number, rest));
        }
    }
    None
}

/// Reads bytes with a length prefix from the start of others; `None` if there are too few.
pub(super) fn take_bytes(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = take(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length() {
        for number in [0, 1, 127, 128, 16_383, 16_384, 1 << 31, u64::from(u32::MAX)] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(take(&bytes), Some((number, &[][..])));
            assert_eq!(take(&bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(take(&[0xff; 6]), None);
    }
}
