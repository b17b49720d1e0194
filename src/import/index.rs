//! Updating the index of positions after an import.

use std::{
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{ImportError, IndexProgress, Options, Report, recorder::Recorder};
use crate::{
    archive::{Archive, Result, WritableArchive},
    query::{IndexReport, build_index},
    recording::IndexParts,
};

/// Indexes the games that are not indexed yet, if requested or if the archive already has an index. The games are
/// stored by now, so a failure is only reported.
pub(super) fn index(
    archive: &Path,
    options: &Options,
    report: &mut Report,
    recorder: Recorder,
    mut progress: impl FnMut(IndexProgress),
) {
    if report.cancelled || report.archive_bytes == 0 {
        return;
    }
    let _patience = options.busy_timeout().in_force();
    let watch = |games, of| {
        progress(IndexProgress { games, of });
        go_on(&options.cancel)
    };
    let wanted = Archive::open(archive).and_then(|archive| archive.segments().parts(options.index));
    match wanted.and_then(|wanted| build_indexes(archive, wanted, recorder, watch)) {
        Ok(None) => return,
        Ok(Some(index)) => report.add_index(index),
        Err(error) => match ImportError::from(error) {
            error if go_on(&options.cancel).is_break() && error.is_patience() => {
                report.add_index(IndexReport { stopped: true, ..IndexReport::default() });
            }
            error => report.index_failure = Some(error.to_string()),
        },
    }
    report.has_grown_to(archive.metadata().map_or(report.archive_bytes, |metadata| metadata.len()));
}

/// Builds the indexes of an archive, as far as games were not recorded by replaying them.
pub(crate) fn build_indexes(
    path: &Path,
    wanted: IndexParts,
    recorder: Recorder,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Option<IndexReport>> {
    if !wanted.positions && !wanted.trails {
        return Ok(None);
    }
    let archive = WritableArchive::create_or_open(path)?;
    let built = build_in(&archive, wanted, recorder, watch);
    // Also after a failure, so that the write-ahead log is merged into the file.
    let finished = archive.finish();
    let report = built?;
    finished.map(|()| Some(report))
}

/// The same in an archive that is open.
pub(super) fn build_in(
    archive: &Archive,
    wanted: IndexParts,
    recorder: Recorder,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport> {
    let built = build_index(archive, wanted, recorder.finish(), watch)?;
    let stopped = built.stopped();
    // Both parts have the same games.
    let seconds = [&built.positions, &built.trails].into_iter().flatten().map(|part| part.seconds).sum();
    let report = built.positions.or(built.trails).unwrap_or_default();
    Ok(IndexReport { stopped, seconds, ..report })
}

/// Whether to continue, until a flag is set.
pub(crate) fn go_on(cancel: &AtomicBool) -> ControlFlow<()> {
    if cancel.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
