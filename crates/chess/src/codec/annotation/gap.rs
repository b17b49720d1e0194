//! Template bytes that are not text: gaps, and escapes for bytes that look like gaps.

/// Gaps.
pub(super) const CLOCK: u8 = 1;
pub(super) const ELAPSED: u8 = 2;
pub(super) const EVAL: u8 = 3;
pub(super) const INTEGER: u8 = 4;
pub(super) const VALUE: u8 = 5;
/// Followed by a digit for one of the bytes below 7.
pub(super) const ESCAPE: u8 = 6;

/// Whether a text needs no escapes. The complete text is scanned, many bytes at a time.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |plain, byte| plain & (byte > ESCAPE))
}

/// Appends a text to a template.
pub(super) fn push_text(template: &mut Vec<u8>, text: &str) {
    if is_plain(text) {
        template.extend(text.bytes());
        return;
    }
    for byte in text.bytes() {
        match byte {
            0..=ESCAPE => template.extend([ESCAPE, b'0' + byte]),
            _ => template.push(byte),
        }
    }
}
