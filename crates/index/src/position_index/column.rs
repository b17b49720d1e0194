//! A column: one number per game, in sort order. The distinct numbers are stored once, in ascending order; for each
//! game the index of its number among them is stored in the minimum number of bits: one index per game, or one per run
//! of games with the same number, whichever is shorter.
//!
//! Layout: a bit that says whether there are runs, the number of distinct numbers minus one (31 bits), the first of
//! them (32 bits); for each series of consecutive numbers its length minus one (omitted if only one number is left), and
//! the length of the gap after it minus one (not after the last series), as Exp-Golomb codes (order 0); padding to a byte;
//! then the indexes, each of a run followed by its length minus one as an Exp-Golomb code (order 0); padding to a byte.

use std::ops::Range;

use super::DamagedIndex;
use crate::width;
use plybook_chess::bits::{BitReader, Bits};

/// Bits of the number of distinct numbers.
const COUNT: usize = 31;

/// One number per game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The distinct numbers, ascending.
    pub values: Vec<u32>,
    /// For each game the index of its number among them.
    pub places: Vec<u32>,
}

impl Column {
    /// The column of some numbers.
    pub fn of(numbers: &[u32]) -> Column {
        let mut values = numbers.to_vec();
        values.sort_unstable();
        values.dedup();
        let place = |number: &u32| values.binary_search(number).unwrap_or_default() as u32;
        Column { places: numbers.iter().map(place).collect(), values }
    }

    /// The index of a game's number among the distinct ones.
    #[inline]
    pub fn place(&self, rank: u32) -> usize {
        self.places.get(rank as usize).map_or(usize::MAX, |place| *place as usize)
    }

    /// The number of a game.
    #[inline]
    pub fn get(&self, rank: u32) -> u32 {
        self.values.get(self.place(rank)).copied().unwrap_or_default()
    }

    /// Encodes the column.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bits = Bits::default();
        let is_in_runs = self.is_shorter_in_runs();
        bits.push(is_in_runs.into(), 1);
        bits.push(self.values.len().saturating_sub(1) as u64, COUNT);
        bits.push(self.values.first().copied().unwrap_or_default().into(), 32);
        let (mut last, mut left) = (None, self.values.len());
        for series in self.values.chunk_by(|one, next| *next == one + 1) {
            if let (Some(last), Some(first)) = (last, series.first()) {
                bits.push_exp_golomb(u64::from(first - last - 2), 0);
            }
            if left > 1 {
                bits.push_exp_golomb(series.len() as u64 - 1, 0);
            }
            (last, left) = (series.last(), left - series.len());
        }
        let mut bytes = bits.into_bytes();
        let mut bits = Bits::default();
        let width = width(self.values.len());
        if is_in_runs {
            for (place, length) in self.runs() {
                bits.push(place.into(), width);
                bits.push_exp_golomb(length - 1, 0);
            }
        } else {
            self.places.iter().for_each(|&place| bits.push(place.into(), width));
        }
        bytes.extend(bits.into_bytes());
        bytes
    }

    /// Indexes, and how many consecutive games have each of them.
    fn runs(&self) -> impl Iterator<Item = (u32, u64)> {
        let runs = self.places.chunk_by(|one, next| one == next);
        runs.filter_map(|run| Some((*run.first()?, run.len() as u64)))
    }

    fn is_shorter_in_runs(&self) -> bool {
        let width = width(self.values.len());
        let bits: usize = self.runs().map(|(_, length)| width + 2 * length.ilog2() as usize + 1).sum();
        bits < width * self.places.len()
    }

    /// Decodes the column of this many games.
    ///
    /// # Errors
    /// The bytes are invalid.
    pub fn from_bytes(bytes: &[u8], games: usize) -> Result<Column, DamagedIndex> {
        let head = Head::read(bytes, games)?;
        let (count, values) = (head.count, head.values());
        let mut bits = BitReader::new(bytes);
        bits.skip(head.begin)?;
        let width = width(count);
        let place = |bits: &mut BitReader<'_>| -> Result<u32, DamagedIndex> {
            let place = bits.take(width)? as u32;
            if (place as usize) < count { Ok(place) } else { Err(DamagedIndex) }
        };
        let mut places = Vec::with_capacity(games);
        if !head.is_in_runs {
            for _ in 0..games {
                places.push(place(&mut bits)?);
            }
        }
        while places.len() < games {
            let (place, left) = (place(&mut bits)?, games - places.len());
            let length = usize::try_from(bits.take_exp_golomb(0)?).ok().filter(|length| *length < left);
            places.resize(places.len() + length.ok_or(DamagedIndex)? + 1, place);
        }
        bits.finish()?;
        Ok(Column { values, places })
    }
}

/// The beginning of a column.
#[derive(Debug)]
pub(super) struct Head {
    /// Whether there is one index per run of games, not per game.
    pub is_in_runs: bool,
    /// The number of distinct numbers.
    count: usize,
    /// The first of the distinct numbers, and each that is not the successor of the one before it.
    jumps: Vec<Jump>,
    /// The bit at which the indexes begin.
    begin: usize,
}

/// A distinct number and its index. Its successors follow, until the next jump.
#[derive(Debug)]
struct Jump {
    place: usize,
    value: u32,
}

