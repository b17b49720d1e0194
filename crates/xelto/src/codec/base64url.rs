//! The 64 characters of base64url as 6-bit numbers. The sources use only the alphabet: the meaning of the bits and the
//! padding depend on each encoding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The character for the lowest six bits of a number.
pub(super) fn character(six_bits: u32) -> char {
    let place = usize::try_from(six_bits & 63).unwrap_or(0);
    ALPHABET.get(place).copied().map_or('A', char::from)
}

/// The value of a character, below 64.
pub(super) fn value(character: char) -> Option<u8> {
    (0..).zip(ALPHABET).find(|&(_, &letter)| char::from(letter) == character).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_indices_in_the_alphabet() {
        let known = (0..=u32::from('\u{ff}')).filter_map(char::from_u32).filter(|&c| value(c).is_some());
        assert_eq!(known.count(), 64);
        for number in 0..64 {
            assert_eq!(value(character(number)).map(u32::from), Some(number));
        }
    }
}
