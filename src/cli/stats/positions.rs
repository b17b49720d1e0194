//! `plybook stats --positions`

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Format, output::thousands, table};
use crate::{
    codec::position::POSITION_CODECS,
    stats::{Costs, PositionCosts, Spread, svg},
};

/// Plies between the columns of the table.
const STEP: usize = 20;

/// Columns of the table.
const COLUMNS: usize = 9;

/// A ply belongs to the picture while at least so many of a thousand games have it.
const ENOUGH: u64 = 10;

pub(super) fn print(out: &mut dyn Write, costs: &PositionCosts, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => text(out, costs)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&to_json(costs))?)?,
        Format::Csv => csv(out, costs)?,
        Format::Svg => out.write_all(picture(costs).as_bytes())?,
    }
    Ok(())
}

/// The codecs' names and costs.
fn named(costs: &PositionCosts) -> impl Iterator<Item = (&'static str, &Costs)> {
    POSITION_CODECS.iter().map(|codec| codec.info().name).zip(&costs.codecs)
}

fn text(out: &mut dyn Write, costs: &PositionCosts) -> io::Result<()> {
    let (games, positions) = (thousands(costs.games), thousands(costs.positions));
    writeln!(out, "{positions} positions of {games} games; bits a position\n")?;
    let carries = POSITION_CODECS.iter().map(|codec| codec.info().fields.to_string());
    let rows: Vec<Vec<String>> = named(costs)
        .zip(carries)
        .map(|((name, costs), carries)| {
            let mut row = vec![name.to_owned(), carries];
            row.extend(figures(&costs.all()));
            row.push(costs.left_out.to_string());
            row
        })
        .collect();
    let head = ["codec", "carries", "average", "median", "largest", "left_out"];
    table::aligned(out, &head, &[false, false, true, true, true, true], &rows)?;

    writeln!(out, "\naverage by ply")?;
    let plies = (0..longest(costs)).step_by(STEP).take(COLUMNS);
    let mut head = vec!["codec".to_owned()];
    head.extend(plies.clone().map(|ply| ply.to_string()));
    let rows: Vec<Vec<String>> = named(costs)
        .map(|(name, costs)| {
            let mut row = vec![name.to_owned()];
            row.extend(plies.clone().map(|ply| {
                let spread = costs.by_ply.get(ply).filter(|spread| spread.count() > 0);
                spread.map_or("–".to_owned(), |spread| format!("{:.1}", spread.average()))
            }));
            row
        })
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let right: Vec<bool> = (0..head.len()).map(|column| column > 0).collect();
    table::aligned(out, &head, &right, &rows)
}

fn longest(costs: &PositionCosts) -> usize {
    costs.codecs.iter().map(|costs| costs.by_ply.len()).max().unwrap_or(0)
}

/// Average, median, largest.
fn figures(spread: &Spread) -> [String; 3] {
    [format!("{:.2}", spread.average()), spread.median().to_string(), spread.largest().to_string()]
}

fn csv(out: &mut dyn Write, costs: &PositionCosts) -> io::Result<()> {
    table::csv_line(out, &["codec", "ply", "positions", "average", "median", "largest"])?;
    for (name, costs) in named(costs) {
        let plies = costs.by_ply.iter().enumerate().filter(|(_, spread)| spread.count() > 0);
        let all = costs.all();
        let rows = plies.map(|(ply, spread)| (ply.to_string(), spread));
        for (ply, spread) in std::iter::once(("all".to_owned(), &all)).chain(rows) {
            let [average, median, largest] = figures(spread);
            table::csv_line(out, &[name, &ply, &spread.count().to_string(), &average, &median, &largest])?;
        }
    }
    Ok(())
}

fn to_json(costs: &PositionCosts) -> Value {
    let codecs: Vec<Value> = POSITION_CODECS
        .iter()
        .zip(&costs.codecs)
        .map(|(codec, costs)| {
            let all = costs.all();
            let by_ply: Vec<Value> = (0..).zip(&costs.by_ply).filter_map(by_ply_json).collect();
            json!({
                "codec": codec.info().name,
                "carries": codec.info().fields.to_string(),
                "positions": all.count(),
                "average": all.average(),
                "median": all.median(),
                "largest": all.largest(),
                "left_out": costs.left_out,
                "by_ply": by_ply,
            })
        })
        .collect();
    json!({"games": costs.games, "positions": costs.positions, "codecs": codecs})
}

fn by_ply_json((ply, spread): (u64, &Spread)) -> Option<Value> {
    (spread.count() > 0).then(|| {
        json!({
            "ply": ply, "positions": spread.count(), "average": spread.average(),
            "median": spread.median(), "largest": spread.largest(),
        })
    })
}

/// Cost against ply, as far as there are enough games to average over.
fn picture(costs: &PositionCosts) -> String {
    let least = (costs.games * ENOUGH / 1000).max(1);
    let line = |(name, costs): (&str, &Costs)| svg::Line {
        name: name.to_owned(),
        points: (0u32..)
            .zip(&costs.by_ply)
            .filter(|(_, spread)| spread.count() >= least)
            .map(|(ply, spread)| (f64::from(ply), spread.average()))
            .collect(),
    };
    let title = format!("Average bits a position, {} games", thousands(costs.games));
    let lines: Vec<svg::Line> = named(costs).map(line).collect();
    svg::lines(&title, "ply", "bits", &lines)
}
