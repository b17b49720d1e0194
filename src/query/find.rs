//! The games that reach a position: those that the index names, else all, replayed on all cores.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{PositionIndex, Sought, search::reaching_by_trails};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, Sort},
    chess::Variant,
    record::{GameError, GameId, StoredMoves},
};

/// Games that are replayed at a time: few at first, so that the first hits come soon.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 13;

/// What games are looked through for.
pub trait Target: Sync {
    /// The ply at which a game first comes to it; `None` if it does not.
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
    /// The number of moves before the position stands on its board for the first time.
    pub ply: usize,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindProgress {
    /// Games that have been looked through.
    pub games: u64,
    /// Those of them that reach the position, in any page of the answer.
    pub hits: u64,
    /// Those that could not be replayed, and were passed over.
    pub damaged: u64,
}

/// The games that reach a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The games.
    pub games: GameSet,
    /// Those that could not be replayed, and were passed over.
    pub damaged: u64,
}

/// The games that pass the conditions of a filter and reach a position, all of them: order, limit and offset of the
/// filter do not count. `watch` is told how far it is in the games that are not indexed, and may break off; then there
/// is no answer.
///
/// ```
/// use std::ops::ControlFlow::Continue;
/// use plybook::{archive::{Archive, Filter}, chess::Fen, import::{Options, import_paths}, query};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let sicilian: Fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse()?;
/// let sicilian = query::Sought::new(&sicilian.into_setup())?;
/// let reached = query::games_reaching(&archive, None, &sicilian, &Filter::default(), |_| Continue(()))?;
/// println!("{:?}", reached.unwrap_or_default().games.ids());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// SQLite's.
pub fn games_reaching(
    archive: &Archive,
    index: Option<&PositionIndex>,
    sought: &Sought,
    filter: &Filter,
    mut watch: impl FnMut(FindProgress) -> ControlFlow<()>,
) -> Result<Option<Reached>, ArchiveError> {
    PositionIndex::or_without(index, |index| {
        if let Some(index) = able(index, sought) {
            return index.games_reaching(archive, sought, &all(filter), |games| watch(looked_through(games)));
        }
        match index.filter(|index| !index.trails().is_empty() && sought.is_of(Variant::Standard)) {
            Some(index) => reaching_by_trails(archive, index, sought, filter, &mut watch),
            None => replayed(archive, sought, filter, &mut watch),
        }
    })
}

/// All games that pass the conditions of a filter and come to a target, by a replay of each.
pub(super) fn replayed(
    archive: &Archive,
    target: &dyn Target,
    filter: &Filter,
    watch: impl FnMut(FindProgress) -> ControlFlow<()>,
) -> Result<Option<Reached>, ArchiveError> {
    let (mut found, mut games) = (by_replay(archive, target, &all(filter), watch), Vec::new());
    for batch in &mut found {
        games.extend(batch?.into_iter().map(|hit| hit.game));
    }
    let damaged = found.progress.damaged;
    Ok((!found.is_broken_off).then(|| Reached { games: games.into_iter().collect(), damaged }))
}

/// The number of games that [`games_reaching`] would give, and of those that could not be replayed: of a popular
/// position without a look at the games.
///
/// # Errors
/// SQLite's, or the index is damaged.
pub fn count_reaching(
    archive: &Archive,
    index: Option<&PositionIndex>,
    sought: &Sought,
    filter: &Filter,
    watch: impl FnMut(FindProgress) -> ControlFlow<()>,
) -> Result<Option<FindProgress>, ArchiveError> {
    let known = able(index, sought)
        .map(|index| index.unless_damaged(index.known_count(archive, sought, &all(filter))))
        .transpose()?;
    if let Some(hits) = known.flatten().flatten() {
        return Ok(Some(FindProgress { hits, ..FindProgress::default() }));
    }
    let reached = games_reaching(archive, index, sought, filter, watch)?;
    let counted =
        |Reached { games, damaged }: Reached| FindProgress { games: 0, hits: games.len() as u64, damaged };
    Ok(reached.map(counted))
}

