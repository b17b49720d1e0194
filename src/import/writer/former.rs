//! Importing an archive whose games have been changed.

use super::{ImportError, ImportWriter};
use crate::archive::{FormerFingerprint, WhyFormer};

impl ImportWriter<'_> {
    /// The source is an archive whose games have been changed. What was removed or edited there is not imported from
    /// elsewhere either.
    pub(in crate::import) fn keep_former(&mut self, former: &[FormerFingerprint]) -> Result<(), ImportError> {
        let by_game = self.source.former.get_or_insert_default();
        for former in former.iter().filter(|former| former.why == WhyFormer::Edited) {
            by_game.entry(former.game).or_default().push(former.fingerprint);
        }
        Ok(self.writer(0)?.keep_former(former)?)
    }

    /// Whether the archive has a game of the source, as it was before it was edited there.
    pub(super) fn has_former(&mut self, id: u64) -> Result<bool, ImportError> {
        let former = self.source.former.as_ref().and_then(|by_game| by_game.get(&id.cast_signed()));
        let (Some(former), Some(writer)) = (former, &mut self.writer) else { return Ok(false) };
        for fingerprint in former {
            if writer.has_game(*fingerprint)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
