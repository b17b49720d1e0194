//! Games and positions as columns, which other programs read through the Arrow C stream interface without a copy.

mod games;
mod positions;

use std::{collections::HashMap, sync::Arc};

use arrow_array::{RecordBatch, RecordBatchReader, ffi_stream::FFI_ArrowArrayStream};
use arrow_schema::{ArrowError, SchemaRef};
use plybook::{
    archive::{Archive, ArchivePaths, Filter},
    record::GameId,
};
use pyo3::{exceptions::PyImportError, prelude::*, types::PyCapsule};

use self::{games::GameColumns, positions::PositionColumns};
use crate::error::exception;

/// The content of a row.
#[derive(Clone, Copy, Debug)]
pub enum Rows {
    /// A game.
    Games,
    /// A position of a game, optionally with its FEN.
    Positions {
        /// Whether there is a column of FENs.
        fen: bool,
    },
}

/// Games or positions as columns, produced lazily.
#[pyclass(frozen, module = "plybook")]
#[derive(Debug)]
pub struct Columns {
    paths: ArchivePaths,
    ids: Arc<[GameId]>,
    rows: Rows,
}

impl Columns {
    /// The columns of games of an archive.
    pub fn new(paths: ArchivePaths, ids: Arc<[GameId]>, rows: Rows) -> Columns {
        Columns { paths, ids, rows }
    }

    /// A reader of the columns. It has its own connection, since the consumer may hold the interpreter's lock.
    fn reader(&self) -> PyResult<Box<dyn RecordBatchReader + Send>> {
        let archive = Archive::open_several(&self.paths).map_err(exception)?;
        Ok(match self.rows {
            Rows::Games => {
                let columns = GameColumns::new(&archive).map_err(exception)?;
                Box::new(Batches::new(archive, &self.ids, columns))
            }
            Rows::Positions { fen } => Box::new(Batches::new(archive, &self.ids, PositionColumns::new(fen))),
        })
    }
}

#[pymethods]
impl Columns {
    /// An Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Consumers may request another schema; producers may ignore it.
        drop(requested_schema);
        let reader = py.detach(|| self.reader())?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    /// Returns a pandas data frame.
    pub fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        module(slf.py(), "pandas", "pandas pyarrow")?;
        let table = module(slf.py(), "pyarrow", "pandas pyarrow")?.call_method1("table", (slf,))?;
        table.call_method0("to_pandas")
    }

    /// Returns a polars data frame.
    pub fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        module(slf.py(), "polars", "polars")?.call_method1("DataFrame", (slf,))
    }
}

/// An optional module.
fn module<'py>(py: Python<'py>, name: &str, packages: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(name).map_err(|error| match error.is_instance_of::<PyImportError>(py) {
        true => PyImportError::new_err(format!("this requires {name} (pip install {packages}): {error}")),
        false => error,
    })
}

/// Creates batches of columns.
trait BatchMaker {
    /// The number of games per batch.
    const GAMES: usize;

    fn schema(&self) -> SchemaRef;

    /// The batch of some games.
    fn batch(&self, archive: &Archive, games: &Batch<'_>) -> Result<RecordBatch, ArrowError>;
}

/// Some games, in order.
struct Batch<'a> {
    ids: &'a [GameId],
    /// The filter that selects these games.
    filter: Filter,
}

impl Batch<'_> {
    /// Sorts data that was read in the order of ids into the order of the games.
    fn in_order<T>(&self, read: &mut [T], id: impl Fn(&T) -> GameId) {
        if !self.ids.is_sorted() {
            let places: HashMap<GameId, usize> = self.ids.iter().copied().zip(0..).collect();
            read.sort_unstable_by_key(|each| places.get(&id(each)).copied());
        }
    }
}

/// The batches of an archive's games.
struct Batches<M> {
    archive: Archive,
    ids: Arc<[GameId]>,
    next: usize,
    maker: M,
}

impl<M: BatchMaker> Batches<M> {
    fn new(archive: Archive, ids: &Arc<[GameId]>, maker: M) -> Batches<M> {
        Batches { archive, ids: Arc::clone(ids), next: 0, maker }
    }
}

impl<M: BatchMaker> Iterator for Batches<M> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let ids = self.ids.get(self.next..).and_then(|rest| rest.chunks(M::GAMES).next())?;
        self.next += ids.len();
        let filter = Filter { among: Some(ids.iter().copied().collect()), ..Filter::default() };
        let batch = self.maker.batch(&self.archive, &Batch { ids, filter });
        if batch.is_err() {
            self.next = self.ids.len();
        }
        Some(batch)
    }
}

impl<M: BatchMaker> RecordBatchReader for Batches<M> {
    fn schema(&self) -> SchemaRef {
        self.maker.schema()
    }
}

/// Converts an error to an Arrow error.
fn failed(error: impl std::error::Error + Send + Sync + 'static) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}
