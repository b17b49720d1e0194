//! The filter mask of the index: which games match a filter, from the columns of the index or, without a column, from
//! the archive.

use std::{cell::OnceCell, ops::RangeInclusive, sync::Arc};

use foldhash::HashSet;

use super::range::SegmentReader;
use crate::{
    archive::{Archive, Filter, GameNumber, GameSet, Result},
    openings::OpeningId,
    position_index::{Column, ColumnOf, Run},
    record::{GameId, result_number},
    rules::Outcome,
};

/// From this number of games in a run on, computing the mask of all games pays off.
// The mask costs one pass over the columns of the whole segment and is then kept for all further runs, so a position
// with few games is tested game by game instead. Conditions on years and both ratings of 297,156 games took under a
// millisecond this way in a prototype; the same condition in SQL, which joins `section`, took about 30 ms.
const MANY: u32 = 1 << 10;

/// A filter in the form of the index: conditions on columns, and the games that match all other conditions.
#[derive(Default)]
pub(super) struct FilterMask {
    conditions: Vec<Condition>,
    /// The player on one side and the opponent on the other, or vice versa.
    sides: Option<[Vec<Condition>; 2]>,
    /// `None` if the columns cover all conditions.
    others: Option<GameSet>,
}

/// A condition on a column: which of its numbers match in an archive, of several that are read as one.
type Condition = (ColumnOf, Arc<dyn Fn(usize, u32) -> bool + Send + Sync>);

/// A filter with the columns of a segment.
pub(super) struct SegmentFilter<'a> {
    /// The number of games of the segment.
    games: u32,
    conditions: Vec<ColumnFilter<'a>>,
    sides: Option<[Vec<ColumnFilter<'a>>; 2]>,
    others: Option<Others<'a>>,
    /// The mask of matching games, once many games have been queried.
    // Lazy: most positions of an archive have few games, and never need it.
    bits: OnceCell<Vec<u64>>,
}

/// A column, and which of its distinct numbers match.
// A column stores an index into its distinct values per game. Testing each distinct value once leaves a table lookup
// per game, whatever the condition: ranges, sets of names and results all cost the same.
type ColumnFilter<'a> = (&'a Column, Vec<bool>);

/// The locations of games in a segment, by sort position, and a bit for each location: whether its game is in the set.
// A bit set by location, not a hash set of ids: a lookup is one load, and the locations follow from the ids by
// subtraction.
type Others<'a> = (&'a Column, Vec<u64>);

impl FilterMask {
    /// The conditions of a filter.
    pub(super) fn new(archive: &Archive, filter: &Filter) -> Result<FilterMask> {
        let mut rest = filter.clone();
        let mut mask = FilterMask::default();
        // All games of the index are chess games.
        (rest.sort, rest.descending, rest.chess) = Default::default();
        // Each step removes the conditions that columns can answer from `rest`. If something remains (an event, an ECO
        // code, a number of plies), SQL answers it once for the whole archive; asking SQL per position would repeat
        // that for every move of an exploration.
        mask.take_names(archive, &mut rest)?;
        mask.take_numbers(&mut rest);
        mask.take_modes(&mut rest);
        let among = rest.among.take();
        mask.others = if rest == Filter::default() {
            among
        } else {
            Some(archive.list::<GameId>(&Filter { among, ..rest }).collect::<Result<_, _>>()?)
        };
        Ok(mask)
    }

    /// Whether columns answer all conditions of a filter.
    pub(super) fn has_columns_for(filter: &Filter) -> bool {
        let mut rest = filter.clone();
        (rest.sort, rest.descending, rest.chess) = Default::default();
        (rest.white, rest.black, rest.player, rest.opponent, rest.player_results) = Default::default();
        FilterMask::default().take_numbers(&mut rest);
        (rest.speed, rest.casual) = Default::default();
        rest == Filter::default()
    }

    /// Adds the condition that games have one of some openings.
    pub(super) fn with_openings(mut self, openings: impl Iterator<Item = OpeningId>) -> FilterMask {
        self.conditions.push(among(ColumnOf::Opening, openings.map(|OpeningId(place)| u32::from(place) + 1)));
        self
    }

