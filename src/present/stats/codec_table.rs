//! All encodings of games, compared.

use super::{
    super::{PresentError, list::Row},
    codec_of,
};
use crate::{
    archive::{Archive, Filter},
    columns::{Cell, ColumnOf, number, text},
    stats::{self, CodecLengths, family_of},
};

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
