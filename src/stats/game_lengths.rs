//! The size in bits of the games in an archive, in one encoding.

use serde::Serialize;

use super::{
    ArchiveSizes, Estimates, Lengths, Percentile, archive_sizes, family_of, measure_codecs, measure_kinds,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    record::GameKind,
};

/// Bars of a histogram.
const BARS: usize = 24;

/// The size in bits of the games in an archive, in an encoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameLengths {
    /// The encoding.
    pub codec: String,
    /// The games measured.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Their bits.
    pub bits: u64,
    /// Mean bits per game; 0 without games.
    pub bits_per_game: f64,
    /// Mean bits per ply; 0 without plies.
    pub bits_per_ply: f64,
    /// The median size in bits.
    pub median: u64,
    /// Bits of the largest game.
    pub largest: u64,
    /// The bits that a share of the games does not exceed.
    pub percentiles: Vec<Percentile>,
    /// Estimates from the literature for chess games of this mean length; `None` without chess games.
    pub estimates: Option<Estimates>,
    /// Games that the encoding cannot represent.
    pub left_out: u64,
    /// Each kind of game separately, if it is known.
    pub kinds: Vec<KindLengths>,
    /// Games by bits; the last bar includes everything longer.
    pub histogram: Vec<HistogramBar>,
    /// The size of the complete file, whatever games were measured.
    pub archive: ArchiveSizes,
    /// Mean bits per game of chess or a variant, for comparison with the estimates.
    #[serde(skip)]
    pub chess_bits_per_game: f64,
}

/// The size in bits of games of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindLengths {
    /// The variant, or "Xelto".
    pub kind: &'static str,
    /// The games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Mean bits per game.
    pub bits_per_game: f64,
    /// Mean bits per ply.
    pub bits_per_ply: f64,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramBar {
    /// The minimum bits of its games.
    pub from: u64,
    /// The games.
    pub games: u64,
}

/// The lengths of the games.
#[derive(Default)]
struct Measured {
    all: Lengths,
    /// Games of chess and its variants.
    chess: Lengths,
    /// Each kind separately, if it is known.
    kinds: Vec<(GameKind, Lengths)>,
}

impl Measured {
    /// The games in the encoding of the archive.
    fn stored(archive: &Archive, filter: &Filter) -> Result<Measured, ArchiveError> {
        let mut measured = Measured { kinds: measure_kinds(archive, filter)?, ..Measured::default() };
        for (kind, lengths) in &measured.kinds {
            measured.all.merge(lengths);
            if kind.variant().is_some() {
                measured.chess.merge(lengths);
            }
        }
        Ok(measured)
    }

    /// The games in an encoding.
    fn encoded(archive: &Archive, filter: &Filter, codec: &'static str) -> Result<Measured, ArchiveError> {
        let family = family_of(filter);
        let all = measure_codecs(archive, filter, family, &[codec], |_| {})?.remove(0);
        let chess = if family.has_pgn() { all.clone() } else { Lengths::default() };
        Ok(Measured { chess, all, kinds: Vec::new() })
    }
}

/// Measures the games that match a filter, in an encoding of their [family](family_of); games of other families are
/// skipped. `None` is the encoding of the archive.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn game_lengths(
    archive: &Archive,
    filter: &Filter,
    codec: Option<&'static str>,
) -> Result<GameLengths, ArchiveError> {
    let Measured { all, chess, kinds } = match codec {
        None => Measured::stored(archive, filter)?,
        Some(codec) => Measured::encoded(archive, filter, codec)?,
    };
    let kinds = kinds.iter().map(|(kind, lengths)| KindLengths {
        kind: kind.name(),
        games: lengths.games(),
        plies: lengths.plies(),
        bits_per_game: lengths.bits_per_game(),
        bits_per_ply: lengths.bits_per_ply(),
    });
    let histogram = all.histogram(BARS).into_iter().map(|(from, games)| HistogramBar { from, games });
    Ok(GameLengths {
        codec: codec.unwrap_or("index").to_owned(),
        games: all.games(),
        plies: all.plies(),
        bits: all.bits(),
        bits_per_game: all.bits_per_game(),
        bits_per_ply: all.bits_per_ply(),
        median: all.percentile(50),
        largest: all.percentile(100),
        percentiles: all.percentiles(),
        estimates: (chess.games() > 0).then(|| chess.estimates()),
        left_out: all.left_out,
        kinds: kinds.collect(),
        histogram: histogram.collect(),
        archive: archive_sizes(archive)?,
        chess_bits_per_game: chess.bits_per_game(),
    })
}
