//! Short lines of moves as people type them: `1. e4 e5 2. Nf3`.

use shakmaty::{Chess, Move, Position, san::SanPlus};

/// Reads a line of SAN moves from the usual start position. Move numbers, dots and results are passed over.
///
/// # Errors
/// The first word that is no legal move, with its 1-based ply.
pub fn san_line(text: &str) -> Result<(Chess, Vec<Move>), LineError> {
    let start = Chess::new();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if word.is_empty() || matches!(word, "-0" | "-1" | "/2-1/2" | "*") {
            continue;
        }
        let error = || LineError { ply: moves.len() + 1, word: word.to_owned() };
        let san: SanPlus = word.parse().map_err(|_| error())?;
        let m = san.san.to_move(&position).map_err(|_| error())?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok((start, moves))
}

/// A word of a line that is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no legal move at ply {ply}")]
pub struct LineError {
    /// The 1-based ply.
    pub ply: usize,
    /// The word.
    pub word: String,
}
