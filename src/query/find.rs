//! The games that reach a position: candidates from the index, or all games, replayed on all cores.

use rayon::prelude::*;

use super::{Context, FindProgress, PositionIndex, TargetPosition, search::reaching_by_trails};
use crate::{
    archive::{Archive, Filter, GameSet, Result, Sort, Summary},
    chess::Variant,
    record::{GameError, GameId, Ply, StoredMoves},
};

/// Games replayed per batch: few at first, so that the first hits arrive soon.
// Batches grow fourfold up to `MOST`. With the large size from the beginning, `find --limit 1` would read and replay
// thousands of games before its first line; with a small one, the threads would mostly wait for each other.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 13;

/// The target of a scan.
pub trait Target: Sync {
    /// The ply at which a game first reaches it; `None` if it does not.
    ///
    /// # Errors
    /// The game is damaged before that.
    fn first_ply(&self, game: &StoredMoves) -> Result<Option<usize>, GameError>;
}

/// A game that reaches a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The game.
    pub game: GameId,
    /// The ply at which it first reaches the position.
    pub ply: usize,
}

/// The games that reach a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The games.
    pub games: GameSet,
    /// The number of games that could not be replayed, and were skipped.
    pub damaged: u64,
}

/// All games that match the conditions of a filter and reach a position; order, limit and offset of the filter are
/// ignored. The watch receives the progress in games that are not indexed.
///
/// ```
/// use plybook::{archive::{Archive, Filter}, chess::Fen, import::{Options, import_paths}, query};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let sicilian: Fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse()?;
/// let sicilian = query::TargetPosition::new(&sicilian.into_setup())?;
/// let reached = query::games_reaching(query::Context::new(&archive), &sicilian, &Filter::default())?;
/// println!("{:?}", reached.games.ids());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn games_reaching(context: Context<'_>, sought: &TargetPosition, filter: &Filter) -> Result<Reached> {
    context.or_without_index(|context| {
        if let Some(index) = able(context.index, sought) {
            return index.games_reaching(context, sought, &all(filter));
        }
        match context.index.filter(|index| !index.trails().is_empty() && sought.is_of(Variant::Standard)) {
            Some(index) => reaching_by_trails(context, index.trails(), sought, filter),
            None => replayed(context, sought, filter),
        }
    })
}

/// All games that match the conditions of a filter and reach a target, by replaying each.
pub(super) fn replayed(context: Context<'_>, target: &dyn Target, filter: &Filter) -> Result<Reached> {
    let (mut found, mut games) = (by_replay(context, target, &all(filter)), Vec::new());
    for batch in &mut found {
        games.extend(batch?.into_iter().map(|hit| hit.game));
    }
    Ok(Reached { games: games.into_iter().collect(), damaged: found.progress.damaged })
}

/// The number of games that [`games_reaching`] would return, and of those that could not be replayed. For a popular
/// position, no games are read.
pub fn count_reaching(
    context: Context<'_>,
    sought: &TargetPosition,
    filter: &Filter,
) -> Result<FindProgress> {
    // A count must not become a list: see `known_counts`. Everything else falls back to listing the games, which is
    // exact as well.
    let sought_one = std::slice::from_ref(sought);
    let known = able(context.index, sought)
        .map(|index| index.unless_damaged(index.known_counts(context.archive, sought_one, &all(filter))))
        .transpose()?;
    if let Some(hits) = known.flatten().and_then(|counts| counts.into_iter().next().flatten()) {
        return Ok(FindProgress { hits, ..FindProgress::default() });
    }
    let Reached { games, damaged } = games_reaching(context, sought, filter)?;
    Ok(FindProgress { games: 0, hits: games.len() as u64, damaged })
}

/// The index, if it covers such positions.
fn able<'a>(index: Option<&'a PositionIndex>, sought: &TargetPosition) -> Option<&'a PositionIndex> {
    index.filter(|index| index.has_positions() && sought.is_of(Variant::Standard))
}

/// A filter without order, limit and offset, for all its games.
pub(super) fn all(filter: &Filter) -> Filter {
    Filter { sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() }
}

/// The games that match a filter and reach a position, in batches as they are found, with the order, limit and offset
/// of the filter. The watch receives the progress before each batch.
pub fn hits<'a>(context: Context<'a>, sought: &'a TargetPosition, filter: &Filter) -> Result<Hits<'a>> {
    let Some(index) = able(context.index, sought) else { return Ok(by_replay(context, sought, filter)) };
    let reached = index.games_reaching(context, sought, &all(filter));
    let Some(Reached { games, damaged }) = index.unless_damaged(reached)? else {
        return Ok(by_replay(context, sought, filter));
    };
    // The games found by the index match all other conditions.
    let Filter { sort, descending, limit, offset, .. } = *filter;
    // The hits are replayed once more, to find the ply and to sort them as the filter says. That is cheap compared with
    // a second implementation of order, limit and offset for ids that come from an index.
    let among = Filter { sort, descending, limit, offset, among: Some(games), ..Filter::default() };
    let mut hits = by_replay(context, sought, &among);
    hits.progress.damaged = damaged;
    Ok(hits)
}

