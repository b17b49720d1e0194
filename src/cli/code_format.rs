//! The option for the notation of a code.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::request::CodeFormat;

/// The notations for games.
pub(super) fn game_code_formats() -> impl TypedValueParser<Value = CodeFormat> {
    parser(CodeFormat::OF_GAMES.iter().map(|format| PossibleValue::new(format.name())))
}

/// All notations, with their descriptions.
pub(super) fn code_formats() -> impl TypedValueParser<Value = CodeFormat> {
    let value = |format: &CodeFormat| PossibleValue::new(format.name()).help(format.about());
    parser(CodeFormat::ALL.iter().map(value))
}

fn parser(values: impl Iterator<Item = PossibleValue>) -> impl TypedValueParser<Value = CodeFormat> {
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(|name| {
        CodeFormat::ALL.into_iter().find(|format| format.name() == name).ok_or("unknown format")
    })
}
