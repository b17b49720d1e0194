//! Changing the games of an archive.

use std::{
    ops::ControlFlow::Continue,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use plybook::{
    archive::{ArchiveError, Change, ChangeSummary, Editor as Changes, GameSet, LoggedChange},
    edit::{ADDED, TagEdit, parse_glyph, record_of, with_comment, with_glyphs},
    import::Options,
    query::renew_index,
    record::GameId,
};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    error::exception,
    json::{in_python, unsayable},
};

/// Changes games of an archive. Every change is logged and can be undone.
#[pyclass(frozen, module = "plybook")]
#[derive(Debug)]
pub struct Editor(Mutex<Changes>);

/// One id, or several.
#[derive(FromPyObject)]
pub enum Ids {
    /// One.
    One(GameId),
    /// Several.
    Several(Vec<GameId>),
}

impl Ids {
    fn games(self) -> GameSet {
        match self {
            Ids::One(id) => [id].into_iter().collect(),
            Ids::Several(ids) => ids.into_iter().collect(),
        }
    }
}

/// Opens an archive to change games in it.
#[pyfunction]
pub fn edit(py: Python<'_>, path: PathBuf) -> PyResult<Editor> {
    let opened = py.detach(|| Changes::open(path)).map_err(exception)?;
    Ok(Editor(Mutex::new(opened)))
}

#[pymethods]
impl Editor {
    /// Removes games.
    fn remove(&self, py: Python<'_>, ids: Ids) -> PyResult<Option<i64>> {
        let games = ids.games();
        self.change(py, "remove", |change| change.remove(&games, |_| Continue(())))
    }

    /// Sets tags of games; a tag whose value is None is deleted.
    #[pyo3(signature = (ids, **tags))]
    fn tag(
        &self,
        py: Python<'_>,
        ids: Ids,
        tags: Option<std::collections::BTreeMap<String, Option<String>>>,
    ) -> PyResult<Option<i64>> {
        let edit = |(name, value): (String, Option<String>)| TagEdit::new(&name, value.as_deref());
        let edits = tags.unwrap_or_default().into_iter().map(edit).collect::<Result<Vec<_>, _>>();
        let (games, edits) = (ids.games(), edits.map_err(|error| PyValueError::new_err(error.to_string()))?);
        self.change(py, "tag", |change| {
            change.edit(&games, |game| TagEdit::apply(&edits, game), |_| Continue(()))
        })
    }

    /// Replaces the comment after a ply.
    fn comment(&self, py: Python<'_>, id: GameId, ply: usize, text: &str) -> PyResult<Option<i64>> {
        let games = Ids::One(id).games();
        self.change(py, "comment", |change| {
            change.edit(&games, |game| with_comment(game, ply, text), |_| Continue(()))
        })
    }

    /// Replaces the glyphs of a ply.
    #[pyo3(signature = (id, ply, *glyphs))]
    fn glyph(&self, py: Python<'_>, id: GameId, ply: usize, glyphs: Vec<String>) -> PyResult<Option<i64>> {
        let glyphs = glyphs.iter().map(|glyph| parse_glyph(glyph)).collect::<Result<Vec<_>, _>>();
        let (games, glyphs) =
            (Ids::One(id).games(), glyphs.map_err(|error| PyValueError::new_err(error.to_string()))?);
        self.change(py, "glyph", |change| {
            change.edit(&games, |game| with_glyphs(game, ply, &glyphs), |_| Continue(()))
        })
    }

    /// Adds a game, and returns its id.
    fn add(&self, py: Python<'_>, pgn: &str) -> PyResult<GameId> {
        let record = record_of(pgn.as_bytes(), Options::default().codec).map_err(exception)?;
        let mut id = 0;
        self.change(py, "add", |change| {
            id = change.add(ADDED, &record)?;
            Ok(())
        })?;
        Ok(id)
    }

    /// Undoes a change, by default the last one that is in effect; or what it did with some games, as a new change.
    #[pyo3(signature = (change=None, games=None))]
    fn undo(&self, py: Python<'_>, change: Option<i64>, games: Option<Ids>) -> PyResult<Option<i64>> {
        let games: Option<Vec<_>> = games.map(|ids| ids.games().ids().iter().map(|id| *id..=*id).collect());
        self.with(py, |editor| {
            let undo = |editor: &mut Changes, change| match &games {
                Some(games) => editor.undo_games(change, games, "plybook undo --games (Python)"),
                None => editor.undo(change),
            };
            Ok(renewed(editor, undo, change)?.id)
        })
    }

    /// Redoes a change, by default the one that was undone last.
    #[pyo3(signature = (change=None))]
    fn redo(&self, py: Python<'_>, change: Option<i64>) -> PyResult<Option<i64>> {
        self.with(py, |editor| Ok(renewed(editor, Changes::redo, change)?.id))
    }

    /// Returns the changes that are logged, in the order in which they were made.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let log: Vec<LoggedChange> = self.with(py, |editor| editor.archive().changes())?;
        in_python(py, &serde_json::to_value(log).map_err(unsayable)?)
    }

    /// Deletes the log and shrinks the file; returns the number of changes that were logged.
    fn compact(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |editor| {
            renew_index(editor.archive(), |_, _| Continue(()))?;
            editor.delete_log(false)
        })
    }
}

/// Undoes or redoes a change, and rebuilds the index where many games have changed.
fn renewed(
    editor: &mut Changes,
    make: impl FnOnce(&mut Changes, Option<i64>) -> Result<ChangeSummary, ArchiveError>,
    change: Option<i64>,
) -> Result<ChangeSummary, ArchiveError> {
    let made = make(editor, change)?;
    if made.games > 1 {
        renew_index(editor.archive(), |_, _| Continue(()))?;
    }
    Ok(made)
}

impl Editor {
    /// Runs an operation while other Python threads run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&mut Changes) -> Result<T, ArchiveError> + Send,
    ) -> PyResult<T> {
        let made = py.detach(|| make(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)));
        made.map_err(exception)
    }

    /// Makes a change. Returns its number, or `None` if nothing has changed.
    fn change(
        &self,
        py: Python<'_>,
        name: &str,
        make: impl FnOnce(&mut Change<'_>) -> Result<(), ArchiveError> + Send,
    ) -> PyResult<Option<i64>> {
        let command = format!("{name} (Python)");
        self.with(py, |editor| {
            let ((), made) = editor.change(&command, false, make)?;
            if made.games > 1 {
                renew_index(editor.archive(), |_, _| Continue(()))?;
            }
            Ok(made.id)
        })
    }
}
