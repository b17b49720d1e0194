//! Parses names: results, variants, codecs.

use super::RequestError;
use crate::{
    chess::Variant,
    codec::{
        game::{self, GAME_CODECS, GameCodec},
        position::{self, POSITION_CODECS, PositionCodec},
    },
    record::GameKind,
    rules::Outcome,
};

/// Parses a result as in PGN, or `draw`, `drawn`, `white`, `black`.
///
/// # Errors
/// The text is not a valid result.
pub fn outcome(text: &str) -> Result<Outcome, RequestError> {
    let text = match text {
        "draw" | "drawn" | "=" | "1/2" => "1/2-1/2",
        "white" => "1-0",
        "black" => "0-1",
        other => other,
    };
    Outcome::from_ascii(text.as_bytes()).map_err(|_| RequestError::Outcome(text.to_owned()))
}

/// Parses the name of a game: a variant of chess, or Xelto.
///
/// # Errors
/// The name is unknown.
pub fn game_kind(text: &str) -> Result<GameKind, RequestError> {
    GameKind::from_name(text).ok_or_else(|| RequestError::Word {
        what: "unknown variant",
        text: text.to_owned(),
        known: listed(GameKind::all().map(GameKind::name)),
    })
}

/// Parses the name of a variant of chess.
///
/// # Errors
/// The name is unknown or not a variant of chess.
pub fn variant(text: &str) -> Result<Variant, RequestError> {
    game_kind(text)?.variant().ok_or_else(|| RequestError::NotChess(text.to_owned()))
}

/// The game codec with this name.
///
/// # Errors
/// The name is unknown.
pub fn game_codec(name: &str) -> Result<&'static GameCodec, RequestError> {
    game::by_name(name).ok_or_else(|| unknown_codec(name, "game", GAME_CODECS.iter().map(|codec| codec.name)))
}

/// The position codec with this name.
///
/// # Errors
/// The name is unknown.
pub fn position_codec(name: &str) -> Result<&'static PositionCodec, RequestError> {
    position::by_name(name)
        .ok_or_else(|| unknown_codec(name, "position", POSITION_CODECS.iter().map(|codec| codec.name)))
}

/// The error for an unknown codec.
pub(crate) fn unknown_codec(
    name: &str,
    of: &'static str,
    known: impl Iterator<Item = &'static str>,
) -> RequestError {
    RequestError::Codec { name: name.to_owned(), of, known: listed(known) }
}

/// A list of names, separated by commas.
fn listed(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
