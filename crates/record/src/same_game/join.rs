//! One record with what two records of a game say.

use plybook_chess::{
    codec::{annotation, game::PlayedMoves},
    rules::Outcome,
};

use super::{
    annotations::ByPly,
    comment::Rest,
    contents::{Contents, common_plies},
    tags,
};
use crate::{GameError, StoredGame};

/// Which of two records counts where they contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The new one: it was corrected since.
    New,
    /// The stored one, because somebody has edited it: of the other only moves, values that are unknown in it, and
    /// clocks and evaluations are taken.
    Stored,
}

/// Joins a stored game and a new record of it: the longer moves, with the others as a variation where they differ, the
/// tag pairs and annotations of both. The result has the id of the stored game.
///
/// # Errors
/// One of them is damaged, or what both say is more than an archive can store.
pub fn join(stored: &StoredGame, new: &StoredGame, priority: Priority) -> Result<StoredGame, String> {
    let is_edited = priority == Priority::Stored;
    let (first, second) = if is_edited { (stored, new) } else { (new, stored) };
    let read = |game, beside| Contents::of(game, beside).map_err(|error: GameError| error.to_string());
    let (one, other) = (read(first, second)?, read(second, first)?);
    let (mut own, mut others) = (ByPly::of(&one.annotations), ByPly::of(&other.annotations));
    if own.is_continued() || others.is_continued() {
        return Err("null moves follow the game".to_owned());
    }
    let common = common_plies(one.moves(), other.moves());
    let is_split = common < first.plies.min(second.plies);
    // Moves that were edited stay where others contradict them.
    let takes_first = first.plies >= second.plies || is_split && is_edited;
    if is_split && takes_first {
        own.add_line(other.moves(), &others, common);
        others = others.until(common);
    } else if is_split {
        others.add_line(one.moves(), &own, common);
        own = own.until(common);
    }
    let (game, contents) = if takes_first { (first, &one) } else { (second, &other) };
    // What follows the edited moves is new in any case.
    let until = if is_split { usize::MAX } else { first.plies };
    let rest = if is_edited { Rest::Commands } else { Rest::Unset };
    let annotations = own.with(&others, until, rest);
    let marks = match annotations.is_empty() {
        true => Vec::new(),
        false => annotation::encode(&annotations, &contents.line.start, contents.moves())
            .map_err(|error| error.to_string())?,
    };
    let result = if first.result == Outcome::Unknown { second.result } else { first.result };
    // Some codecs store the result with the moves.
    let played = PlayedMoves::new(&contents.line, game.plies, result);
    let moves = played.and_then(|played| game.codec.compose(played, || contents.line.start.clone()));
    let moves = moves.map_err(|error| error.to_string())?;
    let tags = tags::joined(&one.tags, &other.tags, !is_edited);
    Ok(StoredGame { id: stored.id, tags, moves, result, marks, setup: first.setup.clone(), ..game.clone() })
}
