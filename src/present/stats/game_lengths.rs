//! How many bits the games of an archive take.

use std::io::{self, Write};

use super::{
    super::{
        Answer, ListStyle, PresentError, chart,
        list::{Row, TextStyle},
    },
    codec_of,
};
use crate::{
    archive::{Archive, Filter},
    columns::{ColumnOf, number},
    counts::GAMES,
    stats::{self, GameLengths, HistogramBar, family_of},
};

impl Row for HistogramBar {
    const COLUMNS: &'static [ColumnOf<Self>] =
        &[number("bits_from", |row| row.from.into()), number("games", |row| row.games.into())];
}

/// Measures the games that pass a filter, in an encoding: `index` is the one in which they are stored. Other
/// encodings are those of chess, and leave other games out; if the filter asks for games of another family alone, they
/// are those of that family.
///
/// # Errors
/// There is no such encoding, or the archive cannot be read.
pub fn game_lengths(archive: &Archive, filter: &Filter, codec: &str) -> Result<GameLengths, PresentError> {
    let codec = match codec {
        "index" => None,
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
        let title = format!("Bits a game ({}), {}", self.codec, GAMES.count(self.games));
        let bars: Vec<_> = self.histogram.iter().map(|bar| (bar.from, bar.games)).collect();
        Some(chart::histogram(&title, "bits", "games", &bars))
    }
}
