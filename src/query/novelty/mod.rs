//! Novelties: the first move of a game to a position that no other, or no earlier, game reached.
//!
//! Positions are compared, not move orders. The query to other games is, for each position of a game, whether one of
//! them reaches it, and for one of its positions how many do. The index answers both from its records of popular
//! positions and by replaying the few candidates for the others; games that are not indexed are replayed, once for many
//! games.

mod by_scan;
mod compared;
mod order;
mod other_games;
mod queue;

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use rayon::prelude::*;

use self::by_scan::{Earlier, Scope, add_known};
pub use self::{
    compared::ComparedGame,
    order::GameOrder,
    other_games::OtherGames,
    queue::{Compared, NoveltyQueue},
};
pub(super) use self::{
    compared::{SamePosition, Spot},
    order::{EarlierGames, FirstTwo, Others},
};
use super::{Explorer, indexed::Walk};
use crate::{
    archive::{ArchiveError, Filter, Result},
    chess::{Position, Variant},
    query::Context,
    record::{GameId, GameKind},
};

/// Games that a thread compares over one connection before it checks for cancellation.
const PORTION: usize = 16;

/// The options of a novelty query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoveltyOptions {
    /// Whether to compare with all other games; otherwise only with earlier ones, in the order of [`GameOrder`].
    pub any_date: bool,
    /// How many of the games with the last known position are listed.
    pub games: usize,
}

/// The novelty of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Novelty {
    /// The ply of the first move (1 for the first of the game) to a position that none of the other games reaches;
    /// `None` if they reach all positions.
    pub ply: Option<usize>,
    /// How many of the other games reach the position before that move, or the last position if there is no such move.
    pub games: u64,
    /// Some of these games, by the highest sum of ratings, then the latest.
    pub best: Vec<GameId>,
}

/// Finds the novelties of games, compared with an archive.
///
/// ```
/// use std::ops::ControlFlow::Continue;
/// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, query::{ComparedGame, Explorer, Novelties, NoveltyOptions}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options { index: true, ..Options::default() })?;
/// let explorer = Explorer::open(&path)?;
/// let byrne = Filter { white: Some("byrne".to_owned()), ..Filter::default() };
/// let archive = Archive::open(&path)?;
/// let games: Vec<ComparedGame> = archive
///     .moves(&byrne)
///     .map(|game| game.map(|game| ComparedGame::of_stored(&game, None).unwrap()))
///     .collect::<Result<_, _>>()?;
/// let found = Novelties::new(&explorer, NoveltyOptions::default()).find(&games, &|_| Continue(()))?;
/// # assert!(found.iter().all(|novelty| novelty.ply.is_some()));
/// println!("{found:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Novelties<'a> {
    explorer: &'a Explorer,
    options: NoveltyOptions,
}

