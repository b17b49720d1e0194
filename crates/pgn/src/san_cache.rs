//! A cache of the openings read so far. Most games begin like many others, so the meaning of their first moves is
//! already known.

use plybook_chess::chess::Resolved;

/// Maximum number of cached positions per parser, about 180 bytes each. Twice as many would save only one more ply in
/// a hundred of a large collection.
// Halved from 32,768, because every parser thread has its own cache: an import takes less memory and loses hardly any
// hits.
const MOST: usize = 1 << 14;

/// Number of hash slots, and of consecutive slots that are probed for a move.
const SLOTS: usize = 2 * MOST;
// A fixed table with a few probes instead of a HashMap: entries are never removed, a full neighbourhood simply stops
// learning, and the lookup is a multiplication and at most eight comparisons of two words.
const PROBES: usize = 8;

/// A tree of openings from one start position. Each game adds at most one position, the first that is new, so the tree
/// fills up with openings that occur repeatedly.
#[derive(Debug)]
pub struct SanCache<P> {
    /// The numbers of cached moves, by the hash of origin and word; 0 if empty.
    slots: Vec<u16>,
    /// The cached moves; the first has number 1.
    moves: Vec<CachedMove>,
    /// The positions: the start, and the one after each move.
    positions: Vec<P>,
}

/// A node of the tree: the start, or the position after the move with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u16);

/// A move that leads from one node to another.
#[derive(Debug)]
struct CachedMove {
    word: ShortWord,
    from: Node,
    resolved: Resolved,
}

/// A move as it is written: a word of at most eight bytes, as nearly all moves are, or any other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortWord(pub u64);

impl ShortWord {
    /// The word of the given length at the start of a text; `None` if it is too long or fewer than eight bytes remain.
    #[inline]
    pub(super) fn of(text: &[u8], length: usize) -> Option<ShortWord> {
        let bytes = u64::from_le_bytes(*text.first_chunk()?);
        let others = 64usize.checked_sub(8 * length).filter(|_| length > 0)?;
        Some(ShortWord(bytes & u64::MAX >> others))
    }
}

impl<P> Default for SanCache<P> {
    /// An empty cache that stores nothing.
    fn default() -> SanCache<P> {
        SanCache { slots: Vec::new(), moves: Vec::new(), positions: Vec::new() }
    }
}

impl<P: PartialEq> SanCache<P> {
    /// An empty cache for a start position.
    pub fn from(start: P) -> SanCache<P> {
        SanCache { slots: vec![0; SLOTS], positions: vec![start], ..SanCache::default() }
    }

    /// The node of the start position, if it is this one.
    pub fn start(&self, start: &P) -> Option<Node> {
        self.positions.first().filter(|&first| first == start).map(|_| Node(0))
    }

    /// The position at a node.
    pub fn position(&self, Node(number): Node) -> Option<&P> {
        self.positions.get(usize::from(number))
    }

    /// The slots where a move from a node may be stored.
    #[inline]
    fn slots(Node(from): Node, ShortWord(word): ShortWord) -> impl Iterator<Item = usize> {
        // Words have at most eight bytes and their last ones are mostly zero, so the node is mixed into the high
        // bytes, where it collides least with the letters of the word.
        let hash = (word ^ u64::from(from) << 44).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (0..PROBES).map(move |probe| (hash as usize + probe) % SLOTS)
    }

    /// The cached meaning of a move and the node it leads to.
    #[inline]
    pub fn follow(&self, from: Node, word: ShortWord) -> Option<(Node, Resolved)> {
        for slot in SanCache::<P>::slots(from, word) {
            let number = *self.slots.get(slot)?;
            let known = self.moves.get(usize::from(number).checked_sub(1)?)?;
            if known.word == word && known.from == from {
                return Some((Node(number), known.resolved));
            }
        }
        None
    }

    /// Adds a new move and the position it leads to, if there is space.
    pub fn learn(&mut self, from: Node, word: ShortWord, resolved: Resolved, position: P) {
        let Ok(number) = u16::try_from(self.positions.len()) else { return };
        let mut slots = SanCache::<P>::slots(from, word);
        if self.positions.len() < MOST
            && let Some(slot) = slots.find(|&slot| self.slots.get(slot) == Some(&0))
        {
            self.slots[slot] = number;
            self.moves.push(CachedMove { word, from, resolved });
            self.positions.push(position);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::{super::Reader, *};
    use plybook_chess::chess::resolve;

    #[test]
    fn cached_moves_lead_to_the_same_positions() {
        let mut cache = SanCache::from(Chess::new());
        let start = cache.start(&Chess::new()).unwrap();
        for (number, text) in (1..).zip(["d4", "e4", "Nf3", "a3"]) {
            let word = ShortWord::of(format!("{text} e5 d5 *").as_bytes(), text.len()).unwrap();
            assert!(cache.follow(start, word).is_none());
            let resolved = resolve(&Chess::new(), text.parse().unwrap()).unwrap();
            let after = Chess::new().play(resolved.m()).unwrap();
            cache.learn(start, word, resolved, after.clone());
            let (place, found) = cache.follow(start, word).unwrap();
            assert_eq!((place, found), (Node(number), resolved));
            assert_eq!(cache.position(place), Some(&after));
            assert!(cache.follow(place, word).is_none());
        }
        assert_eq!(cache.start(&Chess::new().play(resolve_e4()).unwrap()), None);
    }

    fn resolve_e4() -> shakmaty::Move {
        resolve(&Chess::new(), "e4".parse().unwrap()).unwrap().m()
    }

    /// Shared and unique openings, moves that are illegal only in some of the games, games that end within a cached
    /// opening or repeat it.
    #[test]
    fn games_read_the_same_with_and_without_the_cache() {
        let text = include_str!("../../../data/famous.pgn");
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
