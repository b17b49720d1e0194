//! How many games reach a position: of a popular one without going through them.

use super::{PositionIndex, targets};
use crate::{
    archive::{Archive, ArchiveError},
    query::Sought,
};

impl PositionIndex {
    /// The number of games that reach a position, where every segment knows it without looking at the games; else
    /// `None`.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn known_count(&self, archive: &Archive, sought: &Sought) -> Result<Option<u64>, ArchiveError> {
        let [target] = sought.targets() else { return Ok(None) };
        let keys = targets::keys(target);
        let ([keys], [], Some(_)) = (keys.as_slice(), self.others.as_slice(), target.state) else {
            return Ok(None);
        };
        let mut count = 0;
        for range in &self.ranges {
            match range.asked(archive).popular_count(&target.board, keys.whole)? {
                Some(games) => count += u64::from(games),
                None => return Ok(None),
            }
        }
        Ok(Some(count))
    }
}
