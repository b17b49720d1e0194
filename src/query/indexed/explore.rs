//! Explores a position with the index.

use std::collections::HashMap;

use super::{
    PositionIndex,
    filter_mask::{FilterMask, SegmentFilter},
    range::{FactsReader, IndexedRange, SegmentReader},
};
use crate::{
    archive::{Filter, Result},
    chess::VariantPosition,
    position_index::{MoveCode, PopularPosition, PositionKeys, Rows, Run},
    query::{
        BestGame, Context, Exploration, GameSums, Tally,
        explore::{Search, Successors, Visit, scan, scan_each},
    },
    record::GameMetadata,
};

impl PositionIndex {
    /// The moves that games matching a filter played in a chess position; moves that only transpose into positions of
    /// other games are included on request. The watch receives the number of games replayed because they are not indexed.
    pub(in crate::query) fn explore(
        &self,
        context: Context<'_>,
        position: &VariantPosition,
        filter: &Filter,
        transpositions: bool,
    ) -> Result<Exploration> {
        let archive = context.archive;
        let search = Search::new(std::slice::from_ref(position));
        let (wanted, mut explored) = (&search.wanted[0], search.nothing().remove(0));
        let mask = FilterMask::new(archive, filter)?;
        let scanned = scan(context, &search, &self.not_indexed(filter))?;
        scanned.iter().for_each(|part| explored.merge(part));
        let files = self.ask(archive, |reader| {
            let mut segment = ExploredSegment::new(reader, &search, wanted, &mask)?;
            let tally = segment.tally(reader)?;
            Ok((segment, tally))
        })?;
        files.iter().flatten().for_each(|(_, tally)| explored.tally.merge(tally));
        let games = explored.tally.moves();
        let is_played = |index: usize| games.get(index).is_some_and(|games| games.games() > 0);
        let wanted: Vec<bool> =
            (0..explored.reached.len()).map(|index| transpositions || is_played(index)).collect();
        // A second round, since which moves are worth counting is known only after the tallies of all segments have
        // been merged: unless transpositions are requested, only moves that some game played here. Looking up every
        // legal move takes several times as long as everything else.
        let counted = archive.files().ask_about(files, |file, segments| {
            let mut reached = vec![0; wanted.len()];
            for (mut segment, _) in segments {
                segment.count_reached(segment.range.asked_in(file), &wanted, &mut reached)?;
            }
            Ok(reached)
        })?;
        for reached in counted {
            explored.reached.iter_mut().zip(reached).for_each(|(sum, games)| *sum += games);
        }
        // Counts that were not requested may come from games that are not indexed.
        explored.reached.iter_mut().zip(wanted).filter(|(_, wanted)| !wanted).for_each(|(sum, _)| *sum = 0);
        Ok(Exploration::new(position, &explored.tally, &explored.reached))
    }

    /// Calls a function with the games that match a filter and played a move in a chess position, each with the index
    /// of the last of these moves.
    pub(in crate::query) fn each_played(
        &self,
        context: Context<'_>,
        position: &VariantPosition,
        filter: &Filter,
        each: &mut dyn FnMut(&GameMetadata, u16),
    ) -> Result<()> {
        let search = Search::new(std::slice::from_ref(position));
        let (wanted, mask) = (&search.wanted[0], FilterMask::new(context.archive, filter)?);
        for range in &self.ranges {
            let reader = range.reader(context.archive);
            let mut segment = ExploredSegment::new(reader, &search, wanted, &mask)?;
            segment.each(reader, &mut |games| context.seen(games), each)?;
        }
        scan_each(context, &search, &self.not_indexed(filter), each)
    }
}

/// A segment that is being explored. Another thread may continue it, so it does not keep a connection.
struct ExploredSegment<'a> {
    range: &'a IndexedRange,
    mask: Option<SegmentFilter<'a>>,
    search: &'a Search<'a>,
    wanted: &'a Successors,
    /// The games of the position, if it is popular.
    popular: Option<Popular>,
    /// The relation of replayed games to the position, by sort position.
    // A game that is a candidate for the position is often one for its successors too. It is replayed once, for all of
    // them.
    visits: HashMap<u32, Visit>,
}

/// The games of a popular position, and the indices of the moves they played at their last visit: `None` for those that
/// ended there.
// The index stores moves by code. They are translated to legal indices once, and not for each of the thousands of games
// of a popular position.
struct Popular {
    position: PopularPosition,
    moves: Vec<Option<u16>>,
}

