//! `plybook stats`

mod positions;
mod side_by_side;

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
    archive::{Archive, Filter, GameKind, Sizes},
    codec::{
        game::{GAME_CODECS, by_name},
        xelto::{GAME_ENCODINGS, GameEncoding},
    },
    stats::{Lengths, measure_codec, measure_kinds, measure_positions, measure_xelto, svg},
};

/// Bars of a histogram.
const BARS: usize = 24;

/// Measure how few bits a game or a position takes
///
/// Bits are those of the moves and the end; the bytes of the file are told apart. With a filter, the bits are
/// those of the games that pass it; the bytes are always those of the whole file. With --positions: the bits of
/// every position of these games, the start included, in every position codec.
///
/// Other encodings are those of chess, and leave games of Xelto out; with --variant xelto they are those of Xelto.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook stats
  plybook stats --player fischer --format json
  plybook stats --codec index-bare
  plybook stats --codec all
  plybook stats --variant xelto --codec all
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

/// The lengths of the games.
#[derive(Default)]
struct Measured {
    all: Lengths,
    /// Those of chess and its variants.
    chess: Lengths,
    /// Each kind by itself, where that is known.
    kinds: Vec<(GameKind, Lengths)>,
}

impl Measured {
    fn of_kinds(kinds: Vec<(GameKind, Lengths)>) -> Measured {
        let mut measured = Measured::default();
        for (kind, lengths) in &kinds {
            measured.all.merge(lengths);
            if *kind != GameKind::Xelto {
                measured.chess.merge(lengths);
            }
        }
        Measured { kinds, ..measured }
    }
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let filter = self.filter.filter()?;
        if self.positions {
            return self.positions(&archive, &filter);
        }
        if self.codec == "all" {
            let mut out = output::stdout();
            side_by_side::print(&mut out, &self.all(&archive, &filter)?, self.format)?;
            out.flush()?;
            return Ok(true);
        }
        let measured = self.measure(&archive, &filter)?;
        let lengths = &measured.all;
        let sizes = archive.sizes()?;
        let games = archive.count()?;
        let mut out = output::stdout();
        match self.format {
            Format::Text => text(&mut out, &self.codec, &measured, &sizes, games)?,
            Format::Json => {
                let value = to_json(&self.codec, &measured, &sizes, games);
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
        if filter.kind == Some(GameKind::Xelto) {
            anyhow::bail!("the position codecs are those of chess; the two of Xelto have a fixed size");
        }
        let bar = output::games_bar(self.sample.unwrap_or(archive.last_id()?.unsigned_abs()));
        let costs = measure_positions(archive, filter, self.sample, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        let mut out = output::stdout();
        positions::print(&mut out, &costs, self.format)?;
        out.flush()?;
        Ok(costs.games > 0)
    }

    /// The lengths in the encoding that was asked for.
    fn measure(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<Measured> {
        let unknown = |of: &str, names: &[&str]| {
            anyhow::anyhow!("{:?} is no {of} codec; there are {}, and all", self.codec, names.join(", "))
        };
        if self.codec == "index" {
            return Ok(Measured::of_kinds(measure_kinds(archive, filter)?));
        }
        if filter.kind == Some(GameKind::Xelto) {
            let encoding = GameEncoding::by_name(&self.codec)
                .ok_or_else(|| unknown("Xelto", &GAME_ENCODINGS.map(|encoding| encoding.name)))?;
            let all = measure_xelto(archive, filter, &[encoding], |_| {})?.remove(0);
            return Ok(Measured { all, ..Measured::default() });
        }
        let codec = by_name(&self.codec)
            .ok_or_else(|| unknown("game", &GAME_CODECS.map(|codec| codec.info().name)))?;
        let all = measure_codec(archive, filter, &[codec], |_| {})?.remove(0);
        Ok(Measured { chess: all.clone(), all, kinds: Vec::new() })
    }

    /// All encodings side by side.
    fn all(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<Vec<(&'static str, Lengths)>> {
        let bar = output::games_bar(archive.last_id()?.unsigned_abs());
        let (names, lengths) = if filter.kind == Some(GameKind::Xelto) {
            let names = GAME_ENCODINGS.map(|encoding| encoding.name).to_vec();
            (names, measure_xelto(archive, filter, &GAME_ENCODINGS, |games| bar.set_position(games))?)
        } else {
            let names = GAME_CODECS.map(|codec| codec.info().name).to_vec();
            (names, measure_codec(archive, filter, &GAME_CODECS, |games| bar.set_position(games))?)
        };
        bar.finish_and_clear();
        Ok(names.into_iter().zip(lengths).collect())
    }
}

fn to_json(codec: &str, measured: &Measured, sizes: &Sizes, games: u64) -> Value {
    let Measured { all: lengths, chess, kinds } = measured;
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
        "estimates": (chess.games() > 0).then(|| chess.estimates()),
        "left_out": lengths.left_out,
        "kinds": kinds.iter().map(|(kind, lengths)| json!({
            "kind": kind.name(),
            "games": lengths.games(),
            "plies": lengths.plies(),
            "bits_per_game": lengths.bits_per_game(),
            "bits_per_ply": lengths.bits_per_ply(),
        })).collect::<Vec<_>>(),
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
    measured: &Measured,
    sizes: &Sizes,
    games: u64,
) -> std::io::Result<()> {
    let Measured { all: lengths, chess, kinds } = measured;
    writeln!(
        out,
        "{}, {} plies, {:.1} plies a game",
        output::games(lengths.games()),
        thousands(lengths.plies()),
        per(lengths.plies(), lengths.games())
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
    if kinds.len() > 1 {
        by_kind(out, kinds)?;
    }
    if chess.games() > 0 {
        estimates(out, chess)?;
    }
    if lengths.left_out > 0 {
        writeln!(out, "  {} left out: {codec} cannot hold them", output::games(lengths.left_out))?;
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

/// What the sources expect of games of chess, as they do not know any other.
fn estimates(out: &mut dyn Write, lengths: &Lengths) -> std::io::Result<()> {
    let estimates = lengths.estimates();
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
    Ok(())
}

fn by_kind(out: &mut dyn Write, kinds: &[(GameKind, Lengths)]) -> std::io::Result<()> {
    let rows = kinds.iter().map(|(kind, lengths)| {
        let numbers = [lengths.bits_per_game(), lengths.bits_per_ply()];
        let [game, ply] = [format!("{:.2}", numbers[0]), format!("{:.4}", numbers[1])];
        vec![kind.name().to_owned(), thousands(lengths.games()), thousands(lengths.plies()), game, ply]
    });
    let head = ["kind", "games", "plies", "bits a game", "bits a ply"];
    writeln!(out)?;
    table::aligned(out, &head, &[false, true, true, true, true], &rows.collect::<Vec<_>>())
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
