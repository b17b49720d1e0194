//! Measures the games of an archive.

use std::ops::ControlFlow::{Break, Continue};

use super::Lengths;
use crate::{
    archive::{Archive, ArchiveError, Filter, GameLength, in_batches_in_order},
    record::{Family, GameError, GameKind, StoredGame},
};

/// The sizes of the games of each kind in the encoding of the archive, in the order of the stored numbers.
///
/// # Errors
/// An SQLite error.
pub fn measure_kinds(archive: &Archive, filter: &Filter) -> Result<Vec<(GameKind, Lengths)>, ArchiveError> {
    let mut kinds: Vec<_> = GameKind::all().map(|kind| (kind, Lengths::default())).collect();
    for length in archive.list::<GameLength>(filter) {
        let GameLength { kind, plies, bits } = length?;
        if let Some((_, lengths)) = kinds.iter_mut().find(|(other, _)| *other == kind) {
            lengths.add(plies, bits);
        }
    }
    kinds.retain(|(_, lengths)| lengths.bits.count() > 0);
    Ok(kinds)
}

/// The sizes that the games of a family would have in some of its encodings; games of other families are skipped. Every
/// game is decoded and encoded again, on all cores; `progress` receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn measure_codecs(
    archive: &Archive,
    filter: &Filter,
    family: &'static dyn Family,
    codecs: &[&'static str],
    progress: impl FnMut(u64),
) -> Result<Vec<Lengths>, ArchiveError> {
    let add = |all: &mut Vec<Lengths>, game: &StoredGame| {
        let bits = match game.kind.family().name() == family.name() {
            true => family.bits(game, codecs).map_err(|error| damaged(game, &error))?,
            false => vec![None; codecs.len()],
        };
        for (lengths, bits) in all.iter_mut().zip(bits) {
            match bits {
                Some(bits) => lengths.add(game.plies as u64, bits),
                // The encoding cannot represent it.
                None => lengths.left_out += 1,
            }
        }
        Ok(())
    };
    let merge = |all: &mut Vec<Lengths>, more: Vec<Lengths>| {
        all.iter_mut().zip(&more).for_each(|(lengths, more)| lengths.merge(more));
    };
    sum_up(archive, filter, vec![Lengths::default(); codecs.len()], add, merge, progress)
}

/// Sums up the games that match a filter on all cores, each batch from an empty sum. `progress` receives the number of
/// games processed.
pub(super) fn sum_up<T: Clone + Send + Sync>(
    archive: &Archive,
    filter: &Filter,
    empty: T,
    add: impl Fn(&mut T, &StoredGame) -> Result<(), ArchiveError> + Sync,
    merge: impl Fn(&mut T, T),
    mut progress: impl FnMut(u64),
) -> Result<T, ArchiveError> {
    let (mut total, mut done, mut failed) = (empty.clone(), 0, None);
    let work = |games: Vec<StoredGame>| -> Result<_, ArchiveError> {
        let mut sum = empty.clone();
        games.iter().try_for_each(|game| add(&mut sum, game))?;
        Ok((games.len() as u64, sum))
    };
    in_batches_in_order(archive.games(filter), StoredGame::memory, work, |result| match result {
        Ok((games, sum)) => {
            merge(&mut total, sum);
            done += games;
            progress(done);
            Continue(())
        }
        Err(error) => {
            failed = Some(error);
            Break(())
        }
    })?;
    failed.map_or(Ok(total), Err)
}

/// The error for a damaged game.
pub(super) fn damaged(game: &StoredGame, error: &GameError) -> ArchiveError {
    ArchiveError::Damaged { id: game.id, what: error.to_string() }
}
