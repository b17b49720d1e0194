//! The arguments of a function, read one by one.

use super::{
    FunctionError, Value,
    moves::{Moves, fen, position},
};
use crate::{GameKind, Ply};
use plybook_chess::{
    chess::{Fen, Variant, VariantPosition},
    limits::MAX_TAG_BYTES,
};

/// The arguments of a function.
pub(super) struct Arguments<'a>(&'a [Value<'a>]);

impl<'a> Arguments<'a> {
    pub fn new(values: &'a [Value<'a>]) -> Arguments<'a> {
        Arguments(values)
    }

    /// An argument; omitted ones are `NULL`.
    pub fn get(&self, place: usize) -> Value<'a> {
        self.0.get(place).copied().unwrap_or(Value::Null)
    }

    /// The number of arguments given.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// A text; `None` for `NULL`.
    pub fn optional_text(&self, place: usize, what: &str) -> Result<Option<&'a str>, FunctionError> {
        match self.get(place) {
            Value::Null => Ok(None),
            Value::Text(text) if text.len() <= MAX_TAG_BYTES => Ok(Some(text)),
            Value::Text(_) => Err(FunctionError::new(format!("{what} is longer than a tag value may be"))),
            other => Err(FunctionError::new(format!("{what} must be text, not {}", other.kind()))),
        }
    }

    /// A text.
    pub fn text(&self, place: usize, what: &str) -> Result<&'a str, FunctionError> {
        self.optional_text(place, what).map(Option::unwrap_or_default)
    }

    /// The moves of a game in the first argument, with its start position and its variant in others; `None` if the game
    /// is not chess, or if required arguments are missing.
    pub fn moves(&self, start: usize) -> Result<Option<Moves<'a>>, FunctionError> {
        let Value::Blob(bytes) = self.get(0) else {
            let kind = self.get(0).kind();
            return Err(FunctionError::new(format!(
                "moves must be a blob (the column \"moves\" of the view \"games\"), not {kind}"
            )));
        };
        let fen = self.optional_text(start, "the start position")?;
        Moves::new(bytes, fen, self.optional_variant(start + 1)?)
    }

    /// A variant of chess; `Some(None)` for another game, `None` for `NULL`.
    fn optional_variant(&self, place: usize) -> Result<Option<Option<Variant>>, FunctionError> {
        let Some(name) = self.optional_text(place, "a variant")? else { return Ok(None) };
        let kind = GameKind::from_name(name).ok_or_else(|| FunctionError::new("unknown variant"))?;
        Ok(Some(kind.variant()))
    }

    /// A variant of chess, standard chess by default; `None` for another game.
    pub fn variant(&self, place: usize) -> Result<Option<Variant>, FunctionError> {
        Ok(self.optional_variant(place)?.unwrap_or(Some(Variant::Standard)))
    }

    /// A position.
    pub fn position(&self, place: usize, variant: Variant) -> Result<VariantPosition, FunctionError> {
        position(self.text(place, "a FEN")?, variant)
    }

    /// A FEN, whose position need not be legal.
    pub fn fen(&self, place: usize) -> Result<Fen, FunctionError> {
        fen(self.text(place, "a FEN")?)
    }

    /// A ply: a number of plies, counted from the end if negative, or a text such as `12w`.
    pub fn ply(&self, place: usize) -> Result<Ply, FunctionError> {
        match self.get(place) {
            Value::Integer(ply) => {
                let plies = usize::try_from(ply.unsigned_abs()).unwrap_or(usize::MAX);
                Ok(if ply < 0 { Ply::FromEnd(plies) } else { Ply::After(plies) })
            }
            Value::Text(text) if text.len() <= 32 => {
                text.parse::<Ply>().map_err(|error| FunctionError::new(error.to_string()))
            }
            Value::Text(_) => Err(FunctionError::new("invalid ply: the text is too long")),
            other => {
                Err(FunctionError::new(format!("a ply must be an integer or text, not {}", other.kind())))
            }
        }
    }
}
