//! The game files in a zip archive. The directory is read once; each member is opened by its index.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use zip::{
    HasZipMetadata, ZipReadOptions,
    read::{Config, OwnedZipFileEntry},
    unstable::read::ZipIterable,
};

use super::{confirmed::damage_of_complete, path_name::path_name, unpack::ExpansionLimit};
use plybook_chess::limits::MAX_ZIP_MEMBERS;

/// A member of a zip archive.
#[derive(Debug)]
pub struct ZipMember {
    archive: Arc<Path>,
    pub(super) name: String,
    /// Which member of this name it is; 1 for the first.
    time: u64,
    entry: OwnedZipFileEntry,
}

impl ZipMember {
    /// The members of an archive whose names `wanted` accepts, in order of name.
    pub(super) fn all(archive: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<ZipMember>> {
        let file = File::open(archive)?;
        let archive: Arc<Path> = archive.into();
        let bytes = file.metadata()?.len();
        let mut directory = ZipIterable::try_new(file, Config::default())?;
        let (mut members, mut times, mut packed) = (Vec::new(), HashMap::new(), 0_u64);
        for entry in directory.files()? {
            let entry = entry?;
            let name = entry.name()?.into_owned();
            if !wanted(&name) {
                continue;
            }
            packed = packed.saturating_add(entry.get_metadata().compressed_size);
            if members.len() == MAX_ZIP_MEMBERS || packed > bytes {
                return Err(io::Error::new(io::ErrorKind::InvalidData, refusal(packed > bytes)));
            }
            let time = *times.entry(name.clone()).and_modify(|time| *time += 1).or_insert(1);
            members.push(ZipMember { archive: Arc::clone(&archive), name, time, entry: entry.into() });
        }
        members.sort_by(|a, b| (&a.name, a.time).cmp(&(&b.name, b.time)));
        Ok(members)
    }

    /// The zip archive that contains it.
    pub fn archive(&self) -> &Path {
        &self.archive
    }

    /// Its name in the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The members with the same name and these other extensions, all in any letter case: at most one for each
    /// extension, the first.
    pub fn siblings(&self, extensions: &[&str]) -> Vec<ZipMember> {
        let split = |name: &str| {
            let (stem, extension) = name.rsplit_once('.')?;
            Some((stem.to_lowercase(), extension.to_lowercase()))
        };
        let Some((stem, own)) = split(&self.name).filter(|_| !extensions.is_empty()) else {
            return Vec::new();
        };
        let extension_of = |name: &str| split(name).filter(|(other, _)| *other == stem).map(|(_, end)| end);
        let is_wanted =
            |name: &str| extension_of(name).is_some_and(|end| end != own && extensions.contains(&&*end));
        let mut members = ZipMember::all(&self.archive, is_wanted).unwrap_or_default();
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(extension_of(&member.name)));
        members
    }

    /// Unpacks it to a file.
    ///
    /// # Errors
    /// It is damaged, or larger than the archive says.
    pub fn unpack(&self, to: &mut File) -> io::Result<()> {
        let [_, size, packed] = self.content();
        let mut archive = File::open(&self.archive)?;
        let data = ExpansionLimit::of_size(self.reader(&mut archive)?, packed);
        let unpacked = io::copy(&mut data.take(size.saturating_add(1)), to)?;
        match unpacked == size {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{self}: its size is wrong"))),
        }
    }

    /// Its compressed size in bytes.
    pub(super) fn packed_bytes(&self) -> u64 {
        self.entry.get_metadata().compressed_size
    }

    /// Checksum and sizes of its content, from the directory of the archive.
    pub fn content(&self) -> [u64; 3] {
        let data = self.entry.get_metadata();
        [u64::from(data.crc32), data.uncompressed_size, data.compressed_size]
    }

    /// A reader of its decompressed bytes.
    pub(super) fn reader<'a>(&'a self, archive: &'a mut File) -> io::Result<impl Read + use<'a>> {
        Ok(MemberReader(self.entry.as_ref().with_reader(archive, ZipReadOptions::new())?))
    }
}

/// Reads a member. All its data is there, so that every error of the decompressor is damage.
struct MemberReader<R>(R);

impl<R: Read> Read for MemberReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(damage_of_complete)
    }
}

fn refusal(overlapping: bool) -> String {
    match overlapping {
        true => "the members of this zip archive overlap: it is damaged or a zip bomb".to_owned(),
        false => format!("this zip archive has more than {MAX_ZIP_MEMBERS} game files: extract it first"),
    }
}

/// The archive and the name in it. If several members share a name, the second has `#2` appended, and so on. (No
/// member has such a name itself, because it would not end with the extension of a game file.)
impl fmt::Display for ZipMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!{}", path_name(&self.archive), self.name)?;
        if self.time > 1 { write!(f, "#{}", self.time) } else { Ok(()) }
    }
}
