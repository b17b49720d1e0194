//! Measures the games of Xelto of an archive.

use rayon::prelude::*;

use super::{Lengths, batches::for_batches};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    codec::xelto::{XeltoCodec, game_moves},
    record::{GameKind, StoredGame},
};

/// The lengths that the games of Xelto which pass a filter have in some encodings, in their order. Every game is
/// decoded and encoded anew, on all cores; `progress` is called with the number of games done.
///
/// # Errors
/// SQLite's, or a damaged game.
pub fn measure_xelto(
    archive: &Archive,
    filter: &Filter,
    codecs: &[&dyn XeltoCodec],
    mut progress: impl FnMut(u64),
) -> Result<Vec<Lengths>, ArchiveError> {
    let filter = Filter { kind: Some(GameKind::Xelto), ..filter.clone() };
    let (mut lengths, mut done) = (vec![Lengths::default(); codecs.len()], 0);
    for_batches(archive, &filter, None, |games| {
        let measured: Vec<_> = games.par_iter().map(|game| bits_of(game, codecs)).collect();
        for (game, bits) in games.iter().zip(measured) {
            for (lengths, bits) in lengths.iter_mut().zip(bits?) {
                lengths.add(game.plies as u64, bits);
            }
        }
        done += games.len() as u64;
        progress(done);
        Ok(())
    })?;
    Ok(lengths)
}

/// The bits of a game in each encoding.
fn bits_of(game: &StoredGame, codecs: &[&dyn XeltoCodec]) -> Result<Vec<u64>, ArchiveError> {
    let damaged = |what: String| ArchiveError::Damaged { id: game.id, what };
    let game = game_moves(&game.xelto().map_err(|error| damaged(error.to_string()))?);
    let bits = codecs.iter().map(|codec| codec.bits(&game));
    bits.collect::<Result<_, _>>().map_err(|error| damaged(error.to_string()))
}
