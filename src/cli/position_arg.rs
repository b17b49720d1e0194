//! A position as an argument, and messages about openings that are named in the arguments.

use std::cell::OnceCell;

use super::{ArchiveArg, terminal};
use crate::{
    archive::Archive,
    chess::Setup,
    counts::thousands,
    openings::{Opening, OpeningError, Openings},
    present::{PositionText, PresentError},
    query::{Context, PositionIndex, known_opening_games},
    request::{RequestError, named_opening},
};

/// The help for a position argument.
pub(super) const HELP: &str = "\
A position is a FEN (trailing fields are optional), moves from the start ('1.
e4 c5' or 'e2e4 c7c5'), the name of an opening ('sicilian najdorf': the end of
its shortest line), or GAME:PLY of an archive (3:12w is the position of game 3
after White's 12th move; see: plybook show --help).";

/// Reads positions; opens the archive when the first position needs it.
pub(super) struct PositionReader {
    path: ArchiveArg,
    archive: OnceCell<Archive>,
}

impl PositionReader {
    pub(super) fn new(path: ArchiveArg) -> PositionReader {
        PositionReader { path, archive: OnceCell::new() }
    }

    /// The position that a text describes.
    pub(super) fn read(&self, text: &str) -> anyhow::Result<Setup> {
        let position: PositionText = text.parse()?;
        tell_position(text);
        position.setup(|| self.archive())
    }

    pub(super) fn archive(&self) -> anyhow::Result<&Archive> {
        if let Some(archive) = self.archive.get() {
            return Ok(archive);
        }
        let archive = self.path.open()?;
        Ok(self.archive.get_or_init(|| archive))
    }
}

/// If a position was given as the name of an opening, reports which one.
pub(super) fn tell_position(text: &str) {
    if let Some(opening) = named_opening(text) {
        terminal::tell(format_args!("{} {}", opening.eco, opening.name));
    }
}

/// Reports the opening that a search is about.
pub(super) fn tell_reached(opening: &Opening) {
    terminal::tell(format_args!("{} {}: games that reach this position", opening.eco, opening.name));
}

/// Reports the openings that --opening selects. Only the last named position of a game counts; more games reach the
/// position.
pub(super) fn tell_last_named(text: &str) {
    let openings = Openings::standard();
    for text in text.split(';') {
        let found = openings.search(text);
        let shortest = openings.shortest(text).ok();
        let Some(first) = shortest.or_else(|| openings.get(*found.first()?)) else { continue };
        let more = match found.len().saturating_sub(1) {
            0 => String::new(),
            1 => " or one other".to_owned(),
            more => format!(" or one of {} others", thousands(more as u64)),
        };
        let (eco, name) = (first.eco, first.name);
        terminal::tell(format_args!("last named position: {eco} {name}{more}"));
    }
}

/// Extends the error for an unknown opening. For a likely misspelling it adds the games and years of the suggested
/// opening, if the index has them.
pub(super) fn with_opening_games(archive: &Archive, error: PresentError) -> anyhow::Error {
    let with_games = match &error {
        PresentError::Request(RequestError::Opening(OpeningError::Unknown { text, similar: Some(name) })) => {
            about(archive, name).map(|about| (text, name, about))
        }
        _ => None,
    };
    match with_games {
        Some((text, name, about)) => {
            anyhow::anyhow!("unknown opening {text:?}; did you mean {name:?} ({about})?")
        }
        None if are_moves(&error) => {
            anyhow::anyhow!("{error}; to find games that begin with these moves: --position MOVES")
        }
        None => error.into(),
    }
}

/// Whether a text that is not an opening looks like moves: it begins with a number.
fn are_moves(error: &PresentError) -> bool {
    matches!(error, PresentError::Request(RequestError::Opening(OpeningError::Unknown { text, .. }))
        if text.starts_with(|first: char| first.is_ascii_digit()))
}

/// The number of games of an opening. If counting fails, nothing is added; the original error matters more.
fn about(archive: &Archive, name: &str) -> Option<String> {
    let index = PositionIndex::open(archive).ok()?;
    let context = Context::new(archive).with_index(index.as_ref());
    let counted = known_opening_games(context, &Openings::standard().search(name)).ok()??;
    let noun = if counted.games == 1 { "game" } else { "games" };
    let games = format!("{} {noun} by the last named position", thousands(counted.games));
    Some(counted.years().map_or(games.clone(), |years| format!("{games}, {years}")))
}
