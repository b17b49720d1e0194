//! What an archive is, in a few numbers.

use serde::Serialize;

use super::PresentError;
use crate::{
    archive::{Archive, VERSION},
    chess::Date,
    query::PositionIndex,
    record::GameKind,
};

/// An archive in a few numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchiveInfo {
    /// What it is called.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The variants of chess, and Xelto, that there are games of.
    pub variants: Vec<VariantGames>,
    /// The first date of a game, as PGN writes it.
    pub first_date: Option<String>,
    /// The last one.
    pub last_date: Option<String>,
    /// The version of the file's format.
    pub version: i64,
    /// The number of games whose positions are indexed, of those of standard chess and Chess960.
    pub indexed_games: u64,
    /// Whether an index answers for all of these.
    pub is_indexed: bool,
}

/// How many games of a variant there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariantGames {
    /// The variant, or Xelto.
    pub variant: &'static str,
    /// The number of games.
    pub games: u64,
}

/// An archive in a few numbers; `name` is what it is called.
///
/// # Errors
/// The archive cannot be read.
pub fn archive_info(
    name: &str,
    archive: &Archive,
    index: &PositionIndex,
) -> Result<ArchiveInfo, PresentError> {
    let counted = archive.maintenance().extent()?;
    let date = |packed: Option<u32>| packed.and_then(Date::from_packed).map(|date| date.to_string());
    let variants = counted.kinds.iter().map(|kind| VariantGames {
        variant: GameKind::from_id(kind.id).map_or("?", GameKind::name),
        games: kind.games,
    });
    Ok(ArchiveInfo {
        name: name.to_owned(),
        games: counted.kinds.iter().map(|kind| kind.games).sum(),
        plies: counted.kinds.iter().map(|kind| kind.plies).sum(),
        variants: variants.collect(),
        first_date: date(counted.first_date),
        last_date: date(counted.last_date),
        version: archive.older_version().unwrap_or(VERSION),
        indexed_games: index.games(),
        is_indexed: index.is_complete(),
    })
}
