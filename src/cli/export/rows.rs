//! `plybook export` of tables: one row per game or position, in a single file or in the files of a directory.

use std::{io::Write, path::Path};

use anyhow::{Context, bail};
use clap::{Args, builder::PossibleValue, value_parser};

use super::ended;
use crate::{
    archive::{Archive, Filter, GameCheck, Sort},
    cli::{
        ExitStatus,
        answer::{Choice, choice},
        terminal::{self, OutputArgs},
    },
    columns::{Column, RowWriter, Shards},
    counts::GAMES,
    export::{
        ExportCounts, ExportError, MovesForm, Partition, PartitionKey, PositionForm, RowsOf, export_rows,
        partitions,
    },
    files::{Output, OutputFolder, Protected},
    limits::{MAX_PARTITIONS, MAX_SHARDS},
    present::{
        PresentError,
        cell_rows::ListRows,
        list::{self, ListFormat},
    },
    record::GameId,
};

/// The help heading, with the formats that this build supports.
const HEADING: &str =
    if HAS_COLUMNS { "Tables (csv, json, jsonl, parquet, arrow)" } else { "Tables (csv, json, jsonl)" };

/// Whether this build supports Parquet and Arrow.
pub(super) const HAS_COLUMNS: bool = cfg!(feature = "columns");

/// The contents of a table.
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct RowArgs {
    /// Write one row per position instead of one row per game
    #[arg(long, conflicts_with = "moves")]
    positions: bool,
    /// Notation of the moves [default: stored]
    #[arg(long, value_name = "FORM", value_parser = choice(MOVES))]
    moves: Option<MovesForm>,
    /// Notation of the positions [default: fen]
    #[arg(long, value_name = "FORM", value_parser = choice(POSITIONS), requires = "positions")]
    position_as: Option<PositionForm>,
    /// Add a column with the tag pairs that have no column of their own, as JSON
    #[arg(long, conflicts_with = "positions")]
    tags: bool,
    /// Split the table into N files in the directory given by --output, in the order of the games:
    /// games-00001-of-00004.csv
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=MAX_SHARDS.into()))]
    shards: Option<u32>,
    /// Write the files into directories by year, rating and so on, as tools for data analysis expect them:
    /// year=1999/speed=rapid/games.csv. Separate several keys with commas
    #[arg(long, value_name = "KEYS", value_parser = choice(KEYS), value_delimiter = ',', conflicts_with = "shards")]
    partition_by: Vec<PartitionKey>,
    /// Base name of the files in a directory [default: games or positions]
    #[arg(long, value_name = "NAME", value_parser = stem)]
    name: Option<String>,
    /// Add a column with the key of each position
    #[arg(long, requires = "positions")]
    keys: bool,
}

/// The keys that games are partitioned by.
const KEYS: [Choice<PartitionKey>; 4] = [
    ("year", "The year; the files then have no year column", PartitionKey::Year),
    ("elo_band elo", "The mean of both ratings, rounded down to a multiple of 200", PartitionKey::EloBand),
    ("eco_volume eco", "The volume of the Encyclopaedia of Chess Openings, A to E", PartitionKey::EcoVolume),
    ("speed", "The speed, by time control", PartitionKey::Speed),
];

const MOVES: [Choice<MovesForm>; 4] = [
    ("stored", "The bytes of the archive, with the name of their codec", MovesForm::Stored),
    ("san", "SAN, separated by spaces", MovesForm::San),
    ("uci", "UCI notation, separated by spaces", MovesForm::Uci),
    ("list16", "A list of 16-bit numbers (standard chess and Chess960 only)", MovesForm::Codes),
];

const POSITIONS: [Choice<PositionForm>; 2] = [
    ("fen", "FEN", PositionForm::Fen),
    (
        "packed",
        "33 bytes per position, for machine learning (standard chess and Chess960 only)",
        PositionForm::Packed,
    ),
];

/// Checks the base name of files.
fn stem(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    match !name.is_empty() && name.len() <= 100 && name.chars().all(is_plain) {
        true => Ok(name.to_owned()),
        false => Err("use only letters, digits, - and _".to_owned()),
    }
}

/// The table formats.
#[derive(Clone, Copy, Debug)]
pub(super) enum TableFormat {
    Arrow,
    Parquet,
    List(&'static ListFormat),
}

/// The table formats with their names. Those that this build does not support are hidden; selecting one reports how to
/// get it.
pub(super) fn formats() -> impl Iterator<Item = (PossibleValue, TableFormat)> {
    let lists = ["csv", "json", "jsonl"].into_iter().filter_map(list::by_name);
    let lists = lists.map(|format| (format.name, format.about, TableFormat::List(format)));
    let columns = [
        ("parquet", "Parquet, a compressed columnar file for data analysis", TableFormat::Parquet),
        ("arrow", "Arrow IPC, the uncompressed in-memory form of the same table", TableFormat::Arrow),
    ];
    let is_hidden = |table| !matches!(table, TableFormat::List(_)) && !HAS_COLUMNS;
    lists
        .chain(columns)
        .map(move |(name, about, table)| (PossibleValue::new(name).help(about).hide(is_hidden(table)), table))
}

impl RowArgs {
    /// Whether any option was given that only tables support.
    pub(super) fn are_given(&self) -> bool {
        let in_folder = self.shards.is_some() || !self.partition_by.is_empty() || self.name.is_some();
        self.positions || self.moves.is_some() || self.tags || in_folder
    }

