//! The size of games and positions in bits, and the openings that were played.

mod openings;
mod positions;

use std::io::{self, Write};

use super::{
    Answer, ListStyle, PresentError, chart,
    list::{Row, TextStyle},
};
use crate::{
    archive::{Archive, Filter},
    columns::{Cell, ColumnOf, number, text},
    counts::{BYTES, GAMES, PLIES, bar, thousands},
    record::Family,
    request::{RequestError, unknown_codec},
    stats::{self, CodecLengths, Estimates, GameLengths, HistogramBar, family_of, per},
};
pub use openings::opening_games;

/// The encoding with a name, of a family of games.
fn codec_of(family: &dyn Family, name: &str) -> Result<&'static str, RequestError> {
    let known = family.codecs();
    let of = if family.has_pgn() { "game" } else { family.name() };
    let codec = known.iter().copied().find(|codec| *codec == name);
    codec.ok_or_else(|| unknown_codec(name, of, known.into_iter()))
}

/// The name of the encoding in which archives store games.
const INDEX: &str = "index";

impl GameLengths {
    /// The name of the encoding on screen. "Index" alone would be taken for the index of positions.
    fn shown_codec(&self) -> &str {
        if self.codec == INDEX { "move numbers" } else { &self.codec }
    }
}

impl Row for HistogramBar {
    const COLUMNS: &'static [ColumnOf<Self>] =
        &[number("bits_from", |row| row.from.into()), number("games", |row| row.games.into())];
}

/// Measures the games that match a filter, in an encoding. In `index`, the encoding of archives, all games are measured.
/// Other encodings are for chess and skip other games, unless the filter selects only games of another family; then
/// the encodings are those of that family.
///
/// # Errors
/// The encoding does not exist, or the archive cannot be read.
pub fn game_lengths(archive: &Archive, filter: &Filter, codec: &str) -> Result<GameLengths, PresentError> {
    let codec = match codec {
        INDEX => None,
        name => Some(codec_of(family_of(filter), name)?),
    };
    Ok(stats::game_lengths(archive, filter, codec)?)
}

impl Answer for GameLengths {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_text(&self, out: &mut dyn Write, _: TextStyle) -> io::Result<()> {
        self.write_figures(out)
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &self.histogram)
    }

    /// The histogram.
    fn picture(&self) -> Option<String> {
        let title = format!("Bits per game ({}), {}", self.shown_codec(), GAMES.count(self.games));
        let bars: Vec<_> = self.histogram.iter().map(|bar| (bar.from, bar.games)).collect();
        Some(chart::histogram(&title, "bits", "games", &bars))
    }
}

impl GameLengths {
    /// Writes all figures as text, with a histogram.
    fn write_figures(&self, out: &mut dyn Write) -> io::Result<()> {
        let (games, plies) = (GAMES.count(self.games), PLIES.count(self.plies));
        writeln!(out, "{games}, {plies}, {:.1} plies per game", per(self.plies, self.games))?;
        writeln!(
            out,
            "\nmoves ({}): {:.2} bits per game, {:.4} bits per ply",
            self.shown_codec(),
            self.bits_per_game,
            self.bits_per_ply
        )?;
        if self.codec == INDEX {
            writeln!(
                out,
                "each move is its number among the n legal moves and takes about log2(n) bits:\n\
                 {:.2} bits per ply, times {:.1} plies per game",
                self.bits_per_ply,
                per(self.plies, self.games)
            )?;
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
            writeln!(
                out,
                "  {} skipped: {} cannot encode {them}",
                GAMES.count(self.left_out),
                self.shown_codec()
            )?;
        }
        writeln!(out, "\ngames by size in bits")?;
        self.write_histogram(out)?;
        self.write_sizes(out)
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
) -> Result<Vec<CodecLengths>, PresentError> {
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
