//! `plybook games`

use std::io::Write;

use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, Done,
    filter::FilterArgs,
    output,
    table::{self, Csv},
};
use crate::archive::Summary;

/// Rows of a table before its columns are measured anew.
const TABLE_ROWS: usize = 10_000;

/// List games
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook games --limit 20
  plybook games --player 'karpov*' --colour white --result 1-0
  plybook games --date 1970..1979 --elo 2600.. --sort date
  plybook games --eco B90 --format csv > najdorf.csv
  plybook games --event 'london*' --format ids")]
pub(super) struct Games {
    #[command(flatten)]
    filter: FilterArgs,
    /// How to print the list
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// In CSV, put an apostrophe before cells that a spreadsheet would take for a formula (= + - @, tab, CR)
    #[arg(long)]
    spreadsheet: bool,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Aligned columns
    Table,
    /// Comma-separated values with a head line
    Csv,
    /// One JSON array
    Json,
    /// One JSON object a line
    Jsonl,
    /// Only the ids, one a line
    Ids,
}

const HEAD: [&str; 13] = [
    "id",
    "white",
    "black",
    "result",
    "date",
    "event",
    "site",
    "round",
    "white_elo",
    "black_elo",
    "eco",
    "plies",
    "variant",
];

impl Games {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let filter = self.filter.filter()?;
        let out: Box<dyn Write> = match self.format {
            Format::Table => Box::new(output::stdout()),
            _ => Box::new(output::raw_stdout()),
        };
        let csv = if self.spreadsheet { Csv::Spreadsheet } else { Csv::Plain };
        let mut printer = Printer { format: self.format, csv, out, rows: Vec::new(), count: 0 };
        let mut failure = None;
        archive.list(&filter, |summary| match printer.add(&summary) {
            Ok(()) => true,
            Err(error) => {
                failure = Some(error);
                false
            }
        })?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        printer.finish()?;
        Ok(printer.count > 0)
    }
}

struct Printer {
    format: Format,
    csv: Csv,
    out: Box<dyn Write>,
    rows: Vec<Vec<String>>,
    count: u64,
}

impl Printer {
    fn add(&mut self, summary: &Summary) -> std::io::Result<()> {
        self.count += 1;
        let first = self.count == 1;
        match self.format {
            Format::Table => {
                self.rows.push(row(summary));
                if self.rows.len() == TABLE_ROWS { self.table() } else { Ok(()) }
            }
            Format::Csv => {
                if first {
                    self.csv.line(&mut self.out, &HEAD)?;
                }
                let cells = cells(summary);
                self.csv.line(&mut self.out, &cells.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Format::Json => {
                self.out.write_all(if first { b"[\n" } else { b",\n" })?;
                Ok(serde_json::to_writer(&mut self.out, summary)?)
            }
            Format::Jsonl => {
                serde_json::to_writer(&mut self.out, summary)?;
                writeln!(self.out)
            }
            Format::Ids => writeln!(self.out, "{}", summary.id),
        }
    }

    fn table(&mut self) -> std::io::Result<()> {
        let head = ["id", "white", "elo", "black", "elo", "result", "date", "event", "eco", "plies"];
        let right = [true, false, true, false, true, false, false, false, false, true];
        table::aligned(&mut self.out, &head, &right, &self.rows)?;
        self.rows.clear();
        Ok(())
    }

    fn finish(&mut self) -> std::io::Result<()> {
        match self.format {
            Format::Table if self.count == 0 => writeln!(self.out, "no games")?,
            Format::Table => {
                if !self.rows.is_empty() {
                    self.table()?;
                }
                writeln!(self.out, "{}", output::games(self.count))?;
            }
            Format::Csv if self.count == 0 => self.csv.line(&mut self.out, &HEAD)?,
            Format::Json => self.out.write_all(if self.count == 0 { b"[]\n" } else { b"\n]\n" })?,
            _ => {}
        }
        self.out.flush()
    }
}

fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

fn number(value: Option<i64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn row(summary: &Summary) -> Vec<String> {
    vec![
        summary.id.to_string(),
        table::cut(&text(&summary.white), 24),
        number(summary.white_elo),
        table::cut(&text(&summary.black), 24),
        number(summary.black_elo),
        summary.result.to_owned(),
        table::cut(&text(&summary.date), 12),
        table::cut(&text(&summary.event), 28),
        table::cut(&text(&summary.eco), 6),
        summary.plies.to_string(),
    ]
}

fn cells(summary: &Summary) -> Vec<String> {
    vec![
        summary.id.to_string(),
        text(&summary.white),
        text(&summary.black),
        summary.result.to_owned(),
        text(&summary.date),
        text(&summary.event),
        text(&summary.site),
        text(&summary.round),
        number(summary.white_elo),
        number(summary.black_elo),
        text(&summary.eco),
        summary.plies.to_string(),
        summary.variant.to_owned(),
    ]
}