    fn take_names(&mut self, archive: &Archive, rest: &mut Filter) -> Result<()> {
        let named = |name: Option<String>| -> Result<Option<Arc<Vec<HashSet<u32>>>>> {
            let Some(name) = name else { return Ok(None) };
            let numbers = |ids: Vec<i64>| {
                ids.into_iter().filter_map(|id| u32::try_from(id).ok()).collect::<HashSet<_>>()
            };
            let parts = archive.names().players_in_parts(&name)?;
            Ok(Some(Arc::new(parts.into_iter().map(numbers).collect())))
        };
        for (column, name) in [(ColumnOf::White, rest.white.take()), (ColumnOf::Black, rest.black.take())] {
            self.conditions.extend(named(name)?.map(|names| is_named(column, names)));
        }
        let players = [named(rest.player.take())?, named(rest.opponent.take())?];
        // A result relative to the player depends on the player's colour, so it belongs to a side, not to the
        // conditions that hold for both.
        let results = rest.player_results.take().filter(|_| players[0].is_some());
        if players.iter().any(Option::is_some) {
            let on = |columns: [ColumnOf; 2], result: Option<Outcome>| -> Vec<Condition> {
                let names = players.iter().cloned().zip(columns);
                let names = names.filter_map(|(names, column)| Some(is_named(column, names?)));
                names.chain(result.map(has_result)).collect()
            };
            let [as_white, as_black] = results.map_or([None; 2], |results| results.map(Some));
            // Two alternatives, each with both names: player and opponent must not be on the same side, and a game
            // between two namesakes counts once.
            self.sides = Some([
                on([ColumnOf::White, ColumnOf::Black], as_white),
                on([ColumnOf::Black, ColumnOf::White], as_black),
            ]);
        }
        Ok(())
    }

    fn take_numbers(&mut self, rest: &mut Filter) {
        rest.numbers.retain(|(number, ranges)| {
            let column = column_of(*number).filter(|column| says(*column, ranges));
            self.conditions.extend(column.map(|column| within(column, ranges.clone())));
            column.is_none()
        });
    }

    fn take_modes(&mut self, rest: &mut Filter) {
        if let Some(speeds) = rest.speed.take() {
            self.conditions.push(among(ColumnOf::Speed, speeds.into_iter().map(|speed| speed as u32)));
        }
        if let Some(casual) = rest.casual.take() {
            self.conditions.push(among(ColumnOf::Casual, [casual.into()]));
        }
    }

    /// A mask with the columns of a segment; `None` if every game of the segment matches.
    pub(super) fn of_segment<'a>(&'a self, reader: SegmentReader<'a>) -> Result<Option<SegmentFilter<'a>>> {
        let is_all = self.conditions.is_empty() && self.sides.is_none() && self.others.is_none();
        // Stale games do not match, so that nothing that is stored about several games can be used.
        if is_all && reader.range.stale.is_empty() { Ok(None) } else { self.in_segment(reader).map(Some) }
    }

    /// The filter with the columns of a segment, without stale games.
    pub(super) fn in_segment<'a>(&'a self, reader: SegmentReader<'a>) -> Result<SegmentFilter<'a>> {
        let wanted = |conditions: &[Condition]| -> Result<Vec<ColumnFilter<'a>>> {
            let part = reader.range.stored.part as usize;
            let wanted = |(of, passes): &Condition| {
                let column = reader.column(*of)?;
                Ok((column, column.values.iter().map(|number| passes(part, *number)).collect()))
            };
            conditions.iter().map(wanted).collect()
        };
        let sides = match &self.sides {
            Some([one, other]) => Some([wanted(one)?, wanted(other)?]),
            None => None,
        };
        let conditions = wanted(&self.conditions)?;
        Ok(SegmentFilter {
            games: reader.range.stored.shape.games,
            conditions,
            sides,
            others: others(reader, self.others.as_ref())?,
            bits: OnceCell::new(),
        })
    }
}

/// The column of the index for a number of the game row, if there is one.
fn column_of(number: GameNumber) -> Option<ColumnOf> {
    match number {
        GameNumber::Date => Some(ColumnOf::Date),
        GameNumber::WhiteElo => Some(ColumnOf::WhiteElo),
        GameNumber::BlackElo => Some(ColumnOf::BlackElo),
        GameNumber::Result => Some(ColumnOf::Result),
        GameNumber::Plies => Some(ColumnOf::Plies),
        GameNumber::Eco | GameNumber::Import | GameNumber::DayOfImport => None,
    }
}

/// Whether a column can decide which games are in some ranges: in most columns, 0 also stands for a missing value.
fn says(column: ColumnOf, ranges: &[RangeInclusive<u32>]) -> bool {
    // A game without a rating must not match "up to 2400" through the stored 0; such ranges are left to SQL, which
    // knows NULL.
    matches!(column, ColumnOf::Result | ColumnOf::Plies) || ranges.iter().all(|range| *range.start() > 0)
}

fn within(column: ColumnOf, ranges: Vec<RangeInclusive<u32>>) -> Condition {
    (column, Arc::new(move |_, number| ranges.iter().any(|range| range.contains(&number))))
}

fn among(column: ColumnOf, numbers: impl IntoIterator<Item = u32>) -> Condition {
    let numbers: HashSet<u32> = numbers.into_iter().collect();
    (column, Arc::new(move |_, number| numbers.contains(&number)))
}

/// The numbers of names are those of one file: with several archives read as one, the same number is another player in
/// each.
fn is_named(column: ColumnOf, names: Arc<Vec<HashSet<u32>>>) -> Condition {
    (column, Arc::new(move |part, number| names.get(part).is_some_and(|names| names.contains(&number))))
}

