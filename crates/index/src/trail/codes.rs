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
use plybook_chess::bits::{Bits, huffman::PrefixCode};

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

/// Reads symbols.
#[derive(Clone, Debug)]
pub(super) struct SymbolReader<'a> {
    bytes: &'a [u8],
    place: usize,
}

/// The codes.
#[derive(Debug)]
pub(super) struct Codes {
    happens: Vec<Code>,
    files: Vec<Code>,
}

/// The event before the first one.
pub(super) const START: usize = 7;

/// Numbers of events.
pub(super) const BY_PIECE: u8 = 4;
pub(super) const BY_PAWN: u8 = 5;
pub(super) const EN_PASSANT: u8 = 6;

const CLASSES: usize = 13;
const END: usize = 10;

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
        let happens = (0..CLASSES).flat_map(|class| (0..=START).map(move |before| (class, before)));
        let happens = happens.map(|(class, before)| Code::of(&weights(class, before))).collect();
        let files = FILES.iter().flat_map(|weights| {
            (0..=u8::MAX).map(|files| {
                let possible = |file: usize| if files >> file & 1 == 1 { weights[file] } else { 0 };
                Code::of(&std::array::from_fn(possible))
            })
        });
        Codes { happens, files: files.collect() }
    }

    /// The code of what happens, before a change of a class and after an event.
    #[inline]
    pub(super) fn happens(&self, class: usize, before: usize) -> &Code {
        &self.happens[(class * (START + 1) + before) % (CLASSES * (START + 1))]
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
        &self.files[row << 8 | usize::from(files)]
    }
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
    pub(super) fn write(&self, symbol: u8, bits: &mut Bits) {
        let (code, length) = self.codes[usize::from(symbol % 8)];
        bits.push(code.into(), length.into());
    }
}

impl<'a> SymbolReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> SymbolReader<'a> {
        SymbolReader { bytes, place: 0 }
    }

    /// Reads a symbol. After the end there are zero bits.
    #[inline]
    pub(super) fn read(&mut self, code: &Code) -> u8 {
        let entry = code.table[(self.next() >> (64 - LONGEST)) as usize];
        self.place += usize::from(entry >> 3);
        entry & 7
    }

    /// Reads a number with this many bits, at most eight.
    pub(super) fn bits(&mut self, width: usize) -> u32 {
        let value = (self.next() >> 1 >> (63 - width)) as u32;
        self.place += width;
        value
    }

    #[inline]
    fn next(&self) -> u64 {
        let rest = self.bytes.get(self.place / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_be_bytes(*word),
            None => {
                let byte = |at: usize| rest.get(at).copied().unwrap_or(0);
                u64::from_be_bytes(std::array::from_fn(byte))
            }
        };
        word << (self.place % 8)
    }

    /// Whether only the padding of the last byte is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.place.div_ceil(8) == self.bytes.len()
    }
}

/// The weights of what happens, before a change of a class and after an event: 0 if impossible.
fn weights(class: usize, before: usize) -> [u16; 8] {
    let counted = HAPPENS[class][before];
    std::array::from_fn(|event| {
        let is_possible = match event as u8 {
            BY_PIECE => class <= END,
            BY_PAWN => class != END,
            // An en passant capture follows a double step of the other side's pawn.
            EN_PASSANT => (class, before) == (0, 3) || (class, before) == (1, 1),
            event => event < BY_PIECE,
        };
        if is_possible { counted.get(event).copied().unwrap_or(0).max(1) } else { 0 }
    })
}

/// The weights of the files a to h, by what moves or is captured (see [`Codes::file`]).
const FILES: [[u16; 8]; 7] = [
    [70, 93, 181, 321, 163, 78, 48, 42],
    [103, 92, 132, 209, 215, 67, 93, 85],
    [29, 29, 190, 456, 240, 23, 12, 17],
    [100, 125, 141, 123, 141, 164, 117, 84],
    [227, 102, 94, 63, 101, 92, 95, 222],
    [189, 121, 57, 37, 127, 73, 312, 79],
    [57, 160, 132, 211, 178, 101, 90, 67],
];

