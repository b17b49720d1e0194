//! The segments of indexes, from parts that may hold anything.

use std::{collections::BTreeMap, ops::ControlFlow};

use plybook::{
    position_index::{
        ColumnOf, DamagedIndex, Part, PositionKeys, PostingsShape, Rows, Segment, SegmentShape,
    },
    trail::{self, TrailShape, Trails},
};

/// Parts by number. Each is one row.
struct Parts(BTreeMap<u8, Vec<u8>>);

/// The number of games (16 bits), of buckets (16), the order of the Rice codes (8), then parts, each after its number
/// (8) and its length (16). They are read as a segment of trails, and as one of positions. A segment is invalid, or
/// all games in it are its own.
pub fn index(bytes: &[u8]) {
    let Some((&[games, more_games, buckets, more_buckets, order], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let games = u16::from_le_bytes([games, more_games]);
    let buckets = u64::from(u16::from_le_bytes([buckets, more_buckets])).max(1);
    let parts = Parts::read(rest);
    trails(games.into(), &parts);
    positions(games.into(), PostingsShape { games: games.into(), buckets, order: order % 48 }, &parts);
}

fn trails(games: u32, parts: &Parts) {
    let shape = TrailShape { games, block_bytes: 64 };
    let parts = trail::Part::ALL.map(|part| parts.part(part.number()));
    let Ok(trails) = Trails::new(1, shape, parts) else { return };
    for row in (0..trails.rows()).filter_map(|number| trails.row(number)) {
        for (id, trail) in row.games().flatten() {
            let _ = trails.facts(id);
            let mut pieces = u8::MAX;
            let _ = trail.map(|trail| {
                trail.moments(|moment| {
                    assert!(moment.pieces <= pieces, "pieces come back");
                    pieces = moment.pieces;
                    ControlFlow::Continue(())
                })
            });
        }
    }
}

fn positions(games: u32, postings: PostingsShape, parts: &Parts) {
    let rows_of = |firsts: Part| (parts.part(firsts.number()).len() / 8) as u32;
    let segment = Segment::new(SegmentShape {
        games,
        postings,
        popular_rows: rows_of(Part::PopularFirst),
        posting_rows: rows_of(Part::PostingsFirst),
        ..SegmentShape::default()
    });
    let is_sorted = |ranks: &[u32]| ranks.is_sorted_by(|one, next| one < next);
    for whole in parts.firsts() {
        let [low, high] = [whole as u32, (whole >> 32) as u32];
        let keys = PositionKeys { whole, white_pawns: low ^ high, pawns: low, minors: high };
        let ranks = segment.candidates(parts, &[keys]).unwrap_or_default();
        assert!(is_sorted(&ranks) && ranks.last().is_none_or(|last| *last < games));
        for position in segment.popular(parts, whole).unwrap_or_default() {
            assert!(position.games <= games);
            assert!(position.runs.iter().all(|run| run.ranks().end <= games));
        }
    }
    let columns = ColumnOf::ALL.map(|of| segment.column(parts, of));
    for column in columns.into_iter().chain([segment.order(parts)]).flatten() {
        assert_eq!(column.places.len(), games as usize);
        assert!(column.places.iter().all(|place| (*place as usize) < column.values.len()));
    }
}

impl Parts {
    fn read(mut bytes: &[u8]) -> Parts {
        let mut parts = BTreeMap::new();
        while let Some((&[number, low, high], rest)) = bytes.split_first_chunk::<3>() {
            let length = usize::from(u16::from_le_bytes([low, high])).min(rest.len());
            let (part, rest) = rest.split_at(length);
            parts.insert(number, part.to_vec());
            bytes = rest;
        }
        Parts(parts)
    }

    fn part(&self, number: u8) -> Vec<u8> {
        self.0.get(&number).cloned().unwrap_or_default()
    }

    /// The keys that begin rows of popular positions, and two more.
    fn firsts(&self) -> Vec<u64> {
        let firsts = self.part(Part::PopularFirst.number());
        firsts.as_chunks().0.iter().map(|first| u64::from_le_bytes(*first)).chain([0, u64::MAX]).collect()
    }
}

impl Rows for Parts {
    type Error = DamagedIndex;

    fn row(&self, part: Part, _: u32) -> Result<Vec<u8>, DamagedIndex> {
        self.whole(part)
    }

    fn whole(&self, part: Part) -> Result<Vec<u8>, DamagedIndex> {
        self.0.get(&part.number()).cloned().ok_or(DamagedIndex)
    }

    fn damaged(&self) -> DamagedIndex {
        DamagedIndex
    }
}
