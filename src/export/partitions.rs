//! Games by what engines that read tables divide them by, so that they need not read what is not asked for.

use std::collections::BTreeMap;

use super::ExportError;
use crate::{
    archive::{Archive, Filter, GameSet, SectionReader, Summary},
    record::GameId,
};

/// Ratings of a band.
const BAND: i64 = 200;

/// What stands for a value that is missing in the name of a folder: the engines' own word.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// What games are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionKey {
    /// The year.
    Year,
    /// The mean of the ratings, or the only one, rounded down to 200.
    EloBand,
    /// The volume of the Encyclopaedia of Chess Openings: A to E.
    EcoVolume,
    /// How long the players had.
    Speed,
}

/// Games that go into one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The folder's name with those above it: `["year=1999", "speed=rapid"]`.
    pub folders: Vec<String>,
    /// The games.
    pub games: GameSet,
}

impl PartitionKey {
    /// Its name in a folder's.
    pub fn name(self) -> &'static str {
        match self {
            PartitionKey::Year => "year",
            PartitionKey::EloBand => "elo_band",
            PartitionKey::EcoVolume => "eco_volume",
            PartitionKey::Speed => "speed",
        }
    }

    /// The column that a table has of the same name, which files in such a folder leave out: engines take it from the
    /// folder's name.
    pub fn column(self) -> Option<&'static str> {
        (self == PartitionKey::Year).then_some("year")
    }

    fn value(
        self,
        archive: &Archive,
        sections: &mut SectionReader,
        game: &Summary,
    ) -> Result<Option<String>, ExportError> {
        Ok(match self {
            PartitionKey::Year => {
                let year = game.date.as_ref().and_then(|date| date.get(..4)?.parse::<u16>().ok());
                year.map(|year| year.to_string())
            }
            PartitionKey::EloBand => band(game).map(|band| band.to_string()),
            PartitionKey::EcoVolume => game.eco.as_ref().and_then(|eco| eco.get(..1)).map(str::to_owned),
            PartitionKey::Speed => {
                let facts = sections.facts_of_game(archive, game.id)?;
                facts.map(|facts| facts.speed.name().to_owned())
            }
        })
    }
}

fn band(game: &Summary) -> Option<i64> {
    let known: Vec<i64> =
        [game.white_elo, game.black_elo].into_iter().flatten().filter(|elo| *elo > 0).collect();
    let mean = known.iter().sum::<i64>().checked_div(known.len() as i64)?;
    Some(mean / BAND * BAND)
}

/// The games that pass a filter, divided by some keys.
///
/// # Errors
/// The archive cannot be read.
pub fn partitions(
    archive: &Archive,
    filter: &Filter,
    keys: &[PartitionKey],
) -> Result<Vec<Partition>, ExportError> {
    let mut sections = SectionReader::default();
    let mut found: BTreeMap<Vec<String>, Vec<GameId>> = BTreeMap::new();
    for game in archive.list::<Summary>(filter) {
        let game = game?;
        let folder = |key: &PartitionKey| -> Result<String, ExportError> {
            let value = key.value(archive, &mut sections, &game)?;
            Ok(format!("{}={}", key.name(), value.as_deref().unwrap_or(MISSING)))
        };
        let folders = keys.iter().map(folder).collect::<Result<_, _>>()?;
        found.entry(folders).or_default().push(game.id);
    }
    let partition =
        |(folders, games): (_, Vec<GameId>)| Partition { folders, games: games.into_iter().collect() };
    Ok(found.into_iter().map(partition).collect())
}