impl Head {
    /// Reads the beginning of a column of this many games; the rest may be missing.
    ///
    /// # Errors
    /// It is invalid, or not complete.
    pub fn read(bytes: &[u8], games: usize) -> Result<Head, DamagedIndex> {
        let mut bits = BitReader::new(bytes);
        let is_in_runs = bits.take(1)? == 1;
        let count = bits.take(COUNT)? as usize + 1;
        // Every number occurs in some game.
        if count > games.max(1) {
            return Err(DamagedIndex);
        }
        let (mut place, mut value) = (0, bits.take(32)? as u32);
        let mut jumps = vec![Jump { place, value }];
        while place + 1 < count {
            let successors = take_u32(&mut bits)?;
            place += successors as usize;
            value = value.checked_add(successors).filter(|_| place < count).ok_or(DamagedIndex)?;
            if place + 1 < count {
                let gap = take_u32(&mut bits)?;
                let next = value.checked_add(gap).and_then(|value| value.checked_add(2));
                (place, value) = (place + 1, next.ok_or(DamagedIndex)?);
                jumps.push(Jump { place, value });
            }
        }
        bits.take(bits.left() % 8)?;
        Ok(Head { is_in_runs, count, jumps, begin: 8 * bytes.len() - bits.left() })
    }

    /// The distinct numbers.
    fn values(&self) -> Vec<u32> {
        let ends = self.jumps.iter().skip(1).map(|next| next.place).chain([self.count]);
        let values = self
            .jumps
            .iter()
            .zip(ends)
            .flat_map(|(jump, end)| jump.value..jump.value + (end - jump.place) as u32);
        values.collect()
    }

    /// The bits in which the index of a game is, if each game has one.
    pub fn bits_of(&self, rank: u32) -> Range<usize> {
        let width = width(self.count);
        let first = self.begin + width * rank as usize;
        first..first + width
    }

    /// A distinct number by its index; `None` if there are fewer.
    pub fn value(&self, place: usize) -> Option<u32> {
        let jump = self.jumps.get(self.jumps.partition_point(|jump| jump.place <= place).checked_sub(1)?)?;
        (place < self.count).then(|| jump.value + (place - jump.place) as u32)
    }
}

fn take_u32(bits: &mut BitReader<'_>) -> Result<u32, DamagedIndex> {
    u32::try_from(bits.take_exp_golomb(0)?).map_err(|_| DamagedIndex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::position_index::{Part, Rows, sparse_column::SparseColumn};

    /// The rows of a column.
    struct StoredRows(Vec<Vec<u8>>);

    impl Rows for StoredRows {
        type Error = DamagedIndex;

        fn row(&self, _: Part, number: u32) -> Result<Vec<u8>, DamagedIndex> {
            self.0.get(number as usize).cloned().ok_or(DamagedIndex)
        }

        fn whole(&self, _: Part) -> Result<Vec<u8>, DamagedIndex> {
            Ok(self.0.concat())
        }

        fn damaged(&self) -> DamagedIndex {
            DamagedIndex
        }
    }

    /// Numbers, with runs of equal ones.
    fn numbers() -> impl Strategy<Value = Vec<u32>> {
        let run = (any::<u32>().prop_map(|n| n >> (n % 32)), prop_oneof![3 => Just(1), 1 => 1usize..200]);
        prop::collection::vec(run, 1..100).prop_map(|runs| {
            runs.into_iter().flat_map(|(n, length)| std::iter::repeat_n(n, length)).collect()
        })
    }

    #[test]
    fn runs_are_encoded_compactly() {
        let numbers: Vec<u32> = (0..100_000).map(|game| game / 100).collect();
        assert!(Column::of(&numbers).to_bytes().len() < 4_000);
    }

    proptest! {
        #[test]
        fn columns_round_trip(numbers in numbers()) {
            let column = Column::of(&numbers);
            let back = Column::from_bytes(&column.to_bytes(), numbers.len());
            prop_assert_eq!(back.as_ref(), Ok(&column));
            for (rank, number) in numbers.iter().enumerate() {
                prop_assert_eq!(column.get(rank as u32), *number);
            }
            for row_bytes in [1, 3, 64] {
                let rows = StoredRows(column.to_bytes().chunks(row_bytes).map(<[u8]>::to_vec).collect());
                let sparse = SparseColumn::open(&rows, Part::Order, row_bytes, numbers.len()).unwrap();
                prop_assert_eq!(sparse.is_none(), column.is_shorter_in_runs());
                let Some(sparse) = sparse else { continue };
                for (rank, number) in numbers.iter().enumerate().rev() {
                    prop_assert_eq!(sparse.get(&rows, rank as u32), Ok(*number));
                }
            }
        }

        #[test]
        fn arbitrary_bytes_are_a_column_or_an_error(bytes: Vec<u8>, games in 0usize..100) {
            let column = Column::from_bytes(&bytes, games);
            let rows = StoredRows(bytes.chunks(3).map(<[u8]>::to_vec).collect());
            let Ok(Some(sparse)) = SparseColumn::open(&rows, Part::Order, 3, games) else { return Ok(()) };
            for rank in 0..games as u32 {
                let number = sparse.get(&rows, rank);
                if let Ok(column) = &column {
                    prop_assert_eq!(number, Ok(column.get(rank)));
                }
            }
        }
    }
}
