//! `plybook export`

mod rows;
mod scid;

use std::io::Write;

use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValue, TypedValueParser},
};

use super::{
    ArchiveArg, ExitStatus,
    answer::named,
    filter::FilterArgs,
    pages::{PageArgs, tell_shorter},
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter, GameCheck},
    counts::{FAULTS, GAMES},
    export::{self, ExportCounts, ExportError, GameForm, LineForm},
    pgn::TagOrder,
    present::{PresentError, game_pages::GamePages},
    record::{GameKind, Ply, TextOptions},
    scid::Format,
};
use rows::{RowArgs, TableFormat};

/// Export games as PGN, as lines for engines, as tables, as pages to read and print, as a Scid database, or as Xelto
/// records
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
    pages: PageArgs,
    /// Show the diagrams from Black's side
    #[arg(long, requires = "diagrams", help_heading = "Pages (html)")]
    flip: bool,
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
  plybook export --player carlsen -o carlsen.si4
  plybook export --event 'club*' --diagrams 20w,-1 -o paper.html
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
    /// A page for people.
    Html,
    /// The files of a Scid database.
    Scid(Format),
    /// Rows.
    Table(TableFormat),
}

/// The record formats, with their names.
fn record_formats() -> impl Iterator<Item = (&'static str, GameKind)> {
    GameKind::all().filter_map(|kind| Some((kind.family().record_format()?, kind)))
}

fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    let pgn = PossibleValue::new("pgn").help("PGN of chess games and chess variants");
    let lines =
        LINES.map(|(name, about, form)| (PossibleValue::new(name).help(about), ExportFormat::Lines(form)));
    let records = record_formats().map(|(name, kind)| {
        (PossibleValue::new(name).help(format!("Records of {kind} games")), ExportFormat::Records(kind))
    });
    let tables = rows::formats().map(|(value, table)| (value, ExportFormat::Table(table)));
    let html = PossibleValue::new("html")
        .help("One page with all games, for printing and for a site; see --diagrams");
    let scid = scid::FORMATS
        .map(|(name, about, format)| (PossibleValue::new(name).help(about), ExportFormat::Scid(format)));
    let first = [(pgn, ExportFormat::Pgn), (html, ExportFormat::Html)].into_iter();
    named(first.chain(lines).chain(records).chain(scid).chain(tables))
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let is_html = matches!(self.format, Some(ExportFormat::Html));
        self.pages.check(is_html)?;
        let form = match self.format {
            Some(ExportFormat::Table(_) | ExportFormat::Html | ExportFormat::Scid(_)) => None,
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
                let formats = rows::formats().filter(|(value, _)| !value.is_hide_set());
                let formats: Vec<String> = formats.map(|(value, _)| value.get_name().to_owned()).collect();
                bail!(
                    "--positions, --moves, --tags, --shards and --partition-by require a table format: --format {}",
                    formats.join("|")
                )
            }
            _ => None,
        };
        let archive = self.archive.open()?;
        let archive = if self.check { archive.held(self.output.is_file()) } else { archive.into() };
        let mut filter = self.filter.before_sample(&archive)?;
        let check = self.check.then(|| check(&archive)).transpose()?;
        if let Some(check) = &check {
            // Games that are added in the meantime have fingerprints that this check has not read.
            filter = filter.within((1..=check.last()).into()).unwrap_or(filter);
        }
        let check = check.as_ref();
        if let Some(table) = table {
            let filter = self.filter.sampled(&archive, filter)?;
            let protected = self.archive.protected();
            return self.rows.write(&archive, &filter, check, table, &self.output, &protected);
        }
        self.select_games(&mut filter)?;
        let filter = self.filter.sampled(&archive, filter)?;
        if let Some(ExportFormat::Scid(format)) = self.format {
            let protected = self.archive.protected();
            return scid::write(&archive, &filter, check, format, &self.output, &protected);
        }
        let pages = is_html.then(|| self.pages.pages(self.flip));
        let form = pages.as_ref().map_or(form.unwrap_or_default(), |pages| GameForm::Other(pages));
        let done = self.write(&archive, &filter, check, form, pages.as_ref())?;
        pages.map(tell_shorter);
        Ok(done)
    }

    /// Limits a filter to the games that the format supports.
    fn select_games(&self, filter: &mut Filter) -> anyhow::Result<()> {
        match (self.format, filter.kind) {
            (Some(ExportFormat::Table(_)) | None, _) => {}
            (Some(ExportFormat::Records(game)), Some(kind)) if kind != game => {
                bail!("{kind} games cannot be exported as {game} records; omit --format or --variant")
            }
            (Some(ExportFormat::Records(game)), _) => filter.kind = Some(game),
            (_, Some(kind)) if !kind.family().has_pgn() => bail!("{kind} games have no PGN; omit --format"),
            _ => filter.chess = true,
        }
        if filter.kind.is_some_and(|kind| !kind.family().has_pgn()) {
            self.text.check_records()?;
        }
        Ok(())
    }

    fn write(
        &self,
        archive: &Archive,
        filter: &Filter,
        check: Option<&GameCheck>,
        form: GameForm<'_>,
        pages: Option<&GamePages<'_>>,
    ) -> anyhow::Result<ExitStatus> {
        let mut out = self.output.open(&self.archive.protected())?;
        let mut export = self.text.apply(export::Export { check, ..export::Export::new(archive) }, form);
        let progress = self.output.progress();
        let mut counted = progress.wrap_write(&mut out);
        let begin = pages.map(|pages| pages.begin("Games")).unwrap_or_default();
        let begun = counted.write_all(begin.as_bytes());
        let written = begun.map_err(ExportError::from).and_then(|()| {
            export.write(filter, &mut counted, |damage| {
                progress.suspend(|| terminal::tell_error("", &PresentError::from(damage).into()));
            })
        });
        let end = pages.map(GamePages::end).unwrap_or_default();
        let written = written.and_then(|()| Ok(counted.write_all(end.as_bytes())?));
        drop(counted);
        progress.finish_and_clear();
        match written {
            Err(ExportError::Write(error)) => {
                terminal::printed(Err(anyhow::Error::new(error).context(out.name.clone())))?;
            }
            Err(error) => return Err(PresentError::from(error).into()),
            Ok(()) if export.counts.written > 0 => terminal::printed(out.finish().map_err(Into::into))?,
            Ok(()) => {}
        }
        let (games, options): (Vec<_>, Vec<_>) = record_formats()
            .map(|(_, kind)| (kind.name(), format!("--variant {}", kind.name().to_lowercase())))
            .unzip();
        let (games, options) = (games.join(" or "), options.join(" or "));
        let why = format!(" of {games}, which have no PGN; to export them: {options}");
        Ok(ended(export.counts, check, &why, if filter.chess { "chess game" } else { "game" }))
    }
}

