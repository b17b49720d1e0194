//! A consistent copy of an archive while others work with it.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

use rusqlite::{Connection, backup::StepResult};

use super::{Archive, ArchiveError, error::folder_of};

/// Pages copied between two reports of progress.
const PAGES: i32 = 1024;

impl Archive {
    /// Copies the archive as it is at this moment into another file, and proves that the copy opens and has the
    /// same games. The file appears under its name only when it is whole. `progress` is told the pages copied
    /// and their number.
    ///
    /// # Errors
    /// The file exists (unless `force`), cannot be written, or the copy is not sound.
    pub fn backup(
        &self,
        to: &Path,
        force: bool,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<u64, ArchiveError> {
        if to.is_dir() {
            return Err(ArchiveError::Folder(to.to_owned()));
        }
        if to.exists() && !force {
            return Err(ArchiveError::Exists(to.to_owned()));
        }
        if same_file(self.path(), to) {
            return Err(ArchiveError::Exists(to.to_owned()));
        }
        let part = beside(to, ".part");
        let done = self.copy_to(&part, &mut progress).and_then(|games| {
            let put = fs::rename(&part, to).and_then(|()| save_folder(to));
            put.map(|()| games).map_err(|error| ArchiveError::Io { path: to.to_owned(), error })
        });
        if done.is_err() {
            let _ = fs::remove_file(&part);
            let _ = fs::remove_file(beside(&part, "-journal"));
        }
        done
    }

    fn copy_to(&self, part: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, ArchiveError> {
        match fs::remove_file(part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ArchiveError::Io { path: part.to_owned(), error });
            }
            _ => {}
        }
        // One read transaction around it all: what others write meanwhile does not begin it again.
        self.run("BEGIN")?;
        let games = self.count();
        let copied = self.copy_pages(part, progress).map_err(|error| ArchiveError::of_sqlite(part, error));
        self.run("COMMIT")?;
        copied?;
        let games = games?;
        check_copy(part, games)?;
        Ok(games)
    }

    fn copy_pages(&self, part: &Path, progress: &mut dyn FnMut(u64, u64)) -> rusqlite::Result<()> {
        let mut copy = Connection::open(part)?;
        copy.execute_batch("PRAGMA synchronous = FULL")?;
        let backup = rusqlite::backup::Backup::new(&self.db, &mut copy)?;
        loop {
            let step = backup.step(PAGES)?;
            let state = backup.progress();
            let pages = |pages: i32| u64::from(pages.unsigned_abs());
            progress(pages(state.pagecount - state.remaining), pages(state.pagecount));
            match step {
                StepResult::Done => return Ok(()),
                _ => continue,
            }
        }
    }
}

/// The copy opens as an archive of its own, its pages are in order, and no game is missing.
fn check_copy(path: &Path, games: u64) -> Result<(), ArchiveError> {
    Archive::create_or_open(path)?.finish()?;
    let copy = Archive::open(path)?;
    let found: Result<String, _> = copy.db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    let found = found.map_err(|error| copy.error(error))?;
    let counted = copy.count()?;
    let what = if found != "ok" {
        found
    } else if counted != games {
        format!("it has {counted} games instead of {games}")
    } else {
        return Ok(());
    };
    Err(ArchiveError::BadCopy { path: path.to_owned(), what })
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Makes a new name durable. Only some systems can; the others need not.
fn save_folder(path: &Path) -> std::io::Result<()> {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}
