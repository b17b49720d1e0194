//! An archive that several Python objects share, and long operations on it that Ctrl-C cancels.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use plybook::{
    archive::{Archive, ArchivePaths},
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

    /// Runs a query while other Python threads run. Returns `None` if it was cancelled.
    pub fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Archive, &mut Watch) -> Result<Option<T>, PresentError> + Send,
    ) -> PyResult<T> {
        let mut watch = Watch::new();
        let answer = py.detach(|| {
            // A panic leaves a usable connection behind.
            let archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            ask(&archive, &mut watch)
        });
        match answer {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(watch.raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))),
            Err(error) => Err(exception(error)),
        }
    }
}

/// Checks regularly whether Ctrl-C was pressed.
#[derive(Debug)]
pub struct Watch {
    last: Instant,
    raised: Option<PyErr>,
}

impl Watch {
    fn new() -> Watch {
        Watch { last: Instant::now(), raised: None }
    }

    /// Whether to continue.
    pub fn look(&mut self) -> ControlFlow<()> {
        if self.raised.is_some() {
            return Break(());
        }
        if self.last.elapsed() < LOOK {
            return Continue(());
        }
        self.last = Instant::now();
        self.raised = Python::attach(|py| py.check_signals()).err();
        if self.raised.is_some() { Break(()) } else { Continue(()) }
    }
}
