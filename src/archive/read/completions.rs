//! The names that begin with some letters, for a field that completes what is typed.

use std::{
    collections::BTreeSet,
    fmt::{self, Display},
};

use crate::{
    archive::{Archive, ArchiveError},
    case_fold::folded,
};

/// Whose names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl Display for NameKind {
    /// The table of the names, which is also the column of `section` with their ids.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
        })
    }
}

impl Archive {
    /// At most so many names that begin with some letters, or have a word that does; those that begin so come first, then
    /// by the letters. Case and accents do not count.
    ///
    /// # Errors
    /// SQLite's.
    pub fn completions(&self, of: NameKind, begin: &str, most: usize) -> Result<Vec<String>, ArchiveError> {
        let begin = folded(begin);
        let mut found = BTreeSet::new();
        let mut read = |archive: &Archive| -> rusqlite::Result<()> {
            let mut names = archive.db.prepare_cached(&format!("SELECT name FROM {of} WHERE name <> ''"))?;
            let mut rows = names.query([])?;
            while let Some(row) = rows.next()? {
                let name = row.get_ref(0)?.as_str()?;
                let letters = folded(name);
                let Some(is_inside) = place(&letters, &begin) else { continue };
                found.insert((is_inside, letters, name.to_owned()));
                if found.len() > most {
                    found.pop_last();
                }
            }
            Ok(())
        };
        for archive in self.each_part() {
            read(&archive).map_err(|error| archive.error(error))?;
        }
        Ok(found.into_iter().map(|(.., name)| name).collect())
    }
}

/// Whether a name has the letters inside, at the beginning of a word, and not at its own; `None` if nowhere.
fn place(name: &str, begin: &str) -> Option<bool> {
    if name.starts_with(begin) {
        return Some(false);
    }
    let is_word = |at: usize| !name[..at].ends_with(char::is_alphanumeric);
    name.match_indices(begin).any(|(at, _)| is_word(at)).then_some(true)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_completed_from_the_beginning_of_a_word() {
        for (name, begin, place) in [
            ("kasparov, garry", "kas", Some(false)),
            ("kasparov, garry", "gar", Some(true)),
            ("kasparov, garry", "", Some(false)),
            ("kasparov, garry", "par", None),
            ("kasparov, garry", "rry", None),
            ("o'kelly", "kel", Some(true)),
        ] {
            assert_eq!(super::place(name, begin), place, "{name} {begin}");
        }
    }
}
