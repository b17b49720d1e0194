//! The archive that a command uses: `-a FILE`, before or after the command; otherwise an environment variable. Its
//! index: if that is corrupt, this is reported once and the command runs without it.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use clap::{Arg, Args, Command, value_parser};

use super::{advice, terminal};
use crate::{
    archive::{Archive, ArchiveError, ArchivePaths},
    files::Protected,
    parts::{Catalogue, archive_paths},
    query::{Explorer, PositionIndex},
};

/// The environment variable that names the archive if no option does.
const VARIABLE: &str = "PLYBOOK_ARCHIVE";

/// The default archive.
pub(super) fn usual_archive() -> PathBuf {
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "plybook.db".into()).into()
}

/// The archive that a command reads, or several that it reads as one.
#[derive(Clone, Debug, Args)]
pub(super) struct ArchiveArg {
    /// Archive file; several files, or a directory of parts, are read as one archive
    #[arg(short, long, value_name = "FILE", default_values_os_t = [usual_archive()], help_heading = None::<&'static str>)]
    archive: Vec<PathBuf>,
}

impl ArchiveArg {
    pub(super) fn of(path: PathBuf) -> ArchiveArg {
        ArchiveArg { archive: vec![path] }
    }

    /// The files; for a directory with a catalogue, its parts.
    pub(super) fn paths(&self) -> anyhow::Result<ArchivePaths> {
        Ok(archive_paths(&self.archive)?)
    }

    /// Opens the archives, unless standard output is redirected into one of them.
    pub(super) fn open(&self) -> anyhow::Result<Archive> {
        self.protected().check_stdout()?;
        Ok(Archive::open_several(&self.paths()?)?)
    }

    /// Opens the archives for an answer that takes several queries; all of them see the same snapshot.
    pub(super) fn open_at_this_moment(&self) -> anyhow::Result<Archive> {
        Ok(self.open()?.at_this_moment()?)
    }

    /// The files that must not be overwritten while they are read. If a catalogue cannot be read, nothing else will
    /// be either.
    pub(super) fn protected(&self) -> Protected {
        let catalogues = self.archive.iter().filter(|path| Catalogue::is_in(path));
        let protected =
            catalogues.fold(Protected::default(), |all, path| all.source(&Catalogue::path_in(path)));
        let files = self.paths().map(|paths| paths.files().to_vec()).unwrap_or_default();
        files.iter().fold(protected, |all, path| all.archive(path))
    }
}

/// The single archive that a command uses.
#[derive(Clone, Debug, Args)]
pub(super) struct OneArchiveArg {
    /// Archive file
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive(), help_heading = None::<&'static str>)]
    pub(super) archive: PathBuf,
}

impl OneArchiveArg {
    /// Opens the archive, unless standard output is redirected into it.
    pub(super) fn open(&self) -> anyhow::Result<Archive> {
        self.protected().check_stdout()?;
        Ok(Archive::open(&self.archive)?)
    }

    pub(super) fn protected(&self) -> Protected {
        Protected::default().archive(&self.archive)
    }
}

/// The option before the command. Its value is [moved](behind_command) to the command, so that a command without an
/// archive, or one that gets two, rejects it.
pub(super) fn before_command() -> Arg {
    Arg::new("archive")
        .short('a')
        .long("archive")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Archive file; may be given before or after the command")
}

/// The arguments of the program, with the archive options moved after the names of the command and its subcommand.
pub(super) fn behind_command(arguments: Vec<OsString>, program: &Command) -> Vec<OsString> {
    let mut rest = arguments.into_iter().peekable();
    let (mut moved, mut on_archive): (Vec<OsString>, Vec<OsString>) =
        (rest.next().into_iter().collect(), Vec::new());
    let mut command = Some(program);
    while let Some(group) = command.filter(|command| command.has_subcommands()) {
        while let Some(option) = rest.next_if(tells_archive) {
            let has_value_apart = option == "-a" || option == "--archive";
            on_archive.push(option);
            on_archive.extend(if has_value_apart { rest.next() } else { None });
        }
        let name = rest.next();
        command = name.as_deref().and_then(|name| group.find_subcommand(name));
        moved.extend(name);
    }
    moved.extend(on_archive);
    moved.extend(rest);
    moved
}

fn tells_archive(argument: &OsString) -> bool {
    let bytes = argument.as_encoded_bytes();
    bytes == b"--archive" || bytes.starts_with(b"--archive=") || bytes.starts_with(b"-a")
}

/// Whether this process has reported that an index is corrupt.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Opens the index of an archive; `None` if there is no index or it is corrupt.
pub(super) fn open_index(archive: &Archive) -> anyhow::Result<Option<PositionIndex>> {
    Ok(PositionIndex::open_reporting(archive, report_once)?)
}

/// Opens an archive and its index on the same snapshot.
pub(super) fn open_with_index(archive: &ArchiveArg) -> anyhow::Result<(Archive, Option<PositionIndex>)> {
    let archive = archive.open_at_this_moment()?;
    let index = open_index(&archive)?;
    Ok((archive, index))
}

/// Opens an archive for a command that runs queries on several threads.
pub(super) fn open_explorer(archive: &ArchiveArg) -> anyhow::Result<Explorer> {
    Ok(Explorer::open_reporting(archive.paths()?, report_once)?)
}

fn report_once(error: &ArchiveError) {
    if !IS_REPORTED.swap(true, Relaxed) {
        report_damaged_index(error);
    }
}

/// Reports that the index is corrupt, and how to rebuild it.
pub(super) fn report_damaged_index(error: &ArchiveError) {
    terminal::tell(advice::without_index(error));
}

/// Recommends an index if every game was scanned, unless a corrupt one was reported.
pub(super) fn advise_index(is_scan: bool) {
    if is_scan && !IS_REPORTED.load(Relaxed) {
        terminal::tell(advice::AFTER_SCAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_command_comes_behind_it() {
        let game = Command::new("game").subcommand(Command::new("encode"));
        let program = Command::new("plybook").subcommand(Command::new("games")).subcommand(game);
        let moved = |line: &str| {
            let arguments = line.split(' ').map(OsString::from).collect();
            behind_command(arguments, &program).join(" ".as_ref()).into_string().unwrap()
        };
        for (line, expected) in [
            ("plybook -a x.db games --desc", "plybook games -a x.db --desc"),
            ("plybook --archive=x.db game encode 5", "plybook game encode --archive=x.db 5"),
            ("plybook -ax.db game encode 5", "plybook game encode -ax.db 5"),
            ("plybook game --archive x.db encode 5", "plybook game encode --archive x.db 5"),
            ("plybook games -a x.db", "plybook games -a x.db"),
            ("plybook -a x.db", "plybook -a x.db"),
            ("plybook -a", "plybook -a"),
            ("plybook -a x.db nothing", "plybook nothing -a x.db"),
            ("plybook --version", "plybook --version"),
            ("plybook", "plybook"),
        ] {
            assert_eq!(moved(line), expected);
        }
    }
}
