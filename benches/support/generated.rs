//! Archives of made-up games, which can be as large as is wanted.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::memory;

/// Makes an archive of so many games, without an index of positions.
pub fn archive(folder: &Path, games: u64) -> PathBuf {
    let (path, pgn) = (folder.join(format!("{games}.db")), folder.join("games.pgn"));
    let number = games.to_string();
    let run = |arguments: &[&OsStr]| memory::peak_of_run(arguments).expect("the program succeeds");
    run(&["generate".as_ref(), "--games".as_ref(), number.as_ref(), "-o".as_ref(), pgn.as_ref()]);
    run(&["import".as_ref(), "-q".as_ref(), pgn.as_ref(), "-a".as_ref(), path.as_ref()]);
    fs::remove_file(&pgn).unwrap();
    path
}
