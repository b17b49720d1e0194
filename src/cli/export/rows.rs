//! `plybook export` of rows: games and positions as tables.

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};

use super::files::Files;
use crate::{
    archive::{Archive, Filter, Sort},
    cli::{
        ExitStatus,
        terminal::{self, OutputArgs},
    },
    columns::{Column, RowWriter, Shards},
    counts::GAMES,
    files::Protected,
    limits::MAX_SHARDS,
    present::{
        ExportCounts, ListRows, MovesForm, PositionForm, PresentError, RowsOf, export_rows,
        list::{self, ListFormat},
    },
};

/// What stands in a table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables: csv, json, jsonl, parquet, arrow")]
pub(super) struct RowArgs {
    /// A row for each position of the games, not for each game
    #[arg(long, conflicts_with = "moves")]
    positions: bool,
    /// How the moves of a game are written [default: stored]
    #[arg(long, value_name = "FORM")]
    moves: Option<Moves>,
    /// How a position is written [default: fen]
    #[arg(long, value_name = "FORM", requires = "positions")]
    position_as: Option<PositionAs>,
    /// A column with the tag pairs of a game that no other column has, as JSON
    #[arg(long, conflicts_with = "positions")]
    tags: bool,
    /// Write so many files into the folder that --output names, each with the next games: games-00001-of-00004.parquet
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=MAX_SHARDS.into()))]
    shards: Option<u32>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Moves {
    /// The bytes of the archive, with the name of the codec
    Stored,
    /// SAN, with blanks between
    San,
    /// UCI notation, with blanks between
    Uci,
    /// A list of numbers of 16 bits (standard chess and Chess960 only)
    List16,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PositionAs {
    /// FEN
    Fen,
    /// 33 bytes, for machine learning (standard chess and Chess960 only)
    Packed,
}

/// The file formats of tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Arrow,
    Parquet,
    List(&'static dyn ListFormat),
}

/// Their names, and what they are.
pub(super) fn formats() -> impl Iterator<Item = (&'static str, &'static str, Table)> {
    let lists = ["csv", "json", "jsonl"].into_iter().filter_map(list::by_name);
    let lists = lists.map(|format| (format.name(), format.about(), Table::List(format)));
    lists.chain([
        ("parquet", "A table in columns, packed, for programs that analyse data", Table::Parquet),
        ("arrow", "The same as a program has it in memory: Arrow IPC, not packed", Table::Arrow),
    ])
}

impl RowArgs {
    /// Whether something is asked for that only tables have.
    pub(super) fn are_given(&self) -> bool {
        self.positions || self.moves.is_some() || self.tags || self.shards.is_some()
    }

    fn rows(&self) -> RowsOf {
        if self.positions {
            return RowsOf::Positions(match self.position_as {
                None | Some(PositionAs::Fen) => PositionForm::Fen,
                Some(PositionAs::Packed) => PositionForm::Packed,
            });
        }
        let moves = match self.moves {
            None | Some(Moves::Stored) => MovesForm::Stored,
            Some(Moves::San) => MovesForm::San,
            Some(Moves::Uci) => MovesForm::Uci,
            Some(Moves::List16) => MovesForm::Codes,
        };
        RowsOf::Games { moves, tags: self.tags }
    }

    /// What a file of a folder begins with.
    fn stem(&self) -> &'static str {
        if self.positions { "positions" } else { "games" }
    }

    /// Refuses what cannot be done, before anything is opened.
    pub(super) fn check(&self, table: Table, output: &OutputArgs) -> anyhow::Result<()> {
        table.check(output.is_terminal())?;
        if self.shards.is_some() && output.folder().is_none() {
            bail!("--shards writes files into a folder: give its name with --output, with a / at its end");
        }
        Ok(())
    }

    /// Writes a table.
    pub(super) fn write(
        &self,
        archive: &Archive,
        filter: &Filter,
        table: Table,
        to: (&OutputArgs, &Protected),
    ) -> anyhow::Result<ExitStatus> {
        let (rows, count) = (self.rows(), self.shards.unwrap_or(1));
        let games = if count > 1 { self.games(archive, filter)? } else { 0 };
        if games > 0 && games < count.into() {
            bail!("{} for {count} files: --shards must not be greater", GAMES.count(games));
        }
        let (mut files, progress) = (Files::open(to, self.stem(), table.name(), count)?, to.0.progress());
        let (name, columns) = (files.name(), rows.columns());
        let head = ListRows::head(&columns);
        let mut counted: Vec<_> = files.outputs.iter_mut().map(|out| progress.wrap_write(out)).collect();
        let writers = counted.iter_mut().map(|out| writer(table, out, &columns, &head));
        let mut writer: Box<dyn RowWriter> = Box::new(Shards::new(writers, count.into(), games));
        let exported = export_rows(archive, filter, rows, &mut *writer, |damage| {
            progress.suspend(|| terminal::tell_error("", &damage.into()));
        });
        let written = exported.and_then(|counts| Ok(writer.end().map(|()| counts)?));
        progress.finish_and_clear();
        let ExportCounts { written: games, damaged, left_out } = match written {
            Ok(counts) => counts,
            Err(PresentError::Write(error)) => {
                terminal::printed(Err(anyhow::Error::new(error).context(name)))?;
                return Ok(ExitStatus::Complete);
            }
            Err(error) => return Err(error.into()),
        };
        if games > 0 {
            drop(counted);
            terminal::printed(files.finish().map_err(Into::into))?;
        }
        if left_out > 0 {
            terminal::tell(format_args!(
                "{} left out, which are no chess: they have no rows",
                GAMES.count(left_out)
            ));
        }
        if games + damaged + left_out == 0 {
            terminal::tell("no game passes the filter");
        }
        Ok(ExitStatus::complete_if(games > 0 && damaged == 0 && left_out == 0))
    }

    /// How many games will have rows, unless some are damaged.
    fn games(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        let chess = filter.chess || self.positions;
        // So many in any order.
        let counted = Filter { chess, sort: Sort::default(), descending: false, ..filter.clone() };
        Ok(archive.ids(&counted).try_fold(0, |count, id| id.map(|_| count + 1))?)
    }
}

impl Table {
    /// Its name, which is also how names of files end.
    fn name(self) -> &'static str {
        match self {
            Table::Arrow => "arrow",
            Table::Parquet => "parquet",
            Table::List(format) => format.name(),
        }
    }

    /// Refuses what this plybook does not have, or a terminal cannot show.
    fn check(self, is_terminal: bool) -> anyhow::Result<()> {
        let (Table::Arrow | Table::Parquet) = self else { return Ok(()) };
        if cfg!(not(feature = "columns")) {
            bail!(
                "this plybook was built without Parquet and Arrow; to have them: cargo install --path . --features columns"
            );
        }
        if is_terminal {
            bail!("{} is no text: give the name of a file with --output", self.name());
        }
        Ok(())
    }
}

fn writer<'a>(
    table: Table,
    out: &'a mut dyn Write,
    columns: &'a [Column],
    head: &'a [list::HeadColumn<'a>],
) -> std::io::Result<Box<dyn RowWriter + 'a>> {
    Ok(match table {
        Table::List(format) => Box::new(ListRows::new(out, columns, head, format)),
        #[cfg(feature = "columns")]
        Table::Arrow => Box::new(crate::columns::ArrowFile::new(out, columns)?),
        #[cfg(feature = "columns")]
        Table::Parquet => Box::new(crate::columns::ParquetFile::new(out, columns)?),
        #[cfg(not(feature = "columns"))]
        Table::Arrow | Table::Parquet => return Err(std::io::ErrorKind::Unsupported.into()),
    })
}
