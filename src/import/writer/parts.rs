//! Filling one archive after another.

use std::path::Path;

use super::{Current, ImportError, ImportWriter};
use crate::archive::{OnUpdate, WritableArchive, Writer};

/// A writer for an import. In a collection in parts, stored games are not changed.
pub(super) fn configured(writer: Writer, again: bool, on_update: OnUpdate, is_one: bool) -> Writer {
    writer.adding_again(again).finding_versions(is_one.then_some(on_update))
}

/// The writer of an archive, if it exists.
pub(super) fn existing(path: &Path) -> Result<Option<Writer>, ImportError> {
    let exists = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
    Ok(if exists { Some(WritableArchive::create_or_open(path)?.into_writer()) } else { None })
}

impl ImportWriter<'_> {
    /// Starts the next archive if this one has enough games.
    pub(super) fn go_on_if_full(&mut self) -> Result<(), ImportError> {
        let enough = self.sink.as_ref().map(|sink| sink.enough());
        if enough.is_some_and(|enough| self.in_part >= enough) && self.source.at_resume_point {
            self.commit()?;
            self.end_part()?;
            self.begin_part()?;
        }
        Ok(())
    }

    /// Hands over the archive that is full.
    pub(super) fn end_part(&mut self) -> Result<(), ImportError> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        if let Some(writer) = self.writer.take() {
            writer.finish()?.finish()?;
        }
        sink.end()
    }

    /// Starts another archive. The source has no row there yet, but its reading continues.
    fn begin_part(&mut self) -> Result<(), ImportError> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        self.path = sink.begin()?;
        let (again, on_update) = (self.again, self.on_update);
        self.writer = existing(&self.path)?.map(|writer| configured(writer, again, on_update, false));
        self.in_part = self.writer.as_ref().map_or(Ok(0), |writer| writer.archive().count_checked())?;
        // The games so far are in other archives than the one that is filled from now on.
        let Current { id, counts, seen_before, state, confirmed, .. } = &mut self.source;
        for counts in [&mut *counts, &mut state.counts, &mut confirmed.state.counts] {
            counts.duplicate += std::mem::take(&mut counts.stored);
        }
        (*id, *seen_before) = (None, counts.seen);
        Ok(())
    }
}
