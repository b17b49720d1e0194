//! Names of openings by position: the named positions of `data/openings`, whatever moves led to them.
//!
//! ```
//! use plybook_chess::openings::Openings;
//! let openings = Openings::standard();
//! let najdorf = openings.shortest("najdorf")?;
//! assert_eq!((najdorf.eco, najdorf.name), ("B90", "Sicilian Defense: Najdorf Variation"));
//! assert_eq!(openings.at(najdorf.key).map(|id| openings.get(id)), Some(Some(najdorf)));
//! # Ok::<(), plybook_chess::openings::OpeningError>(())
//! ```

mod eco;
mod names;
mod table;

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::LazyLock,
};

use shakmaty::{Chess, Position};
use twox_hash::XxHash3_64;

pub use eco::{eco, eco_of_tag, eco_range, eco_text};
pub use names::OpeningError;

use crate::{
    bits::KeyFilter,
    chess::{Untouched, move_list},
};

/// A table of openings.
#[derive(Debug)]
pub struct Openings {
    openings: Vec<Opening>,
    by_key: HashMap<u64, OpeningId, BuildHasherDefault<KeyHasher>>,
    filter: KeyFilter,
    version: u32,
    /// Computed when it is needed, since all lines must be played for that.
    untouched: LazyLock<Vec<Untouched>>,
}

/// A name with its code. Several positions may have the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code, `A00` to `E99`.
    pub eco: &'static str,
    /// Its name, from general to specific: `Sicilian Defense: Najdorf Variation, English Attack`.
    pub name: &'static str,
    /// Its shortest line, as `1. e4 c5`.
    pub moves: &'static str,
    /// The number of plies of this line.
    pub plies: usize,
    /// The Polyglot key of the position after it, with the en passant square if the capture is legal.
    pub key: u64,
}

/// The index of an opening in the table. It has no meaning in another table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpeningId(pub u16);

/// Bits of the filter of keys: about 17 times the number of named positions, and small enough to stay in the cache of a
/// core.
const FILTER_BITS: usize = 1 << 16;

impl Openings {
    /// The openings included in plybook, see `data/openings`. The first call reads them.
    pub fn standard() -> &'static Openings {
        static STANDARD: LazyLock<Openings> = LazyLock::new(Openings::read);
        &STANDARD
    }

    fn read() -> Openings {
        let mut openings: Vec<Opening> = Vec::new();
        let (mut by_key, mut keys_and_places) = (HashMap::default(), Vec::new());
        for opening in table::openings() {
            // Positions with the same name are in consecutive lines.
            match openings.last_mut().filter(|last| (last.eco, last.name) == (opening.eco, opening.name)) {
                Some(known) if opening.plies < known.plies => *known = opening.clone(),
                Some(_) => {}
                None => openings.push(opening.clone()),
            }
            let Ok(id) = u16::try_from(openings.len() - 1).map(OpeningId) else { break };
            by_key.entry(opening.key).or_insert(id);
            keys_and_places.extend(opening.key.to_le_bytes().into_iter().chain(id.0.to_le_bytes()));
        }
        let filter = KeyFilter::new(by_key.keys().copied(), FILTER_BITS);
        let version = XxHash3_64::oneshot(&keys_and_places) as u32;
        Openings { openings, by_key, filter, version, untouched: LazyLock::new(table::untouched) }
    }

    /// The opening whose position has this Polyglot key, with the en passant square if the capture is legal.
    pub fn at(&self, key: u64) -> Option<OpeningId> {
        if self.filter.may_have(key) { self.by_key.get(&key).copied() } else { None }
    }

    /// A version number of the table: it differs if a position has another name, or a name another index.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The opening at an index of the table.
    pub fn get(&self, id: OpeningId) -> Option<&Opening> {
        self.openings.get(usize::from(id.0))
    }

    /// All openings with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (OpeningId, &Opening)> {
        (0..).map(OpeningId).zip(&self.openings)
    }

    /// Whether a named position may still follow a position, or is it. Pawns never return to their second rank, and
    /// castling rights never return.
    pub fn may_follow<P: Position>(&self, position: &P) -> bool {
        let now = Untouched::of(position);
        self.untouched.iter().any(|named| named.is_within(now))
    }
}

impl Opening {
    /// The position after its shortest line.
    pub fn position(&self) -> Chess {
        // Every line of the table was played when it was read.
        let (mut position, moves) = move_list(self.moves).unwrap_or_default();
        moves.into_iter().for_each(|m| position.play_unchecked(m));
        position
    }
}

/// Keys are already random.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
