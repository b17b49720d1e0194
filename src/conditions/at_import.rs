//! Conditions on the games that an import stores.

use std::{hash::Hasher, sync::Arc};

use twox_hash::XxHash3_64;

use super::{CONDITIONS, Draft, FilterText};
use crate::{
    archive::{Archive, GameSet, PreparedGames, WritableArchive},
    import::ImportCondition,
    query::Context,
    record::GameId,
    request::{PositionText, PresentError, RequestError},
};

impl FilterText {
    /// The condition of an import; `None` if every game meets it.
    ///
    /// # Errors
    /// A condition is invalid, or concerns what only stored games have.
    pub fn at_import(self) -> Result<Option<Arc<dyn ImportCondition>>, PresentError> {
        let draft = self.draft()?;
        let names = CONDITIONS.iter().filter(|condition| condition.of_stored && self.has(condition.name));
        let of_stored = names.map(|condition| condition.name).next().or(match &draft {
            Draft { position: Some(PositionText::Stored { .. }), .. } => Some("position"),
            _ if self.sort.is_some() || self.desc => Some("sort"),
            _ if self.limit.is_some() || self.offset > 0 => Some("limit"),
            _ => None,
        });
        if let Some(name) = of_stored {
            return Err(RequestError::OfStoredGames(name).into());
        }
        if self.values.is_empty() {
            return Ok(None);
        }
        // What is wrong with a condition must not turn up after an hour.
        let none = WritableArchive::in_memory(&mut PreparedGames::default())?;
        self.filter(Context::new(&none))?;
        Ok(Some(Arc::new(self)))
    }
}

impl ImportCondition for FilterText {
    fn key(&self) -> u64 {
        let mut hasher = XxHash3_64::with_seed(0);
        for (name, values) in &self.values {
            for text in values.iter().map(String::as_str).chain([*name]) {
                hasher.write(text.as_bytes());
                // Never part of UTF-8, so that no two lists of texts are the same bytes.
                hasher.write(&[0xff]);
            }
        }
        hasher.finish().max(1)
    }

    fn matching(&self, archive: &Archive) -> Result<GameSet, String> {
        let filter = self.filter(Context::new(archive)).map_err(|error| error.to_string())?;
        archive.list::<GameId>(&filter).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }
}