/// Reports games that were not exported: `why`, and which games were looked for.
fn ended(counts: ExportCounts, check: Option<&GameCheck>, why: &str, which: &str) -> ExitStatus {
    let ExportCounts { written, damaged, left_out, unstorable } = counts;
    if left_out > 0 {
        terminal::tell(format_args!("skipped {}{why}", GAMES.count(left_out)));
    }
    if written + damaged + left_out + unstorable == 0 {
        terminal::tell(format_args!("no {which} matches the filters"));
    }
    // The faults that the check found, other than damaged games.
    let faults = check.map_or(0, |check| check.faults);
    ExitStatus::complete_if(written > 0 && damaged + left_out + unstorable + faults == 0)
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

/// How games are written as text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text (pgn, uci, fen, epd)")]
struct TextArgs {
    /// PGN: write the seven-tag roster first, and add missing tags; without this option, the tag pairs are those of
    /// the source, in its order
    ///
    /// Missing tags are written as unknown, except Result, which is the result of the game. If a decided or drawn game
    /// had no Result tag, this option adds one, so an import treats it as a different game.
    #[arg(long)]
    roster: bool,
    /// Write each game up to a ply: 20, 12w, 12b, or -2 for two plies before the end; shorter games are written
    /// completely
    #[arg(long, value_name = "PLY", allow_hyphen_values = true)]
    to_ply: Option<Ply>,
    /// PGN: add a comment with the FEN after each move of the mainline
    #[arg(long)]
    fen_comments: bool,
    /// Write games that were not UTF-8, or had to be repaired, byte for byte as in their source. If the complete
    /// source was converted (from UTF-16, gbk and others), this is the text after conversion to UTF-8
    #[arg(long, conflicts_with_all = ["roster", "to_ply", "fen_comments"])]
    original: bool,
}

/// The formats with one line per game or position, and their descriptions.
const LINES: [(&str, &str, LineForm); 3] = [
    ("uci", "One line per game: the moves, as the arguments of the UCI command position", LineForm::Uci),
    ("fen", "One line per game: the last position, or the position at --to-ply", LineForm::Fen),
    ("epd", "One line per position, with the move played, the result and GAME:PLY", LineForm::Epd),
];

impl TextArgs {
    /// Rejects options that the format does not support; `None` is a table or a page.
    fn check(&self, form: Option<GameForm<'_>>) -> anyhow::Result<()> {
        let is_pgn = matches!(form, Some(GameForm::Text));
        for (is_given, name) in
            [(self.roster, "--roster"), (self.fen_comments, "--fen-comments"), (self.original, "--original")]
        {
            if is_given && !is_pgn {
                bail!("{name} requires --format pgn");
            }
        }
        if self.to_ply.is_some() && form.is_none() {
            bail!(
                "--to-ply requires --format pgn, uci, fen or epd; tables and pages always have complete games"
            );
        }
        Ok(())
    }

    /// Rejects options that records of other games than chess do not support.
    fn check_records(&self) -> anyhow::Result<()> {
        if self.roster || self.fen_comments || self.to_ply.is_some() {
            bail!(
                "--roster, --fen-comments and --to-ply apply only to chess games; records are always complete"
            );
        }
        Ok(())
    }

    fn apply<'a>(&self, export: export::Export<'a>, form: GameForm<'a>) -> export::Export<'a> {
        let order = if self.roster { TagOrder::RosterFirst } else { TagOrder::AsTheyAre };
        let options = TextOptions { order, to_ply: self.to_ply, fen_comments: self.fen_comments };
        export::Export { form, options, original: self.original, ..export }
    }
}
