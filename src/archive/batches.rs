//! Long reads in short transactions: games are asked for in batches of ids, so that no reader keeps a writer's
//! log from being folded in, and a file whose pages lead round in a circle cannot hold a reader for ever.

use super::{Archive, ArchiveError, Filter, GameId};

/// Games read in one transaction.
const BATCH: u64 = 4096;

impl Archive {
    /// Hands what `read` gives for the games that pass a filter to `each`, until it says stop (false). Where
    /// games come in the order of ids, `read` is asked for one batch after the other. Games that are added
    /// meanwhile are left out.
    pub(super) fn in_batches<T>(
        &self,
        filter: &Filter,
        read: impl Fn(&Filter, &mut dyn FnMut(GameId, T) -> bool) -> Result<(), ArchiveError>,
        mut each: impl FnMut(T) -> bool,
    ) -> Result<(), ArchiveError> {
        if !filter.is_cheap() {
            return read(filter, &mut |_, item| each(item));
        }
        let asked = filter.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let (mut from, to) = (*asked.start(), self.last_id()?.min(*asked.end()));
        let mut left = filter.limit.unwrap_or(u64::MAX);
        while from <= to && left > 0 {
            let limit = left.min(BATCH);
            let part = Filter { ids: Some(from..=to), limit: Some(limit), ..filter.clone() };
            let mut batch = Vec::new();
            read(&part, &mut |id, item| {
                batch.push((id, item));
                true
            })?;
            let count = batch.len() as u64;
            for (id, item) in batch {
                if id < from {
                    return Err(ArchiveError::Damaged { id, what: "it is not in its place".to_owned() });
                }
                from = id.saturating_add(1);
                if !each(item) {
                    return Ok(());
                }
            }
            if count < limit {
                break;
            }
            left -= count;
        }
        Ok(())
    }

    /// The largest id; 0 in an empty archive.
    ///
    /// # Errors
    /// SQLite's.
    pub fn last_id(&self) -> Result<GameId, ArchiveError> {
        let last = self.db.query_row("SELECT coalesce(max(id), 0) FROM game", [], |row| row.get(0));
        last.map_err(|error| self.error(error))
    }
}
