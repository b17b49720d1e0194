//! A column: one number per game, in sort order. The distinct numbers are stored once, in ascending order; for each
//! game the index of its number among them is stored in the minimum number of bits: one index per game, or one per run
//! of games with the same number, whichever is shorter.
//!
//! Layout: a bit that says whether there are runs, the number of distinct numbers minus one (31 bits), the first of
//! them (32 bits), the others as Exp-Golomb codes (order 0) of the skipped numbers before them; padding to a byte; then
//! the indexes, each of a run followed by its length minus one as an Exp-Golomb code (order 0); padding to a byte.

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
        for pair in self.values.windows(2) {
            bits.push_exp_golomb(u64::from(pair[1] - pair[0] - 1), 0);
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
        let mut bits = BitReader::new(bytes);
        let is_in_runs = bits.take(1)? == 1;
        let count = bits.take(COUNT)? as usize + 1;
        // Every number occurs in some game, and every one except the first takes at least a bit.
        if count > games.max(1) || count > bytes.len() * 8 {
            return Err(DamagedIndex);
        }
        let mut values = Vec::with_capacity(count);
        let mut last = bits.take(32)? as u32;
        values.push(last);
        for _ in 1..count {
            let step = bits.take_exp_golomb(0)? + 1;
            last = u32::try_from(u64::from(last) + step).map_err(|_| DamagedIndex)?;
            values.push(last);
        }
        bits.take(bits.left() % 8)?;
        let width = width(count);
        let place = |bits: &mut BitReader<'_>| -> Result<u32, DamagedIndex> {
            let place = bits.take(width)? as u32;
            if (place as usize) < count { Ok(place) } else { Err(DamagedIndex) }
        };
        let mut places = Vec::with_capacity(games);
        if !is_in_runs {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        }

        #[test]
        fn arbitrary_bytes_are_a_column_or_an_error(bytes: Vec<u8>, games in 0usize..100) {
            let _ = Column::from_bytes(&bytes, games);
        }
    }
}
