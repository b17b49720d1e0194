//! Measures the games of an archive.

use rayon::prelude::*;

use super::{Lengths, batches::for_batches};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameLength},
    record::{Family, GameError, GameKind, StoredGame},
};

/// The sizes of the games in the encoding of the archive.
///
/// # Errors
/// An SQLite error.
pub fn measure(archive: &Archive, filter: &Filter) -> Result<Lengths, ArchiveError> {
    let mut lengths = Lengths::default();
    for length in archive.list::<GameLength>(filter) {
        let GameLength { plies, bits, .. } = length?;
        lengths.add(plies, bits);
    }
    Ok(lengths)
}

/// The same for each kind of game, in the order of the stored numbers.
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
    kinds.retain(|(_, lengths)| lengths.games() > 0);
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
    mut progress: impl FnMut(u64),
) -> Result<Vec<Lengths>, ArchiveError> {
    let mut lengths = vec![Lengths::default(); codecs.len()];
    let mut done = 0;
    for_batches(archive, filter, |games| {
        let measured: Vec<_> = games.par_iter().map(|game| bits_of(game, family, codecs)).collect();
        for (game, bits) in games.iter().zip(measured) {
            add(game, &bits?, &mut lengths);
        }
        done += games.len() as u64;
        progress(done);
        Ok(())
    })?;
    Ok(lengths)
}

fn add(game: &StoredGame, bits: &[Option<u64>], lengths: &mut [Lengths]) {
    for (lengths, bits) in lengths.iter_mut().zip(bits) {
        match bits {
            Some(bits) => lengths.add(game.plies as u64, *bits),
            None => lengths.left_out += 1,
        }
    }
}

/// The bits of a game in each encoding; `None` if the encoding cannot represent it.
fn bits_of(
    game: &StoredGame,
    family: &'static dyn Family,
    codecs: &[&str],
) -> Result<Vec<Option<u64>>, ArchiveError> {
    if game.kind.family().name() != family.name() {
        return Ok(vec![None; codecs.len()]);
    }
    let damaged = |error: GameError| ArchiveError::Damaged { id: game.id, what: error.to_string() };
    family.bits(game, codecs).map_err(damaged)
}