    fn rows(&self) -> RowsOf {
        if self.positions {
            return RowsOf::Positions { form: self.position_as.unwrap_or_default(), keys: self.keys };
        }
        // Tools take the year from the name of the directory.
        let year = !self.partition_by.contains(&PartitionKey::Year);
        RowsOf::Games { moves: self.moves.unwrap_or_default(), tags: self.tags, year }
    }

    /// The base name of files in a folder.
    fn stem(&self) -> &str {
        self.name.as_deref().unwrap_or(if self.positions { "positions" } else { "games" })
    }

    /// Rejects invalid combinations before anything is opened.
    pub(super) fn check(&self, table: TableFormat, output: &OutputArgs) -> anyhow::Result<()> {
        table.check(output.is_terminal())?;
        if self.shards.is_some() && output.folder().is_none() {
            bail!("--shards writes into a directory; give its name with --output, with a trailing /");
        }
        if !self.partition_by.is_empty() && output.folder().is_none() {
            bail!("--partition-by writes into a directory; give its name with --output, with a trailing /");
        }
        let twice =
            (1..self.partition_by.len()).any(|at| self.partition_by[..at].contains(&self.partition_by[at]));
        if twice {
            bail!("--partition-by contains a key twice");
        }
        if self.name.is_some() && self.shards.is_none() && self.partition_by.is_empty() {
            bail!("--name requires --shards or --partition-by");
        }
        Ok(())
    }

    /// Writes a table.
    pub(super) fn write(
        &self,
        archive: &Archive,
        filter: &Filter,
        check: Option<&GameCheck>,
        table: TableFormat,
        output: &OutputArgs,
        protected: &Protected,
    ) -> anyhow::Result<ExitStatus> {
        let (mut files, filters, games) = self.divided(archive, filter, table, output, protected)?;
        let (name, progress) = (files.name(), output.progress());
        let mut counted: Vec<_> = files.outputs.iter_mut().map(|out| progress.wrap_write(out)).collect();
        let columns = self.rows().columns();
        let writers = counted.iter_mut().map(|out| writer(table, out, &columns));
        let written = self.write_rows(archive, check, &filters, games, writers, |damage| {
            progress.suspend(|| terminal::tell_error("", &PresentError::from(damage).into()));
        });
        progress.finish_and_clear();
        let counts = match written {
            Ok(counts) => counts,
            Err(ExportError::Write(error)) => {
                terminal::printed(Err(anyhow::Error::new(error).context(name)))?;
                return Ok(ExitStatus::Complete);
            }
            Err(error) => return Err(PresentError::from(error).into()),
        };
        if counts.written > 0 {
            drop(counted);
            terminal::printed(Output::finish_all(files.outputs).map_err(Into::into))?;
        }
        Ok(ended(counts, check, ", which are not chess and have no rows", "game"))
    }

    /// Opens the files and assigns the games: all files get games in order, of which the number is known if there are
    /// several files, or each file gets the games of its partition.
    fn divided(
        &self,
        archive: &Archive,
        filter: &Filter,
        table: TableFormat,
        output: &OutputArgs,
        protected: &Protected,
    ) -> anyhow::Result<(Files, Vec<Filter>, u64)> {
        let (stem, ending) = (self.stem(), table.name());
        if self.partition_by.is_empty() {
            let count = self.shards.unwrap_or(1);
            let games = if count > 1 { self.games(archive, filter)? } else { 0 };
            if games > 0 && games < count.into() {
                bail!("--shards {count} is larger than the number of games: {}", GAMES.count(games));
            }
            if let Some(folder) = output.folder().filter(|folder| folder.is_dir()) {
                check_folder(folder, stem, ending, count)?;
            }
            let name = |number| (Vec::new(), format!("{stem}-{number:05}-of-{count:05}.{ending}"));
            return Ok((Files::open(output, protected, (1..=count).map(name))?, vec![filter.clone()], games));
        }
        let partitions =
            partitions(archive, &self.with_rows(filter), &self.partition_by).map_err(PresentError::from)?;
        if partitions.len() > usize::from(MAX_PARTITIONS) {
            bail!(
                "{} directories are more than the limit of {MAX_PARTITIONS}; use fewer keys, or export in several runs, for example by --date",
                partitions.len()
            );
        }
        let names = partitions.iter().map(|of| (of.folders.clone(), format!("{stem}.{ending}")));
        let files = Files::open(output, protected, names)?;
        let of =
            |Partition { games, .. }| Filter { among: Some(games), limit: None, offset: 0, ..filter.clone() };
        Ok((files, partitions.into_iter().map(of).collect(), 0))
    }

