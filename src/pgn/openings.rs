//! The openings of the games read so far. Most games begin like many before them: what their first moves mean
//! was found out then, and need not be again.

use shakmaty::san::San;

use crate::chess::Resolved;

/// Positions that are remembered at most, of about 200 bytes each. Twice as many save only every hundredth ply
/// more of a large collection.
const MOST: usize = 1 << 15;

/// A tree of openings from one start position. Each game adds at most one position, the first that is new: so
/// the tree is filled by those that come again and again.
#[derive(Debug)]
pub(super) struct Openings<P> {
    /// The places of the tree; the start is the first.
    places: Vec<Place>,
    /// Their positions, kept apart because few of them are ever looked at.
    positions: Vec<P>,
}

/// The number of a place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(u32);

/// A position of the tree, as it is reached.
#[derive(Debug, Default)]
struct Place {
    /// Moves from here that are known: the one met first, which is likely to be the most common.
    next: Option<Number>,
    /// The move that leads here; none leads to the start.
    step: Option<Step>,
}

#[derive(Debug)]
struct Step {
    san: San,
    resolved: Resolved,
    /// The move from the same position that was met after it.
    other: Option<Number>,
}

impl<P> Default for Openings<P> {
    /// Knows no opening, and learns none.
    fn default() -> Openings<P> {
        Openings { places: Vec::new(), positions: Vec::new() }
    }
}

impl<P: PartialEq> Openings<P> {
    /// Openings from a position, all still to be learned.
    pub(super) fn from(start: P) -> Openings<P> {
        Openings { places: vec![Place::default()], positions: vec![start] }
    }

    /// The place of a start position.
    pub(super) fn start(&self, start: &P) -> Option<Number> {
        self.positions.first().filter(|&first| first == start).map(|_| Number(0))
    }

    fn place(&self, number: Number) -> Option<&Place> {
        self.places.get(number.0 as usize)
    }

    /// The position at a place.
    pub(super) fn position(&self, number: Number) -> Option<&P> {
        self.positions.get(number.0 as usize)
    }

    /// What a move means, and where it leads, if that is known.
    #[inline]
    pub(super) fn follow(&self, from: Number, san: San) -> Option<(Number, Resolved)> {
        let mut next = self.place(from)?.next;
        while let Some(number) = next {
            let step = self.place(number)?.step.as_ref()?;
            if step.san == san {
                return Some((number, step.resolved));
            }
            next = step.other;
        }
        None
    }

    /// Learns a new move and the position it leads to, if there is room.
    pub(super) fn learn(&mut self, from: Number, san: San, resolved: Resolved, position: P) {
        let length = self.places.len();
        let Some(number) = u32::try_from(length).ok().filter(|_| length < MOST).map(Number) else { return };
        if let Some(free) = self.after_known(from) {
            *free = Some(number);
            self.places.push(Place { next: None, step: Some(Step { san, resolved, other: None }) });
            self.positions.push(position);
        }
    }

    /// Where the next move from a place is to be noted.
    fn after_known(&mut self, from: Number) -> Option<&mut Option<Number>> {
        let mut last = None;
        let mut next = self.place(from)?.next;
        while let Some(number) = next {
            last = Some(number);
            next = self.place(number)?.step.as_ref()?.other;
        }
        match last {
            None => Some(&mut self.places.get_mut(from.0 as usize)?.next),
            Some(last) => Some(&mut self.places.get_mut(last.0 as usize)?.step.as_mut()?.other),
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
        let mut openings = Openings::from(Chess::new());
        let start = openings.start(&Chess::new()).unwrap();
        for (known, text) in ["d4", "e4", "Nf3", "a3"].into_iter().enumerate() {
            let san = text.parse().unwrap();
            assert!(openings.follow(start, san).is_none());
            let resolved = resolve(&Chess::new(), san).unwrap();
            let after = Chess::new().play(resolved.m).unwrap();
            openings.learn(start, san, resolved, after.clone());
            let (place, found) = openings.follow(start, san).unwrap();
            assert_eq!((place, found), (Number(known as u32 + 1), resolved));
            assert_eq!(openings.position(place), Some(&after));
            assert!(openings.follow(place, san).is_none());
        }
        assert_eq!(openings.start(&Chess::new().play(resolve_e4()).unwrap()), None);
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
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                Reader::new().read(text.as_bytes(), |start, end, game| {
                    expected.push((start, end, format!("{game:?}")))
                });
                learned
                    .read(text.as_bytes(), |start, end, game| found.push((start, end, format!("{game:?}"))));
                assert_eq!(found, expected);
            }
        }
    }
}
