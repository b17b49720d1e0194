//! A position as an argument.

use std::cell::OnceCell;

use super::{ArchiveArg, opening};
use crate::{archive::Archive, chess::Setup, present::PositionText};

/// The help for a position argument.
pub(super) const HELP: &str = "\
A position is a FEN (trailing fields are optional), moves from the start ('1.
e4 c5' or 'e2e4 c7c5'), the name of an opening ('sicilian najdorf': the end of
its shortest line), or GAME:PLY of an archive (3:12w is the position of game 3
after White's 12th move; see: plybook show --help).";

/// Reads positions; opens the archive when the first position needs it.
pub(super) struct PositionReader {
    path: ArchiveArg,
    archive: OnceCell<Archive>,
}

impl PositionReader {
    pub(super) fn new(path: ArchiveArg) -> PositionReader {
        PositionReader { path, archive: OnceCell::new() }
    }

    /// The position that a text describes.
    pub(super) fn read(&self, text: &str) -> anyhow::Result<Setup> {
        let position: PositionText = text.parse()?;
        opening::tell_position(text);
        position.setup(|| self.archive())
    }

    pub(super) fn archive(&self) -> anyhow::Result<&Archive> {
        if let Some(archive) = self.archive.get() {
            return Ok(archive);
        }
        let archive = self.path.open()?;
        Ok(self.archive.get_or_init(|| archive))
    }
}
