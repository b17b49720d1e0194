//! The size in bits of the games in an archive.

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

/// The name of the encoding in which archives store games.
pub(super) const INDEX: &str = "index";

impl GameLengths {
    /// The name of the encoding on screen. "Index" alone would be taken for the index of positions.
    pub(super) fn shown_codec(&self) -> &str {
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
