//! Checks that the moves of every game are read with the codec that wrote them: with another codec they would be other
//! moves, or invalid.

use super::{
    ArchiveError, Checks,
    checksum::{self, Checked},
};
use plybook_chess::codec::CodecId;

impl Checks<'_> {
    /// Checks it.
    pub(super) fn codecs(self) -> Result<(), ArchiveError> {
        let codecs = || -> rusqlite::Result<Vec<i64>> {
            self.archive
                .db
                .prepare("SELECT DISTINCT codec FROM tag_layout")?
                .query_map([], |row| row.get(0))?
                .collect()
        };
        let codecs = codecs().map_err(|error| self.archive.db.error(error))?;
        let changed = self.are_layouts_changed().map_err(|error| self.archive.db.error(error))?;
        for codec in codecs {
            let is_usual = CodecId::from_number(codec) == Some(CodecId::default());
            // Before there were checksums, there was only one codec.
            if CodecId::from_number(codec).is_none() || !is_usual && changed != Some(false) {
                return Err(ArchiveError::UnknownCodec { path: self.archive.path().to_owned(), codec });
            }
        }
        if changed == Some(true) {
            let what = "its table \"tag_layout\" has been changed: the codec of the moves or the names of tag pairs differ \
                        from what was written";
            return Err(ArchiveError::Foreign {
                path: self.archive.path().to_owned(),
                what: what.to_owned(),
            });
        }
        Ok(())
    }

    /// Whether a layout has changed; `None` in an archive without checksums.
    fn are_layouts_changed(self) -> rusqlite::Result<Option<bool>> {
        if !checksum::has_checksums(&self.archive.db)? {
            return Ok(None);
        }
        let mut changed = false;
        checksum::for_each_change(&self.archive.db, Checked::TagLayout, |_| changed = true)?;
        Ok(Some(changed))
    }
}
