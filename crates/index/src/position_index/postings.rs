//! Postings: which games have a pawn structure, an arrangement of minor pieces, or a position.
//!
//! A posting is a number: the bucket of a hash times the number of games, plus the sort position of a game. All
//! postings are stored in ascending order, in rows of about equal length. A row: the number of its postings (16 bits),
//! the first one (64 bits), then the differences as Rice codes. A lookup returns the sort positions of all games in a
//! bucket. Because buckets are few, some of these games have something else in it; a replay rules them out.

use super::{DamagedIndex, NamedRow, keys::scale};
use plybook_chess::bits::{BitReader, Bits};

/// Most postings in a row, which limits how much is read.
const MOST: usize = u16::MAX as usize;

/// The parameters of postings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PostingsShape {
    /// Number of games.
    pub games: u64,
    /// Number of buckets.
    pub buckets: u64,
    /// The order of the Rice codes.
    pub order: u8,
}

impl PostingsShape {
    /// The parameters for this many postings.
    // The number of buckets need not be a power of two: the number of games per bucket would then vary by a factor of up
    // to 1.4. Scaling the hash by multiplication works for any number.
    pub fn new(games: u64, postings: u64) -> PostingsShape {
        // One false match is expected at each level of a lookup, and replayed in vain. With half as many buckets a posting
        // would have a bit less, 2.2 bytes per game, and exploring a position would take 1.2 times as long.
        let buckets = postings.max(1);
        // Optimal for the mean difference of a geometric distribution: two orders are as good as each other if 2 to the
        // power of the smaller one is ln((1 + sqrt 5) / 2), 0.481, of the mean.
        let mean = (buckets * games) as f64 / postings.max(1) as f64;
        let order = (mean * 0.962).max(1.0).log2() as u8;
        PostingsShape { games, buckets, order }
    }

    /// The posting of a game under a hash.
    #[inline]
    pub fn posting(&self, hash: u64, rank: u32) -> u64 {
        scale(hash, self.buckets) * self.games + u64::from(rank)
    }

    /// Writes ascending postings as rows of at most this many bytes. Returns the first posting of each row, and the
    /// rows.
    pub fn rows(&self, postings: &[u64], bytes: usize) -> Vec<NamedRow> {
        let mut rows = Vec::new();
        let mut rest = postings;
        while let Some(&first) = rest.first() {
            let (count, row) = self.row(first, rest, bytes);
            rows.push((first, row));
            rest = rest.get(count..).unwrap_or_default();
        }
        rows
    }

    fn row(&self, first: u64, postings: &[u64], bytes: usize) -> (usize, Vec<u8>) {
        let order = usize::from(self.order);
        let mut codes = Bits::default();
        let (mut count, mut last) = (1, first);
        for &posting in postings.iter().skip(1).take(MOST - 1) {
            let gap = posting - last;
            let width = 1 + order + (gap >> order) as usize;
            if 16 + 64 + codes.len() + width > 8 * bytes {
                break;
            }
            codes.push_rice(gap, order);
            (count, last) = (count + 1, posting);
        }
        let mut row = Bits::default();
        row.push(count as u64, 16);
        row.push(first, 64);
        let mut row = row.into_bytes();
        row.extend(codes.into_bytes());
        (count, row)
    }

    /// Appends the sort positions of the games of a row that are posted under a hash.
    ///
    /// # Errors
    /// The row is invalid.
    pub fn ranks(&self, row: &[u8], hash: u64, ranks: &mut Vec<u32>) -> Result<(), DamagedIndex> {
        let from = scale(hash, self.buckets) * self.games;
        let mut bits = BitReader::new(row);
        let count = bits.take(16)?;
        let mut posting = bits.take(64)?;
        for number in 0..count {
            if number > 0 {
                let gap = bits.take_rice(self.order.into())?;
                posting = posting.checked_add(gap).filter(|_| gap > 0).ok_or(DamagedIndex)?;
            }
            // Rows are decoded from their beginning, because Rice codes cannot be entered in the middle. A row is as
            // small as a block, so this costs less than reading the block.
            if posting >= from + self.games {
                break;
            }
            if posting >= from {
                ranks.push((posting - from) as u32);
            }
        }
        Ok(())
    }

    /// The range of postings under a hash.
    pub fn range(&self, hash: u64) -> std::ops::Range<u64> {
        let from = scale(hash, self.buckets) * self.games;
        from..from + self.games
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Some hashes, and which games are posted under each.
    fn games() -> impl Strategy<Value = Vec<(u64, u32)>> {
        let hash = prop_oneof![any::<u64>(), (0u64..6).prop_map(|part| part << 61), Just(u64::MAX)];
        prop::collection::vec((hash, 0u32..400), 0..500)
    }

    proptest! {
        #[test]
        fn every_posted_game_is_found(games in games(), buckets in 1u64..500, bytes in 40usize..300) {
            let shape = PostingsShape { buckets, ..PostingsShape::new(400, games.len() as u64) };
            let mut postings: Vec<u64> = games.iter().map(|(hash, rank)| shape.posting(*hash, *rank)).collect();
            postings.sort_unstable();
            postings.dedup();
            let rows = shape.rows(&postings, bytes);
            prop_assert!(rows.iter().all(|(_, row)| row.len() <= bytes));
            prop_assert!(rows.is_sorted_by(|one, next| one.0 < next.0));
            for (hash, _) in &games {
                let mut ranks = Vec::new();
                rows.iter().for_each(|(_, row)| shape.ranks(row, *hash, &mut ranks).unwrap());
                // The games of the same bucket, without duplicates.
                let bucket = |hash| scale(hash, shape.buckets);
                let mut expected: Vec<u32> =
                    games.iter().filter(|game| bucket(game.0) == bucket(*hash)).map(|game| game.1).collect();
                expected.sort_unstable();
                expected.dedup();
                prop_assert_eq!(ranks, expected);
            }
        }

        #[test]
        fn arbitrary_bytes_are_postings_or_an_error(bytes: Vec<u8>, hash: u64, order in 0u8..48, buckets in 1u64..1 << 32) {
            let (shape, mut ranks) = (PostingsShape { games: 50, buckets, order }, Vec::new());
            let _ = shape.ranks(&bytes, hash, &mut ranks);
            // However long a row is, it contains no game of a bucket twice.
            prop_assert!(ranks.len() <= 50 && ranks.is_sorted_by(|one, next| one < next));
        }
    }
}
