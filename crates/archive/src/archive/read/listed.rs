//! What a list reads of each game.

use super::paging::Selected;
use crate::archive::{Archive, ArchiveError, Filter, parts::PartView};

/// A value that can be read for each game of a list: see [`Archive::list`].
pub trait Listed: PartView {
    /// Its columns, and how to convert a row.
    #[doc(hidden)]
    const WANTED: Selected<Self>;
}

impl Archive {
    /// Every game that passes a filter, in the filter's order: as its id, a [`Summary`](crate::archive::Summary), or
    /// the data for statistics or reports, with or without its moves. Games of another kind are skipped. After an error
    /// the iterator ends.
    ///
    /// ```
    /// # std::env::set_current_dir("../..")?;
    /// # use plybook::{archive::{Archive, Filter, Summary}, import::{Options, import_paths}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// for game in archive.list::<Summary>(&Filter { limit: Some(3), ..Filter::default() }) {
    ///     println!("{}", game?.title);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list<T: Listed>(
        &self,
        filter: &Filter,
    ) -> impl Iterator<Item = Result<T, ArchiveError>> + use<'_, T> {
        self.pages(filter, T::WANTED)
    }
}
