//! All encodings of games side by side.

use serde::Serialize;

use super::{
    super::{
        PresentError,
        list::{ListHead, Row, number, text},
    },
    codec_of, family_of,
};
use crate::{
    archive::{Archive, Filter},
    stats::{Lengths, measure_codecs},
};

/// How many bits the games of an archive take in one of many encodings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecLengths {
    /// The encoding.
    pub codec: &'static str,
    /// The games measured.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Mean bits of a game; 0 for no games.
    pub bits_per_game: f64,
    /// Mean bits of a ply; 0 for no plies.
    pub bits_per_ply: f64,
    /// Bits of the game in the middle.
    pub median: u64,
    /// Bits of the largest game.
    pub largest: u64,
    /// Games that the encoding cannot hold.
    pub left_out: u64,
}

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
    let lengths = measure_codecs(archive, filter, family, &names, progress)?;
    Ok(names.into_iter().zip(&lengths).map(|(codec, lengths)| CodecLengths::new(codec, lengths)).collect())
}

impl CodecLengths {
    fn new(codec: &'static str, lengths: &Lengths) -> CodecLengths {
        CodecLengths {
            codec,
            games: lengths.games(),
            plies: lengths.plies(),
            bits_per_game: lengths.bits_per_game(),
            bits_per_ply: lengths.bits_per_ply(),
            median: lengths.percentile(50),
            largest: lengths.percentile(100),
            left_out: lengths.left_out,
        }
    }
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
