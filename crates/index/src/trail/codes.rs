//! The prefix codes of events that change the pawns or the material.
//!
//! An event is what happens, and where. What happens has one of seven numbers: 0 and 1 for a step of White's pawn by
//! one or two squares, 2 and 3 for Black's; 4 to 6 for the next change of the material, by a piece (4), a pawn (5) or
//! en passant (6). Its code depends on that next change and on the previous event. Where it happens is the file of the
//! pawn that moves, or that a piece captures, with one code for each set of possible files. The codes are Huffman
//! codes, with weights counted in 297,156 master games (`cargo bench --bench trail_weights`); weights and codes never
//! change.

use std::sync::LazyLock;

use super::pawns::PawnMove;
use plybook_chess::bits::huffman::PrefixCode;

/// Bits of the longest code.
// Short enough that one table lookup of 128 bytes decodes any symbol.
const LONGEST: usize = 7;

/// A code with up to eight symbols.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// For the next bits the symbol, and the length of its code in the bits above the lowest three.
    table: [u8; 1 << LONGEST],
    /// The code of each symbol, and its length.
    codes: [(u8, u8); 8],
}

/// The bits of an event, fewer than 64.
// Putting its codes together first is faster than appending each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EventBits {
    pub bits: u64,
    pub width: usize,
}

impl EventBits {
    #[inline]
    pub fn push(&mut self, value: u64, width: usize) {
        self.bits = self.bits << width | value;
        self.width += width;
    }
}

/// Reads symbols.
#[derive(Clone, Debug)]
pub(super) struct SymbolReader<'a> {
    pub codes: &'static Codes,
    bytes: &'a [u8],
    /// The number of bits read.
    place: usize,
    /// The bits from there on, from the highest.
    ahead: u64,
}

/// The codes.
#[derive(Debug)]
pub(super) struct Codes {
    happens: Box<[Code; CLASSES * EVENTS]>,
    files: Box<[Code; KINDS_OF_FILES * SETS_OF_FILES]>,
}

/// The event before the first one.
pub(super) const START: usize = 7;

/// Numbers of events.
pub(super) const BY_PIECE: u8 = 4;
pub(super) const BY_PAWN: u8 = 5;
pub(super) const EN_PASSANT: u8 = 6;

// Powers of two: a code is found without a division, and no number is outside the tables.
const CLASSES: usize = 16;
const EVENTS: usize = START + 1;
const KINDS_OF_FILES: usize = 8;
const SETS_OF_FILES: usize = 256;

const END: usize = 10;

/// The numbers of lines of weights.
const USED_CLASSES: usize = 13;
const USED_KINDS_OF_FILES: usize = 7;

/// What moves or is captured, for the code of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// A pawn that moves.
    Moving(PawnMove),
    /// A pawn that a piece captures.
    Taken,
}

impl Codes {
    /// The codes, which are computed once.
    pub(super) fn get() -> &'static Codes {
        static CODES: LazyLock<Codes> = LazyLock::new(Codes::new);
        &CODES
    }

    fn new() -> Codes {
        let mut weights = WEIGHTS.lines().map(|line| {
            let mut numbers = line.split(' ').map(|number| number.parse().unwrap_or(0));
            std::array::from_fn(|_| numbers.next().unwrap_or(0))
        });
        let files = weights.by_ref().take(USED_KINDS_OF_FILES).flat_map(|weights: [u16; 8]| {
            (0..=u8::MAX).map(move |files| {
                let weight = |file: usize| if files >> file & 1 == 1 { weights[file] } else { 0 };
                Code::of(&std::array::from_fn(weight))
            })
        });
        let files = padded(files.collect());
        let happens = (0..USED_CLASSES).flat_map(|class| (0..EVENTS).map(move |before| (class, before)));
        let happens = happens
            .zip(weights)
            .map(|((class, before), counted)| Code::of(&possible(class, before, counted)));
        Codes { happens: padded(happens.collect()), files }
    }

    /// The code of what happens, before a change of a class and after an event.
    #[inline]
    pub(super) fn happens(&self, class: usize, before: usize) -> &Code {
        &self.happens[(class * EVENTS + before) % (CLASSES * EVENTS)]
    }

    /// The code of one of several files.
    #[inline]
    pub(super) fn file(&self, which: Which, files: u8) -> &Code {
        let row = match which {
            Which::Taken => 0,
            Which::Moving(PawnMove::One) => 1,
            Which::Moving(PawnMove::Two) => 2,
            Which::Moving(PawnMove::Promotes) => 3,
            Which::Moving(PawnMove::TakesPawn) => 4,
            Which::Moving(PawnMove::EnPassant) => 5,
            Which::Moving(PawnMove::Takes | PawnMove::TakesPromoting) => 6,
        };
        &self.files[row * SETS_OF_FILES + usize::from(files)]
    }
}

