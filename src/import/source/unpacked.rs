//! Databases of several files in a zip archive: they are unpacked to a temporary directory to be read.

use std::{fs::File, io, path::PathBuf};

use tempfile::TempDir;

use super::{kind::FoundSource, siblings::extension_of};
use crate::{
    archive::SourceState,
    import::sink::{End, Flow, Sink},
    sources::{Source, ZipMember},
};

impl FoundSource {
    /// Reads it. See [`GameSource::read`](super::kind::GameSource::read).
    pub(in crate::import) fn read(&self, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        let Source::Member(member) = &self.source else { return self.kind.read(self, known, sink) };
        if self.kind.as_text().is_some() {
            return self.kind.read(self, known, sink);
        }
        match self.unpacked(member) {
            Ok((_folder, unpacked)) => unpacked.read(known, sink),
            Err(error) => Ok(End::failed(0, error.to_string())),
        }
    }

    /// The same source in a temporary directory, which is removed afterwards.
    fn unpacked(&self, member: &ZipMember) -> io::Result<(TempDir, FoundSource)> {
        let folder = tempfile::tempdir()?;
        let unpacked = |member: &ZipMember| -> io::Result<PathBuf> {
            let path = folder.path().join(safe_name(member));
            member.unpack(&mut File::create_new(&path)?)?;
            Ok(path)
        };
        let path = unpacked(member)?;
        let siblings = self.members.iter().map(unpacked).collect::<io::Result<_>>()?;
        let found =
            FoundSource { source: Source::File(path), kind: self.kind, siblings, members: Vec::new() };
        Ok((folder, found))
    }
}

/// The name of a member without its directories, and without characters that have a meaning in paths.
fn safe_name(member: &ZipMember) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || " -_()".contains(c);
    let safe = |text: String| text.chars().map(|c| if is_safe(c) { c } else { '_' }).collect::<String>();
    let path = PathBuf::from(member.name().replace('\\', "/"));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    format!("{}.{}", safe(stem), safe(extension_of(&path)))
}
