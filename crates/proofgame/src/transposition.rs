//! The two tables of a search, both of fixed size: the bounds of sides, and failed positions. When they are full,
//! entries are overwritten, which costs time but never correctness.

use shakmaty::Bitboard;

use super::bounds::Bounds;

/// The bounds of sides, by key.
pub(super) struct BoundsTable(Vec<[u64; 10]>);

impl BoundsTable {
    pub(super) fn new(bytes: usize) -> BoundsTable {
        BoundsTable(vec![[0; 10]; (bytes / size_of::<[u64; 10]>()).max(1)])
    }

    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let [found, rest @ ..] = self.0[slot(key, self.0.len())];
        let [from, to, strike, capture, loss, frozen, area, king_area, guard] = rest.map(Bitboard);
        let lost = Bitboard::EMPTY;
        let bounds = Bounds { from, to, strike, capture, loss, lost, frozen, area, king_area, guard };
        (found == key).then_some(bounds)
    }

    pub(super) fn put(&mut self, key: u64, bounds: &Bounds) {
        let Bounds { from, to, strike, capture, loss, lost: _, frozen, area, king_area, guard } = *bounds;
        let slot = slot(key, self.0.len());
        let squares = [from, to, strike, capture, loss, frozen, area, king_area, guard].map(u64::from);
        self.0[slot][0] = key;
        self.0[slot][1..].copy_from_slice(&squares);
    }
}

/// The keys of positions that cannot be solved in the remaining moves.
pub(super) struct FailureTable(Vec<[u64; FailureTable::WAYS]>);

impl FailureTable {
    const WAYS: usize = 8;

    pub(super) fn new(bytes: usize) -> FailureTable {
        FailureTable(vec![[0; FailureTable::WAYS]; (bytes / size_of::<[u64; FailureTable::WAYS]>()).max(1)])
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.0[slot(key, self.0.len())].contains(&key)
    }

    pub(super) fn insert(&mut self, key: u64) {
        let slot = slot(key, self.0.len());
        let ways = &mut self.0[slot];
        ways.rotate_right(1);
        ways[0] = key;
    }
}

/// The slot of a key: its leading bits, scaled to the number of slots.
fn slot(key: u64, slots: usize) -> usize {
    ((u128::from(key) * slots as u128) >> 64) as usize
}
