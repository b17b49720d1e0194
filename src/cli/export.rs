//! `plybook export`

mod files;
mod rows;
mod text;

use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use rows::{RowArgs, TableFormat};
use text::{LINES, TextArgs};

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter, GameCheck},
    counts::{FAULTS, GAMES},
    export::{self, ExportCounts, ExportError, GameForm, LineForm},
    present::PresentError,
    record::GameKind,
};

/// Export games as PGN, as lines for engines, as tables, or as Xelto records
///
/// PGN keeps the tag pairs of the source in their order, and wraps movetext at 80 columns. Games and records are
/// separated by a blank line. Tables have one row per game, or one row per position with --positions.
///
/// Xelto games have no PGN. Without --format or --variant they are skipped; this is reported on standard error, and the
/// exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = examples())]
pub(super) struct Export {
    /// Output format [default: pgn; with --variant xelto: xelto]
    #[arg(long, value_parser = formats(), help_heading = "Output")]
    format: Option<ExportFormat>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
    /// Check that the games are unchanged since they were stored: all rows by their checksums, and each exported
    /// game by its fingerprint. Changed games are reported and skipped
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

fn examples() -> String {
    let examples = "Examples:
  plybook export > all.pgn
  plybook export --player carlsen --date 2013.. -o carlsen.pgn
  plybook export --id 1..100 | pgn-extract --quiet
  plybook find 'sicilian najdorf' --format ids | plybook export --id - --roster
  plybook export --elo 2600.. --format epd --to-ply 20 -o openings.epd
  plybook export --variant xelto -o games.xelto
  plybook export --format csv --moves san --elo 2600.. -o moves.csv
  plybook export --format jsonl --positions -o positions.jsonl
  plybook export --format csv --partition-by year,eco_volume --sort elo -o tables/";
    let of_columns = "
  plybook export --format parquet -o games.parquet
  plybook export --format parquet --positions --shards 4 -o tables/";
    format!("{examples}{}", if rows::HAS_COLUMNS { of_columns } else { "" })
}

/// The format of exported games.
#[derive(Clone, Copy, Debug)]
enum ExportFormat {
    Pgn,
    /// Records of a game that has no PGN.
    Records(GameKind),
    /// Lines.
    Lines(LineForm),
    /// Rows.
    Table(TableFormat),
}

/// The record formats, with their names.
fn record_formats() -> impl Iterator<Item = (&'static str, GameKind)> {
    GameKind::all().filter_map(|kind| Some((kind.family().record_format()?, kind)))
}

fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    let pgn = PossibleValue::new("pgn").help("PGN of chess games and chess variants");
    let records = record_formats()
        .map(|(name, kind)| PossibleValue::new(name).help(format!("Records of {kind} games")));
    let lines = LINES.into_iter().map(|(name, about, _)| PossibleValue::new(name).help(about));
    let tables = rows::formats()
        .map(|(name, about, _, is_there)| PossibleValue::new(name).help(about).hide(!is_there));
    PossibleValuesParser::new(std::iter::once(pgn).chain(lines).chain(records).chain(tables)).map(|name| {
        if let Some((.., form)) = LINES.into_iter().find(|(format, ..)| *format == name) {
            return ExportFormat::Lines(form);
        }
        let records = record_formats().find(|(format, _)| *format == name);
        let table = rows::formats().find(|(format, ..)| *format == name);
        let table = table.map(|(_, _, table, _)| ExportFormat::Table(table));
        records.map(|(_, kind)| ExportFormat::Records(kind)).or(table).unwrap_or(ExportFormat::Pgn)
    })
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let form = match self.format {
            Some(ExportFormat::Table(_)) => None,
            Some(ExportFormat::Lines(form)) => Some(GameForm::Lines(form)),
            Some(ExportFormat::Pgn | ExportFormat::Records(_)) | None => Some(GameForm::Text),
        };
        self.text.check(form)?;
        let table = match self.format {
            Some(ExportFormat::Table(table)) => {
                self.rows.check(table, &self.output)?;
                Some(table)
            }
            _ if self.rows.are_given() => {
                let formats = rows::formats().filter(|(.., is_there)| *is_there);
                let formats: Vec<&str> = formats.map(|(name, ..)| name).collect();
                bail!(
                    "--positions, --moves, --tags, --shards and --partition-by require a table format: --format {}",
                    formats.join("|")
                )
            }
            _ => None,
        };
        let archive = self.archive.open()?;
        let mut filter = self.filter.before_sample(&archive)?;
        let check = self.check.then(|| check(&archive)).transpose()?;
        if let Some(check) = &check {
            // Games that are added in the meantime have fingerprints that this check has not read.
            filter = filter.within((1, check.last())).unwrap_or(filter);
        }
        let check = check.as_ref();
        if let Some(table) = table {
            let filter = self.filter.sampled(&archive, filter)?;
            let to = (&self.output, &self.archive.protected());
            return self.rows.write(&archive, (&filter, check), table, to);
        }
        match (self.format, filter.kind) {
            (Some(ExportFormat::Pgn | ExportFormat::Lines(_)), Some(kind)) if !kind.family().has_pgn() => {
                bail!("{kind} games have no PGN; omit --format")
            }
            (Some(ExportFormat::Pgn | ExportFormat::Lines(_)), _) => filter.chess = true,
            (Some(ExportFormat::Records(game)), Some(kind)) if kind != game => {
                bail!("{kind} games cannot be exported as {game} records; omit --format or --variant")
            }
            (Some(ExportFormat::Records(game)), _) => filter.kind = Some(game),
            (Some(ExportFormat::Table(_)) | None, _) => {}
        }
        if filter.kind.is_some_and(|kind| !kind.family().has_pgn()) {
            self.text.check_records()?;
        }
        let filter = self.filter.sampled(&archive, filter)?;
        self.write(&archive, (&filter, check), form.unwrap_or_default())
    }

    fn write(
        &self,
        archive: &Archive,
        (filter, check): (&Filter, Option<&GameCheck>),
        form: GameForm,
    ) -> anyhow::Result<ExitStatus> {
        let mut out = self.output.open(&self.archive.protected())?;
        let mut export = self.text.apply(export::Export { check, ..export::Export::new(archive) }, form);
        let progress = self.output.progress();
        let written = export.write(filter, &mut progress.wrap_write(&mut out), |damage| {
            progress.suspend(|| terminal::tell_error("", &PresentError::from(damage).into()));
        });
        progress.finish_and_clear();
        let ExportCounts { written: games, damaged, left_out } = export.counts;
        match written {
            Err(ExportError::Write(error)) => {
                terminal::printed(Err(anyhow::Error::new(error).context(out.name().to_owned())))?;
            }
            Err(error) => return Err(PresentError::from(error).into()),
            Ok(()) if games > 0 => terminal::printed(out.finish().map_err(Into::into))?,
            Ok(()) => {}
        }
        if left_out > 0 {
            let left_out = GAMES.count(left_out);
            let (games, options): (Vec<_>, Vec<_>) = record_formats()
                .map(|(_, kind)| (kind.name(), format!("--variant {}", kind.name().to_lowercase())))
                .unzip();
            terminal::tell(format_args!(
                "skipped {left_out} of {}, which have no PGN; to export them: {}",
                games.join(" or "),
                options.join(" or ")
            ));
        }
        if games + damaged + left_out == 0 {
            let game = if filter.chess { "chess game" } else { "game" };
            terminal::tell(format_args!("no {game} matches the filters"));
        }
        Ok(ExitStatus::complete_if(games > 0 && damaged + left_out + faults(check) == 0))
    }
}

/// The number of faults to report one by one; every row may have one.
const MOST_TOLD: u64 = 20;

/// Checks all rows and reports those that have changed. Returns what each exported game is checked against.
fn check(archive: &Archive) -> anyhow::Result<GameCheck> {
    let mut reported = 0;
    let check = archive.game_check(|fault| {
        reported += 1;
        if reported <= MOST_TOLD {
            terminal::tell_error("", &fault.into());
        }
    })?;
    if let Some(more) = reported.checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        terminal::tell(format_args!("and {} more: plybook verify", FAULTS.count(more)));
    }
    Ok(check)
}

/// The faults that the check found, other than damaged games.
fn faults(check: Option<&GameCheck>) -> u64 {
    check.map_or(0, |check| check.faults)
}