/// The games that match a filter and reach a target, with the order, limit and offset of the filter, by replaying all
/// matching games.
pub fn by_replay<'a>(context: Context<'a>, target: &'a dyn Target, filter: &Filter) -> Hits<'a> {
    // Offset and limit count hits, not the games that are replayed to find them, so SQL must not apply them.
    let (offset, left) = (filter.offset, filter.limit.unwrap_or(u64::MAX));
    let all = Filter { offset: 0, limit: None, ..filter.clone() };
    Hits {
        games: Box::new(context.archive.moves(&all)),
        target,
        context,
        read: Vec::new(),
        next: FIRST,
        offset,
        left,
        progress: FindProgress::default(),
        is_over: left == 0,
    }
}

/// An iterator over the batches of [`hits`]. It ends after an error.
pub struct Hits<'a> {
    games: Box<dyn Iterator<Item = Result<StoredMoves>> + 'a>,
    target: &'a dyn Target,
    context: Context<'a>,
    /// Games that have been read and must be replayed.
    read: Vec<StoredMoves>,
    /// The size of the next batch.
    next: usize,
    /// The number of hits still to skip, and to return after them.
    offset: u64,
    left: u64,
    progress: FindProgress,
    is_over: bool,
}

impl Hits<'_> {
    /// The progress so far.
    pub fn progress(&self) -> FindProgress {
        self.progress
    }

    /// Replays the games that have been read, and reads the next ones at the same time.
    fn advance(&mut self) -> Result<Vec<Hit>> {
        let (these, target) = (std::mem::take(&mut self.read), self.target);
        let mut plies = Vec::new();
        // SQLite reads on this thread while the others replay the previous batch: a connection cannot be shared between
        // threads.
        self.read = rayon::in_place_scope(|scope| {
            scope.spawn(|_| plies = these.par_iter().map(|game| target.first_ply(game)).collect());
            self.games.by_ref().take(self.next).collect::<Result<_, _>>()
        })?;
        self.next = MOST.min(4 * self.next);
        self.progress.games += these.len() as u64;
        let mut hits = Vec::new();
        for (game, ply) in these.iter().zip(plies) {
            match ply {
                Ok(ply) => hits.extend(ply.map(|ply| Hit { game: game.id, ply })),
                // A damaged game must not end a search over a large archive. It is counted, and the caller reports it.
                Err(_) => self.progress.damaged += 1,
            }
        }
        self.progress.hits += hits.len() as u64;
        self.is_over = self.read.is_empty();
        self.context.progress(self.progress)?;
        Ok(self.page(hits))
    }

    /// The part of the next hits that is within offset and limit.
    fn page(&mut self, mut hits: Vec<Hit>) -> Vec<Hit> {
        let skipped = hits.len().min(usize::try_from(self.offset).unwrap_or(usize::MAX));
        hits.drain(..skipped);
        hits.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.offset -= skipped as u64;
        self.left -= hits.len() as u64;
        self.is_over |= self.left == 0;
        hits
    }
}

impl Iterator for Hits<'_> {
    type Item = Result<Vec<Hit>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.advance() {
                // An empty batch would look like the end to some callers of an iterator of batches; it goes on until
                // there is something to return.
                Ok(hits) if hits.is_empty() => {}
                Ok(hits) => return Some(Ok(hits)),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// A game of a search, and where it reaches the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitSummary {
    /// The game.
    pub game: Summary,
    /// The ply of the first occurrence.
    pub ply: usize,
    /// The move before it: `12b`. `None` at the start of the game.
    pub played: Option<Ply>,
}

/// The summaries of some games in the order of the filter.
pub fn hit_summaries(archive: &Archive, filter: &Filter, hits: &[Hit]) -> Result<Vec<HitSummary>> {
    let among: GameSet = hits.iter().map(|hit| hit.game).collect();
    let these =
        Filter { among: Some(among), sort: filter.sort, descending: filter.descending, ..Filter::default() };
    let mut plies: Vec<(i64, usize)> = hits.iter().map(|hit| (hit.game, hit.ply)).collect();
    plies.sort_unstable();
    let with_ply = |(game, moves): (Summary, Option<StoredMoves>)| {
        let place = plies.binary_search_by_key(&game.id, |(game, _)| *game).ok()?;
        let ply = plies.get(place)?.1;
        let start = moves.and_then(|moves| moves.start().ok());
        Some(HitSummary { played: start.and_then(|start| Ply::of_move(&start, ply)), game, ply })
    };
    let found: Result<Vec<(Summary, Option<StoredMoves>)>> = archive.list(&these).collect();
    Ok(found?.into_iter().filter_map(with_ply).collect())
}
