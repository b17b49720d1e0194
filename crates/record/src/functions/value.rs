//! Arguments and results of functions.

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// `NULL`.
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

impl Value<'_> {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "NULL",
            Value::Integer(_) => "a number",
            Value::Real(_) => "a fraction",
            Value::Text(_) => "text",
            Value::Blob(_) => "a blob",
        }
    }
}

/// The result of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Answer {
    /// `NULL`.
    #[default]
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
}

impl From<Option<String>> for Answer {
    fn from(text: Option<String>) -> Answer {
        text.map_or(Answer::Null, Answer::Text)
    }
}

impl From<Option<usize>> for Answer {
    fn from(number: Option<usize>) -> Answer {
        number.and_then(|number| i64::try_from(number).ok()).map_or(Answer::Null, Answer::Integer)
    }
}

impl From<Option<f64>> for Answer {
    fn from(number: Option<f64>) -> Answer {
        number.map_or(Answer::Null, Answer::Real)
    }
}

/// Why a function failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FunctionError(String);

impl FunctionError {
    pub(super) fn new(why: impl Into<String>) -> FunctionError {
        FunctionError(why.into())
    }

    /// Prefixes the error with the name of the function.
    pub(super) fn of(self, name: &str) -> FunctionError {
        FunctionError(format!("{name}: {}", self.0))
    }
}
