//! The 64 characters of base64url as 6-bit numbers. The sources use only the alphabet: the meaning of the bits and the
//! padding depend on each encoding.

use plybook_chess::bits::{BitReader, Bits};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text of some bits, with zero bits up to the next character.
pub(super) fn text(mut bits: Bits) -> String {
    bits.push(0, bits.len().next_multiple_of(6) - bits.len());
    let mut reader = BitReader::new(bits.bytes());
    let sixes = (0..bits.len() / 6).map_while(|_| reader.take_u8(6).ok());
    sixes.filter_map(|six| ALPHABET.get(usize::from(six)).copied()).map(char::from).collect()
}

/// The bits of a text, or the index of a character that is not in the alphabet.
pub(super) fn bits(text: &str) -> Result<Bits, usize> {
    let mut bits = Bits::default();
    for (at, character) in text.chars().enumerate() {
        bits.push(value(character).ok_or(at)?.into(), 6);
    }
    Ok(bits)
}

/// The value of a character, below 64.
fn value(character: char) -> Option<u8> {
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
            let mut six = Bits::default();
            six.push(number, 6);
            assert_eq!(bits(&text(six.clone())), Ok(six));
        }
        assert_eq!(bits("AB*C*"), Err(2));
    }
}
