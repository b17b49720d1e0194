//! The entry of a part in the catalogue.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::PartsError;
use crate::archive::{Archive, Holdings, KnownSource, part_name};

/// A part of a collection, as the catalogue lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number, higher than those of all earlier parts.
    pub number: u32,
    /// The file name of its archive, in the directory of the catalogue.
    pub file: String,
    /// The file name of the filter of its fingerprints.
    pub filter: String,
    /// Bytes of the archive.
    pub bytes: u64,
    /// What it contains. Its last id is added to the ids of all later parts.
    #[serde(flatten)]
    pub holdings: Holdings,
    /// The sources of its games.
    pub sources: Vec<PartSource>,
}

/// A source of the games of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSource {
    /// Its name, as given.
    pub name: String,
    /// Whether it has been read completely.
    pub ended: bool,
    /// The stamp that distinguishes its versions, in hexadecimal.
    pub stamp: Option<String>,
    /// Bytes of it that have been read.
    pub bytes: u64,
    /// Its games up to there.
    pub seen: u64,
    /// Number of those games in this part.
    pub stored: u64,
}

impl Part {
    /// Describes the archive at a path, to be listed under a number.
    pub(super) fn of(path: &Path, number: u32) -> Result<Part, PartsError> {
        let archive = Archive::open(path)?;
        let mut known: Vec<(String, KnownSource)> = archive.known_sources()?.into_iter().collect();
        known.sort_unstable_by_key(|(_, source)| source.id);
        let source = |(name, source): (String, KnownSource)| PartSource {
            name,
            ended: source.state.ended,
            stamp: source.state.stamp.filter(|_| source.state.ended).map(|stamp| format!("{stamp:016x}")),
            bytes: source.state.bytes,
            seen: source.state.counts.seen,
            stored: source.state.counts.stored,
        };
        Ok(Part {
            number,
            file: part_name(number),
            filter: filter_name(number),
            bytes: archive.bytes(),
            holdings: archive.maintenance().holdings()?,
            sources: known.into_iter().map(source).collect(),
        })
    }

    /// Describes what is invalid.
    pub(super) fn flaw(&self) -> Option<String> {
        let Part { number, file, filter, holdings: Holdings { games, last_id, .. }, .. } = self;
        if *file != part_name(*number) || *filter != filter_name(*number) {
            return Some(format!("part {number} has unexpected file names"));
        }
        if games > last_id || *last_id > u64::from(u32::MAX) {
            return Some(format!("part {number} cannot have {games} games if its last id is {last_id}"));
        }
        None
    }
}

/// The file name of the filter of a part.
pub(super) fn filter_name(number: u32) -> String {
    format!("part-{number:04}.keys")
}
