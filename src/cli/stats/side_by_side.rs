//! `plybook stats --codec all`: all encodings of games side by side.

use std::io::Write;

use serde_json::{Value, json};

use super::{Format, table};
use crate::stats::Lengths;

const HEAD: [&str; 6] = ["codec", "games", "bits_per_game", "bits_per_ply", "largest", "left_out"];

/// Prints the lengths of some games in each encoding.
pub(super) fn print(out: &mut dyn Write, codecs: &[(&str, Lengths)], format: Format) -> anyhow::Result<()> {
    let rows: Vec<Vec<String>> = codecs.iter().map(|(name, lengths)| row(name, lengths)).collect();
    match format {
        Format::Text => table::aligned(out, &HEAD, &[false, true, true, true, true, true], &rows)?,
        Format::Csv => table::csv_all(out, &HEAD, &rows)?,
        Format::Json => {
            let list: Vec<Value> = codecs.iter().map(|(name, lengths)| to_json(name, lengths)).collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        }
        Format::Svg => anyhow::bail!("a picture shows one codec: choose one of them with --codec"),
    }
    Ok(())
}

fn row(name: &str, lengths: &Lengths) -> Vec<String> {
    vec![
        name.to_owned(),
        lengths.games().to_string(),
        format!("{:.2}", lengths.bits_per_game()),
        format!("{:.4}", lengths.bits_per_ply()),
        lengths.percentile(100).to_string(),
        lengths.left_out.to_string(),
    ]
}

fn to_json(name: &str, lengths: &Lengths) -> Value {
    json!({
        "codec": name,
        "games": lengths.games(),
        "plies": lengths.plies(),
        "bits_per_game": lengths.bits_per_game(),
        "bits_per_ply": lengths.bits_per_ply(),
        "median": lengths.percentile(50),
        "largest": lengths.percentile(100),
        "left_out": lengths.left_out,
    })
}
