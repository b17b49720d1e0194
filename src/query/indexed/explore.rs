//! What was played in a position, found by the index.

use std::{
    collections::HashMap,
    ops::ControlFlow::{self, Continue},
};

use super::{
    PositionIndex,
    passing::{Passing, PassingInSegment},
    range::{Asked, IndexedRange},
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
    position_index::{MoveCode, PopularPosition, PositionKeys, Rows, Totals},
    query::{
        BestGame, Exploration, GameSums, RatingSum, Tally,
        explore::{Search, Visit, Wanted, scan, scan_each},
    },
    record::{GameFacts, GameId},
};

impl PositionIndex {
    /// What the games that pass a filter went on with in a position of chess, with moves to positions that games reach
    /// otherwise only if they are asked for. `watch` is told of the games that are not
    /// indexed and are replayed, and may break off; then there is no answer.
    pub(in crate::query) fn explore(
        &self,
        archive: &Archive,
        position: &VariantPosition,
        filter: &Filter,
        transpositions: bool,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Exploration>, ArchiveError> {
        let search = Search::new(std::slice::from_ref(position));
        let (Some(wanted), Some(mut explored)) = (search.wanted.first(), search.nothing().pop()) else {
            return Ok(None);
        };
        let passing = Passing::new(archive, filter)?;
        for &range in &self.others {
            let Some(filter) = filter.within(range) else { continue };
            let Some(scanned) = scan(archive, &search, &filter, &mut *watch)? else { return Ok(None) };
            scanned.iter().for_each(|part| explored.merge(part));
        }
        let files = self.ask(archive, |asked| {
            let mut segment = ExploredSegment::new(asked, &search, wanted, passing.as_ref())?;
            let tally = segment.tally(asked)?;
            Ok((segment, tally))
        })?;
        files.iter().flatten().for_each(|(_, tally)| explored.tally.merge(tally));
        let games = explored.tally.moves();
        let is_played = |index: usize| games.get(index).is_some_and(|games| games.games() > 0);
        let wanted: Vec<bool> =
            (0..explored.reached.len()).map(|index| transpositions || is_played(index)).collect();
        let counted = archive.ask_files_about(files, |file, segments| {
            let mut reached = vec![0; wanted.len()];
            for (mut segment, _) in segments {
                segment.count_reached(segment.range.asked_in(file), &wanted, &mut reached)?;
            }
            Ok(reached)
        })?;
        for reached in counted {
            explored.reached.iter_mut().zip(reached).for_each(|(sum, games)| *sum += games);
        }
        // What is not wanted may have been counted in games that are not indexed.
        explored.reached.iter_mut().zip(wanted).filter(|(_, wanted)| !wanted).for_each(|(sum, _)| *sum = 0);
        // Every move of the tally is the index of a legal one.
        Ok(explored.told(position).ok())
    }

    /// Hands over the games that pass a filter and played a move in a position of chess, each with the index of the last
    /// of these moves. Gives whether it was not broken off.
    pub(in crate::query) fn each_played(
        &self,
        archive: &Archive,
        position: &VariantPosition,
        filter: &Filter,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
        each: &mut dyn FnMut(&GameFacts, u16),
    ) -> Result<bool, ArchiveError> {
        let search = Search::new(std::slice::from_ref(position));
        let Some(wanted) = search.wanted.first() else { return Ok(true) };
        let passing = Passing::new(archive, filter)?;
        for range in &self.ranges {
            let asked = range.asked(archive);
            let mut segment = ExploredSegment::new(asked, &search, wanted, passing.as_ref())?;
            if !segment.each(asked, watch, each)? {
                return Ok(false);
            }
        }
        for &range in &self.others {
            let Some(filter) = filter.within(range) else { continue };
            if !scan_each(archive, &search, &filter, watch, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A segment that is explored. Whoever continues it may be another thread, so it is asked anew each time.
struct ExploredSegment<'a> {
    range: &'a IndexedRange,
    passing: Option<PassingInSegment<'a>>,
    search: &'a Search<'a>,
    wanted: &'a Wanted,
    /// The games of the position, if it is popular.
    popular: Option<Popular>,
    /// What games that have been replayed have to do with the position, by rank.
    visits: HashMap<u32, Visit>,
}

/// The games of a popular position, and the indices of the moves that they played: `None` for those that ended there.
struct Popular {
    position: PopularPosition,
    moves: Vec<Option<u16>>,
}

impl<'a> ExploredSegment<'a> {
    fn new(
        asked: Asked<'a>,
        search: &'a Search<'a>,
        wanted: &'a Wanted,
        passing: Option<&'a Passing>,
    ) -> Result<ExploredSegment<'a>, ArchiveError> {
        let passing = passing.map(|passing| passing.in_segment(asked)).transpose()?;
        let visits = HashMap::new();
        Ok(ExploredSegment { range: asked.range, passing, search, wanted, popular: None, visits })
    }

    fn passes(&self, rank: u32) -> bool {
        self.passing.as_ref().is_none_or(|passing| passing.passes(rank))
    }

    /// The games that reach the position.
    fn tally(&mut self, asked: Asked<'_>) -> Result<Tally, ArchiveError> {
        let (popular, mut tally) = (self.find_popular(asked)?, Tally::default());
        match &popular {
            Some(popular) => self.tally_popular(asked, popular, &mut tally)?,
            None => {
                let add = &mut |game: &GameFacts, visit: &Visit| {
                    visit.last.into_iter().for_each(|played| tally.add(game, played));
                };
                self.each_rare(asked, &mut |_| Continue(()), add)?;
            }
        }
        self.popular = popular;
        Ok(tally)
    }

    /// Hands over the games that played a move in the position, each with the last of them. Gives whether it was not
    /// broken off.
    fn each(
        &mut self,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
        each: &mut dyn FnMut(&GameFacts, u16),
    ) -> Result<bool, ArchiveError> {
        let Some(Popular { position, moves }) = self.find_popular(asked)? else {
            return self.each_rare(asked, watch, &mut |game, visit| {
                visit.played.into_iter().for_each(|played| each(game, played));
            });
        };
        let (games, mut ended) = (asked.games()?, Vec::new());
        for run in &position.runs {
            match (&self.passing, moves.get(usize::from(run.played)).copied().flatten()) {
                (None, Some(played)) => run.ranks().for_each(|rank| each(&games.facts(rank), played)),
                (Some(passing), Some(played)) => {
                    passing.for_each(run, |rank| each(&games.facts(rank), played));
                }
                (None, None) => ended.extend(run.ranks()),
                (Some(passing), None) => passing.for_each(run, |rank| ended.push(rank)),
            }
        }
        // What they played there before they came back and ended there, if they did, only they can tell.
        for (seen, rank) in (1..).zip(ended) {
            let played = self.visit(asked, rank)?.played;
            played.into_iter().for_each(|played| each(&games.facts(rank), played));
            if watch(seen).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn find_popular(&self, asked: Asked<'_>) -> Result<Option<Popular>, ArchiveError> {
        let (board, whole) = self.wanted.here();
        let Some(position) = asked.popular(board, whole)? else { return Ok(None) };
        let moves =
            position.moves.iter().map(|(code, _)| self.index_of(asked, *code)).collect::<Result<_, _>>()?;
        Ok(Some(Popular { position, moves }))
    }

    /// Hands over the games that may have to do with the position, which is not popular: they are replayed. Gives whether
    /// it was not broken off.
    fn each_rare(
        &mut self,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
        each: &mut dyn FnMut(&GameFacts, &Visit),
    ) -> Result<bool, ArchiveError> {
        let (board, whole) = self.wanted.here();
        let (games, keys) = (asked.games()?, PositionKeys::of(board, whole));
        for (seen, rank) in (1..).zip(asked.candidates(&[keys])?) {
            if self.passes(rank) {
                each(&games.facts(rank), self.visit(asked, rank)?);
            }
            if watch(seen).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tally_popular(
        &self,
        asked: Asked<'_>,
        popular: &Popular,
        tally: &mut Tally,
    ) -> Result<(), ArchiveError> {
        let first = self.range.stored.first;
        let Popular { position: popular, moves } = popular;
        let mut summed = vec![false; moves.len()];
        if self.passing.is_none() {
            for ((done, played), (_, totals)) in summed.iter_mut().zip(moves).zip(&popular.moves) {
                if let Some(totals) = totals {
                    tally.add_sums(&sums(totals, first), *played);
                    *done = true;
                }
            }
        }
        let games = asked.games()?;
        for run in &popular.runs {
            let place = usize::from(run.played);
            if summed.get(place) == Some(&true) {
                continue;
            }
            let played = moves.get(place).copied().flatten();
            match &self.passing {
                None => run.ranks().for_each(|rank| tally.add(&games.facts(rank), played)),
                Some(passing) => passing.for_each(run, |rank| tally.add(&games.facts(rank), played)),
            }
        }
        Ok(())
    }

    /// The index of a move among the legal ones; `None` if the game ended.
    fn index_of(&self, asked: Asked<'_>, code: MoveCode) -> Result<Option<u16>, ArchiveError> {
        if code == MoveCode::ENDED {
            return Ok(None);
        }
        let found = self.wanted.index_of_code(code);
        found.map(Some).ok_or_else(|| asked.blocks.damaged())
    }

    /// Adds the games that reach the positions after those of the legal moves that are wanted.
    fn count_reached(
        &mut self,
        asked: Asked<'_>,
        wanted: &[bool],
        reached: &mut [u64],
    ) -> Result<(), ArchiveError> {
        for (index, (sum, _)) in (0..).zip(reached.iter_mut().zip(wanted)).filter(|(_, (_, wanted))| **wanted)
        {
            let Some((board, whole)) = self.wanted.after(index) else { continue };
            let games = match asked.count_popular(board, whole, self.passing.as_ref())? {
                Some(games) => games,
                None => self.count_rare(asked, index, PositionKeys::of(board, whole))?,
            };
            *sum += games;
        }
        Ok(())
    }

    /// The number of games that reach the position after a move, which is not popular.
    fn count_rare(&mut self, asked: Asked<'_>, index: u16, keys: PositionKeys) -> Result<u64, ArchiveError> {
        let mut count = 0;
        for rank in asked.candidates(&[keys])? {
            let played = self.popular.as_ref().is_some_and(|popular| popular.has_played(rank, index));
            if self.passes(rank) && (played || self.visit(asked, rank)?.reached.contains(&index)) {
                count += 1;
            }
        }
        Ok(count)
    }

    /// What a game has to do with the position and those after it: it is replayed once.
    fn visit(&mut self, asked: Asked<'_>, rank: u32) -> Result<&Visit, ArchiveError> {
        if !self.visits.contains_key(&rank) {
            let visits = self.search.visits(&asked.moves(rank)?);
            self.visits.insert(rank, visits.and_then(|mut visits| visits.pop()).unwrap_or_default());
        }
        Ok(self.visits.entry(rank).or_default())
    }
}

impl Popular {
    /// Whether a game, by its rank, went on with a move.
    fn has_played(&self, rank: u32, index: u16) -> bool {
        let runs = &self.position.runs;
        let run = runs.partition_point(|run| run.first <= rank).checked_sub(1).and_then(|run| runs.get(run));
        run.is_some_and(|run| {
            run.ranks().contains(&rank) && self.moves.get(usize::from(run.played)) == Some(&Some(index))
        })
    }
}

/// Stored sums as those of a tally.
fn sums(totals: &Totals, first: GameId) -> GameSums {
    let [white, draws, black, other] = totals.results.map(u64::from);
    let [white_elo, black_elo] =
        totals.ratings.map(|rating| RatingSum { games: rating.games.into(), sum: rating.sum });
    let best = BestGame { elo: totals.best_sum, id: first + i64::from(totals.best) };
    GameSums {
        white,
        draws,
        black,
        other,
        white_elo,
        black_elo,
        last_year: u16::try_from(totals.last_year).ok().filter(|year| *year > 0),
        best: Some(best).filter(|best| best.elo > 0),
    }
}