fn has_result(result: Outcome) -> Condition {
    let number = u32::try_from(result_number(result)).unwrap_or(u32::MAX);
    within(ColumnOf::Result, vec![number..=number])
}

/// The games of a set that are in a segment, without stale ones; `None` if all are.
fn others<'a>(reader: SegmentReader<'a>, games: Option<&GameSet>) -> Result<Option<Others<'a>>> {
    let (stored, stale) = (&reader.range.stored, &reader.range.stale);
    if games.is_none() && stale.is_empty() {
        return Ok(None);
    }
    let (first, last) = (stored.first, stored.last);
    let words = ((last - first) / 64 + 1).unsigned_abs() as usize;
    let mut bits = vec![if games.is_some() { 0 } else { u64::MAX }; words];
    let places = |games: &GameSet| -> Vec<usize> {
        let ids = games.ids();
        let ids = &ids[ids.partition_point(|id| *id < first)..ids.partition_point(|id| *id <= last)];
        ids.iter().map(|id| (id - first).unsigned_abs() as usize).collect()
    };
    games.map(places).into_iter().flatten().for_each(|place| bits[place / 64] |= 1 << (place % 64));
    places(stale).into_iter().for_each(|place| bits[place / 64] &= !(1 << (place % 64)));
    Ok(Some((reader.order()?, bits)))
}

impl SegmentFilter<'_> {
    /// Whether a game matches, by its sort position.
    #[inline]
    pub(super) fn passes(&self, rank: u32) -> bool {
        all(&self.conditions, rank) && self.passes_rest(rank)
    }

    fn passes_rest(&self, rank: u32) -> bool {
        self.sides.as_ref().is_none_or(|sides| sides.iter().any(|side| all(side, rank)))
            && self.others.as_ref().is_none_or(|(order, bits)| {
                let place = order.get(rank);
                bits.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
            })
    }

    /// The number of matching games in a run.
    pub(super) fn count(&self, run: &Run) -> u64 {
        if run.games < MANY && self.bits.get().is_none() {
            return run.ranks().filter(|rank| self.passes(*rank)).count() as u64;
        }
        // Counting needs no ids at all: a run of any length is a range of bits.
        words(self.bits(), run).map(|(_, word)| u64::from(word.count_ones())).sum()
    }

    /// Calls a function with the matching games of a run.
    pub(super) fn for_each(&self, run: &Run, mut each: impl FnMut(u32)) {
        if run.games < MANY && self.bits.get().is_none() {
            return run.ranks().filter(|rank| self.passes(*rank)).for_each(each);
        }
        for (first, word) in words(self.bits(), run) {
            ones(word).for_each(|at| each(first + at));
        }
    }

    /// Calls a function with all matching games of the segment.
    pub(super) fn for_all(&self, mut each: impl FnMut(u32)) {
        for (first, word) in (0..).step_by(64).zip(self.bits()) {
            ones(*word).for_each(|at| each(first + at));
        }
    }

    /// The mask of all games, 64 per word.
    fn bits(&self) -> &[u64] {
        self.bits.get_or_init(|| {
            (0..self.games).step_by(64).map(|first| self.word(first, self.games.min(first + 64))).collect()
        })
    }

    /// Which of at most 64 games match, one condition at a time: testing game by game when to stop takes longer.
    fn word(&self, first: u32, end: u32) -> u64 {
        let every = u64::MAX >> (64 - (end - first));
        // No branch depends on a game here: the bits of 64 games are collected for each condition, and combined with
        // one AND.
        let bits = self.conditions.iter().fold(every, |bits, (column, passes)| {
            let places = column.places.get(first as usize..end as usize).unwrap_or_default();
            let bit = |place: &u32| u64::from(passes.get(*place as usize) == Some(&true));
            bits & places.iter().rev().fold(0, |word, place| word << 1 | bit(place))
        });
        if self.sides.is_none() && self.others.is_none() {
            return bits;
        }
        // The alternatives and the bit set need scattered loads. They are tested last, and only for the games that are
        // left.
        let fails = ones(bits).filter(|at| !self.passes_rest(first + at));
        fails.fold(bits, |bits, at| bits & !(1 << at))
    }
}

/// The positions of the set bits of a word.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(place)
    })
}

/// The words that contain the games of a run, without other games, each with the sort position of its lowest bit.
fn words(bits: &[u64], run: &Run) -> impl Iterator<Item = (u32, u64)> {
    let (first, end) = (run.first, run.first + run.games);
    (first / 64..end.div_ceil(64)).map(move |word| {
        let lowest = 64 * word;
        let from = u64::MAX << first.saturating_sub(lowest);
        let to = u64::MAX >> (lowest + 64).saturating_sub(end);
        (lowest, bits.get(word as usize).copied().unwrap_or(0) & from & to)
    })
}

#[inline]
fn all(conditions: &[ColumnFilter<'_>], rank: u32) -> bool {
    conditions.iter().all(|(column, passes)| passes.get(column.place(rank)) == Some(&true))
}
