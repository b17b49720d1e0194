//! The index that a command asks. Where it is damaged that is said once, and the answer is found without it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{ArchiveArg, advice, terminal};
use crate::{
    archive::{Archive, ArchiveError},
    query::{Explorer, PositionIndex},
};

/// Whether this command has said that an index is damaged.
static IS_TOLD: AtomicBool = AtomicBool::new(false);

/// The index of an archive; `None` if it has none, or it is damaged.
pub(super) fn open(archive: &Archive) -> anyhow::Result<Option<PositionIndex>> {
    Ok(PositionIndex::open_telling(archive, tell_once)?)
}

/// The same for a command that asks from several threads.
pub(super) fn explorer(archive: &ArchiveArg) -> anyhow::Result<Explorer> {
    Ok(Explorer::open_telling(archive.paths()?, tell_once)?)
}

fn tell_once(error: &ArchiveError) {
    if !IS_TOLD.swap(true, Relaxed) {
        tell(error);
    }
}

/// Says that an index is damaged, and what becomes of the questions to it.
pub(super) fn tell(error: &ArchiveError) {
    terminal::tell(advice::without_index(error));
}

/// Says after an answer without an index what would make it faster, unless that has been said.
pub(super) fn tell_after_scan() {
    if !IS_TOLD.load(Relaxed) {
        terminal::tell(advice::AFTER_SCAN);
    }
}
