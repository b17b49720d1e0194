//! The openings of the games read so far. Most games begin like many before them: what their first moves mean
//! was found out then, and need not be again.

use std::num::NonZeroU32;

use shakmaty::{Move, san::San};

use crate::chess::Resolved;

/// Positions that every parser remembers at most, of about 180 bytes each. Twice as many save only every hundredth
/// ply more of a large collection.
const MOST: usize = 1 << 14;

/// A tree of openings from one start position. Each game adds at most one position, the first that is new: so
/// the tree is filled by those that come again and again.
#[derive(Debug)]
pub(super) struct SanCache<P> {
    /// The first known move from the start.
    first: Option<MoveId>,
    /// The known moves. Small, as many of them are looked at for every game.
    steps: Vec<CachedMove>,
    /// The positions: the start, and the one after each step.
    positions: Vec<P>,
}

/// A place in the tree: the start, or after the step of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(Option<MoveId>);

/// The number of a step, which is that of its position.
type MoveId = NonZeroU32;

/// A move that leads from one place to another.
#[derive(Debug)]
struct CachedMove {
    san: San,
    m: Move,
    index: u16,
    count: u16,
    /// The move from the same place that was found after it: those found first are likely to be the most common.
    other: Option<MoveId>,
    /// The first known move from where it leads.
    next: Option<MoveId>,
}

impl<P> Default for SanCache<P> {
    /// Knows no opening, and learns none.
    fn default() -> SanCache<P> {
        SanCache { first: None, steps: Vec::new(), positions: Vec::new() }
    }
}

impl<P: PartialEq> SanCache<P> {
    /// The cache of a position, all still to be learned.
    pub(super) fn from(start: P) -> SanCache<P> {
        SanCache { positions: vec![start], ..SanCache::default() }
    }

    /// The place of a start position.
    pub(super) fn start(&self, start: &P) -> Option<Node> {
        self.positions.first().filter(|&first| first == start).map(|_| Node(None))
    }

    /// The position at a place.
    pub(super) fn position(&self, Node(number): Node) -> Option<&P> {
        self.positions.get(number.map_or(0, |number| number.get() as usize))
    }

    fn step(&self, number: MoveId) -> Option<&CachedMove> {
        self.steps.get(number.get() as usize - 1)
    }

    /// The first known move from a place.
    fn first_from(&self, Node(number): Node) -> Option<MoveId> {
        number.map_or(self.first, |number| self.step(number)?.next)
    }

    /// What a move means, and where it leads, if that is known.
    #[inline]
    pub(super) fn follow(&self, from: Node, san: San) -> Option<(Node, Resolved)> {
        let mut known = self.first_from(from);
        while let Some(number) = known {
            let step = self.step(number)?;
            if step.san == san {
                let CachedMove { m, index, count, .. } = *step;
                let resolved = Resolved { m, index: index.into(), count: count.into() };
                return Some((Node(Some(number)), resolved));
            }
            known = step.other;
        }
        None
    }

    /// Learns a new move and the position it leads to, if there is room.
    pub(super) fn learn(&mut self, from: Node, san: San, resolved: Resolved, position: P) {
        let Resolved { m, index, count } = resolved;
        let number = u32::try_from(self.positions.len()).ok().and_then(MoveId::new);
        let (Some(_), Ok(index), Ok(count)) = (number, u16::try_from(index), u16::try_from(count)) else {
            return;
        };
        if self.positions.len() < MOST
            && let Some(free) = self.after_known(from)
        {
            *free = number;
            self.steps.push(CachedMove { san, m, index, count, other: None, next: None });
            self.positions.push(position);
        }
    }

    /// Where the next move from a place is to be noted.
    fn after_known(&mut self, from: Node) -> Option<&mut Option<MoveId>> {
        let mut last = None;
        let mut known = self.first_from(from);
        while let Some(number) = known {
            last = Some(number);
            known = self.step(number)?.other;
        }
        let place = |number: MoveId| number.get() as usize - 1;
        match (last, from.0) {
            (Some(last), _) => Some(&mut self.steps.get_mut(place(last))?.other),
            (None, Some(from)) => Some(&mut self.steps.get_mut(place(from))?.next),
            (None, None) => Some(&mut self.first),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::{super::Reader, *};
    use crate::chess::resolve;

    #[test]
    fn known_moves_lead_where_they_led_before() {
        let mut cache = SanCache::from(Chess::new());
        let start = cache.start(&Chess::new()).unwrap();
        for (known, text) in ["d4", "e4", "Nf3", "a3"].into_iter().enumerate() {
            let san = text.parse().unwrap();
            assert!(cache.follow(start, san).is_none());
            let resolved = resolve(&Chess::new(), san).unwrap();
            let after = Chess::new().play(resolved.m).unwrap();
            cache.learn(start, san, resolved, after.clone());
            let (place, found) = cache.follow(start, san).unwrap();
            assert_eq!((place, found), (Node(MoveId::new(known as u32 + 1)), resolved));
            assert_eq!(cache.position(place), Some(&after));
            assert!(cache.follow(place, san).is_none());
        }
        assert_eq!(cache.start(&Chess::new().play(resolve_e4()).unwrap()), None);
    }

    fn resolve_e4() -> shakmaty::Move {
        resolve(&Chess::new(), "e4".parse().unwrap()).unwrap().m
    }

    /// Shared and own openings, moves that are illegal only in some of the games, games that end within a known
    /// opening or repeat it.
    #[test]
    fn games_are_read_alike_with_and_without_openings() {
        let text = include_str!("../../data/famous.pgn");
        let mut movetexts: Vec<&str> = text.split("\n\n").filter(|part| part.starts_with("1.")).collect();
        assert!(movetexts.len() > 50);
        movetexts.extend([
            "1. e4 e5 2. Nf3 *",
            "1. e4 e5 2. Nf3 Nf3 *",
            "1. d4 *",
            "1. e4 e5 2. Nf6 *",
            "1. e4 e5 *",
        ]);
        let mut learned = Reader::new();
        for _ in 0..3 {
            for text in &movetexts {
                let mut new = Reader::new();
                let expected: Vec<String> =
                    new.read(text.as_bytes()).map(|read| format!("{read:?}")).collect();
                let found: Vec<String> =
                    learned.read(text.as_bytes()).map(|read| format!("{read:?}")).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
