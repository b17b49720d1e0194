//! An archive that several Python objects share, and long operations on it that Ctrl-C cancels.

use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow::{self, Break, Continue},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use plybook::{
    archive::{Archive, ArchiveError, ArchivePaths},
    present::PresentError,
};
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};

use crate::error::exception;

/// How often Ctrl-C is checked.
const LOOK: Duration = Duration::from_millis(50);

/// An archive that one thread at a time uses.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Archive>>);

impl Shared {
    /// Opens an archive for reading.
    pub fn open(py: Python<'_>, paths: &ArchivePaths) -> PyResult<Shared> {
        let archive = py.detach(|| Archive::open_several(paths)).map_err(exception)?;
        Ok(Shared(Arc::new(Mutex::new(archive))))
    }

    /// Runs a query while other Python threads run.
    pub fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Archive, &Watch) -> Result<T, PresentError> + Send,
    ) -> PyResult<T> {
        let (answer, raised) = py.detach(|| {
            let watch = Watch::new();
            // A panic leaves a usable connection behind.
            let archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            (ask(&archive, &watch), watch.raised.into_inner())
        });
        match answer {
            Ok(answer) => Ok(answer),
            Err(PresentError::Archive(ArchiveError::Stopped)) => {
                Err(raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(())))
            }
            Err(error) => Err(exception(error)),
        }
    }
}

/// Checks regularly whether Ctrl-C was pressed.
#[derive(Debug)]
pub struct Watch {
    last: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Watch {
    fn new() -> Watch {
        Watch { last: Cell::new(Instant::now()), raised: RefCell::default() }
    }

    /// Whether to continue.
    pub fn look(&self) -> ControlFlow<()> {
        let mut raised = self.raised.borrow_mut();
        if raised.is_none() && self.last.get().elapsed() >= LOOK {
            self.last.set(Instant::now());
            *raised = Python::attach(|py| py.check_signals()).err();
        }
        if raised.is_some() { Break(()) } else { Continue(()) }
    }
}
