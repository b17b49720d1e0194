//! The moves that games played from a position, after their last visit to it.

use std::ops::ControlFlow;

use crate::{
    archive::{Filter, Result},
    chess::{Keyed, Move, MoveKey, Position, QuickChess, TargetPosition, Variant, VariantPosition},
    query::{
        Context,
        explore::{Tally, unsorted},
        games_reaching, in_batches,
    },
    record::{GameMetadata, StoredMoves},
    rules::{LegalMoves, Rules},
};

/// A game that reaches the position.
pub(super) struct GameLine {
    game: GameMetadata,
    /// The first moves after its last visit.
    moves: Vec<MoveKey>,
}

/// The games that match a filter and reach a position, sorted by their next moves, of which at most `plies` are kept.
pub(super) fn lines_from(
    context: Context<'_>,
    root: &VariantPosition,
    plies: usize,
    filter: &Filter,
) -> Result<Vec<GameLine>> {
    let sought = TargetPosition::exact(root);
    let mut filter = unsorted(filter);
    let is_start = Variant::of(root).start() == *root;
    // Which games are the first ones does not depend on the position.
    if context.index.is_some() && !is_start && filter.limit.is_none() && filter.offset == 0 {
        let reached = games_reaching(context, &sought, &filter)?;
        filter = Filter { among: Some(reached.games), ..Filter::default() };
    }
    let work = |games: Vec<(StoredMoves, GameMetadata)>| -> Vec<_> {
        let line = |(moves, game): &(StoredMoves, GameMetadata)| {
            Some(GameLine { game: *game, moves: moves_from(moves, &sought, plies)? })
        };
        games.iter().filter_map(line).collect()
    };
    let mut lines = Vec::new();
    in_batches(context, context.archive.list(&filter), work, |found| lines.extend(found))?;
    lines.sort_unstable_by(|a, b| a.moves.cmp(&b.moves));
    Ok(lines)
}

/// Sums up sorted lines that lead to a position by their move after the first `depth`.
pub(super) fn tally(position: &VariantPosition, lines: &[GameLine], depth: usize) -> Tally {
    let (legal, turn) = (position.legal(), Position::turn(position));
    let keys = (0..legal.count()).map_while(|index| Some(MoveKey::new(turn, legal.nth(index)?)));
    let keys: Vec<MoveKey> = keys.collect();
    let mut tally = Tally::default();
    for same in lines.chunk_by(|a, b| a.moves.get(depth) == b.moves.get(depth)) {
        let next = same.first().and_then(|line| line.moves.get(depth));
        let played = next.and_then(|key| u16::try_from(keys.binary_search(key).ok()?).ok());
        same.iter().for_each(|line| tally.add(&line.game, played));
    }
    tally
}

/// The part of sorted lines, which agree in the first `depth` moves, that continues with a move.
pub(super) fn with_move(lines: &[GameLine], depth: usize, key: MoveKey) -> &[GameLine] {
    let first = lines.partition_point(|line| line.moves.get(depth) < Some(&key));
    let these = &lines[first..];
    &these[..these.partition_point(|line| line.moves.get(depth) == Some(&key))]
}

/// The first moves of a game after its last visit to a position from which it moved on; empty if it never moved on;
/// `None` if it never reaches the position, or is damaged.
fn moves_from(game: &StoredMoves, sought: &TargetPosition, plies: usize) -> Option<Vec<MoveKey>> {
    if !sought.is_of(game.variant) {
        return None;
    }
    match game.start().ok()? {
        VariantPosition::Chess(start) => replayed(QuickChess::from(&start), game, sought, plies),
        start => replayed(start, game, sought, plies),
    }
}

fn replayed<P: Rules<Move = Move> + Keyed>(
    start: P,
    game: &StoredMoves,
    sought: &TargetPosition,
    plies: usize,
) -> Option<Vec<MoveKey>> {
    let (mut line, mut before): (Option<Vec<MoveKey>>, _) = (None, None);
    let replay = game.replay(start).ok()?.run(|position, m| {
        if let (Some(line), Some(m)) = (&mut line, m)
            && line.len() < plies
        {
            line.push(MoveKey::new(!Position::turn(position), m));
        }
        if sought.is_at(position) {
            before = line.replace(Vec::new());
        }
        let is_told = line.as_ref().is_none_or(|line| line.len() == plies);
        if is_told && sought.is_behind(position) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // A game that returned and ended there played its last move from there before.
    let has_moved = line.as_ref().is_some_and(|line| !line.is_empty());
    replay.ok().and(if has_moved { line } else { before.or(line) })
}
