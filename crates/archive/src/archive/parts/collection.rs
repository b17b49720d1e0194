//! The names of the files of a collection in parts, and which archives are parts of one: no command may change those.

use std::{fs, path::Path};

use crate::archive::{ArchiveError, Result};
use crate::files::{MAX_LINKS, folder_of};

/// The file name of the catalogue of a collection.
pub const CATALOGUE: &str = "catalogue.json";

/// The file name of a part.
pub fn part_name(number: u32) -> String {
    format!("part-{number:04}.db")
}

/// The file name of a part that is being filled.
pub fn unfinished_part_name(number: u32) -> String {
    format!("unfinished-{number:04}.db")
}

/// The number of the part whose archive has this name.
pub fn number_of_part(name: &str) -> Option<u32> {
    let number = name.strip_prefix("part-")?.strip_suffix(".db")?.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

/// Checks that games of an archive can be changed: it is neither a collection in parts nor one of the parts, also by a
/// link to it. Another program may be listing a part, so names decide, and not what the catalogue lists now.
///
/// # Errors
/// It is one of them.
pub fn check_is_not_in_parts(archive: &Path) -> Result<()> {
    let has_catalogue = |folder: &Path| folder.join(CATALOGUE).is_file();
    let (mut path, mut links) = (archive.to_owned(), 0);
    let collection = loop {
        if has_catalogue(&path) {
            break path;
        }
        let folder = folder_of(&path);
        if is_named_like_part(&path) && has_catalogue(folder) {
            break folder.to_owned();
        }
        match fs::read_link(&path) {
            Ok(link) if links < MAX_LINKS => path = folder.join(link),
            _ => return Ok(()),
        }
        links += 1;
    };
    Err(ArchiveError::InParts { path: archive.to_owned(), collection })
}

fn is_named_like_part(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let unfinished = name.strip_prefix("unfinished-").map(|rest| format!("part-{rest}"));
    number_of_part(&unfinished.unwrap_or_else(|| name.to_owned())).is_some()
}
