//! Game ids as eight letters and digits, the form that clients of explorers expect.

use crate::record::GameId;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Digits of an id.
const WIDTH: usize = 8;

/// The id of a game in base 62, padded with zeros. Ids from 62⁸ on, which no archive reaches, wrap around.
pub fn public_id(id: GameId) -> String {
    let mut rest = id.unsigned_abs();
    let mut digits = [b'0'; WIDTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

/// The id that a text stands for; `None` if it is invalid.
pub fn read_public_id(text: &str) -> Option<GameId> {
    if text.len() != WIDTH {
        return None;
    }
    text.bytes().try_fold(0, |id: GameId, digit| {
        let place = DIGITS.iter().position(|known| *known == digit)?;
        Some(id * 62 + place as GameId)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_a_round_trip() {
        for (id, text) in [
            (0, "00000000"),
            (1, "00000001"),
            (61, "0000000z"),
            (62, "00000010"),
            (297_156, "00001FIq"),
            (62_i64.pow(8) - 1, "zzzzzzzz"),
        ] {
            assert_eq!((public_id(id).as_str(), read_public_id(text)), (text, Some(id)));
        }
        for text in ["", "1", "0000000", "000000000", "0000000-", "0000000é", "000000é", "0000 000"] {
            assert_eq!(read_public_id(text), None, "{text:?}");
        }
    }
}
