//! The positions of a game, each at its last occurrence.

use foldhash::HashSet;

use crate::position_index::{MoveCode, PositionKeys};
use plybook_chess::chess::{Move, Position, QuickChess, RunningKey, whole_key};

/// The last occurrence of a position in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    pub keys: PositionKeys,
    /// The move played.
    pub played: MoveCode,
}

/// Continues with a position, and the move before it.
#[inline]
pub fn visit(key: &mut RunningKey, position: &QuickChess, m: Option<Move>, visits: &mut Vec<Visit>) {
    if let Some(m) = m {
        key.advance(m, position);
        if let Some(last) = visits.last_mut() {
            last.played = MoveCode::of(m);
        }
    }
    let whole = whole_key(key.get(), position.castles().castling_rights());
    visits.push(Visit { keys: PositionKeys::of(position.board(), whole), played: MoveCode::ENDED });
}

/// Bits of the filters of [`keep_last`].
const FILTER_BITS: usize = 1 << 14;

/// Keeps only the last of equal positions.
// A game counts once per position, under the move it played there last, as in the public explorers. Otherwise the
// moves would not add up to the number of games: the Najdorf after 6. Be3 is reached by 2,840 of the master games but
// visited 2,899 times.
pub fn keep_last(visits: &mut Vec<Visit>) {
    // For most positions, and most games, filters show immediately that they occur only once.
    let (mut once, mut again) = ([0u64; FILTER_BITS / 64], [0u64; FILTER_BITS / 64]);
    let place = |visit: &Visit| (visit.keys.whole as usize % FILTER_BITS / 64, 1 << (visit.keys.whole % 64));
    let mut any = false;
    for visit in visits.iter() {
        let (word, bit) = place(visit);
        any |= once[word] & bit != 0;
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    if any {
        let mut later = HashSet::default();
        visits.reverse();
        visits.retain(|visit| {
            let (word, bit) = place(visit);
            again[word] & bit == 0 || later.insert(visit.keys.whole)
        });
        visits.reverse();
    }
}

/// Bytes of a position.
pub const POSITION: usize = 22;

/// Appends encoded positions.
pub fn write_positions(visits: &[Visit], bytes: &mut Vec<u8>) {
    bytes.reserve(visits.len() * POSITION);
    for Visit { keys, played } in visits {
        let mut position = [0; POSITION];
        position[..8].copy_from_slice(&keys.whole.to_le_bytes());
        position[8..12].copy_from_slice(&keys.white_pawns.to_le_bytes());
        position[12..16].copy_from_slice(&keys.pawns.to_le_bytes());
        position[16..20].copy_from_slice(&keys.minors.to_le_bytes());
        position[20..].copy_from_slice(&played.0.to_le_bytes());
        bytes.extend_from_slice(&position);
    }
}

/// Reads the output of [`write_positions`].
pub fn read_positions(bytes: &[u8], visits: &mut Vec<Visit>) {
    visits.clear();
    visits.extend(bytes.as_chunks::<POSITION>().0.iter().map(|bytes| {
        let whole = u64::from(u32_at(bytes, 0)) | u64::from(u32_at(bytes, 4)) << 32;
        let [white_pawns, pawns, minors] = [8, 12, 16].map(|at| u32_at(bytes, at));
        let keys = PositionKeys { whole, white_pawns, pawns, minors };
        Visit { keys, played: MoveCode(u16::from_le_bytes([bytes[20], bytes[21]])) }
    }));
}

fn u32_at(bytes: &[u8; POSITION], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
