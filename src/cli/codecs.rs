//! `plybook codecs`

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Done, output, table};
use crate::codec::{
    game::{GAME_CODECS, GameAbout},
    position::{POSITION_CODECS, PositionAbout},
};

/// List all encodings of games and positions
///
/// Costs are in bits; n is the number of legal moves of a position. What a position codec carries: L piece
/// layout, T side to move, C castling rights, E en passant square, K half-move clock and full-move number.
/// A game codec carries M the moves, R the result.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook codecs
  plybook codecs --format csv")]
pub(super) struct Codecs {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON list
    Json,
    /// Comma-separated values
    Csv,
}

const HEAD: [&str; 7] = ["codec", "of", "year", "source", "carries", "start", "worst"];

impl Codecs {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let games = GAME_CODECS.iter().map(|codec| game_row(codec.about()));
        let rows: Vec<_> =
            games.chain(POSITION_CODECS.iter().map(|codec| position_row(codec.about()))).collect();
        let mut out = output::stdout();
        match self.format {
            Format::Table => {
                table::aligned(&mut out, &HEAD, &[false, false, true, false, false, true, true], &rows)?;
            }
            Format::Json => {
                let games = GAME_CODECS.iter().map(|codec| game_json(codec.about()));
                let list: Vec<Value> =
                    games.chain(POSITION_CODECS.iter().map(|codec| position_json(codec.about()))).collect();
                writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
            }
            Format::Csv => table::csv_all(&mut out, &HEAD, &rows)?,
        }
        out.flush()?;
        Ok(true)
    }
}

fn game_row(about: &GameAbout) -> Vec<String> {
    let cells = [
        about.name,
        "games",
        &about.year.to_string(),
        about.source,
        moves_or_result(about),
        about.cost,
        about.worst,
    ];
    cells.map(str::to_owned).to_vec()
}

fn position_row(about: &PositionAbout) -> Vec<String> {
    let worst = about.worst_bits.map_or("–".to_owned(), |bits| bits.to_string());
    let cells = [
        about.name,
        "positions",
        &about.year.to_string(),
        about.source,
        &about.carries.to_string(),
        &about.start_bits.to_string(),
        &worst,
    ];
    cells.map(str::to_owned).to_vec()
}

fn moves_or_result(about: &GameAbout) -> &'static str {
    if about.outcome { "MR" } else { "M" }
}

fn game_json(about: &GameAbout) -> Value {
    json!({
        "codec": about.name, "of": "games", "year": about.year, "source": about.source,
        "carries": moves_or_result(about), "cost": about.cost, "worst": about.worst, "summary": about.summary,
    })
}

fn position_json(about: &PositionAbout) -> Value {
    json!({
        "codec": about.name, "of": "positions", "year": about.year, "source": about.source,
        "carries": about.carries.to_string(), "start": about.start_bits, "worst": about.worst_bits,
        "summary": about.summary,
    })
}
