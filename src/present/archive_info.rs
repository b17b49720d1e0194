//! A summary of an archive.

use serde::Serialize;

use super::PresentError;
use crate::{archive::Archive, chess::Date, query::PositionIndex, record::GameKind};

/// A summary of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchiveInfo {
    /// The name of the archive.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The chess variants, and Xelto, that have games in the archive.
    pub variants: Vec<VariantGames>,
    /// The earliest date of a game, as written in PGN.
    pub first_date: Option<String>,
    /// The latest date.
    pub last_date: Option<String>,
    /// The version of the file format.
    pub version: i64,
    /// The number of indexed games of standard chess and Chess960.
    pub indexed_games: u64,
    /// Whether the index covers all of these games.
    pub is_indexed: bool,
}

/// The number of games of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariantGames {
    /// The variant, or Xelto.
    pub variant: &'static str,
    /// The number of games.
    pub games: u64,
}

/// A summary of an archive called `name`.
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
        version: archive.version()?,
        indexed_games: index.games(),
        is_indexed: index.covers_all_games(),
    })
}