/// Receives the number of games compared so far, or 0 while games that are not indexed are scanned; may cancel.
type Watch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl<'a> Novelties<'a> {
    /// A query on an archive.
    pub fn new(explorer: &'a Explorer, options: NoveltyOptions) -> Novelties<'a> {
        Novelties { explorer, options }
    }

    /// The novelty of each game, in order. Games that are not indexed are scanned twice in each call.
    pub fn find(&self, games: &[ComparedGame], watch: Watch<'_>) -> Result<Vec<Novelty>> {
        let mut found = vec![Novelty::default(); games.len()];
        for group in groups(games) {
            let games: Vec<&ComparedGame> = group.iter().filter_map(|&place| games.get(place)).collect();
            let of_group = self.explorer.or_again(|| self.of_group(&games, watch))?;
            for (place, novelty) in group.into_iter().zip(of_group) {
                found[place] = novelty;
            }
        }
        Ok(found)
    }

    fn of_group(&self, games: &[&ComparedGame], watch: Watch<'_>) -> Result<Vec<Novelty>> {
        let scanned = |_| watch(0);
        let earlier = self.explorer.ask(|context| {
            let scope = scope(context.watched_by(&scanned), games);
            scope.map(|scope| Earlier::scan(&scope, games)).transpose()
        })?;
        let mut left = self.compared(games, earlier.as_ref(), watch)?;
        if earlier.is_some() {
            self.explorer.ask(|context| self.add_scanned(context.watched_by(&scanned), games, &mut left))?;
        }
        Ok(left.into_iter().map(Left::answer).collect())
    }

    /// The novelty of each game among the indexed ones, found on all cores.
    fn compared(
        &self,
        games: &[&ComparedGame],
        earlier: Option<&Earlier>,
        watch: Watch<'_>,
    ) -> Result<Vec<Left>> {
        let compared = AtomicU64::new(0);
        let portion = |games: &[&ComparedGame]| {
            let left: Vec<Left> = self
                .explorer
                .ask(|context| games.iter().map(|game| self.left(context, game, earlier)).collect())?;
            let before = compared.fetch_add(games.len() as u64, Relaxed);
            if watch(before + games.len() as u64).is_break() { Err(ArchiveError::Stopped) } else { Ok(left) }
        };
        let portions: Result<Vec<Vec<Left>>> = games.par_chunks(PORTION).map(portion).collect();
        Ok(portions?.concat())
    }

    fn left(&self, context: Context<'_>, game: &ComparedGame, earlier: Option<&Earlier>) -> Result<Left> {
        let others = game.others(self.options.any_date);
        let mut walk = Walk::new(context, game, others)?;
        let mut known = EarlierGames::naming(self.options.games);
        let mut last = (0, game.start.board().clone());
        let mut ply = None;
        for (number, (spot, board)) in game.spots.iter().zip(game.boards()).enumerate().skip(1) {
            let is_known = earlier.is_some_and(|earlier| earlier.has(spot.same, others));
            if !is_known && !walk.knows(number, &board)? {
                ply = Some(number);
                break;
            }
            last = (number, board);
        }
        walk.add_known(last.0, &last.1, &mut known)?;
        Ok(Left { ply, known })
    }

    /// Adds the games that are not indexed.
    fn add_scanned(&self, context: Context<'_>, games: &[&ComparedGame], left: &mut [Left]) -> Result<()> {
        let Some(scope) = scope(context, games) else { return Ok(()) };
        let asked = games.iter().zip(left).filter_map(|(game, left)| {
            let spot = game.spots.get(left.last_known(game))?;
            Some((spot.same, game.others(self.options.any_date), &mut left.known))
        });
        add_known(&scope, &mut asked.collect::<Vec<_>>())
    }
}

/// The games that can have common positions, by their indices: chess games, and those of each other variant.
fn groups(games: &[ComparedGame]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Option<Variant>, Vec<usize>)> = Vec::new();
    for (place, game) in games.iter().enumerate() {
        let variant = (!game.is_chess()).then_some(game.variant);
        match groups.iter_mut().find(|(of, _)| *of == variant) {
            Some((_, group)) => group.push(place),
            None => groups.push((variant, vec![place])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The games of a group's variant that are not indexed; `None` if all are.
fn scope<'a>(context: Context<'a>, games: &[&ComparedGame]) -> Option<Scope<'a>> {
    let game = games.first()?;
    let chess = Filter { chess: true, ..Filter::default() };
    let filters = match context.index {
        Some(index) if game.is_chess() => index.not_indexed(&chess),
        None if game.is_chess() => vec![chess],
        _ => vec![Filter { kind: Some(GameKind::Chess(game.variant)), ..Filter::default() }],
    };
    (!filters.is_empty()).then_some(Scope { context, filters, chess: game.is_chess() })
}

/// The novelty of a game, and the games known for the position before it.
#[derive(Clone)]
struct Left {
    ply: Option<usize>,
    known: EarlierGames,
}

impl Left {
    /// The ply of the last position before the novelty.
    fn last_known(&self, game: &ComparedGame) -> usize {
        self.ply.map_or(game.moves.len(), |ply| ply - 1)
    }

    fn answer(self) -> Novelty {
        Novelty { ply: self.ply, games: self.known.games, best: self.known.best() }
    }
}
