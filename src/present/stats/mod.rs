//! The size of games and positions in bits, and the openings that were played.

mod positions;
mod surprise;

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Answer, Result, chart,
    list::{self, ListFormat, ListOptions, Row, TextStyle},
};
use crate::{
    archive::{Archive, Filter},
    columns::{Cell, ColumnOf, number, text},
    counts::{BYTES, GAMES, PLIES, bar, thousands},
    openings::Openings,
    query::{Context, OpeningCount, opening_counts},
    record::Family,
    request::{RequestError, unknown_codec},
    stats::{self, CodecLengths, Estimates, GameLengths, HistogramBar, family_of, per},
};

/// The encoding with a name, of a family of games.
fn codec_of(family: Family, name: &str) -> Result<&'static str, RequestError> {
    let known = family.codecs();
    let of = if family.has_pgn() { "game" } else { family.name() };
    let codec = known.iter().copied().find(|codec| *codec == name);
    codec.ok_or_else(|| unknown_codec(name, of, known.into_iter()))
}

/// The names of encodings in which archives store games.
const INDEX: &str = "index";
const MODEL: &str = "model";

impl Row for HistogramBar {
    const COLUMNS: &'static [ColumnOf<Self>] =
        &[number("bits_from", |row| row.from.into()), number("games", |row| row.games.into())];
}

/// Measures the games that match a filter, as they are stored, or in an encoding. Encodings are for chess and skip other
/// games, unless the filter selects only games of another family; then the encodings are those of that family.
///
/// # Errors
/// The encoding does not exist, or the archive cannot be read.
pub fn game_lengths(archive: &Archive, filter: &Filter, codec: Option<&str>) -> Result<GameLengths> {
    let codec = codec.map(|name| codec_of(family_of(filter), name)).transpose()?;
    Ok(stats::game_lengths(archive, filter, codec)?)
}

impl Answer for GameLengths {
    fn count(&self) -> u64 {
        self.games
    }

    /// All figures, with a histogram.
    fn write_text(&self, out: &mut dyn Write, _: TextStyle) -> io::Result<()> {
        let (games, plies) = (GAMES.count(self.games), PLIES.count(self.plies));
        writeln!(out, "{games}, {plies}, {:.1} plies per game", per(self.plies, self.games))?;
        let (codec, game, ply) = (self.shown_codec(), self.bits_per_game, self.bits_per_ply);
        writeln!(out, "\nmoves ({codec}): {game:.2} bits per game, {ply:.4} bits per ply")?;
        if self.codec == INDEX {
            writeln!(out, "each move is its number among the n legal moves and takes about log2(n) bits:")?;
        } else if self.codec == MODEL {
            writeln!(out, "the more likely people are to play a move, the fewer bits it takes:")?;
        }
        if [INDEX, MODEL].contains(&&*self.codec) {
            writeln!(out, "{ply:.2} bits per ply, times {:.1} plies per game", per(self.plies, self.games))?;
        }
        self.write_percentiles(out)?;
        if self.kinds.len() > 1 {
            self.write_kinds(out)?;
        }
        if let Some(estimates) = &self.estimates {
            self.write_estimates(out, estimates)?;
        }
        if self.left_out > 0 {
            let them = if self.left_out == 1 { "it" } else { "them" };
            writeln!(out, "  {} skipped: {codec} cannot encode {them}", GAMES.count(self.left_out))?;
        }
        writeln!(out, "\ngames by size in bits")?;
        self.write_histogram(out)?;
        self.write_sizes(out)
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &self.histogram)
    }

    /// The histogram.
    fn picture(&self) -> Option<String> {
        let title = format!("Bits per game ({}), {}", self.shown_codec(), GAMES.count(self.games));
        let bars: Vec<_> = self.histogram.iter().map(|bar| (bar.from, bar.games)).collect();
        Some(chart::histogram(&title, "bits", "games", &bars))
    }
}

impl GameLengths {
    /// The name of the encoding on screen. "Index" alone would be taken for the index of positions.
    fn shown_codec(&self) -> &str {
        if self.codec == INDEX { "move numbers" } else { &self.codec }
    }

    fn write_percentiles(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = |percent| match percent {
            50 => "median".to_owned(),
            100 => "largest".to_owned(),
            percent => format!("{percent}%"),
        };
        let names: Vec<String> = self.percentiles.iter().map(|percentile| name(percentile.percent)).collect();
        let head: Vec<&str> = names.iter().map(String::as_str).collect();
        let bits = self.percentiles.iter().map(|percentile| percentile.bits.to_string()).collect();
        TextStyle::default().table(out, &head, |_| true, &[bits])
    }