/// How often each event was counted, of 255, by the class of the next change and by the previous event.
const HAPPENS: [[[u16; 7]; START + 1]; CLASSES] = [
    [
        [99, 44, 255, 126, 76, 80, 0],
        [60, 64, 255, 157, 21, 37, 0],
        [207, 125, 175, 94, 165, 255, 0],
        [162, 83, 113, 36, 61, 255, 34],
        [78, 30, 128, 42, 255, 46, 0],
        [40, 16, 55, 17, 255, 159, 0],
        [7, 2, 10, 2, 255, 153, 0],
        [8, 255, 3, 13, 0, 0, 0],
    ],
    [
        [149, 58, 190, 87, 146, 255, 0],
        [77, 71, 251, 255, 43, 235, 13],
        [255, 193, 113, 62, 68, 94, 0],
        [255, 188, 224, 25, 33, 115, 0],
        [128, 43, 93, 29, 255, 50, 0],
        [66, 21, 48, 15, 255, 219, 0],
        [4, 1, 4, 1, 255, 91, 0],
        [5, 255, 2, 13, 0, 0, 0],
    ],
    [
        [105, 48, 228, 77, 255, 21, 0],
        [77, 54, 255, 190, 140, 8, 0],
        [142, 80, 130, 53, 255, 12, 0],
        [255, 103, 249, 31, 253, 9, 0],
        [26, 12, 41, 11, 255, 81, 0],
        [94, 30, 112, 26, 255, 33, 0],
        [52, 13, 56, 13, 255, 23, 0],
        [8, 255, 3, 10, 0, 0, 0],
    ],
    [
        [79, 35, 135, 62, 255, 10, 0],
        [71, 77, 255, 106, 135, 4, 0],
        [255, 141, 135, 64, 228, 19, 0],
        [255, 69, 100, 24, 114, 7, 0],
        [33, 18, 41, 10, 255, 85, 0],
        [113, 29, 103, 25, 255, 35, 0],
        [12, 8, 40, 8, 255, 18, 0],
        [8, 255, 4, 11, 0, 0, 0],
    ],
    [
        [106, 48, 234, 68, 255, 15, 0],
        [76, 44, 255, 183, 127, 6, 0],
        [149, 68, 97, 42, 255, 7, 0],
        [255, 114, 196, 28, 237, 5, 0],
        [15, 5, 20, 5, 255, 78, 0],
        [82, 23, 92, 21, 255, 23, 0],
        [24, 20, 43, 12, 255, 16, 0],
        [7, 255, 2, 14, 0, 0, 0],
    ],
    [
        [81, 35, 140, 43, 255, 7, 0],
        [82, 60, 255, 128, 159, 4, 0],
        [246, 124, 149, 62, 255, 15, 0],
        [255, 83, 135, 20, 167, 10, 0],
        [17, 8, 19, 5, 255, 84, 0],
        [85, 23, 81, 19, 255, 23, 0],
        [10, 3, 28, 5, 255, 18, 0],
        [5, 255, 3, 8, 0, 0, 0],
    ],
    [
        [82, 24, 125, 34, 255, 5, 0],
        [104, 23, 147, 48, 255, 3, 0],
        [101, 34, 78, 19, 255, 1, 0],
        [119, 44, 96, 19, 255, 1, 0],
        [15, 5, 16, 4, 255, 23, 0],
        [51, 13, 54, 12, 255, 3, 0],
        [18, 0, 21, 3, 255, 0, 0],
        [55, 255, 0, 18, 0, 0, 0],
    ],
    [
        [80, 21, 102, 28, 255, 2, 0],
        [115, 23, 120, 43, 255, 1, 0],
        [133, 43, 81, 19, 255, 5, 0],
        [148, 52, 106, 18, 255, 3, 0],
        [17, 5, 14, 4, 255, 24, 0],
        [60, 16, 50, 12, 255, 3, 0],
        [32, 0, 16, 0, 255, 3, 0],
        [0, 255, 23, 0, 0, 0, 0],
    ],
    [
        [68, 22, 113, 32, 255, 2, 0],
        [95, 25, 150, 56, 255, 2, 0],
        [102, 39, 76, 18, 255, 1, 0],
        [133, 48, 98, 19, 255, 1, 0],
        [14, 5, 15, 4, 255, 40, 0],
        [33, 9, 34, 7, 255, 2, 0],
        [19, 5, 33, 0, 255, 0, 0],
        [18, 255, 2, 21, 0, 0, 0],
    ],
    [
        [76, 23, 103, 32, 255, 1, 0],
        [109, 33, 172, 74, 255, 1, 0],
        [132, 48, 76, 22, 255, 2, 0],
        [157, 59, 94, 15, 255, 2, 0],
        [16, 5, 15, 4, 255, 43, 0],
        [37, 8, 33, 9, 255, 3, 0],
        [3, 0, 14, 3, 255, 0, 0],
        [16, 255, 2, 40, 0, 0, 0],
    ],
    [
        [127, 18, 118, 27, 255, 0, 0],
        [145, 32, 194, 71, 255, 0, 0],
        [132, 35, 126, 18, 255, 0, 0],
        [192, 63, 149, 21, 255, 0, 0],
        [67, 16, 63, 14, 255, 0, 0],
        [94, 17, 86, 15, 255, 0, 0],
        [46, 14, 45, 8, 255, 0, 0],
        [15, 255, 4, 14, 2, 0, 0],
    ],
    [
        [181, 4, 255, 15, 0, 217, 0],
        [255, 7, 159, 36, 0, 69, 0],
        [255, 5, 61, 4, 0, 239, 0],
        [255, 8, 73, 11, 0, 118, 0],
        [223, 10, 58, 9, 0, 255, 0],
        [129, 3, 57, 4, 0, 255, 0],
        [255, 85, 255, 0, 0, 85, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [59, 5, 255, 5, 0, 216, 0],
        [98, 8, 255, 19, 0, 117, 0],
        [255, 17, 175, 3, 0, 198, 0],
        [156, 46, 255, 6, 0, 70, 0],
        [66, 11, 235, 8, 0, 255, 0],
        [53, 3, 112, 2, 0, 255, 0],
        [85, 0, 255, 0, 0, 85, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ],
];
