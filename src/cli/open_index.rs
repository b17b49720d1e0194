//! Opens the index for a command. If the index is corrupt, this is reported once and the command runs without it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{ArchiveArg, advice, terminal};
use crate::{
    archive::{Archive, ArchiveError},
    query::{Explorer, PositionIndex},
};

/// Whether this process has reported that an index is corrupt.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Opens the index of an archive; `None` if there is no index or it is corrupt.
pub(super) fn open(archive: &Archive) -> anyhow::Result<Option<PositionIndex>> {
    Ok(PositionIndex::open_reporting(archive, report_once)?)
}

/// Opens an archive and its index on the same snapshot.
pub(super) fn with_archive(archive: &ArchiveArg) -> anyhow::Result<(Archive, Option<PositionIndex>)> {
    let archive = archive.open_at_this_moment()?;
    let index = open(&archive)?;
    Ok((archive, index))
}

/// Opens an archive for a command that runs queries on several threads.
pub(super) fn explorer(archive: &ArchiveArg) -> anyhow::Result<Explorer> {
    Ok(Explorer::open_reporting(archive.paths()?, report_once)?)
}

fn report_once(error: &ArchiveError) {
    if !IS_REPORTED.swap(true, Relaxed) {
        report(error);
    }
}

/// Reports that the index is corrupt, and how to rebuild it.
pub(super) fn report(error: &ArchiveError) {
    terminal::tell(advice::without_index(error));
}

/// After a full scan, recommends an index, unless a corrupt one was reported.
pub(super) fn advise_index() {
    if !IS_REPORTED.load(Relaxed) {
        terminal::tell(advice::AFTER_SCAN);
    }
}
