//! The largest values by a key, without sorting all of them.

/// At most N values with the largest keys.
#[derive(Debug)]
pub(super) struct TopGames<K, T> {
    most: usize,
    /// The largest first.
    found: Vec<(K, T)>,
}

impl<K: Ord + Copy, T> TopGames<K, T> {
    pub(super) fn new(most: usize) -> TopGames<K, T> {
        TopGames { most, found: Vec::new() }
    }

    /// Adds a value if it is among the largest so far.
    #[inline]
    pub(super) fn offer(&mut self, key: K, value: impl FnOnce() -> T) {
        if self.found.len() >= self.most && self.found.last().is_none_or(|(least, _)| *least >= key) {
            return;
        }
        let place = self.found.partition_point(|(known, _)| *known >= key);
        self.found.insert(place, (key, value()));
        self.found.truncate(self.most);
    }

    /// The largest first.
    pub(super) fn into_values(self) -> impl Iterator<Item = T> {
        self.found.into_iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_largest_are_found_in_their_order(mut keys: Vec<u8>, most in 0..12_usize) {
            let mut leading = TopGames::new(most);
            keys.iter().for_each(|key| leading.offer(*key, || *key));
            keys.sort_unstable_by(|a, b| b.cmp(a));
            keys.truncate(most);
            prop_assert_eq!(leading.into_values().collect::<Vec<_>>(), keys);
        }
    }
}
