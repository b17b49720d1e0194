//! SQL functions, called for many rows at a time.

use plybook::functions::{Answer, Function, FunctionError, Value, function};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyTuple},
};
use rayon::prelude::*;

/// A value passed from Python.
#[derive(Debug)]
enum Given {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// An argument: a value for each row, or one for all.
#[derive(Debug)]
enum Column {
    Each(Vec<Given>),
    All(Given),
}

impl Given {
    /// Converts an object to a SQL value; `None` if it is not one.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Given>> {
        Ok(Some(if object.is_none() {
            Given::Null
        } else if let Ok(text) = object.extract::<String>() {
            Given::Text(text)
        } else if let Ok(bytes) = object.cast::<PyBytes>() {
            Given::Bytes(bytes.as_bytes().to_vec())
        } else if let Ok(number) = object.extract::<i64>() {
            Given::Integer(number)
        } else if let Ok(number) = object.extract::<f64>() {
            // pandas uses NaN for missing values.
            if number.is_nan() { Given::Null } else { Given::Real(number) }
        } else {
            return Ok(None);
        }))
    }

    fn value(&self) -> Value<'_> {
        match self {
            Given::Null => Value::Null,
            Given::Integer(number) => Value::Integer(*number),
            Given::Real(number) => Value::Real(*number),
            Given::Text(text) => Value::Text(text),
            Given::Bytes(bytes) => Value::Blob(bytes),
        }
    }
}

impl Column {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Column> {
        if let Some(value) = Given::of(object)? {
            return Ok(Column::All(value));
        }
        let value = |object: PyResult<Bound<'_, PyAny>>| {
            let object = object?;
            Given::of(&object)?.ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "a value must be str, bytes, int, float or None, not {}",
                    object.get_type()
                ))
            })
        };
        object.try_iter()?.map(value).collect::<PyResult<_>>().map(Column::Each)
    }

    fn rows(&self) -> Option<usize> {
        match self {
            Column::Each(values) => Some(values.len()),
            Column::All(_) => None,
        }
    }

    fn value(&self, row: usize) -> Value<'_> {
        match self {
            Column::Each(values) => values.get(row).map_or(Value::Null, Given::value),
            Column::All(value) => value.value(),
        }
    }
}

/// Calls a SQL function for many rows.
#[pyfunction]
#[pyo3(signature = (name, *arguments))]
pub fn call<'py>(
    py: Python<'py>,
    name: &str,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let function =
        function(name).ok_or_else(|| PyValueError::new_err(format!("unknown function {name:?}")))?;
    let columns = arguments.iter().map(|argument| Column::of(&argument)).collect::<PyResult<Vec<_>>>()?;
    let mut lengths = columns.iter().filter_map(Column::rows);
    let rows = lengths.next().unwrap_or(1);
    if lengths.any(|other| other != rows) {
        return Err(PyValueError::new_err("all columns must have the same number of rows"));
    }
    let answers = py.detach(|| answers(function, &columns, rows));
    let answers = answers.map_err(|error| PyValueError::new_err(error.to_string()))?;
    answers.into_iter().map(|answer| in_python(py, answer)).collect()
}

fn answers(function: &Function, columns: &[Column], rows: usize) -> Result<Vec<Answer>, FunctionError> {
    let row = |row: usize| {
        let values: Vec<Value<'_>> = columns.iter().map(|column| column.value(row)).collect();
        function.call(&values)
    };
    (0..rows).into_par_iter().map(row).collect()
}

fn in_python(py: Python<'_>, answer: Answer) -> PyResult<Bound<'_, PyAny>> {
    Ok(match answer {
        Answer::Null => py.None().into_bound(py),
        Answer::Integer(number) => number.into_pyobject(py)?.into_any(),
        Answer::Real(number) => number.into_pyobject(py)?.into_any(),
        Answer::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}
