//! Finds the sources that paths name: files, game files in directories, members of zip archives.
//!
//! A source that cannot be read is still listed, and reports its error when it is opened, so that it does not prevent
//! others from being read. Only a missing path that the user named stops the import before anything is read.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    path_name::{path_name, plain_name},
    source::{Source, SourceError, beginning},
    zip_members::ZipMember,
};

/// The sources that paths name: a file, a directory (searched for game files, in order of name), a zip archive (its
/// game files), a pipe or another device, or `-` for standard input. `endings` are the file extensions of game files
/// in lower case, such as `.pgn`.
///
/// # Errors
/// A path that does not exist, or a directory or zip archive without a game file.
pub fn find_sources(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<Source>, SourceError> {
    let mut sources = Vec::new();
    for path in paths {
        let before = sources.len();
        if path.as_os_str() == "-" {
            sources.push(Source::Stdin);
            continue;
        }
        let metadata = fs::metadata(path).map_err(|error| absent(path, error))?;
        let nothing = if metadata.is_dir() {
            search_folder(path, endings, &mut sources);
            SourceError::NothingInFolder
        } else if metadata.is_file() {
            add_file(path, endings, &mut sources);
            SourceError::NothingInZip
        } else {
            // The bytes of a pipe can be read only once, so they must not be inspected here.
            sources.push(Source::File(path.clone()));
            continue;
        };
        if sources.len() == before {
            return Err(nothing(path_name(path), listed(endings)));
        }
    }
    Ok(sources)
}

/// Extensions as a list: `.pgn, .xelto or .si4`.
fn listed(endings: &[&str]) -> String {
    match endings {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        all => all.concat(),
    }
}

fn absent(path: &Path, error: io::Error) -> SourceError {
    let name = path_name(path);
    let is_address = ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| name.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme)));
    if is_address { SourceError::Address(name) } else { SourceError::Io(name, error) }
}

/// Adds the game files in a directory and its subdirectories. Links to directories are not followed, because they
/// could form a cycle.
fn search_folder(folder: &Path, endings: &[&str], sources: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<fs::DirEntry>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return sources.push(Source::unreadable(folder, error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_folder = entry.file_type().map(|kind| kind.is_dir());
        match is_folder {
            Ok(true) => search_folder(&path, endings, sources),
            _ if !holds_games(&path, endings) => {}
            _ => match fs::metadata(&path) {
                Ok(file) if file.is_file() => add_file(&path, endings, sources),
                Ok(folder) if folder.is_dir() => {}
                Ok(_) => sources.push(Source::unreadable(
                    &path,
                    "pipes and devices in a directory are skipped; give the path itself to read it",
                )),
                Err(error) => sources.push(Source::unreadable(&path, error)),
            },
        }
    }
}

/// Whether a file in a directory or a zip archive is a game file, by its name.
fn holds_games(path: &Path, endings: &[&str]) -> bool {
    let plain = plain_name(path);
    plain.ends_with(".zip") || endings.iter().any(|end| plain.ends_with(end))
}

/// Adds a file, or the game files in a zip archive.
fn add_file(path: &Path, endings: &[&str], sources: &mut Vec<Source>) {
    match beginning(path) {
        Ok(beginning) if !is_zip(&beginning) => sources.push(Source::File(path.to_owned())),
        Ok(_) => {
            let is_game = |name: &str| !name.ends_with('/') && holds_games(name.as_ref(), endings);
            match ZipMember::all(path, is_game) {
                Ok(members) => sources.extend(members.into_iter().map(Source::Member)),
                Err(error) => sources.push(Source::unreadable(path, error)),
            }
        }
        Err(error) => sources.push(Source::unreadable(path, error)),
    }
}

/// Whether a file starts like a zip archive: with a member, or with the end record of an empty archive.
fn is_zip(beginning: &[u8]) -> bool {
    beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PK\x05\x06")
}
