//! Encodes games and positions in any encoding, and decodes them.

use plybook::{
    chess::{Fen, SanPlus, SanSuffix, UciMove, VariantPosition},
    codec::game::GameMoves,
    present,
    request::{fen_of, game_codec, outcome, position_codec, variant},
};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    error::exception,
    json::{in_python, unsayable},
};

/// The moves of a game.
#[derive(FromPyObject)]
pub enum Moves {
    /// All in one text, with or without numbers.
    Text(String),
    /// One per item.
    List(Vec<String>),
}

/// Lists all encodings, with their sources and costs.
#[pyfunction]
pub fn codecs(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    in_python(py, &serde_json::to_value(present::codecs::all()).map_err(unsayable)?)
}

/// Encodes a game.
#[pyfunction]
#[pyo3(signature = (moves, codec="index", result="*", start=None, variant="Standard"))]
pub fn encode(
    moves: Moves,
    codec: &str,
    result: &str,
    start: Option<&str>,
    variant: &str,
) -> PyResult<Vec<u8>> {
    let codec = game_codec(codec).map_err(request)?;
    let start = start_of(variant, start)?;
    let moves = match &moves {
        Moves::Text(text) => read_moves(&start, text.split_whitespace())?,
        Moves::List(list) => read_moves(&start, list.iter().map(String::as_str))?,
    };
    let game = GameMoves { start, moves, outcome: outcome(result).map_err(request)? };
    Ok(codec.encode(&game).map_err(wrong)?.bits.into_bytes())
}

/// Decodes a game: returns its moves in SAN, and its result.
#[pyfunction]
#[pyo3(signature = (data, codec="index", plies=None, start=None, variant="Standard"))]
pub fn decode(
    data: &[u8],
    codec: &str,
    plies: Option<usize>,
    start: Option<&str>,
    variant: &str,
) -> PyResult<(Vec<String>, &'static str)> {
    let codec = game_codec(codec).map_err(request)?;
    let game = codec.decode(&start_of(variant, start)?, data, plies);
    let GameMoves { start: mut position, moves, outcome } = game.map_err(wrong)?;
    Ok((moves.into_iter().map(|m| position.play_san(m).to_string()).collect(), outcome.as_str()))
}

/// Encodes a position.
#[pyfunction]
pub fn encode_position(fen: &str, codec: &str) -> PyResult<Vec<u8>> {
    let bits = position_codec(codec).map_err(request)?.encode(read_fen(fen)?.as_setup());
    Ok(bits.map_err(wrong)?.into_bytes())
}

/// Decodes a position to FEN.
#[pyfunction]
pub fn decode_position(data: &[u8], codec: &str) -> PyResult<String> {
    let setup = position_codec(codec).map_err(request)?.decode(data).map_err(wrong)?;
    fen_of(setup).map_err(request)
}

fn start_of(name: &str, fen: Option<&str>) -> PyResult<VariantPosition> {
    let variant = variant(name).map_err(request)?;
    let Some(text) = fen else { return Ok(variant.start()) };
    let no_start = |_| PyValueError::new_err(format!("a game cannot start from the position {text:?}"));
    variant.position(&read_fen(text)?).map_err(no_start)
}

fn read_fen(text: &str) -> PyResult<Fen> {
    text.parse().map_err(|error| PyValueError::new_err(format!("{text:?} is not a valid FEN: {error}")))
}

/// Moves in SAN or UCI notation; move numbers before them are ignored.
fn read_moves<'a>(
    start: &VariantPosition,
    words: impl Iterator<Item = &'a str>,
) -> PyResult<Vec<plybook::chess::Move>> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in words {
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = if bare.is_empty() || bare.starts_with('.') { bare.trim_start_matches('.') } else { word };
        if word.is_empty() {
            continue;
        }
        let san = word.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
        let m = san.or_else(|| word.parse::<UciMove>().ok()?.to_move(&position).ok());
        let m = m.ok_or_else(|| {
            PyValueError::new_err(format!("{word:?} is not a legal move at ply {}", moves.len() + 1))
        })?;
        position.play_san(m);
        moves.push(m);
    }
    Ok(moves)
}

fn request(error: present::RequestError) -> PyErr {
    exception(error)
}

fn wrong(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