    fn write_kinds(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.kinds.iter().map(|kind| {
            vec![
                kind.kind.to_owned(),
                thousands(kind.games),
                thousands(kind.plies),
                format!("{:.2}", kind.bits_per_game),
                format!("{:.4}", kind.bits_per_ply),
            ]
        });
        let head = ["variant", "games", "plies", "bits per game", "bits per ply"];
        writeln!(out)?;
        TextStyle::default().table(out, &head, |at| at > 0, &rows.collect::<Vec<_>>())
    }

    /// The estimates in the literature, which consider only standard chess.
    fn write_estimates(&self, out: &mut dyn Write, estimates: &Estimates) -> io::Result<()> {
        writeln!(out, "\nestimates from the literature for a game of {:.1} plies", estimates.plies)?;
        for (name, bits) in [
            ("20 legal moves in each position", estimates.without_end),
            ("20 legal moves, or the game ends", estimates.with_end),
        ] {
            let share = 100.0 * self.chess_bits_per_game / bits;
            writeln!(out, "  {name:<32} {bits:>8.1} bits; the archive takes {share:.1} % of this")?;
        }
        Ok(())
    }

    fn write_histogram(&self, out: &mut dyn Write) -> io::Result<()> {
        const WIDTH: u64 = 50;
        let most = self.histogram.iter().map(|bar| bar.games).max().unwrap_or(0);
        let last = self.histogram.len().saturating_sub(1);
        for (number, shown) in self.histogram.iter().enumerate() {
            let more = if number == last { "+" } else { " " };
            let blocks = bar(shown.games, most, WIDTH);
            writeln!(out, "  {:>5}{more} {blocks} {}", shown.from, shown.games)?;
        }
        Ok(())
    }

    fn write_sizes(&self, out: &mut dyn Write) -> io::Result<()> {
        let sizes = &self.archive;
        writeln!(out, "\nfile: {}, {:.1} per game", BYTES.count(sizes.bytes), sizes.bytes_per_game)?;
        for part in &sizes.parts {
            let (name, bytes) = (part.name, thousands(part.bytes));
            writeln!(out, "  {name:<18} {bytes:>14} {:>8.1} per game", part.bytes_per_game)?;
        }
        Ok(())
    }
}

/// Measures the games that match a filter in some encodings of chess, or of another family if the filter selects only
/// its games; without names, in all encodings. `progress` receives the number of games processed.
///
/// # Errors
/// An encoding does not exist, or the archive cannot be read.
pub fn codec_lengths(
    archive: &Archive,
    filter: &Filter,
    codecs: &[&str],
    progress: impl FnMut(u64),
) -> Result<Vec<CodecLengths>> {
    let family = family_of(filter);
    let names = match codecs {
        [] => family.codecs(),
        some => some.iter().map(|name| codec_of(family, name)).collect::<Result<_, _>>()?,
    };
    Ok(stats::codec_lengths(archive, filter, &names, progress)?)
}

impl Row for CodecLengths {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.codec.into()),
        number("games", |row| row.games.into()),
        number("bits_per_game", |row| Cell::rounded(row.bits_per_game, 2)),
        number("bits_per_ply", |row| Cell::rounded(row.bits_per_ply, 4)),
        number("largest", |row| row.largest.into()),
        number("left_out", |row| row.left_out.into()),
    ];
}

/// An opening and its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningGames {
    /// The ECO code, A00 to E99; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The games whose last named position belongs to this opening.
    pub games: u64,
    /// Their share of all games, in percent.
    pub percent: f64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games with any other result.
    pub other: u64,
}

impl Row for OpeningGames {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("eco", |row| row.eco.into()),
        text("opening", |row| row.opening.into()),
        number("games", |row| row.games.into()),
        number("percent", |row| Cell::rounded(row.percent, 2)),
        number("white", |row| row.white.into()),
        number("draws", |row| row.draws.into()),
        number("black", |row| row.black.into()),
        number("other", |row| row.other.into()),
    ];
    const ONE_LINE: bool = true;
}

/// The openings of the chess games that match a filter, by position, most games first. The watch receives the number of
/// games that had to be replayed because they are not indexed.
pub fn opening_games(context: Context<'_>, filter: &Filter) -> Result<Vec<OpeningGames>> {
    let counts = opening_counts(context, filter)?;
    let all: u64 = counts.iter().map(|count| count.sums.games()).sum();
    let row = |count: OpeningCount| {
        let opening = count.opening.and_then(|id| Openings::standard().get(id));
        let (sums, games) = (count.sums, count.sums.games());
        OpeningGames {
            eco: opening.map(|opening| opening.eco),
            opening: opening.map(|opening| opening.name),
            games,
            percent: 100.0 * games as f64 / all as f64,
            white: sums.results.white,
            draws: sums.results.draws,
            black: sums.results.black,
            other: sums.results.other,
        }
    };
    Ok(counts.into_iter().map(row).collect())
}
