//! Imports that report their progress to Python.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

use plybook::{
    import::{ImportError, Options, Progress, Report, import_with_progress},
    pgn::ReadOptions,
};
use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{
    error::{exception, of_import},
    filter::filter_text,
    json::{in_python, unsayable},
};

/// How often Ctrl-C is checked, unless something else arrives first.
const LOOK: Duration = Duration::from_millis(50);

/// How many progress reports are buffered for a callback that is slower than the import.
const WAITING: usize = 16;

/// One path, or several.
#[derive(FromPyObject)]
pub enum Paths {
    /// One.
    One(PathBuf),
    /// Several.
    Several(Vec<PathBuf>),
}

/// Imports files and directories into an archive, which is created if it does not exist.
#[pyfunction]
#[pyo3(signature = (paths, archive, progress=None, index=false, rejects=None, deleted=false, keep_broken=false, on_update="join", **conditions))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword argument of Python")]
pub fn import_pgn<'py>(
    py: Python<'py>,
    paths: Paths,
    archive: PathBuf,
    progress: Option<Py<PyAny>>,
    index: bool,
    rejects: Option<PathBuf>,
    deleted: bool,
    keep_broken: bool,
    on_update: &str,
    conditions: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let paths = match paths {
        Paths::One(path) => vec![path],
        Paths::Several(paths) => paths,
    };
    let cancel = Arc::new(AtomicBool::new(false));
    let settings = deleted.then(|| ("deleted".to_owned(), String::new())).into_iter().collect();
    let reading = ReadOptions { keep_broken, ..ReadOptions::default() };
    let on_update = on_update.parse().map_err(PyValueError::new_err::<String>)?;
    let condition = filter_text(conditions)?.at_import().map_err(exception)?;
    let cancelled = Arc::clone(&cancel);
    let options = Options {
        index,
        rejects,
        reading,
        settings,
        on_update,
        condition,
        cancel: cancelled,
        ..Options::default()
    };
    let (send, reports) = sync_channel(WAITING);
    let (imported, raised) = py.detach(|| {
        thread::scope(|scope| {
            // A separate thread, so that Python handles Ctrl-C even while the import waits for another program.
            let import = scope.spawn(move || {
                import_with_progress(&archive, &paths, &options, |progress| {
                    // The receiver is gone once the callback has raised an exception.
                    _ = send.send(progress.clone());
                })
            });
            let raised = look_on(&reports, progress.as_ref()).err();
            cancel.store(raised.is_some(), Relaxed);
            drop(reports);
            (import.join(), raised)
        })
    });
    let imported: Result<Report, ImportError> =
        imported.map_err(|_| PyRuntimeError::new_err("the import failed because of a bug in plybook"))?;
    if let Some(raised) = raised {
        return Err(raised);
    }
    let report = imported.map_err(of_import)?;
    in_python(py, &serde_json::to_value(report).map_err(unsayable)?)
}

/// Passes the progress to a callback until the import has ended.
///
/// # Errors
/// The exception that the callback raises, or Ctrl-C.
fn look_on(reports: &Receiver<Progress>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
    loop {
        let report = reports.recv_timeout(LOOK);
        if matches!(report, Err(RecvTimeoutError::Disconnected)) {
            return Ok(());
        }
        Python::attach(|py| {
            if let (Ok(report), Some(callback)) = (report, callback) {
                callback.call1(py, (in_words(py, &report)?,))?;
            }
            py.check_signals()
        })?;
    }
}

/// A report of progress as a dictionary.
fn in_words<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let words = PyDict::new(py);
    words.set_item("source", &progress.source)?;
    words.set_item("bytes", progress.bytes)?;
    words.set_item("total_bytes", progress.total_bytes)?;
    words.set_item("games", progress.games)?;
    words.set_item("indexed", progress.index.map(|index| index.games))?;
    Ok(words)
}
