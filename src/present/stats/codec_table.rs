//! All encodings of games side by side.

use super::{
    super::{
        PresentError,
        list::{ListHead, Row, number, text},
    },
    codec_of,
};
use crate::{
    archive::{Archive, Filter},
    stats::{self, CodecLengths, family_of},
};

/// Measures the games that pass a filter in some encodings of chess, or of another family of games if the filter asks for
/// its games alone; in every one if none is named. `progress` is called with the number of games done.
///
/// # Errors
/// There is no such encoding, or the archive cannot be read.
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
    const HEAD: ListHead = ListHead::new(&[
        text("codec"),
        number("games"),
        number("bits_per_game"),
        number("bits_per_ply"),
        number("largest"),
        number("left_out"),
    ]);

    fn cells(&self) -> Vec<String> {
        vec![
            self.codec.to_owned(),
            self.games.to_string(),
            format!("{:.2}", self.bits_per_game),
            format!("{:.4}", self.bits_per_ply),
            self.largest.to_string(),
            self.left_out.to_string(),
        ]
    }
}
