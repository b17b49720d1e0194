//! Partitions games by the keys that data analysis tools use to skip files that a query does not need.

use std::collections::BTreeMap;

use super::ExportError;
use crate::{
    archive::{Archive, Filter, GameSet, SectionReader, Summary},
    chess::Date,
    record::GameId,
};

/// The width of a band of ratings.
const BAND: i64 = 200;

/// The name of a directory for missing values, as in Hive.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// A key to partition games by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionKey {
    /// The year.
    Year,
    /// The mean of both ratings, or the only one, rounded down to a multiple of 200.
    EloBand,
    /// The volume of the Encyclopaedia of Chess Openings: A to E.
    EcoVolume,
    /// The speed, by time control.
    Speed,
}

/// The games of one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The path of the directory: `["year=1999", "speed=rapid"]`.
    pub folders: Vec<String>,
    /// The games.
    pub games: GameSet,
}

impl PartitionKey {
    /// The name of the key in the name of a folder.
    pub fn name(self) -> &'static str {
        match self {
            PartitionKey::Year => "year",
            PartitionKey::EloBand => "elo_band",
            PartitionKey::EcoVolume => "eco_volume",
            PartitionKey::Speed => "speed",
        }
    }

    fn value(
        self,
        archive: &Archive,
        sections: &mut SectionReader,
        game: &Summary,
    ) -> Result<Option<String>, ExportError> {
        Ok(match self {
            PartitionKey::Year => game.date.and_then(Date::year).map(|year| year.to_string()),
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

/// Partitions the games that pass a filter.
pub fn partitions(
    archive: &Archive,
    filter: &Filter,
    keys: &[PartitionKey],
) -> Result<Vec<Partition>, ExportError> {
    // Another program may give sections other numbers.
    let _snapshot = archive.snapshot()?;
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
