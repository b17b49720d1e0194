//! The postings of positions that are not popular.

use std::{io, ops::Range};

use super::{
    counts::{Common, Parted},
    popularity::Popular,
    ranks::Ranks,
    records::Records,
    shares::{Shares, sorted},
};
use crate::position_index::{NamedRow, PostingsShape, keys::whole_hash};

/// Games that are found by chance, not for what they have, at each level of a look-up: about so many. Twice as many would
/// save 2.8 bytes a game; each is replayed in vain.
const A_BUCKET: u64 = 1;

/// The rows of postings, of about so many bytes each, and their shape.
pub fn postings(
    records: &Records,
    ranks: &Ranks,
    common: &Common,
    popular: &Popular,
    bytes: usize,
) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let games = ranks.places.len();
    let entries = popular.entries + popular.others.len() as u64;
    let shape = PostingsShape::new(games as u64, entries, A_BUCKET);
    let shares = Shares::new((shape.buckets * shape.games).saturating_sub(1), games);
    let mut rows = Vec::new();
    for part in shares.parts() {
        let mut found = found(records, ranks, common, shape, (shares, &part), entries as usize)?;
        if let Some(found) = found.first_mut() {
            for &(key, rank) in &popular.others {
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

/// The postings of a part, by share, of about so many entries in all.
fn found(
    records: &Records,
    ranks: &Ranks,
    common: &Common,
    shape: PostingsShape,
    (shares, part): (Shares, &Range<usize>),
    entries: usize,
) -> io::Result<Vec<Vec<Vec<u64>>>> {
    let new = || (shares.room(part, entries), Parted::default());
    let found = records.fold(new, |(found, parted): &mut (Vec<Vec<u64>>, Parted), id, visits| {
        let rank = ranks.of(id);
        common.part(visits, parted, |_| {});
        common.entries(&mut parted.rare, &mut |level, keys| {
            push(found, (shares, part), shape.posting(keys.hash(level), rank));
        });
    })?;
    Ok(found.into_iter().map(|(found, _)| found).collect())
}

#[inline]
fn push(found: &mut [Vec<u64>], (shares, part): (Shares, &Range<usize>), posting: u64) {
    if let Some(postings) = found.get_mut(shares.of(posting).wrapping_sub(part.start)) {
        postings.push(posting);
    }
}
