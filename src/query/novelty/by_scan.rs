//! Looks up positions by replaying games on all cores.

use std::{collections::HashMap, mem, ops::ControlFlow};

use super::{
    GameOrder,
    compared::{ComparedGame, SamePosition},
    order::{EarlierGames, FirstTwo, Others},
};
use crate::{
    archive::{Filter, Result},
    bits::KeyFilter,
    chess::Variant,
    query::{Context, in_batches, scan::follow},
    record::{GameMetadata, StoredMoves},
};

/// Bits of a hash for each target position, enough to rule out most other positions with one lookup.
const BITS_A_POSITION: usize = 16;

/// The games in which positions are looked up.
pub(super) struct Scope<'a> {
    pub context: Context<'a>,
    /// Games that match any of these filters.
    pub filters: Vec<Filter>,
    /// Whether these are chess games; otherwise all other games.
    pub chess: bool,
}

/// Target positions, each with a number.
struct PositionTable {
    numbers: HashMap<SamePosition, u32, foldhash::fast::RandomState>,
    filter: KeyFilter,
}

impl PositionTable {
    fn of(positions: impl Iterator<Item = SamePosition>) -> PositionTable {
        let mut numbers = HashMap::default();
        for position in positions {
            let next = numbers.len() as u32;
            numbers.entry(position).or_insert(next);
        }
        let keys = numbers.keys().map(|position: &SamePosition| position.whole);
        PositionTable { filter: KeyFilter::new(keys, numbers.len() * BITS_A_POSITION), numbers }
    }

    #[inline]
    fn get(&self, position: SamePosition) -> Option<u32> {
        if self.filter.may_have(position.whole) { self.numbers.get(&position).copied() } else { None }
    }
}

/// What other games have in common with some games.
pub(super) struct Earlier {
    table: PositionTable,
    first: Vec<FirstTwo>,
}

impl Earlier {
    /// Looks up all positions of the games.
    pub(super) fn scan(scope: &Scope<'_>, games: &[&ComparedGame]) -> Result<Earlier> {
        let table = PositionTable::of(games.iter().flat_map(|game| game.spots.iter().map(|spot| spot.same)));
        let mut first = vec![FirstTwo::default(); table.numbers.len()];
        let each = |number: u32, game: &GameMetadata| first[number as usize].add(GameOrder::of(game));
        visits(scope, &table, &|_, _| true, each)?;
        Ok(Earlier { table, first })
    }

    /// Whether one of the other games reaches a position.
    pub(super) fn has(&self, position: SamePosition, others: Others) -> bool {
        let number = self.table.get(position);
        number
            .and_then(|number| self.first.get(number as usize))
            .is_some_and(|first| first.has_any_of(others))
    }
}

/// The games that reach each position of a game; the game itself may be one of them.
pub(super) fn visitors(
    scope: &Scope<'_>,
    game: &ComparedGame,
) -> Result<HashMap<SamePosition, Vec<GameMetadata>>> {
    let table = PositionTable::of(game.spots.iter().map(|spot| spot.same));
    let mut found: Vec<Vec<GameMetadata>> = vec![Vec::new(); table.numbers.len()];
    let each = |number: u32, game: &GameMetadata| found[number as usize].push(*game);
    visits(scope, &table, &|_, _| true, each)?;
    Ok(table
        .numbers
        .into_iter()
        .map(|(position, number)| (position, mem::take(&mut found[number as usize])))
        .collect())
}

/// Adds to each position the games that reach it, among those requested.
pub(super) fn add_known(
    scope: &Scope<'_>,
    asked: &mut [(SamePosition, Others, &mut EarlierGames)],
) -> Result<()> {
    let table = PositionTable::of(asked.iter().map(|(position, ..)| *position));
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); table.numbers.len()];
    let mut latest: Vec<Vec<Others>> = vec![Vec::new(); table.numbers.len()];
    for (place, (position, others, _)) in asked.iter().enumerate() {
        if let Some(number) = table.get(*position) {
            places[number as usize].push(place);
            latest[number as usize].push(*others);
        }
    }
    let wanted = |number: u32, game: GameOrder| latest[number as usize].iter().any(|others| others.has(game));
    let each = |number: u32, game: &GameMetadata| {
        for &place in &places[number as usize] {
            let (_, others, known) = &mut asked[place];
            if others.has(GameOrder::of(game)) {
                known.add(game);
            }
        }
    };
    visits(scope, &table, &wanted, each)
}

/// Calls a function with the games that reach positions of a table: once for each requested position.
fn visits(
    scope: &Scope<'_>,
    table: &PositionTable,
    wanted: &(impl Fn(u32, GameOrder) -> bool + Sync),
    mut each: impl FnMut(u32, &GameMetadata),
) -> Result<()> {
    let chess = scope.chess;
    let work = |games: Vec<(StoredMoves, GameMetadata)>| {
        let (mut found, mut of_game) = (Vec::new(), Vec::new());
        for (moves, facts) in games.iter().filter(|(moves, _)| is_chess(moves) == chess) {
            let order = GameOrder::of(facts);
            of_game.clear();
            let replayed = follow(moves, |position, _| {
                let number = table.get(SamePosition::scanned(position));
                of_game.extend(number.filter(|number| wanted(*number, order)));
                ControlFlow::Continue(())
            });
            // The index contains no damaged games.
            if replayed.is_ok() {
                of_game.sort_unstable();
                of_game.dedup();
                found.extend(of_game.iter().map(|number| (*number, *facts)));
            }
        }
        found
    };
    let games = scope.filters.iter().flat_map(|filter| scope.context.archive.list(filter));
    let join = |found: Vec<_>| found.iter().for_each(|(number, game)| each(*number, game));
    in_batches(scope.context, games, work, join)
}

fn is_chess(game: &StoredMoves) -> bool {
    matches!(game.variant, Variant::Standard | Variant::Chess960)
}
