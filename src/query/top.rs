//! The largest values, without sorting all of them.

/// At most N of the largest values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Top<T> {
    most: usize,
    /// The largest first.
    found: Vec<T>,
}

impl<T: Ord> Top<T> {
    pub(crate) fn new(most: usize) -> Top<T> {
        Top { most, found: Vec::new() }
    }

    /// Adds a value if it is among the largest so far.
    #[inline]
    pub(crate) fn offer(&mut self, value: T) {
        if self.found.len() >= self.most && self.found.last().is_none_or(|least| *least >= value) {
            return;
        }
        let place = self.found.partition_point(|known| *known >= value);
        self.found.insert(place, value);
        self.found.truncate(self.most);
    }

    /// The largest first.
    pub(crate) fn values(&self) -> &[T] {
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_largest_are_found_in_their_order(mut keys: Vec<u8>, most in 0..12_usize) {
            let mut leading = Top::new(most);
            keys.iter().for_each(|key| leading.offer(*key));
            keys.sort_unstable_by(|a, b| b.cmp(a));
            keys.truncate(most);
            prop_assert_eq!(leading.values(), keys);
        }
    }
}
