//! What to do about an error, in terms of the command line: the library knows no commands and no options.

use std::{error::Error, path::Path};

use crate::{
    archive::ArchiveError,
    counts::GAMES,
    import::{ImportError, ImportProblem},
    parts::PartsError,
    pgn::Warning,
    present::{PresentError, RequestError},
    record::GameError,
};

/// What to add to the text of an error; nothing for most.
pub(super) fn advice(error: &anyhow::Error) -> String {
    error.chain().find_map(on_cause).unwrap_or_default()
}

/// What to do about one cause. An error that only hands on the words of another has it inside, not as its source.
fn on_cause(error: &(dyn Error + 'static)) -> Option<String> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(PresentError::Archive(error)), _) | (_, Some(ImportError::Archive(error))) => on_archive(error),
        (Some(PresentError::Game(error)), _) => on_game(error),
        (Some(PresentError::Request(error)), _) => on_request(error),
        _ => (error.downcast_ref().and_then(on_archive))
            .or_else(|| error.downcast_ref().and_then(on_game))
            .or_else(|| error.downcast_ref().and_then(on_request))
            .or_else(|| error.downcast_ref().and_then(on_parts)),
    }
}

fn on_archive(error: &ArchiveError) -> Option<String> {
    Some(match error {
        ArchiveError::Missing(path) => format!("; make one with: plybook import PATH -a {}", path.display()),
        ArchiveError::Blank(path) => {
            format!("; import into it with: plybook import PATH -a {}", path.display())
        }
        ArchiveError::DamagedIndex(path) => format!("; {}", to_renew_index(path)),
        ArchiveError::Unsound { path, .. }
        | ArchiveError::Malformed { path, .. }
        | ArchiveError::Endless { path, .. } => format!("; {}", to_salvage(path)),
        _ => return None,
    })
}

fn on_game(error: &GameError) -> Option<String> {
    match error {
        GameError::NotChess { id, .. } => Some(format!("; to see it: plybook show {id}")),
        _ => None,
    }
}

fn on_request(error: &RequestError) -> Option<String> {
    match error {
        RequestError::SeveralNumbers { .. } => Some(": give the number with --bits".to_owned()),
        _ => None,
    }
}

fn on_parts(error: &PartsError) -> Option<String> {
    let (PartsError::Damaged { path, .. } | PartsError::Other { path, .. }) = error else { return None };
    let folder = path.parent()?.display();
    Some(format!("; to rebuild the catalogue from the parts that are there: plybook catalogue {folder}"))
}

/// Said after all games had to be looked through for a position.
pub(super) const AFTER_SCAN: &str = "all games were looked through; for answers at once: plybook index";

/// Reported before an answer that is found without a corrupt index.
pub(super) fn without_index(error: &ArchiveError) -> String {
    format!("{error}, so all games are searched instead{}", on_archive(error).unwrap_or_default())
}

/// The command that copies the intact games of a corrupt archive.
pub(super) fn to_salvage(archive: &Path) -> String {
    format!("to save what is sound: plybook salvage {} -o saved.db", archive.display())
}

/// The commands that rebuild a corrupt index.
pub(super) fn to_renew_index(archive: &Path) -> String {
    let path = archive.display();
    format!("to rebuild it: plybook index -a {path} --drop, then plybook index -a {path}")
}

/// Said of a FEN that has pieces and perhaps the side to move.
pub(super) const WITHOUT_CASTLING: &str = "this FEN does not say who may castle, so nobody may; to say it, add a field after the side to move: w KQkq";

/// The command that indexes what is not indexed yet.
pub(super) fn to_index(archive: &Path) -> String {
    format!("plybook index -a {}", archive.display())
}

/// Said of games that are damaged.
pub(super) fn passed_over(games: u64) -> String {
    format!("{} could not be replayed; plybook verify says what is damaged", GAMES.count(games))
}

/// Said after an archive with an index has been salvaged.
pub(super) fn after_salvage(new: &Path) -> String {
    format!("the index is not copied; to make it anew: plybook index -a {}", new.display())
}

/// What to add to what is said of a kind of warning.
pub(super) fn on_warning(warning: Warning) -> &'static str {
    if warning == Warning::NotUtf8 { " (--encoding names it)" } else { "" }
}

/// What to add to what is reported of a source that could not be imported.
pub(super) fn on_source(problem: &ImportProblem) -> &'static str {
    if problem.is_damaged_archive { ": plybook salvage copies what is sound" } else { "" }
}
