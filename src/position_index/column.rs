//! A column: a number for every game, in the order of ranks. The different numbers stand once, in order; of each game
//! the place of its number among them is stored, in as few bits as all places need.
//!
//! Layout: the number of different numbers, minus one, and the first of them (32 bits each), the others as Exp-Golomb
//! codes (order 0) of the numbers left out before them; filled up to a byte; then the places, and again filled up.

use super::DamagedIndex;
use crate::bits::{BitReader, Bits};

/// A number for every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The different numbers, ascending.
    pub values: Vec<u32>,
    /// For each game the place of its number among them.
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

    /// The place of a game's number among the different ones.
    #[inline]
    pub fn place(&self, rank: u32) -> usize {
        self.places.get(rank as usize).map_or(usize::MAX, |place| *place as usize)
    }

    /// The number of a game.
    #[inline]
    pub fn get(&self, rank: u32) -> u32 {
        self.values.get(self.place(rank)).copied().unwrap_or_default()
    }

    fn width(values: usize) -> usize {
        values.saturating_sub(1).checked_ilog2().map_or(0, |width| width as usize + 1)
    }

    /// The column as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bits = Bits::default();
        bits.push(self.values.len().saturating_sub(1) as u64, 32);
        bits.push(self.values.first().copied().unwrap_or_default().into(), 32);
        for pair in self.values.windows(2) {
            bits.push_exp_golomb(u64::from(pair[1] - pair[0] - 1), 0);
        }
        let mut bytes = bits.into_bytes();
        let mut bits = Bits::default();
        let width = Column::width(self.values.len());
        for &place in &self.places {
            bits.push(place.into(), width);
        }
        bytes.extend(bits.into_bytes());
        bytes
    }

    /// The column of so many games from its bytes.
    ///
    /// # Errors
    /// They make no sense.
    pub fn from_bytes(bytes: &[u8], games: usize) -> Result<Column, DamagedIndex> {
        let mut bits = BitReader::new(bytes);
        let count = bits.take(32)? as usize + 1;
        // Every number is some game's, and every one but the first takes at least a bit.
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
        let width = Column::width(count);
        if bits.left() / 8 != (games * width).div_ceil(8) {
            return Err(DamagedIndex);
        }
        let mut places = Vec::with_capacity(games);
        for _ in 0..games {
            let place = bits.take(width)? as u32;
            if place as usize >= count {
                return Err(DamagedIndex);
            }
            places.push(place);
        }
        Ok(Column { values, places })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_column_comes_back(numbers in prop::collection::vec(any::<u32>().prop_map(|n| n >> (n % 32)), 1..300)) {
            let column = Column::of(&numbers);
            let back = Column::from_bytes(&column.to_bytes(), numbers.len());
            prop_assert_eq!(back.as_ref(), Ok(&column));
            for (rank, number) in numbers.iter().enumerate() {
                prop_assert_eq!(column.get(rank as u32), *number);
            }
        }

        #[test]
        fn any_bytes_are_a_column_or_damage(bytes: Vec<u8>, games in 0usize..100) {
            let _ = Column::from_bytes(&bytes, games);
        }
    }
}
