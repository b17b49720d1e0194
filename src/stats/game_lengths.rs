//! The size in bits of the games in an archive, in one or several encodings.

use serde::Serialize;

use super::{
    ArchiveSizes, Estimates, HistogramBar, Lengths, Percentile, archive_sizes, family_of, measure_codecs,
    measure_stored,
};
use crate::{
    archive::{Archive, Filter, Result},
    codec::CodecId,
};

/// Bars of a histogram.
const BARS: usize = 24;

/// The size in bits of the games in an archive, in an encoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameLengths {
    /// The encoding, or encodings: "index, model".
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

/// Measures the games that match a filter, in an encoding of their [family](family_of); games of other families are
/// skipped. `None` measures all games as they are stored.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn game_lengths(archive: &Archive, filter: &Filter, codec: Option<&'static str>) -> Result<GameLengths> {
    let (mut all, mut chess, mut kinds) = (Lengths::default(), Lengths::default(), Vec::new());
    let mut names = codec.unwrap_or(CodecId::default().info().name).to_owned();
    match codec {
        None => {
            let stored = measure_stored(archive, filter)?;
            kinds = stored.kinds;
            if !stored.codecs.is_empty() {
                names = stored.codecs.iter().map(|codec| codec.info().name).collect::<Vec<_>>().join(", ");
            }
        }
        Some(codec) => {
            let family = family_of(filter);
            all = measure_codecs(archive, filter, family, &[codec], |_| {})?.remove(0);
            if family.has_pgn() {
                chess = all.clone();
            }
        }
    }
    for (kind, lengths) in &kinds {
        all.merge(lengths);
        if kind.variant().is_some() {
            chess.merge(lengths);
        }
    }
    let kinds = kinds.iter().map(|(kind, lengths)| KindLengths {
        kind: kind.name(),
        games: lengths.bits.count(),
        plies: lengths.plies,
        bits_per_game: lengths.bits.mean(),
        bits_per_ply: lengths.bits_per_ply(),
    });
    Ok(GameLengths {
        codec: names,
        games: all.bits.count(),
        plies: all.plies,
        bits: all.bits.sum(),
        bits_per_game: all.bits.mean(),
        bits_per_ply: all.bits_per_ply(),
        median: all.bits.percentile(50),
        largest: all.bits.percentile(100),
        percentiles: all.bits.percentiles(),
        estimates: (chess.bits.count() > 0).then(|| chess.estimates()),
        left_out: all.left_out,
        kinds: kinds.collect(),
        histogram: all.bits.histogram(BARS),
        archive: archive_sizes(archive)?,
        chess_bits_per_game: chess.bits.mean(),
    })
}

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
) -> Result<Vec<CodecLengths>> {
    let lengths = measure_codecs(archive, filter, family_of(filter), codecs, progress)?;
    Ok(codecs.iter().zip(&lengths).map(|(codec, lengths)| CodecLengths::new(codec, lengths)).collect())
}

impl CodecLengths {
    fn new(codec: &'static str, lengths: &Lengths) -> CodecLengths {
        CodecLengths {
            codec,
            games: lengths.bits.count(),
            plies: lengths.plies,
            bits_per_game: lengths.bits.mean(),
            bits_per_ply: lengths.bits_per_ply(),
            median: lengths.bits.percentile(50),
            largest: lengths.bits.percentile(100),
            left_out: lengths.left_out,
        }
    }
}
