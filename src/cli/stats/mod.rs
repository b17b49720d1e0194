//! `plybook stats`

mod positions;

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    ArchiveArg, Done,
    filter::FilterArgs,
    output::{self, thousands},
    table,
};
use crate::{
    archive::{Archive, Filter, Sizes},
    codec::game::{GAME_CODECS, GameCodec, by_name},
    stats::{Lengths, measure, measure_codec, measure_positions, svg},
};

/// Bars of a histogram.
const BARS: usize = 24;

/// Measure how few bits a game or a position takes
///
/// Bits are those of the moves and the end; the bytes of the file are told apart. With a filter, the bits are
/// those of the games that pass it; the bytes are always those of the whole file. With --positions: the bits of
/// every position of these games, the start included, in every position codec.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook stats
  plybook stats --player fischer --format json
  plybook stats --codec index-bare
  plybook stats --codec all
  plybook stats --format svg > lengths.svg
  plybook stats --positions
  plybook stats --positions --sample 1000 --format svg > positions.svg")]
pub(super) struct Stats {
    /// Measure the games in another encoding, or in all of them side by side
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// Measure positions in every position codec, over all and by ply
    #[arg(long, conflicts_with = "codec")]
    positions: bool,
    /// Measure only so many games, evenly spread
    #[arg(long, value_name = "N", requires = "positions")]
    sample: Option<u64>,
    #[command(flatten)]
    filter: FilterArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, with a histogram
    Text,
    /// JSON
    Json,
    /// Comma-separated values: the histogram, or the table
    Csv,
    /// The histogram, or the positions' cost against ply, as a picture
    Svg,
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let filter = self.filter.filter()?;
        if self.positions {
            return self.positions(&archive, &filter);
        }
        if self.codec == "all" {
            self.all(&archive, &filter)?;
            return Ok(true);
        }
        let Some(codec) = by_name(&self.codec) else {
            let names = GAME_CODECS.map(|codec| codec.about().name).join(", ");
            anyhow::bail!("{:?} is no game codec; there are {names}, and all", self.codec);
        };
        let lengths = if self.codec == "index" {
            measure(&archive, &filter)?
        } else {
            measure_codec(&archive, &filter, &[codec], |_| {})?.remove(0)
        };
        let sizes = archive.sizes()?;
        let games = archive.count()?;
        let mut out = output::stdout();
        match self.format {
            Format::Text => text(&mut out, &self.codec, &lengths, &sizes, games)?,
            Format::Json => {
                let value = to_json(&self.codec, &lengths, &sizes, games);
                writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
            }
            Format::Csv => {
                table::csv_line(&mut out, &["bits_from", "games"])?;
                for (start, count) in lengths.histogram(BARS) {
                    table::csv_line(&mut out, &[&start.to_string(), &count.to_string()])?;
                }
            }
            Format::Svg => {
                let title = format!("Bits a game ({}), {} games", self.codec, thousands(lengths.games()));
                out.write_all(svg::histogram(&title, "bits", "games", &lengths.histogram(BARS)).as_bytes())?;
            }
        }
        out.flush()?;
        Ok(lengths.games() > 0)
    }

    /// Positions in all encodings.
    fn positions(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<Done> {
        let bar = output::games_bar(self.sample.unwrap_or(archive.last_id()?.unsigned_abs()));
        let costs = measure_positions(archive, filter, self.sample, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        let mut out = output::stdout();
        positions::print(&mut out, &costs, self.format)?;
        out.flush()?;
        Ok(costs.games > 0)
    }

    /// All encodings side by side.
    fn all(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<()> {
        let bar = output::games_bar(archive.last_id()?.unsigned_abs());
        let lengths = measure_codec(archive, filter, &GAME_CODECS, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        let mut out = output::stdout();
        let head = ["codec", "games", "bits_per_game", "bits_per_ply", "largest", "left_out"];
        let rows = GAME_CODECS.iter().zip(&lengths).map(|(codec, lengths)| row(*codec, lengths));
        let rows: Vec<Vec<String>> = rows.collect();
        match self.format {
            Format::Text => table::aligned(&mut out, &head, &[false, true, true, true, true, true], &rows)?,
            Format::Csv => table::csv_all(&mut out, &head, &rows)?,
            Format::Json => {
                let list: Vec<Value> = GAME_CODECS
                    .iter()
                    .zip(&lengths)
                    .map(|(codec, lengths)| {
                        json!({
                            "codec": codec.about().name,
                            "games": lengths.games(),
                            "plies": lengths.plies(),
                            "bits_per_game": lengths.bits_per_game(),
                            "bits_per_ply": lengths.bits_per_ply(),
                            "median": lengths.percentile(50),
                            "largest": lengths.percentile(100),
                            "left_out": lengths.left_out,
                        })
                    })
                    .collect();
                writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
            }
            Format::Svg => anyhow::bail!("a picture shows one codec: choose one of them with --codec"),
        }
        Ok(out.flush()?)
    }
}

fn row(codec: &dyn GameCodec, lengths: &Lengths) -> Vec<String> {
    vec![
        codec.about().name.to_owned(),
        lengths.games().to_string(),
        format!("{:.2}", lengths.bits_per_game()),
        format!("{:.4}", lengths.bits_per_ply()),
        lengths.percentile(100).to_string(),
        lengths.left_out.to_string(),
    ]
}

fn to_json(codec: &str, lengths: &Lengths, sizes: &Sizes, games: u64) -> Value {
    json!({
        "codec": codec,
        "games": lengths.games(),
        "plies": lengths.plies(),
        "bits": lengths.bits(),
        "bits_per_game": lengths.bits_per_game(),
        "bits_per_ply": lengths.bits_per_ply(),
        "median": lengths.percentile(50),
        "largest": lengths.percentile(100),
        "percentiles": lengths.percentiles(),
        "estimates": lengths.estimates(),
        "left_out": lengths.left_out,
        "histogram": lengths.histogram(BARS).iter().map(|(start, count)| json!({"from": start, "games": count})).collect::<Vec<_>>(),
        "archive": {
            "games": games,
            "bytes": sizes.total,
            "bytes_per_game": per(sizes.total, games),
            "parts": sizes.parts.iter().map(|part| json!({
                "name": part.name, "bytes": part.bytes, "bytes_per_game": per(part.bytes, games),
            })).collect::<Vec<_>>(),
        },
    })
}

fn per(bytes: u64, games: u64) -> f64 {
    if games == 0 { 0.0 } else { bytes as f64 / games as f64 }
}

fn text(
    out: &mut dyn Write,
    codec: &str,
    lengths: &Lengths,
    sizes: &Sizes,
    games: u64,
) -> std::io::Result<()> {
    let estimates = lengths.estimates();
    writeln!(
        out,
        "{} games, {} plies, {:.1} plies a game",
        thousands(lengths.games()),
        thousands(lengths.plies()),
        estimates.plies
    )?;
    writeln!(
        out,
        "\nmoves ({codec}): {:.2} bits a game, {:.4} bits a ply",
        lengths.bits_per_game(),
        lengths.bits_per_ply()
    )?;
    let percentiles = lengths.percentiles();
    let names: Vec<String> = percentiles
        .iter()
        .map(|percentile| match percentile.percent {
            50 => "median".to_owned(),
            100 => "largest".to_owned(),
            percent => format!("{percent}%"),
        })
        .collect();
    let head: Vec<&str> = names.iter().map(String::as_str).collect();
    let bits = percentiles.iter().map(|percentile| percentile.bits.to_string()).collect();
    table::aligned(out, &head, &[true; 8], &[bits])?;
    writeln!(out, "\nthe sources' estimates for {:.1} plies", estimates.plies)?;
    for (name, bits) in [
        ("(m+1)·log2 20, without End", estimates.without_end),
        ("(m+1)·log2 21, with End", estimates.with_end),
    ] {
        writeln!(
            out,
            "  {name:<28} {bits:>8.1} bits; the archive takes {:.1} % of it",
            100.0 * lengths.bits_per_game() / bits
        )?;
    }
    if lengths.left_out > 0 {
        writeln!(out, "  {} games left out: {codec} cannot hold them", thousands(lengths.left_out))?;
    }
    writeln!(out, "\ngames by bits")?;
    bars(out, &lengths.histogram(BARS))?;
    writeln!(out, "\nthe file: {} bytes, {:.1} a game", thousands(sizes.total), per(sizes.total, games))?;
    for part in &sizes.parts {
        writeln!(
            out,
            "  {:<18} {:>14} {:>8.1} a game",
            part.name,
            thousands(part.bytes),
            per(part.bytes, games)
        )?;
    }
    Ok(())
}

fn bars(out: &mut dyn Write, histogram: &[(u64, u64)]) -> std::io::Result<()> {
    const WIDTH: u64 = 50;
    let most = histogram.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let last = histogram.len().saturating_sub(1);
    for (place, (start, count)) in histogram.iter().enumerate() {
        let bar = output::blocks(*count, most, WIDTH);
        let more = if place == last { "+" } else { " " };
        writeln!(out, "  {start:>5}{more} {bar} {count}")?;
    }
    Ok(())
}
