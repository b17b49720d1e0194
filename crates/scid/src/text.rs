//! Text of unknown encoding: programs of several decades have written names into the same database.

use std::borrow::Cow;

use plybook_pgn::Encoding;

/// Decodes text: what is UTF-8 as UTF-8, and all other bytes in an encoding, or as Windows-1252 if they have no meaning
/// in it.
// Sequence by sequence, not text by text: real names have both.
pub fn decoded(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let other = chunk.invalid();
        let other = encoding.decode(other).or_else(|| Encoding::USUAL.decode(other));
        text.push_str(&other.unwrap_or_default());
    }
    text.into()
}
