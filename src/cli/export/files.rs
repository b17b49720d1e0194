//! The files that a table is written to: a single file, or the files of a folder.

use anyhow::{Context, bail};

use crate::{
    cli::terminal::OutputArgs,
    export::Partition,
    files::{FileError, Output, OutputFolder, Protected},
};

/// The files of a table.
pub(super) struct Files {
    pub(super) outputs: Vec<Output>,
    /// The directory that contains the files, if any, preceded by its subfolders.
    folders: Vec<OutputFolder>,
}

impl Files {
    /// Opens the given file, or `count` files in the given directory: `games-00001-of-00004.csv`.
    pub(super) fn open(
        (args, protected): (&OutputArgs, &Protected),
        stem: &str,
        ending: &str,
        count: u32,
    ) -> anyhow::Result<Files> {
        let Some(path) = args.folder() else {
            return Ok(Files { outputs: vec![args.open(protected)?], folders: Vec::new() });
        };
        let folder = OutputFolder::open(path)?;
        check(&folder, (stem, ending), count)?;
        let name = |number| format!("{stem}-{number:05}-of-{count:05}.{ending}");
        let outputs = (1..=count).map(|number| args.open_in(&folder, &name(number), protected));
        Ok(Files { outputs: outputs.collect::<Result<_, _>>()?, folders: vec![folder] })
    }

    /// Opens one file per partition, in subfolders of the given directory: `year=1999/games.parquet`.
    pub(super) fn open_partitions(
        (args, protected): (&OutputArgs, &Protected),
        stem: &str,
        ending: &str,
        partitions: &[Partition],
    ) -> anyhow::Result<Files> {
        let Some(folder) = args.folder() else { bail!("--output must be a directory, with a trailing /") };
        let (mut folders, mut outputs) = (vec![OutputFolder::open(folder)?], Vec::new());
        for partition in partitions {
            let mut path = folder.to_owned();
            for name in &partition.folders {
                path.push(name);
                folders.push(OutputFolder::open(&path)?);
            }
            if let Some(folder) = folders.last() {
                outputs.push(args.open_in(folder, &format!("{stem}.{ending}"), protected)?);
            }
        }
        // The inner directories come first, because that is the order to remove them in if the export fails.
        folders.reverse();
        Ok(Files { outputs, folders })
    }

    /// A short name for the output, for error messages.
    pub(super) fn name(&self) -> String {
        let folder = self.folders.last().map(|folder| folder.path().display().to_string());
        folder.or(self.outputs.first().map(|out| out.name().to_owned())).unwrap_or_default()
    }

    /// Renames all files to their final names.
    pub(super) fn finish(self) -> Result<(), FileError> {
        Output::finish_all(self.outputs)
    }
}

/// Rejects a directory that contains a different number of such files: a program that reads all files of the directory
/// would get games twice.
fn check(folder: &OutputFolder, (stem, ending): (&str, &str), count: u32) -> anyhow::Result<()> {
    let path = folder.path();
    let read = || format!("cannot read the directory {}", path.display());
    let end = format!(".{ending}");
    for entry in path.read_dir().with_context(read)? {
        let name = entry.with_context(read)?.file_name();
        let of = name.to_str().and_then(|name| {
            let numbers = name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(&end)?;
            let (_, of) = numbers.split_once("-of-")?;
            of.parse::<u32>().ok()
        });
        if of.is_some_and(|of| of != count) {
            bail!(
                "{} belongs to a table with a different number of files; remove those files, or choose another directory",
                path.join(name).display()
            );
        }
    }
    Ok(())
}
