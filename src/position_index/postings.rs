//! Postings: which games have a pawn structure, an arrangement of minor pieces, a position.
//!
//! A posting is a number: the bucket of a hash times the number of games, plus the rank of a game. All of them stand
//! in ascending order in rows of about equal length. A row: the number of its postings (16 bits), the first one
//! (64 bits), then the differences as Rice codes. What is looked up is the rank of every game in a bucket: with some
//! that have something else in it, since buckets are few; a replay tells.

use super::{DamagedIndex, NamedRow, keys::scale};
use crate::bits::{BitReader, Bits};

/// Most postings of a row, so that what is read is bounded.
const MOST: usize = u16::MAX as usize;

/// What postings are written with.
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
    /// The shape for so many postings, of which about `a_bucket` come in one bucket.
    pub fn new(games: u64, postings: u64, a_bucket: u64) -> PostingsShape {
        let buckets = (postings / a_bucket).max(1);
        // Fit for the mean difference (M. D. McIlroy's rule: 0.69 of it).
        let mean = (buckets * games) as f64 / postings.max(1) as f64;
        let order = (mean * 0.69).max(1.0).log2() as u8;
        PostingsShape { games, buckets, order }
    }

    /// The posting of a game under a hash.
    #[inline]
    pub fn posting(&self, hash: u64, rank: u32) -> u64 {
        scale(hash, self.buckets) * self.games + u64::from(rank)
    }

    /// Writes ascending postings as rows of at most so many bytes. Gives the first of each row, and the rows.
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

    /// Adds the ranks of the games of a row that are posted under a hash.
    ///
    /// # Errors
    /// The row makes no sense.
    pub fn ranks(&self, row: &[u8], hash: u64, ranks: &mut Vec<u32>) -> Result<(), DamagedIndex> {
        let from = scale(hash, self.buckets) * self.games;
        let mut bits = BitReader::new(row);
        let count = bits.take(16)?;
        let mut posting = bits.take(64)?;
        for number in 0..count {
            if number > 0 {
                posting = posting.checked_add(bits.take_rice(self.order.into())?).ok_or(DamagedIndex)?;
            }
            if posting >= from + self.games {
                break;
            }
            if posting >= from {
                ranks.push((posting - from) as u32);
            }
        }
        Ok(())
    }

    /// The range that the postings under a hash are in.
    pub fn range(&self, hash: u64) -> std::ops::Range<u64> {
        let from = scale(hash, self.buckets) * self.games;
        from..from + self.games
    }
}
