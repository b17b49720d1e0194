//! The fingerprint of a game: what makes two games the same, and what a damaged one no longer has.

use twox_hash::XxHash3_64;

use crate::{
    chess::{Move, Variant},
    pgn::Tags,
    rules::Outcome,
};

/// 64 bits over the variant, all tag pairs (in export order: their order in the file makes no other game),
/// the moves and the result. The start position is in the FEN tag.
///
/// # Stability
/// Stored in archives: it never changes.
pub fn fingerprint(variant: Variant, tags: &Tags, moves: &[Move], result: Outcome) -> u64 {
    let mut bytes = Vec::with_capacity(256 + 2 * moves.len());
    bytes.push(variant.id());
    let mut others: Vec<(&str, &str)> = Vec::new();
    for (place, (name, value)) in tags.in_export_order().enumerate() {
        if place < 7 {
            push_pair(&mut bytes, name, value);
        } else {
            others.push((name, value));
        }
    }
    others.sort_unstable();
    for (name, value) in others {
        push_pair(&mut bytes, name, value);
    }
    bytes.push(0xff);
    bytes.extend(moves.iter().flat_map(|&m| packed(m).to_le_bytes()));
    bytes.extend(result.as_str().as_bytes());
    XxHash3_64::oneshot(&bytes)
}

/// Name and value, ended by bytes that no UTF-8 text has.
fn push_pair(bytes: &mut Vec<u8>, name: &str, value: &str) {
    bytes.extend(name.as_bytes());
    bytes.push(0xfe);
    bytes.extend(value.as_bytes());
    bytes.push(0xfd);
}

/// A move in 16 bits: from, to, and what the squares do not say.
fn packed(m: Move) -> u16 {
    let square = |square: shakmaty::Square| u16::from(u8::from(square));
    let role = |role: Option<shakmaty::Role>| role.map_or(0, u16::from);
    match m {
        Move::Normal { from, to, promotion, .. } => square(from) | square(to) << 6 | role(promotion) << 12,
        Move::EnPassant { from, to } => square(from) | square(to) << 6,
        Move::Castle { king, rook } => square(king) | square(rook) << 6 | 7 << 12,
        Move::Put { role: dropped, to } => square(to) << 6 | (8 + u16::from(dropped)) << 12,
    }
}