/// The index, if it knows of such positions.
fn able<'a>(index: Option<&'a PositionIndex>, sought: &Sought) -> Option<&'a PositionIndex> {
    index.filter(|index| index.has_positions() && sought.is_of(Variant::Standard))
}

fn looked_through(games: u64) -> FindProgress {
    FindProgress { games, ..FindProgress::default() }
}

/// A filter without its order, for all its games.
pub(super) fn all(filter: &Filter) -> Filter {
    Filter { sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() }
}

/// The games that pass a filter and reach a position, in the filter's order, its limit and offset among them: in
/// batches, while they are found. `watch` is told how far it is before each batch, and may break off.
///
/// # Errors
/// SQLite's, or the index is damaged.
pub fn hits<'a, W: FnMut(FindProgress) -> ControlFlow<()>>(
    archive: &'a Archive,
    index: Option<&PositionIndex>,
    sought: &'a Sought,
    filter: &Filter,
    mut watch: W,
) -> Result<Hits<'a, W>, ArchiveError> {
    let Some(index) = able(index, sought) else { return Ok(by_replay(archive, sought, filter, watch)) };
    let reached = index.games_reaching(archive, sought, &all(filter), |games| watch(looked_through(games)));
    let Some(reached) = index.unless_damaged(reached)? else {
        return Ok(by_replay(archive, sought, filter, watch));
    };
    let is_broken_off = reached.is_none();
    let Reached { games, damaged } = reached.unwrap_or_default();
    // They pass all else that the filter asks.
    let Filter { sort, descending, limit, offset, .. } = *filter;
    let among = Filter { sort, descending, limit, offset, among: Some(games), ..Filter::default() };
    let mut hits = by_replay(archive, sought, &among, watch);
    hits.progress.damaged = damaged;
    hits.is_broken_off = is_broken_off;
    hits.is_over |= is_broken_off;
    Ok(hits)
}

/// The games that pass a filter and come to a target, in the filter's order, its limit and offset among them, by a replay
/// of all that pass.
pub fn by_replay<'a, W: FnMut(FindProgress) -> ControlFlow<()>>(
    archive: &'a Archive,
    target: &'a dyn Target,
    filter: &Filter,
    watch: W,
) -> Hits<'a, W> {
    let (offset, left) = (filter.offset, filter.limit.unwrap_or(u64::MAX));
    let all = Filter { offset: 0, limit: None, ..filter.clone() };
    Hits {
        games: Box::new(archive.moves(&all)),
        target,
        watch,
        read: Vec::new(),
        next: FIRST,
        offset,
        left,
        progress: FindProgress::default(),
        is_broken_off: false,
        is_over: left == 0,
    }
}

/// Iterates over the batches of [`hits`]. After an error there is nothing more.
pub struct Hits<'a, W> {
    games: Box<dyn Iterator<Item = Result<StoredMoves, ArchiveError>> + 'a>,
    target: &'a dyn Target,
    watch: W,
    /// Games that have been read and are to be replayed.
    read: Vec<StoredMoves>,
    /// How many are read next.
    next: usize,
    /// Hits that are still to be left out, and those that are wanted after them.
    offset: u64,
    left: u64,
    progress: FindProgress,
    is_broken_off: bool,
    is_over: bool,
}

impl<W: FnMut(FindProgress) -> ControlFlow<()>> Hits<'_, W> {
    /// How far it is.
    pub fn progress(&self) -> FindProgress {
        self.progress
    }

    /// Replays the games that have been read, and reads the next ones meanwhile.
    fn advance(&mut self) -> Result<Vec<Hit>, ArchiveError> {
        let (these, target) = (std::mem::take(&mut self.read), self.target);
        let mut plies = Vec::new();
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
                Err(_) => self.progress.damaged += 1,
            }
        }
        self.progress.hits += hits.len() as u64;
        self.is_broken_off = (self.watch)(self.progress).is_break();
        self.is_over = self.is_broken_off || self.read.is_empty();
        Ok(self.page(hits))
    }

    /// What is wanted of the next hits.
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

impl<W: FnMut(FindProgress) -> ControlFlow<()>> Iterator for Hits<'_, W> {
    type Item = Result<Vec<Hit>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.advance() {
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
