//! Parses the most common SAN in a word held in a register: a piece or pawn, an optional capture, a square, an
//! optional check. The kind of a move cannot be predicted, and a mispredicted branch costs more than this entire
//! parse, so it is free of branches. All other words are read byte by byte.

use shakmaty::{File, Role, Square, san::San};

use super::san_cache::ShortWord;

/// The pieces by the first letter of a word; 0 for none.
static PIECES: [u8; 256] = {
    let mut pieces = [0; 256];
    pieces[b'N' as usize] = 2;
    pieces[b'B' as usize] = 3;
    pieces[b'R' as usize] = 4;
    pieces[b'Q' as usize] = 5;
    pieces[b'K' as usize] = 6;
    pieces
};

/// Parses a word of the given length that has one of these forms: `e4`, `Nf3`, `exd5`, `Nxf3`, each optionally with
/// `+` or `#`.
#[inline(always)]
pub(super) fn common_san(ShortWord(word): ShortWord, length: usize) -> Option<San> {
    let byte = |at: usize| (word >> (8 * at)) as u8;
    let last = byte(length.checked_sub(1)?);
    let length = length - usize::from((last == b'+') | (last == b'#'));
    let piece = PIECES[usize::from(byte(0))];
    let is_piece = piece > 0;
    let square = length.checked_sub(2)?;
    let (file, rank) = (byte(square).wrapping_sub(b'a'), byte(square + 1).wrapping_sub(b'1'));
    let between = square.checked_sub(usize::from(is_piece))?;
    // The bytes between the piece and the square; for a pawn they include the file of origin.
    let between = word >> (8 * u32::from(is_piece)) & ((1 << (8 * between)) - 1);
    let from = byte(0).wrapping_sub(b'a');
    let sign = u64::from(b'x');
    let capture = between == if is_piece { sign } else { sign << 8 | u64::from(byte(0)) };
    // The conditions are combined with `&` because `&&` would add branches, and which condition fails depends on the
    // move.
    let is_usual = (file < 8) & (rank < 8) & (capture | (between == 0)) & (is_piece | (from < 8));
    let pawn_from = (capture & !is_piece).then(|| File::new(u32::from(from & 7)));
    is_usual.then(|| San::Normal {
        // The remainder only shows the compiler that the index is in range; it never changes the value.
        role: Role::ALL[usize::from(piece.saturating_sub(1)) % 6],
        file: pawn_from,
        rank: None,
        capture,
        to: Square::new(u32::from(rank & 7) << 3 | u32::from(file & 7)),
        promotion: None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shakmaty::san::SanPlus;

    use super::*;

    #[test]
    fn words_are_parsed_as_byte_by_byte() {
        let mut words = vec![String::new()];
        let mut found = 0;
        for length in 1..=6 {
            let bytes: &[u8] = if length < 5 { b"NBRQKPOabehix01589+#=-@y:" } else { b"ab8x+#" };
            let longer = |word: &String| {
                bytes.iter().map(move |&byte| format!("{word}{}", byte as char)).collect::<Vec<_>>()
            };
            words = words.iter().flat_map(longer).collect();
            if length >= 4 {
                words.retain(|word| word[1..].contains('x') || word.ends_with(['+', '#']));
            }
            for word in &words {
                // The bytes after the word are ignored.
                let short = ShortWord::of(format!("{word} Nxe5+ e4").as_bytes(), word.len()).unwrap();
                if let Some(san) = common_san(short, word.len()) {
                    assert_eq!(
                        SanPlus::from_ascii(word.as_bytes()).ok().map(|san| san.san),
                        Some(san),
                        "{word}"
                    );
                    found += 1;
                }
            }
        }
        assert!(found > 500, "{found}");
        for usual in ["e4", "exd5", "Nf3", "Bxh7+", "Qh8#", "a1", "h8+", "Kxa1#"] {
            let short = ShortWord::of(format!("{usual}        ").as_bytes(), usual.len()).unwrap();
            assert!(common_san(short, usual.len()).is_some(), "{usual}");
        }
    }
}
