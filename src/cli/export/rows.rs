//! `plybook export` of rows: games and positions as tables.

use std::io::Write;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use crate::{
    archive::{Archive, Filter},
    cli::{ExitStatus, terminal},
    columns::{Column, RowWriter},
    counts::GAMES,
    files::Output,
    present::{
        ExportCounts, ListRows, MovesForm, PresentError, RowsOf, export_rows,
        list::{self, ListFormat},
    },
};

/// What stands in a table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables: csv, json, jsonl, parquet")]
pub(super) struct RowArgs {
    /// A row for each position of the games, not for each game
    #[arg(long, conflicts_with = "moves")]
    positions: bool,
    /// How the moves of a game are written [default: stored]
    #[arg(long, value_name = "FORM")]
    moves: Option<Moves>,
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

/// The file formats of tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Parquet,
    List(&'static dyn ListFormat),
}

/// Their names, and what they are.
pub(super) fn formats() -> impl Iterator<Item = (&'static str, &'static str, Table)> {
    let lists = ["csv", "json", "jsonl"].into_iter().filter_map(list::by_name);
    let lists = lists.map(|format| (format.name(), format.about(), Table::List(format)));
    lists.chain([("parquet", "A table in columns, for programs that analyse data", Table::Parquet)])
}

impl RowArgs {
    /// Whether something is asked for that only tables have.
    pub(super) fn are_given(&self) -> bool {
        self.positions || self.moves.is_some()
    }

    fn rows(&self) -> RowsOf {
        match self.moves {
            _ if self.positions => RowsOf::Positions,
            None | Some(Moves::Stored) => RowsOf::Games(MovesForm::Stored),
            Some(Moves::San) => RowsOf::Games(MovesForm::San),
            Some(Moves::Uci) => RowsOf::Games(MovesForm::Uci),
            Some(Moves::List16) => RowsOf::Games(MovesForm::Codes),
        }
    }

    /// Writes a table.
    pub(super) fn write(
        &self,
        archive: &Archive,
        filter: &Filter,
        table: Table,
        mut out: Output,
        progress: &ProgressBar,
    ) -> anyhow::Result<ExitStatus> {
        let (rows, name) = (self.rows(), out.name().to_owned());
        let columns = rows.columns();
        let (mut counted, head) = (progress.wrap_write(&mut out), ListRows::head(&columns));
        let mut writer = writer(table, &mut counted, &columns, &head).with_context(|| name.clone())?;
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
            terminal::printed(out.finish().map_err(Into::into))?;
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
}

impl Table {
    /// Refuses what cannot be done, before anything is opened.
    pub(super) fn check(self, is_terminal: bool) -> anyhow::Result<()> {
        let Table::Parquet = self else { return Ok(()) };
        if cfg!(not(feature = "columns")) {
            bail!(
                "this plybook was built without Parquet; to have it: cargo install --path . --features columns"
            );
        }
        if is_terminal {
            bail!("Parquet is no text: give the name of a file with --output");
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
        Table::Parquet => Box::new(crate::columns::ParquetFile::new(out, columns)?),
        #[cfg(not(feature = "columns"))]
        Table::Parquet => return Err(std::io::ErrorKind::Unsupported.into()),
    })
}