    /// Writes the rows of the games that pass each filter.
    fn write_rows<'a>(
        &self,
        archive: &Archive,
        check: Option<&GameCheck>,
        filters: &[Filter],
        games: u64,
        mut writers: impl Iterator<Item = std::io::Result<Box<dyn RowWriter + 'a>>>,
        mut damaged: impl FnMut(ExportError),
    ) -> Result<ExportCounts, ExportError> {
        let (count, mut counts) = (self.shards.unwrap_or(1), ExportCounts::default());
        for filter in filters {
            let files = writers.by_ref().take(count as usize);
            let mut table = Box::new(Shards::new(files, count.into(), games));
            counts += export_rows(archive, filter, self.rows(), check, &mut *table, &mut damaged)?;
            table.end()?;
        }
        Ok(counts)
    }

    /// The filter, limited to games that can have rows.
    fn with_rows(&self, filter: &Filter) -> Filter {
        Filter { chess: filter.chess || self.positions, ..filter.clone() }
    }

    /// The number of games that will have rows, unless some are damaged.
    fn games(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        // The count does not depend on the order, and unsorted is faster.
        let counted = Filter { sort: Sort::default(), descending: false, ..self.with_rows(filter) };
        Ok(archive.list::<GameId>(&counted).try_fold(0, |count, id| id.map(|_| count + 1))?)
    }
}

impl TableFormat {
    /// Its name, which is also the file extension.
    fn name(self) -> &'static str {
        match self {
            TableFormat::Arrow => "arrow",
            TableFormat::Parquet => "parquet",
            TableFormat::List(format) => format.name,
        }
    }

    /// Rejects a format that this build does not support, or that a terminal cannot show.
    fn check(self, is_terminal: bool) -> anyhow::Result<()> {
        let (TableFormat::Arrow | TableFormat::Parquet) = self else { return Ok(()) };
        if !HAS_COLUMNS {
            bail!(
                "this plybook was built without Parquet and Arrow; to add them: cargo install --path . --locked --features columns"
            );
        }
        if is_terminal {
            bail!("{} is a binary format; write it to a file with --output FILE", self.name());
        }
        Ok(())
    }
}

fn writer<'a>(
    table: TableFormat,
    out: &'a mut dyn Write,
    columns: &'a [Column],
) -> std::io::Result<Box<dyn RowWriter + 'a>> {
    Ok(match table {
        TableFormat::List(format) => Box::new(ListRows::new(out, columns, format)),
        #[cfg(feature = "columns")]
        TableFormat::Arrow => Box::new(crate::columns::ArrowFile::new(out, columns)?),
        #[cfg(feature = "columns")]
        TableFormat::Parquet => Box::new(crate::columns::ParquetFile::new(out, columns)?),
        #[cfg(not(feature = "columns"))]
        TableFormat::Arrow | TableFormat::Parquet => return Err(std::io::ErrorKind::Unsupported.into()),
    })
}

/// The files of a table.
struct Files {
    outputs: Vec<Output>,
    /// The directory that contains the files, if any, preceded by its subfolders.
    folders: Vec<OutputFolder>,
}

impl Files {
    /// Opens the given file; or in the given directory, files with the names of their subfolders and their own.
    fn open(
        output: &OutputArgs,
        protected: &Protected,
        names: impl Iterator<Item = (Vec<String>, String)>,
    ) -> anyhow::Result<Files> {
        let Some(folder) = output.folder() else {
            return Ok(Files { outputs: vec![output.open(protected)?], folders: Vec::new() });
        };
        let (mut folders, mut outputs) = (vec![OutputFolder::open(folder)?], Vec::new());
        for (subfolders, name) in names {
            let mut path = folder.to_owned();
            for subfolder in subfolders {
                path.push(subfolder);
                folders.push(OutputFolder::open(&path)?);
            }
            outputs.push(output.open_at(&path.join(name), protected)?);
        }
        // The inner directories come first, because that is the order to remove them in if the export fails.
        folders.reverse();
        Ok(Files { outputs, folders })
    }

    /// A short name for the output, for error messages.
    fn name(&self) -> String {
        let folder = self.folders.last().map(|folder| folder.path.display().to_string());
        folder.or(self.outputs.first().map(|out| out.name.clone())).unwrap_or_default()
    }
}

/// Rejects a directory that contains a different number of such files: a program that reads all files of the directory
/// would get games twice.
fn check_folder(folder: &Path, stem: &str, ending: &str, count: u32) -> anyhow::Result<()> {
    let read = || format!("cannot read the directory {}", folder.display());
    let end = format!(".{ending}");
    for entry in folder.read_dir().with_context(read)? {
        let name = entry.with_context(read)?.file_name();
        let of = name.to_str().and_then(|name| {
            let numbers = name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(&end)?;
            let (_, of) = numbers.split_once("-of-")?;
            of.parse::<u32>().ok()
        });
        if of.is_some_and(|of| of != count) {
            bail!(
                "{} belongs to a table with a different number of files; remove those files, or choose another directory",
                folder.join(name).display()
            );
        }
    }
    Ok(())
}