impl<'a> ExploredSegment<'a> {
    fn new(
        reader: SegmentReader<'a>,
        search: &'a Search<'a>,
        wanted: &'a Successors,
        mask: &'a FilterMask,
    ) -> Result<ExploredSegment<'a>> {
        let mask = mask.of_segment(reader)?;
        let visits = HashMap::new();
        Ok(ExploredSegment { range: reader.range, mask, search, wanted, popular: None, visits })
    }

    fn passes(&self, rank: u32) -> bool {
        self.mask.as_ref().is_none_or(|mask| mask.passes(rank))
    }

    /// Tallies the games that reach the position.
    fn tally(&mut self, reader: SegmentReader<'_>) -> Result<Tally> {
        let (popular, mut tally) = (self.find_popular(reader)?, Tally::default());
        let summed = popular.as_ref().map(|popular| self.add_stored_sums(popular, &mut tally));
        let (summed, unseen) = (summed.unwrap_or_default(), &mut |_| Ok(()));
        self.each_reaching(reader, popular.as_ref(), &summed, unseen, |game, played| {
            tally.add(game, played)
        })?;
        self.popular = popular;
        Ok(tally)
    }

    /// Calls a function with the games that played a move in the position, each with the last of these moves. `seen`
    /// receives the number of games replayed.
    fn each(
        &mut self,
        reader: SegmentReader<'_>,
        seen: &mut dyn FnMut(u64) -> Result<()>,
        each: &mut dyn FnMut(&GameMetadata, u16),
    ) -> Result<()> {
        let popular = self.find_popular(reader)?;
        self.each_reaching(reader, popular.as_ref(), &[], seen, |game, played| {
            played.into_iter().for_each(|played| each(game, played));
        })
    }

    fn find_popular(&self, reader: SegmentReader<'_>) -> Result<Option<Popular>> {
        let (board, whole) = self.wanted.here();
        let Some(position) = reader.popular(board, whole)? else { return Ok(None) };
        let moves =
            position.moves.iter().map(|(code, _)| self.index_of(reader, *code)).collect::<Result<_, _>>()?;
        Ok(Some(Popular { position, moves }))
    }

    /// Calls a function with the games that reach the position, except those of the `summed` moves, each with the last
    /// move that it played there. If the position is not popular, candidate games are replayed.
    fn each_reaching(
        &mut self,
        reader: SegmentReader<'_>,
        popular: Option<&Popular>,
        summed: &[bool],
        seen: &mut dyn FnMut(u64) -> Result<()>,
        mut each: impl FnMut(&GameMetadata, Option<u16>),
    ) -> Result<()> {
        if let Some(popular) = popular {
            return self.each_popular(reader, popular, summed, seen, each);
        }
        let (board, whole) = self.wanted.here();
        let keys = PositionKeys::of(board, whole);
        let candidates = reader.candidates(&[keys])?;
        let facts = reader.facts_of(candidates.len() as u64)?;
        for (number, rank) in (1..).zip(candidates) {
            if self.passes(rank)
                && let Some(played) = self.visit(reader, rank)?.last
            {
                each(&facts.get(rank)?, played);
            }
            seen(number)?;
        }
        Ok(())
    }

    /// Adds the games of the moves whose sums are stored, if no filter is set. Returns for each move whether it did.
    fn add_stored_sums(&self, popular: &Popular, tally: &mut Tally) -> Vec<bool> {
        let first = self.range.stored.first;
        let moves = popular.moves.iter().zip(&popular.position.moves);
        // A segment stores the id of the best game as an offset.
        let in_archive = |best: BestGame| BestGame { id: first + best.id, ..best };
        let add = |(played, (_, sums)): (&Option<u16>, &(MoveCode, Option<GameSums>))| {
            // Stored sums make the start position as fast as any other one, but cannot be filtered. Some of the games
            // that ended here may have moved from here before.
            let sums = sums.filter(|_| played.is_some() && self.mask.is_none());
            let sums = sums.map(|sums| GameSums { best: sums.best.map(in_archive), ..sums });
            sums.inspect(|sums| tally.add_sums(sums, *played)).is_some()
        };
        moves.map(add).collect()
    }

    /// Calls `each` with the games of a popular position, except those of the `summed` moves, and the last move that
    /// each of them played there.
    fn each_popular(
        &mut self,
        reader: SegmentReader<'_>,
        popular: &Popular,
        summed: &[bool],
        seen: &mut dyn FnMut(u64) -> Result<()>,
        mut each: impl FnMut(&GameMetadata, Option<u16>),
    ) -> Result<()> {
        let is_summed = |run: &&Run| summed.get(usize::from(run.played)) == Some(&true);
        let runs = popular.position.runs.iter().filter(|run| !is_summed(run));
        let count = |run: &Run| self.mask.as_ref().map_or(run.games.into(), |mask| mask.count(run));
        let facts = reader.facts_of(runs.clone().map(count).sum())?;
        let mut ended = Vec::new();
        for run in runs {
            let place = usize::from(run.played);
            let played = popular.moves.get(place).copied().flatten();
            if played.is_some() {
                self.each_game(&facts, run, |game| each(game, played))?;
                continue;
            }
            let certain = self.never_moved(reader, run)?;
            let rest = Run { first: run.first + certain, games: run.games - certain, ..*run };
            let certain = Run { games: certain, ..*run };
            self.each_game(&facts, &certain, |game| each(game, None))?;
            self.each_passing(&rest, |rank| ended.push(rank));
        }
        // The index only stores a game's last visit: one that ended here may have moved from here before.
        for (number, rank) in (1..).zip(ended) {
            each(&facts.get(rank)?, self.visit(reader, rank)?.last.flatten());
            seen(number)?;
        }
        Ok(())
    }

    /// The number of games, at the beginning of a run of games that ended in the position, that certainly never moved
    /// from it: there is no legal move, or they are too short. Collections have thousands of games with at most one
    /// move; reading each of them would take many times as long as everything else.
    fn never_moved(&self, reader: SegmentReader<'_>, run: &Run) -> Result<u32> {
        if self.wanted.moves() == 0 || run.games == 1 {
            return Ok(if self.wanted.moves() == 0 { run.games } else { 0 });
        }
        if !self.range.stale.is_empty() {
            // The first game may have been removed. All of them are read, except for stale ones.
            return Ok(0);
        }
        let first = reader.moves(run.first)?;
        if first.plies > 2 {
            return Ok(0);
        }
        // Only one line of two plies leads from a start position to another one. Games are sorted by one byte per move,
        // so all games sorted between two games of that line play it too, followed at most by moves with the byte 0.
        // Those never lead back: see `MoveCode`.
        let (mut short, mut most) = (1, run.games);
        while short < most {
            let middle = short + (most - short).div_ceil(2);
            let game = reader.moves(run.first + middle - 1)?;
            let is_short = game.plies == first.plies && game.setup == first.setup;
            (short, most) = if is_short { (middle, most) } else { (short, middle - 1) };
        }
        Ok(short)
    }

    /// Calls a function with the matching games of a run.
    fn each_game(
        &self,
        facts: &FactsReader<'_>,
        run: &Run,
        mut each: impl FnMut(&GameMetadata),
    ) -> Result<()> {
        if let Some(columns) = &facts.columns {
            self.each_passing(run, |rank| each(&columns.facts(rank)));
            return Ok(());
        }
        let mut ranks = Vec::new();
        self.each_passing(run, |rank| ranks.push(rank));
        for rank in ranks {
            each(&facts.get(rank)?);
        }
        Ok(())
    }

    fn each_passing(&self, run: &Run, each: impl FnMut(u32)) {
        match &self.mask {
            Some(mask) => mask.for_each(run, each),
            None => run.ranks().for_each(each),
        }
    }

    /// The index of a move among the legal ones; `None` if the game ended.
    fn index_of(&self, reader: SegmentReader<'_>, code: MoveCode) -> Result<Option<u16>> {
        if code == MoveCode::ENDED {
            return Ok(None);
        }
        // A stored move that is not legal here means that the index does not fit the archive. Skipping it would
        // silently lose games, so it is reported as damage.
        let found = self.wanted.index_of_code(code);
        found.map(Some).ok_or_else(|| reader.blocks.damaged())
    }

    /// Adds the games that reach the positions after the requested legal moves.
    fn count_reached(
        &mut self,
        reader: SegmentReader<'_>,
        wanted: &[bool],
        reached: &mut [u64],
    ) -> Result<()> {
        for (index, (sum, _)) in (0..).zip(reached.iter_mut().zip(wanted)).filter(|(_, (_, wanted))| **wanted)
        {
            let Some((board, whole)) = self.wanted.after(index) else { continue };
            let games = match reader.count_popular(board, whole, self.mask.as_ref())? {
                Some(games) => games,
                None => self.count_rare(reader, index, PositionKeys::of(board, whole))?,
            };
            *sum += games;
        }
        Ok(())
    }

    /// The number of games that reach the position after a move, if it is not popular.
    fn count_rare(&mut self, reader: SegmentReader<'_>, index: u16, keys: PositionKeys) -> Result<u64> {
        let mut count = 0;
        for rank in reader.candidates(&[keys])? {
            // A game that played the move from here reaches the position after it: no replay is needed to know that.
            let played = self.popular.as_ref().is_some_and(|popular| popular.has_played(rank, index));
            if self.passes(rank) && (played || self.visit(reader, rank)?.reached.contains(&index)) {
                count += 1;
            }
        }
        Ok(count)
    }

    /// The relation of a game to the position and its successors, from a single replay.
    fn visit(&mut self, reader: SegmentReader<'_>, rank: u32) -> Result<&Visit> {
        if !self.visits.contains_key(&rank) {
            let visits = self.search.visits(&reader.moves(rank)?);
            self.visits.insert(rank, visits.and_then(|mut visits| visits.pop()).unwrap_or_default());
        }
        Ok(self.visits.entry(rank).or_default())
    }
}

impl Popular {
    /// Whether a game, by its sort position, continued with a move.
    fn has_played(&self, rank: u32, index: u16) -> bool {
        let runs = &self.position.runs;
        let run = runs.partition_point(|run| run.first <= rank).checked_sub(1).and_then(|run| runs.get(run));
        run.is_some_and(|run| {
            run.ranks().contains(&rank) && self.moves.get(usize::from(run.played)) == Some(&Some(index))
        })
    }
}
