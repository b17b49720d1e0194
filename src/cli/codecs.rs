//! `plybook codecs`

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Done, output, table};
use crate::codec::{
    game::{GAME_CODECS, GameCodecInfo},
    position::{POSITION_CODECS, PositionCodecInfo},
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
        let games = GAME_CODECS.iter().map(|codec| game_row(codec.info()));
        let rows: Vec<_> =
            games.chain(POSITION_CODECS.iter().map(|codec| position_row(codec.info()))).collect();
        let mut out = output::stdout();
        match self.format {
            Format::Table => {
                table::aligned(&mut out, &HEAD, &[false, false, true, false, false, true, true], &rows)?;
            }
            Format::Json => {
                let games = GAME_CODECS.iter().map(|codec| game_json(codec.info()));
                let list: Vec<Value> =
                    games.chain(POSITION_CODECS.iter().map(|codec| position_json(codec.info()))).collect();
                writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
            }
            Format::Csv => table::csv_all(&mut out, &HEAD, &rows)?,
        }
        out.flush()?;
        Ok(true)
    }
}

fn game_row(info: &GameCodecInfo) -> Vec<String> {
    let cells = [
        info.name,
        "games",
        &info.year.to_string(),
        info.source,
        moves_or_result(info),
        info.cost,
        info.worst,
    ];
    cells.map(str::to_owned).to_vec()
}

fn position_row(info: &PositionCodecInfo) -> Vec<String> {
    let worst = info.worst_bits.map_or("–".to_owned(), |bits| bits.to_string());
    let cells = [
        info.name,
        "positions",
        &info.year.to_string(),
        info.source,
        &info.fields.to_string(),
        &info.start_bits.to_string(),
        &worst,
    ];
    cells.map(str::to_owned).to_vec()
}

fn moves_or_result(info: &GameCodecInfo) -> &'static str {
    if info.outcome { "MR" } else { "M" }
}

fn game_json(info: &GameCodecInfo) -> Value {
    json!({
        "codec": info.name, "of": "games", "year": info.year, "source": info.source,
        "carries": moves_or_result(info), "cost": info.cost, "worst": info.worst, "summary": info.summary,
    })
}

fn position_json(info: &PositionCodecInfo) -> Value {
    json!({
        "codec": info.name, "of": "positions", "year": info.year, "source": info.source,
        "carries": info.fields.to_string(), "start": info.start_bits, "worst": info.worst_bits,
        "summary": info.summary,
    })
}
