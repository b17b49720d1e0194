//! How few bits a game or a position takes, and which openings were played.

mod codec_table;
mod game_lengths;
mod game_lengths_text;
mod huffman;
mod openings;
mod position_costs;
mod sizes;

pub use codec_table::{CodecLengths, codec_lengths};
pub use game_lengths::{GameLengths, HistogramBar, KindLengths, game_lengths};
pub use huffman::{HuffmanSymbol, HuffmanTable};
pub use openings::{OpeningGames, opening_games};
pub use position_costs::{
    BitSpread, CodecPositions, PlyPositions, PositionStats, PositionsRow, position_stats,
};
pub(in crate::present) use sizes::per;
pub use sizes::{ArchiveSizes, SizePart, archive_sizes};

use crate::{
    archive::Filter,
    chess::Variant,
    record::{Family, GameKind},
    request::{RequestError, unknown_codec},
};

/// The family whose encodings are meant: chess, unless the filter asks for games of another one alone.
fn family_of(filter: &Filter) -> &'static dyn Family {
    filter.kind.unwrap_or(GameKind::Chess(Variant::Standard)).family()
}

/// The encoding of a family that has a name.
fn codec_of(family: &dyn Family, name: &str) -> Result<&'static str, RequestError> {
    let known = family.codecs();
    let of = if family.has_pgn() { "game" } else { family.name() };
    let codec = known.iter().copied().find(|codec| *codec == name);
    codec.ok_or_else(|| unknown_codec(name, of, known.into_iter()))
}
