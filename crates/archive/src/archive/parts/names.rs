//! Names across several archives: each archive has its own numbers for them, and equal names share one number across
//! all.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Part;
use crate::archive::{NameKind, Names, Result};

/// The names that have been queried, by kind.
#[derive(Debug, Default)]
pub(super) struct NamesOfParts([Mutex<NamesOfKind>; 3]);

#[derive(Debug, Default)]
struct NamesOfKind {
    /// By their number across all archives, from 1 on.
    names: Vec<String>,
    numbers: HashMap<String, i64>,
    /// The number across all archives, by part and number there.
    known: HashMap<(u32, i64), i64>,
}

impl NamesOfKind {
    fn number(&mut self, name: String) -> i64 {
        if let Some(number) = self.numbers.get(&name) {
            return *number;
        }
        self.names.push(name.clone());
        let number = self.names.len() as i64;
        self.numbers.insert(name, number);
        number
    }
}

impl NamesOfParts {
    fn of(&self, kind: NameKind) -> MutexGuard<'_, NamesOfKind> {
        self.0[kind as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Names<'_> {
    /// The number across all archives of a name in a part.
    pub(super) fn number_for_all(self, part: &Part, kind: NameKind, id: Option<i64>) -> Result<Option<i64>> {
        let (Some(parts), Some(id)) = (&self.archive.parts, id) else { return Ok(id) };
        let mut names = parts.names.of(kind);
        let at = (part.number, id);
        if let Some(number) = names.known.get(&at) {
            return Ok(Some(*number));
        }
        let number = names.number(part.lock().names().of(kind, id)?.unwrap_or_default());
        names.known.insert(at, number);
        Ok(Some(number))
    }

    /// The name with a number across all parts.
    pub(in crate::archive) fn name_for_all(self, kind: NameKind, number: i64) -> Option<String> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.archive.parts.as_ref()?.names.of(kind).names.get(place).cloned()
    }

    /// The numbers across all parts of the players whose names match a pattern.
    pub(in crate::archive) fn players_of_parts(self, pattern: &str) -> Result<Vec<i64>> {
        let mut found = Vec::new();
        for (part, players) in self.archive.files().parts().iter().zip(self.players_in_parts(pattern)?) {
            for id in players {
                found.extend(self.number_for_all(part, NameKind::Player, Some(id))?);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
