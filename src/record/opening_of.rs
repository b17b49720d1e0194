//! The opening of a stored game: the last named position that it comes by, whatever moves led there.

use std::ops::ControlFlow::{Break, Continue};

use super::{GameError, StoredMoves};
use crate::{
    chess::{Chess, RunningKey, Variant, VariantPosition},
    codec::{AnyReplay, DecodeError, Replay},
    openings::{OpeningId, Openings},
};

/// The opening of a game of standard chess or Chess960, from whatever start position, in the table of
/// [`Openings::standard`]; `None` where no position of it has a name, and for other variants. The game is replayed
/// only as long as a name may still come.
///
/// ```
/// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, openings::Openings, record::opening_of};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// for game in archive.moves(&Filter { player: Some("anderssen".to_owned()), ..Filter::default() }) {
///     let opening = opening_of(&game?)?.and_then(|id| Openings::standard().get(id));
///     println!("{}", opening.map_or("?", |opening| opening.name));
///     # assert!(opening.is_some());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The game is damaged before no name may come any more.
pub fn opening_of(game: &StoredMoves) -> Result<Option<OpeningId>, GameError> {
    if !matches!(game.variant, Variant::Standard | Variant::Chess960) {
        return Ok(None);
    }
    let VariantPosition::Chess(start) = game.start()? else { return Ok(None) };
    opening_of_replay(game.replay(start)?).map_err(|error| GameError::Moves { id: game.id, error })
}

/// The same of a replay that begins.
///
/// # Errors
/// As for [`opening_of`].
pub fn opening_of_replay(replay: AnyReplay<Chess>) -> Result<Option<OpeningId>, DecodeError> {
    let openings = Openings::standard();
    let (mut key, mut last) = (RunningKey::of(replay.position()), None);
    replay.run(|position, m| {
        if let Some(m) = m {
            key.advance(m, position);
        }
        last = openings.at(key.get()).or(last);
        if openings.may_follow(position) { Continue(()) } else { Break(()) }
    })?;
    Ok(last)
}
