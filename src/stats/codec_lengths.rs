//! How many bits the games of an archive take, in several encodings side by side.

use serde::Serialize;

use super::{Lengths, family_of, measure_codecs};
use crate::archive::{Archive, ArchiveError, Filter};

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

/// Measures the games that pass a filter in some encodings of their [family](family_of): games of other families are left
/// out. `progress` is called with the number of games done.
///
/// # Errors
/// SQLite's, or a damaged game.
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
