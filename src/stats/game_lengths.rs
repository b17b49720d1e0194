//! How many bits the games of an archive take, in one encoding.

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

/// How many bits the games of an archive take in an encoding.
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
    /// Mean bits of a game; 0 for no games.
    pub bits_per_game: f64,
    /// Mean bits of a ply; 0 for no plies.
    pub bits_per_ply: f64,
    /// Bits of the game in the middle.
    pub median: u64,
    /// Bits of the largest game.
    pub largest: u64,
    /// The bits that a share of the games does not exceed.
    pub percentiles: Vec<Percentile>,
    /// What the sources expect of games of chess of this mean length; `None` without such games.
    pub estimates: Option<Estimates>,
    /// Games that the encoding cannot hold.
    pub left_out: u64,
    /// Each kind of game by itself, where that is known.
    pub kinds: Vec<KindLengths>,
    /// Games by bits; the last bar holds also what is longer.
    pub histogram: Vec<HistogramBar>,
    /// The bytes of the whole file, whatever games were measured.
    pub archive: ArchiveSizes,
    /// Mean bits of a game of chess or a variant, to be set against the estimates.
    #[serde(skip)]
    pub chess_bits_per_game: f64,
}

/// How many bits the games of one kind take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindLengths {
    /// The variant, or "Xelto".
    pub kind: &'static str,
    /// The games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Mean bits of a game.
    pub bits_per_game: f64,
    /// Mean bits of a ply.
    pub bits_per_ply: f64,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramBar {
    /// The least bits of a game that belongs to it.
    pub from: u64,
    /// The games.
    pub games: u64,
}

/// The lengths of the games.
#[derive(Default)]
struct Measured {
    all: Lengths,
    /// Those of chess and its variants.
    chess: Lengths,
    /// Each kind by itself, where that is known.
    kinds: Vec<(GameKind, Lengths)>,
}

impl Measured {
    /// The games as they are stored.
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

/// Measures the games that pass a filter, in an encoding of their [family](family_of): those of other families are left out.
/// `None` is how they are stored.
///
/// # Errors
/// SQLite's, or a damaged game.
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
