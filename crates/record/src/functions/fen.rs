//! Positions as arguments of functions: FEN.

use super::FunctionError;
use plybook_chess::chess::{Fen, Variant, VariantPosition, fen_problem};

/// A FEN.
pub(super) fn fen(text: &str) -> Result<Fen, FunctionError> {
    text.trim()
        .parse::<Fen>()
        .map_err(|error| FunctionError::new(format!("invalid FEN: {}", fen_problem(&error))))
}

/// A position of a variant.
pub(super) fn position(text: &str, variant: Variant) -> Result<VariantPosition, FunctionError> {
    variant
        .position(&fen(text)?)
        .map_err(|error| FunctionError::new(format!("invalid {} position: {error}", variant.name())))
}
