//! What happens when the index turns out to be corrupt: the damage is reported once, and queries replay the games instead.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::PositionIndex;
use crate::archive::{Archive, ArchiveError};

/// Called when an index is corrupt.
#[derive(Clone)]
pub(in crate::query) struct DamageHandler(Arc<dyn Fn(&ArchiveError) + Send + Sync>);

impl fmt::Debug for DamageHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DamageHandler")
    }
}

impl DamageHandler {
    pub(in crate::query) fn new(report: impl Fn(&ArchiveError) + Send + Sync + 'static) -> DamageHandler {
        DamageHandler(Arc::new(report))
    }
}

/// Whether an index is corrupt, and the handler to be notified. Without a handler, damage is an error.
#[derive(Debug, Default)]
pub(super) struct Damage {
    handler: Option<DamageHandler>,
    is_found: AtomicBool,
}

impl PositionIndex {
    /// Like [`open`](PositionIndex::open), for a caller that wants a result even if the index is corrupt: `report` is
    /// called once, and queries then run without the index.
    ///
    /// # Errors
    /// An SQLite error.
    pub fn open_reporting(
        archive: &Archive,
        report: impl Fn(&ArchiveError) + Send + Sync + 'static,
    ) -> Result<Option<PositionIndex>, ArchiveError> {
        let index = PositionIndex::reporting_to(Some(DamageHandler::new(report))).renewed(archive)?;
        Ok(Some(index).filter(|index| index.if_any().is_some()))
    }

    /// An empty index, to be [renewed](PositionIndex::renewed).
    pub(in crate::query) fn reporting_to(handler: Option<DamageHandler>) -> PositionIndex {
        let damage = Damage { handler, ..Damage::default() };
        PositionIndex { damage: Arc::new(damage), ..PositionIndex::default() }
    }

    /// Whether it is corrupt and queries run without it.
    pub fn is_ignored(&self) -> bool {
        self.damage.is_found.load(Relaxed)
    }

    /// Whether an error means that the index is corrupt and the query should run again without it. The first such error is
    /// reported.
    pub(in crate::query) fn ignore_for(&self, error: &ArchiveError) -> bool {
        let (ArchiveError::DamagedIndex(_), Some(DamageHandler(report))) = (error, &self.damage.handler)
        else {
            return false;
        };
        if !self.damage.is_found.swap(true, Relaxed) {
            report(error);
        }
        true
    }

    /// The result; `None` if the index is corrupt and the query should run again without it.
    pub(in crate::query) fn unless_damaged<T>(
        &self,
        answer: Result<T, ArchiveError>,
    ) -> Result<Option<T>, ArchiveError> {
        match answer {
            Err(error) if self.ignore_for(&error) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// Runs a query with the index, and again without it if the index turns out to be corrupt. `ask` must start from
    /// scratch each time.
    ///
    /// # Errors
    /// The errors of `ask`.
    pub fn or_without<T>(
        index: Option<&PositionIndex>,
        mut ask: impl FnMut(Option<&PositionIndex>) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let Some(index) = index.filter(|index| !index.is_ignored()) else { return ask(None) };
        match index.unless_damaged(ask(Some(index)))? {
            Some(answer) => Ok(answer),
            None => ask(None),
        }
    }

    /// What replaces a corrupt index: one in which no game is indexed.
    pub(in crate::query) fn ignored(&self, archive: &Archive) -> Result<PositionIndex, ArchiveError> {
        let mut nothing = PositionIndex { damage: Arc::clone(&self.damage), ..PositionIndex::default() };
        let last = archive.last_id()?;
        nothing.others.extend((last > 0).then_some((1, last)));
        Ok(nothing)
    }
}
