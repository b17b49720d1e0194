//! An archive, and its queries.

use std::path::{PathBuf, absolute};

use plybook::{
    archive::ArchivePaths,
    parts::archive_paths,
    present::{FilterText, explored_position},
    query::{Context, hits},
    record::GameId,
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    columns::{Columns, Rows},
    error::of_parts,
    filter::{filter_text, ids},
    game::{Game, PlyArgument},
    games::{GameIterator, Games},
    index::open_index,
    json::{from_text, in_python, unsayable, with_scores},
    shared::Shared,
};

/// An archive, opened for reading.
#[pyclass(frozen, module = "plybook")]
#[derive(Debug)]
pub struct Archive {
    shared: Shared,
    paths: ArchivePaths,
}

/// Opens an archive for reading. A directory with a catalogue of parts is read as one archive.
#[pyfunction]
pub fn open(py: Python<'_>, path: PathBuf) -> PyResult<Archive> {
    // Columns open it again, possibly from another working directory.
    let paths = archive_paths(&[absolute(path)?]).map_err(of_parts)?;
    Ok(Archive { shared: Shared::open(py, &paths)?, paths })
}

#[pymethods]
impl Archive {
    /// The archive's file, or the directory of its parts.
    #[getter]
    fn path(&self) -> PathBuf {
        self.paths.name().to_owned()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = self.shared.ask(py, |archive, _| Ok(archive.count()?))?;
        Ok(usize::try_from(count)?)
    }

    /// Always true, even if the archive has no games.
    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<GameIterator> {
        Ok(self.filtered(py, FilterText::default())?.iterator())
    }

    /// Returns the game with this id.
    fn game(&self, py: Python<'_>, id: GameId) -> PyResult<Game> {
        Ok(self.shared.ask(py, |archive, _| Ok(archive.checked_game(id)?))?.into())
    }

    /// Returns a game as a dictionary, at a ply: the form of `plybook show --format json` and of the server.
    #[pyo3(signature = (id, ply = None))]
    fn show<'py>(
        &self,
        py: Python<'py>,
        id: GameId,
        ply: Option<PlyArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ply = ply.as_ref().map(PlyArgument::ply).transpose()?;
        let game = self.shared.ask(py, |archive, _| plybook::present::game::answer(archive, id, ply))?;
        // Text keeps the order of the tags.
        from_text(py, &serde_json::to_string(&game).map_err(unsayable)?)
    }

    /// Returns the games that match a filter, in its order; without a filter all games, by id.
    #[pyo3(signature = (**filter))]
    fn games(&self, py: Python<'_>, filter: Option<&Bound<'_, PyDict>>) -> PyResult<Games> {
        self.filtered(py, filter_text(filter)?)
    }

    /// Finds the games that match a filter and reach a position: returns the id of each and the ply at which it first
    /// reaches the position.
    #[pyo3(signature = (position, **filter))]
    fn find(
        &self,
        py: Python<'_>,
        position: &str,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(GameId, usize)>> {
        let text = filter_text(filter)?;
        self.shared.ask(py, |archive, watch| {
            let sought = text.sought(position, archive)?;
            let _snapshot = archive.snapshot()?;
            let (index, look) = (open_index(archive)?, |_| watch.look());
            let context = Context::new(archive).with_index(index.as_ref()).watched_by(&look);
            let filter = text.filter(context)?;
            let mut places = Vec::new();
            for batch in hits(context, &sought, &filter)? {
                places.extend(batch?.into_iter().map(|hit| (hit.game, hit.ply)));
            }
            Ok(places)
        })
    }

    /// Returns the moves that games matching a filter played in a position, with their results.
    #[pyo3(signature = (position=None, **filter))]
    fn explore<'py>(
        &self,
        py: Python<'py>,
        position: Option<&str>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = filter_text(filter)?;
        let explored = self.shared.ask(py, |archive, watch| {
            let _snapshot = archive.snapshot()?;
            let (index, look) = (open_index(archive)?, |_| watch.look());
            let context = Context::new(archive).with_index(index.as_ref()).watched_by(&look);
            let filter = text.filter(context)?;
            let asked = explored_position(position, filter.kind, archive)?;
            Ok(asked.explore(context, &filter)?)
        })?;
        in_python(py, &with_scores(&explored)?)
    }

    /// Returns the games that match a filter as columns.
    #[pyo3(signature = (**filter))]
    fn arrow(&self, py: Python<'_>, filter: Option<&Bound<'_, PyDict>>) -> PyResult<Columns> {
        self.columns(py, filter, Rows::Games)
    }

    /// Returns the positions of the games that match a filter as columns.
    #[pyo3(signature = (fen=false, **filter))]
    fn positions(&self, py: Python<'_>, fen: bool, filter: Option<&Bound<'_, PyDict>>) -> PyResult<Columns> {
        self.columns(py, filter, Rows::Positions { fen })
    }

    /// Returns the games that match a filter as a pandas data frame.
    #[pyo3(signature = (**filter))]
    fn to_pandas<'py>(
        &self,
        py: Python<'py>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Columns::to_pandas(&Bound::new(py, self.columns(py, filter, Rows::Games)?)?)
    }

    /// Returns the games that match a filter as a polars data frame.
    #[pyo3(signature = (**filter))]
    fn to_polars<'py>(
        &self,
        py: Python<'py>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Columns::to_polars(&Bound::new(py, self.columns(py, filter, Rows::Games)?)?)
    }

    fn __repr__(&self) -> String {
        format!("<plybook.Archive {:?}>", self.paths.name())
    }
}

impl Archive {
    fn filtered(&self, py: Python<'_>, text: FilterText) -> PyResult<Games> {
        let ids = self.shared.ask(py, |archive, watch| ids(&text, archive, watch))?;
        Ok(Games::new(&self.shared, ids))
    }

    fn columns(&self, py: Python<'_>, filter: Option<&Bound<'_, PyDict>>, rows: Rows) -> PyResult<Columns> {
        let text = filter_text(filter)?;
        let ids = self.shared.ask(py, |archive, watch| ids(&text, archive, watch))?;
        Ok(Columns::new(self.paths.clone(), ids.into(), rows))
    }
}
