//! The size in bits of the games in an archive, in several encodings.

use serde::Serialize;

use super::{Lengths, family_of, measure_codecs};
use crate::archive::{Archive, ArchiveError, Filter};

/// The size in bits of the games in an archive, in one of several encodings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecLengths {
    /// The encoding.
    pub codec: &'static str,
    /// The games measured.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Mean bits per game; 0 without games.
    pub bits_per_game: f64,
    /// Mean bits per ply; 0 without plies.
    pub bits_per_ply: f64,
    /// The median size in bits.
    pub median: u64,
    /// Bits of the largest game.
    pub largest: u64,
    /// Games that the encoding cannot represent.
    pub left_out: u64,
}

/// Measures the games that match a filter in some encodings of their [family](family_of): games of other families are
/// skipped. `progress` receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn codec_lengths(
    archive: &Archive,
    filter: &Filter,
    codecs: &[&'static str],
    progress: impl FnMut(u64),
) -> Result<Vec<CodecLengths>, ArchiveError> {
    let lengths = measure_codecs(archive, filter, family_of(filter), codecs, progress)?;
    Ok(codecs.iter().zip(&lengths).map(|(codec, lengths)| CodecLengths::new(codec, lengths)).collect())
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
