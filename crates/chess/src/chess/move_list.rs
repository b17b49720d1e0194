//! Short lines of moves as typed by users: `1. e4 e5 2. Nf3`.

use shakmaty::{Chess, Move, Outcome, Position, san::SanPlus, uci::UciMove};

/// Parses a line of moves, SAN or UCI, from the standard start position. Move numbers, dots and results are skipped.
///
/// ```
/// use plybook_chess::chess::move_list;
/// assert_eq!(move_list("1. e4 e5 2. Nf3")?.1, move_list("e2e4 e7e5 g1f3")?.1);
/// assert!(move_list("1. e4 e6 2. 0-1 Ke3").is_err());
/// # Ok::<(), plybook_chess::chess::MoveListError>(())
/// ```
///
/// # Errors
/// The first word that is not a legal move, with its 1-based ply.
pub fn move_list(text: &str) -> Result<(Chess, Vec<Move>), MoveListError> {
    let start = Chess::new();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in text.split_whitespace().map(without_number) {
        if word.is_empty() || word.parse::<Outcome>().is_ok() {
            continue;
        }
        let m = read_move(&position, word)
            .ok_or_else(|| MoveListError { ply: moves.len() + 1, word: word.to_owned() })?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok((start, moves))
}

/// A word without a leading move number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

fn read_move(position: &Chess, word: &str) -> Option<Move> {
    let san = word.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(position).ok());
    san.or_else(|| word.parse::<UciMove>().ok()?.to_move(position).ok())
}

/// A word of a line that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a legal move at ply {ply}")]
pub struct MoveListError {
    /// The 1-based ply.
    pub ply: usize,
    /// The word.
    pub word: String,
}
