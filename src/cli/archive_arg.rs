//! Which archive a command is about: `-a FILE`, before the command or behind it; else what the environment says.

use std::{ffi::OsString, path::PathBuf};

use clap::{Arg, Args, Command, value_parser};

use crate::{
    archive::{Archive, ArchivePaths},
    files::Protected,
    parts::{Catalogue, archive_paths},
};

/// The variable of the environment that names the archive where no option does.
const VARIABLE: &str = "PLYBOOK_ARCHIVE";

/// The archive of commands that are not told of another one.
pub(super) fn usual_archive() -> PathBuf {
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "plybook.db".into()).into()
}

/// Which archive a command reads, or which several as one.
#[derive(Clone, Debug, Args)]
pub(super) struct ArchiveArg {
    /// The archive's file; several, or those of a folder with a catalogue of parts, are read as one
    #[arg(short, long, value_name = "FILE", default_values_os_t = [usual_archive()])]
    archive: Vec<PathBuf>,
}

impl ArchiveArg {
    pub(super) fn of(path: PathBuf) -> ArchiveArg {
        ArchiveArg { archive: vec![path] }
    }

    /// The files: of a folder with a catalogue those of its parts.
    pub(super) fn paths(&self) -> anyhow::Result<ArchivePaths> {
        Ok(archive_paths(&self.archive)?)
    }

    /// Opens them, unless a shell has directed what is printed into one.
    pub(super) fn open(&self) -> anyhow::Result<Archive> {
        self.protected().check_stdout()?;
        Ok(Archive::open_several(&self.paths()?)?)
    }

    /// Opens them for an answer of several questions: all of them are about the same moment.
    pub(super) fn open_at_this_moment(&self) -> anyhow::Result<Archive> {
        Ok(self.open()?.at_this_moment()?)
    }

    /// What must stay as it is while it is read. Where a catalogue cannot be read, nothing else will be.
    pub(super) fn protected(&self) -> Protected {
        let catalogues = self.archive.iter().filter(|path| Catalogue::is_in(path));
        let protected =
            catalogues.fold(Protected::default(), |all, path| all.source(&Catalogue::path_in(path)));
        let files = self.paths().map(|paths| paths.files().to_vec()).unwrap_or_default();
        files.iter().fold(protected, |all, path| all.archive(path))
    }
}

/// Which one archive a command is about.
#[derive(Clone, Debug, Args)]
pub(super) struct OneArchiveArg {
    /// The archive's file
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive())]
    pub(super) archive: PathBuf,
}

impl OneArchiveArg {
    /// Opens it, unless a shell has directed what is printed into it.
    pub(super) fn open(&self) -> anyhow::Result<Archive> {
        self.protected().check_stdout()?;
        Ok(Archive::open(&self.archive)?)
    }

    pub(super) fn protected(&self) -> Protected {
        Protected::default().archive(&self.archive)
    }
}

/// The option that may stand before the command. What it says is [moved](behind_command) to the command, so that
/// one that knows no archive refuses it, and one that is told of two.
pub(super) fn before_command() -> Arg {
    Arg::new("archive")
        .short('a')
        .long("archive")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Archive file; may be given before or after the command")
}

/// Arguments of the program with those on the archive behind the names of the command and of the one below it.
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
