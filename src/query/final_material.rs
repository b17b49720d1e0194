//! The material at the end of games, from their trails or, without a trail, from a replay.

use std::ops::ControlFlow;

use super::{Context, PositionIndex, in_batches};
use crate::{
    archive::{Filter, GameSet, Result},
    chess::{Chess, Position, Variant, VariantPosition},
    record::{GameId, StoredMoves},
    trail::{DamagedTrail, Material, PHRASES, TrailReader, Trails},
};

/// Calls a function with the material at the end of each game of standard chess and Chess960, in any order. Games
/// without a trail are replayed on all cores; damaged games and other variants are skipped.
///
/// `watch` receives the number of games replayed, and may cancel. Returns whether it was completed.
pub fn final_material(
    context: Context<'_>,
    games: &GameSet,
    mut each: impl FnMut(GameId, Material),
) -> Result<()> {
    let (archive, mut replayed) = (context.archive, Vec::new());
    match context.index.map(PositionIndex::trails).filter(|trails| !trails.is_empty()) {
        None => replayed.extend(games.ids()),
        Some(trails) => {
            let stale = trails.stale();
            let fresh = match stale.is_empty() {
                true => games.clone(),
                false => games.ids().iter().filter(|id| !stale.contains(**id)).copied().collect(),
            };
            replayed.extend(games.ids().iter().filter(|id| stale.contains(**id)));
            for segment in trails.each(archive)? {
                let segment = segment?;
                let read = by_trails(&segment, &fresh, &mut each, &mut replayed);
                read.map_err(|_| archive.segments().damaged())?;
                context.seen(0)?;
            }
            let is_within = |id: GameId| trails.others().iter().any(|ids| ids.contains(&id));
            replayed.extend(games.ids().iter().filter(|id| is_within(**id)));
        }
    }
    let among = Filter { among: Some(replayed.into_iter().collect()), ..Filter::default() };
    let work = |games: Vec<StoredMoves>| -> Vec<_> {
        games.iter().filter_map(|game| Some((game.id, by_replay(game)?))).collect()
    };
    let join = |ends: Vec<_>| ends.into_iter().for_each(|(id, material)| each(id, material));
    in_batches(context, archive.moves(&among), work, join)
}

/// Processes the trails of a segment; games without a trail are collected for later.
fn by_trails(
    trails: &Trails,
    games: &GameSet,
    each: &mut impl FnMut(GameId, Material),
    aside: &mut Vec<GameId>,
) -> Result<(), DamagedTrail> {
    let mut place = games.finder();
    for number in 0..trails.rows() {
        for game in trails.row(number).ok_or(DamagedTrail)?.games() {
            match game? {
                (id, _) if place(id).is_none() => {}
                (id, Some(trail)) => each(id, at_the_end(trail)),
                (id, None) => aside.push(id),
            }
        }
    }
    Ok(())
}

fn at_the_end(trail: TrailReader<'_>) -> Material {
    let phrases = trail.materials.iter().filter_map(|phrase| PHRASES.get(usize::from(*phrase)));
    phrases.fold(Material::STANDARD, |material, phrase| material.plus(phrase.sum()))
}

fn by_replay(game: &StoredMoves) -> Option<Material> {
    if !matches!(game.variant, Variant::Standard | Variant::Chess960) {
        return None;
    }
    let VariantPosition::Chess(start) = game.start().ok()? else { return None };
    let ended = game.replay::<Chess>(start).ok()?.run(|_, _| ControlFlow::Continue(()));
    ended.ok()?.map(|(last, _)| Material::of(last.board()))
}
