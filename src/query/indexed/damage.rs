//! An index that turns out to be damaged: whoever asks is told once, and gets the answer of a replay of the games.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::PositionIndex;
use crate::archive::{Archive, ArchiveError};

/// What is told that an index is damaged.
#[derive(Clone)]
pub(in crate::query) struct Teller(Arc<dyn Fn(&ArchiveError) + Send + Sync>);

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Teller")
    }
}

impl Teller {
    pub(in crate::query) fn new(tell: impl Fn(&ArchiveError) + Send + Sync + 'static) -> Teller {
        Teller(Arc::new(tell))
    }
}

/// What is known of the damage to an index. Without a teller, damage is an error.
#[derive(Debug, Default)]
pub(super) struct Damage {
    teller: Option<Teller>,
    is_found: AtomicBool,
}

impl PositionIndex {
    /// As [`open`](PositionIndex::open), for whoever wants answers also where the index is damaged: `tell` is told so, once,
    /// and questions are answered without the index from then on.
    ///
    /// # Errors
    /// SQLite's.
    pub fn open_telling(
        archive: &Archive,
        tell: impl Fn(&ArchiveError) + Send + Sync + 'static,
    ) -> Result<Option<PositionIndex>, ArchiveError> {
        let index = PositionIndex::telling(Some(Teller::new(tell))).renewed(archive)?;
        Ok(Some(index).filter(|index| index.if_any().is_some()))
    }

    /// Nothing yet, and what will be told of damage.
    pub(in crate::query) fn telling(teller: Option<Teller>) -> PositionIndex {
        let damage = Damage { teller, ..Damage::default() };
        PositionIndex { damage: Arc::new(damage), ..PositionIndex::default() }
    }

    /// Whether it has turned out to be damaged, and is asked no more.
    pub fn is_given_up(&self) -> bool {
        self.damage.is_found.load(Relaxed)
    }

    /// Whether an error says that it is damaged, and the question is to be asked without it.
    pub(in crate::query) fn is_given_up_for(&self, error: &ArchiveError) -> bool {
        let (ArchiveError::DamagedIndex(_), Some(Teller(tell))) = (error, &self.damage.teller) else {
            return false;
        };
        if !self.damage.is_found.swap(true, Relaxed) {
            tell(error);
        }
        true
    }

    /// What it has answered; `None` if it is damaged, and the question is to be asked without it.
    pub(in crate::query) fn unless_damaged<T>(
        &self,
        answer: Result<T, ArchiveError>,
    ) -> Result<Option<T>, ArchiveError> {
        match answer {
            Err(error) if self.is_given_up_for(&error) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// Asks with an index, and without it if that turns out to be damaged: all of the question, whatever part of the answer is
    /// there already.
    ///
    /// # Errors
    /// Those of `ask`.
    pub fn or_without<T>(
        index: Option<&PositionIndex>,
        mut ask: impl FnMut(Option<&PositionIndex>) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let Some(index) = index.filter(|index| !index.is_given_up()) else { return ask(None) };
        match index.unless_damaged(ask(Some(index)))? {
            Some(answer) => Ok(answer),
            None => ask(None),
        }
    }

    /// In its place where it is damaged: no game is indexed.
    pub(in crate::query) fn given_up(&self, archive: &Archive) -> Result<PositionIndex, ArchiveError> {
        let mut nothing = PositionIndex { damage: Arc::clone(&self.damage), ..PositionIndex::default() };
        let last = archive.last_id()?;
        nothing.others.extend((last > 0).then_some((1, last)));
        Ok(nothing)
    }
}
