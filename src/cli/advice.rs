//! Advice to append to errors, in terms of the command line: the library does not know commands or options.

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

/// The advice to append to an error message; empty for most errors.
pub(super) fn advice(error: &anyhow::Error) -> String {
    error.chain().find_map(on_cause).unwrap_or_default()
}

/// The advice for one cause. A transparent error has the actual error as a field, not as its source.
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
        ArchiveError::Missing(path) => format!("; create it with: plybook import PATH -a {}", path.display()),
        ArchiveError::Blank(path) => {
            format!("; import into it with: plybook import PATH -a {}", path.display())
        }
        ArchiveError::Folder(path) => {
            let part = path.join("part-0001.db");
            if !part.exists() {
                return None;
            }
            format!("; this command works on one part at a time: -a {}", part.display())
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
        GameError::OtherFamily { id, wanted: "chess", .. } => Some(format!("; to see it: plybook show {id}")),
        _ => None,
    }
}

fn on_request(error: &RequestError) -> Option<String> {
    match error {
        RequestError::SeveralNumbers { .. } => Some("; give the number of bits with --bits".to_owned()),
        _ => None,
    }
}

fn on_parts(error: &PartsError) -> Option<String> {
    let (PartsError::Damaged { path, .. } | PartsError::Other { path, .. }) = error else { return None };
    let folder = path.parent()?.display();
    Some(format!("; to rebuild the catalogue from the existing parts: plybook catalogue {folder}"))
}

/// Reported after a search that replayed every game.
pub(super) const AFTER_SCAN: &str = "scanned every game; run \"plybook index\" to make this query fast";

/// Reported before an answer that is computed without the corrupt index.
pub(super) fn without_index(error: &ArchiveError) -> String {
    format!("{error}, so all games are searched instead{}", on_archive(error).unwrap_or_default())
}

/// The command that copies the intact games of a corrupt archive.
pub(super) fn to_salvage(archive: &Path) -> String {
    format!("to copy the intact games: plybook salvage {} -o saved.db", archive.display())
}

/// The commands that rebuild a corrupt index.
pub(super) fn to_renew_index(archive: &Path) -> String {
    let path = archive.display();
    format!("to rebuild it: plybook index -a {path} --drop, then plybook index -a {path}")
}

/// Reported for a FEN that ends before the castling field.
pub(super) const WITHOUT_CASTLING: &str = "this FEN has no castling field, so it means a position in which nobody can castle; to allow castling, end it like this: w KQkq";

/// The command that indexes the games that are not indexed yet.
pub(super) fn to_index(archive: &Path) -> String {
    format!("plybook index -a {}", archive.display())
}

/// Reported when damaged games were skipped.
pub(super) fn passed_over(games: u64) -> String {
    format!("{} could not be replayed; to see what is damaged: plybook verify", GAMES.count(games))
}

/// Reported after an archive with an index was salvaged.
pub(super) fn after_salvage(new: &Path) -> String {
    format!("the index is not copied; to rebuild it: plybook index -a {}", new.display())
}

/// The text to append to a warning in the report of an import.
pub(super) fn on_warning(warning: Warning) -> &'static str {
    if warning == Warning::NotUtf8 { " (--encoding sets it)" } else { "" }
}

/// The text to append to the report of a source that could not be imported.
pub(super) fn on_source(problem: &ImportProblem) -> &'static str {
    if problem.is_damaged_archive { "; plybook salvage copies the intact games" } else { "" }
}