/// Adds codes without a symbol up to the size of a table.
fn padded<const SIZE: usize>(codes: Vec<Code>) -> Box<[Code; SIZE]> {
    let mut codes = codes.into_iter();
    let next = |_| codes.next().unwrap_or(Code { table: [0; 1 << LONGEST], codes: [(0, 0); 8] });
    Box::new(std::array::from_fn(next))
}

impl Code {
    /// A code for symbols with weights; symbols without a weight cannot occur. A single symbol takes no bits.
    fn of(weights: &[u16; 8]) -> Code {
        let possible: Vec<u8> = (0..8).filter(|symbol| weights[usize::from(*symbol)] > 0).collect();
        let mut code = Code { table: [0; 1 << LONGEST], codes: [(0, 0); 8] };
        if let [only] = possible[..] {
            code.table = [only; 1 << LONGEST];
            return code;
        }
        let counts: Vec<u64> = possible.iter().map(|symbol| weights[usize::from(*symbol)].into()).collect();
        let prefix = PrefixCode::from_counts(&counts).unwrap_or_default();
        for (symbol, text) in possible.into_iter().zip(prefix.texts()) {
            let (bits, length) = (u8::from_str_radix(&text, 2).unwrap_or(0), text.len());
            code.codes[usize::from(symbol)] = (bits, length as u8);
            let first = usize::from(bits) << (LONGEST - length);
            code.table[first..first + (1 << (LONGEST - length))].fill(symbol | (length as u8) << 3);
        }
        code
    }

    /// Adds a symbol.
    #[inline]
    pub(super) fn write(&self, symbol: u8, bits: &mut EventBits) {
        let (code, length) = self.codes[usize::from(symbol % 8)];
        bits.push(code.into(), length.into());
    }
}

impl<'a> SymbolReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> SymbolReader<'a> {
        SymbolReader { codes: Codes::get(), bytes, place: 0, ahead: 0 }
    }

    /// Looks up the next bits; as many as an event can take. After the end there are zero bits.
    #[inline(always)]
    pub(super) fn look_ahead(&mut self) {
        self.ahead = match self.bytes.last_chunk::<8>() {
            // Near the end the last eight bytes, shifted: that is where half the events are.
            Some(last) => {
                let at = (self.place / 8).min(self.bytes.len() - last.len());
                let word = self.bytes[at..].first_chunk().map_or(0, |word| u64::from_be_bytes(*word));
                word.unbounded_shl((self.place - 8 * at) as u32)
            }
            None => {
                let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(0);
                u64::from_be_bytes(std::array::from_fn(byte)).unbounded_shl(self.place as u32)
            }
        };
    }

    /// Reads a symbol.
    #[inline(always)]
    pub(super) fn read(&mut self, code: &Code) -> u8 {
        let entry = code.table[(self.ahead >> (64 - LONGEST)) as usize];
        self.skip(usize::from(entry >> 3));
        entry & 7
    }

    /// Reads a number with this many bits, at most eight.
    #[inline(always)]
    pub(super) fn bits(&mut self, width: usize) -> u32 {
        let value = (self.ahead >> 1 >> (63 - width)) as u32;
        self.skip(width);
        value
    }

    #[inline(always)]
    fn skip(&mut self, bits: usize) {
        self.ahead <<= bits;
        self.place += bits;
    }

    /// Whether only the padding of the last byte is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.place.div_ceil(8) == self.bytes.len()
    }
}

/// The weights of what happens, before a change of a class and after an event: 0 if impossible.
fn possible(class: usize, before: usize, counted: [u16; 8]) -> [u16; 8] {
    std::array::from_fn(|event| {
        let is_possible = match event as u8 {
            BY_PIECE => class <= END,
            BY_PAWN => class != END,
            // An en passant capture follows a double step of the other side's pawn.
            EN_PASSANT => (class, before) == (0, 3) || (class, before) == (1, 1),
            event => event < BY_PIECE,
        };
        if is_possible { counted[event].max(1) } else { 0 }
    })
}

/// The weights, one line each: of the files a to h, for everything that moves or is captured (see [`Codes::file`]);
/// then how often each event was counted, of 255, for every class of the next change and every previous event.
const WEIGHTS: &str = include_str!("weights.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_every_event_has_its_weight() {
        // Trails that are stored already depend on each number: a lost one would give other codes.
        let lines: Vec<Vec<u16>> = WEIGHTS
            .lines()
            .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
            .collect();
        assert_eq!(lines.len(), USED_KINDS_OF_FILES + USED_CLASSES * EVENTS);
        let (files, happens) = lines.split_at(USED_KINDS_OF_FILES);
        assert!(files.iter().all(|weights| weights.len() == 8));
        assert!(happens.iter().all(|weights| weights.len() == 7));
    }
}
