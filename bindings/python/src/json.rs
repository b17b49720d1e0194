//! JSON results as Python dictionaries and lists.

use plybook::query::Exploration;
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use serde_json::{Error, Value};

/// A JSON value, as Python's json module reads it.
pub fn in_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    from_text(py, &value.to_string())
}

/// A JSON text, as Python's json module reads it.
pub fn from_text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// The exception for a value that cannot be represented in JSON.
pub fn unsayable(error: Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// An exploration, with White's score in the position and after each move.
pub fn with_scores(explored: &Exploration) -> PyResult<Value> {
    let mut value = serde_json::to_value(explored).map_err(unsayable)?;
    let score = |value: &mut Value| {
        let score = score_of(value);
        if let Some(object) = value.as_object_mut() {
            object.insert("score".to_owned(), score.into());
        }
    };
    if let Some(moves) = value.get_mut("moves").and_then(Value::as_array_mut) {
        moves.iter_mut().for_each(score);
    }
    score(&mut value);
    Ok(value)
}

/// White's share of the points of the games that were won or drawn, if there are any.
fn score_of(counts: &Value) -> Option<f64> {
    let count = |name| counts.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let (white, draws, black) = (count("white"), count("draws"), count("black"));
    let games = white + draws + black;
    (games > 0.0).then(|| (white + draws / 2.0) / games)
}
