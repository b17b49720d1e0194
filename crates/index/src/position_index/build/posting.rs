//! The postings of positions that are not popular.

use std::{io, ops::Range};

use super::{
    popularity::Popular,
    shares::{Shares, sorted},
};
use crate::position_index::{NamedRow, PostingsShape, keys::whole_hash};

/// Expected number of false matches at each level of a lookup. Doubling it would save 2.8 bytes per game, but each
/// false match is replayed in vain.
// An earlier version used 4: 66 bytes per game instead of 72, but more games were replayed in vain.
const A_BUCKET: u64 = 1;

/// The rows of postings, of about this many bytes each, and their parameters.
pub fn postings(popular: &Popular, games: usize, bytes: usize) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let Popular { entries, others, minors, .. } = popular;
    let all = popular.entry_count + others.len() as u64;
    let shape = PostingsShape::new(games as u64, all, A_BUCKET);
    let shares = Shares::new((shape.buckets * shape.games).saturating_sub(1), games);
    let mut rows = Vec::new();
    for part in shares.parts() {
        let new = || shares.room(&part, all as usize);
        let mut found = entries.fold(minors, new, |found: &mut Vec<Vec<u64>>, rank, hash| {
            push(found, (shares, &part), shape.posting(hash, rank));
        })?;
        if let Some(found) = found.first_mut() {
            for &(key, rank) in others {
                push(found, (shares, &part), shape.posting(whole_hash(key), rank));
            }
        }
        let write = |mut postings: Vec<u64>| {
            postings.dedup();
            shape.rows(&postings, bytes)
        };
        rows.extend(sorted(found, write).into_iter().flatten());
    }
    Ok((shape, rows))
}

#[inline]
fn push(found: &mut [Vec<u64>], (shares, part): (Shares, &Range<usize>), posting: u64) {
    if let Some(postings) = found.get_mut(shares.of(posting).wrapping_sub(part.start)) {
        postings.push(posting);
    }
}
