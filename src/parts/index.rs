//! The indexes of parts.

use std::{
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::PartsError;
use crate::{
    archive::{Archive, ArchiveError, WritableArchive},
    query::{build_index, build_trails},
};

/// Which indexes an archive has: positions, and trails.
pub(super) fn indexes_of(archive: &Archive) -> Result<[bool; 2], ArchiveError> {
    Ok([!archive.segments().positions()?.is_empty(), !archive.segments().trails()?.is_empty()])
}

/// Builds the indexes of an archive that is not shared with readers yet.
pub(super) fn build_indexes(
    path: &Path,
    [positions, trails]: [bool; 2],
    cancel: &AtomicBool,
) -> Result<(), PartsError> {
    if !positions && !trails {
        return Ok(());
    }
    let archive = WritableArchive::create_or_open(path)?;
    let watch = |_, _| if cancel.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    if positions {
        build_index(&archive, None, watch)?;
    }
    if trails {
        build_trails(&archive, &[], watch)?;
    }
    archive.finish()?;
    if cancel.load(Relaxed) { Err(PartsError::Stopped) } else { Ok(()) }
}
