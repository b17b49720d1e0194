//! The fingerprint of a game, which identifies duplicates and detects damage.

use twox_hash::XxHash3_64;

use super::GameKind;
use plybook_chess::{
    chess::{Annotation, Annotations, Move, Tags, Variant},
    rules::Outcome,
};

/// 64 bits over the variant, all tag pairs (in export order, so that their order in the file does not matter), the
/// moves, the result, and the annotations if there are any. The start position is in the FEN tag.
///
/// # Stability
/// Stored in archives: it never changes.
pub fn fingerprint(
    variant: Variant,
    tags: &Tags,
    moves: &[Move],
    result: Outcome,
    annotations: &Annotations,
) -> u64 {
    let mut bytes = tag_bytes(GameKind::Chess(variant), tags, moves.len());
    let start = bytes.len();
    bytes.resize(start + 2 * moves.len(), 0);
    for (to, &m) in bytes[start..].as_chunks_mut::<2>().0.iter_mut().zip(moves) {
        *to = packed(m).to_le_bytes();
    }
    bytes.extend(result.as_str().as_bytes());
    for (ply, annotation) in annotations.iter() {
        push_annotation(&mut bytes, ply, annotation);
    }
    XxHash3_64::oneshot(&bytes)
}

/// The beginning: the kind and the tag pairs, with capacity for this many moves.
pub(super) fn tag_bytes(kind: GameKind, tags: &Tags, moves: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + 2 * moves);
    bytes.push(kind.id());
    let (roster, mut others) = tags.roster_and_others();
    others.sort_unstable();
    for (name, value) in roster.into_iter().chain(others) {
        push_pair(&mut bytes, name, value);
    }
    bytes.push(0xff);
    bytes
}

/// Appends a name and a value, each terminated by bytes that never occur in UTF-8.
fn push_pair(bytes: &mut Vec<u8>, name: &str, value: &str) {
    bytes.extend(name.as_bytes());
    bytes.push(0xfe);
    bytes.extend(value.as_bytes());
    bytes.push(0xfd);
}

/// Appends an annotation, after its kind and the number of mainline moves before it.
fn push_annotation(bytes: &mut Vec<u8>, ply: usize, annotation: Annotation<'_>) {
    let place = u32::try_from(ply).unwrap_or(u32::MAX).to_le_bytes();
    let mut push = |kind: u8, content: &[u8]| {
        bytes.push(kind);
        bytes.extend(place);
        bytes.extend(content);
    };
    match annotation {
        Annotation::Comment(comment) => {
            push(1, comment.as_bytes());
            bytes.push(0xfd);
        }
        Annotation::Nag(nag) => push(2, &nag.to_le_bytes()),
        Annotation::Open => push(3, &[]),
        Annotation::Close => push(4, &[]),
        Annotation::Move(m) => push(5, &packed(m).to_le_bytes()),
        Annotation::Null => push(6, &[]),
        Annotation::Result(outcome) => push(7, outcome.as_str().as_bytes()),
        Annotation::Continue => push(8, &[]),
    }
}

/// A move in 16 bits: from, to, and what the squares do not determine.
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
