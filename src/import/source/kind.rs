//! What a kind of source must have.

use std::{
    fmt::Debug,
    path::{Path, PathBuf},
};

use crate::{
    archive::SourceState,
    import::{
        Note,
        sink::{End, Flow, Sink},
        text_format::TextFormat,
    },
    sources::{Source, ZipMember},
};

/// The setting to import games too that are marked as deleted.
pub(super) const DELETED: &str = "deleted";

/// The note on such games, if they are left out.
pub(super) const DELETED_GAMES: Note = Note { key: "deleted_games", text: "games marked as deleted" };

/// A kind of source of games. A page in `docs` describes it.
pub(in crate::import) trait GameSource: Debug + Sync {
    /// The extensions of its files, in lower case. Directories are searched for them.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a file with these first bytes is one, whatever its name.
    fn is_begun(&self, _beginning: &[u8]) -> bool {
        false
    }

    /// Files that belong to a file and are read with it. They are not sources of their own. If one of them changes,
    /// the source has changed.
    fn siblings(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The file of a source that a file belongs to, which is not one itself.
    fn owner(&self, _path: &Path) -> Option<PathBuf> {
        None
    }

    /// The extensions of all its files that are read, in lower case and without a point, if they can be unpacked from a
    /// zip archive.
    fn parts(&self) -> &'static [&'static str] {
        &[]
    }

    /// The names of its own settings, for [`Options::settings`](crate::import::Options::settings).
    fn settings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Why its games can only be imported, and not be read as games of chess; `None` if they can.
    fn refusal(&self) -> Option<&'static str> {
        None
    }

    /// Its format, if it is text.
    fn as_text(&self) -> Option<&dyn TextFormat> {
        None
    }

    /// Reads a source, which is a file unless the kind is text, and passes its games on. `known` is how far an earlier
    /// import has processed it: if that part is the same, only the rest is read. Nothing begins if the source cannot be
    /// opened.
    fn read(&self, found: &FoundSource, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End>;
}

/// A source that was found.
#[derive(Debug)]
pub(in crate::import) struct FoundSource {
    pub source: Source,
    pub kind: &'static dyn GameSource,
    /// The files that belong to it.
    pub siblings: Vec<PathBuf>,
    /// The same in a zip archive.
    pub members: Vec<ZipMember>,
}

impl FoundSource {
    /// Its file; that of a member is its zip archive.
    pub(in crate::import) fn path(&self) -> &Path {
        match &self.source {
            Source::Stdin => Path::new("/dev/stdin"),
            Source::File(path) | Source::Unreadable { path, .. } => path,
            Source::Member(member) => member.archive(),
        }
    }

    /// Bytes of its files, if known.
    pub(in crate::import) fn bytes(&self) -> Option<u64> {
        let siblings = self.siblings.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len());
        let members = self.members.iter().map(|member| member.content()[2]);
        Some(self.source.packed_bytes()? + siblings.chain(members).sum::<u64>())
    }
}
