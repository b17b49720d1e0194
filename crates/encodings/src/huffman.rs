//! `huffman`: the content of every square in a Huffman code.
//!
//! ```text
//! empty 0    pawn 110/100    rook 11111/11110    knight 10110/10101    bishop 10100/11100
//!            queen 111010/111011    king 101110/101111         (white/black; squares from a1 to h8)
//! ```
//!
//! Cost: 32·1 + 16·3 + 12·5 + 4·6 = 164 bits for the initial position; it depends on the pieces on the board. (There
//! is no useful upper bound: 64 kings would take 384 bits.)
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), with one of the tables that its program
//! prints. Its weights are the pieces of the initial position ([`SOURCE_COUNTS`]); Huffman's algorithm gives codes of
//! the same lengths for them. Counts from an archive give a better table: [`Trained`].
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::huffman::{HUFFMAN, SOURCE_COUNTS, Trained};
//! let setup = Setup::initial();
//! assert_eq!(HUFFMAN.encode(&setup).unwrap().len(), 164);
//!
//! let trained = Trained::from_counts(&SOURCE_COUNTS);
//! assert_eq!(trained.encode(&setup).len(), 164);
//! assert_eq!(trained.decode(trained.encode(&setup).bytes()).unwrap().board, setup.board);
//! ```
//!
//! # Stability
//! Frozen. (Trained tables are as stable as the counts from which they are built.)

use std::sync::LazyLock;

use super::{Fields, PositionCodec, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits, huffman::PrefixCode},
    chess::{Board, Setup, Square},
    codec::DecodeError,
};

/// The source's table: the codes of empty, white P N B R Q K, black p n b r q k.
pub const SOURCE_TABLE: [&str; 13] = [
    "0", "110", "10110", "10100", "11111", "111010", "101110", "100", "10101", "11100", "11110", "111011",
    "101111",
];

/// The source's weights, in the order of the table: the contents of the squares of the initial position.
pub const SOURCE_COUNTS: [u64; 13] = [32, 8, 2, 2, 2, 1, 1, 8, 2, 2, 2, 1, 1];

static CODE: LazyLock<PrefixCode> =
    LazyLock::new(|| PrefixCode::from_text(&SOURCE_TABLE).unwrap_or_else(|| built(&SOURCE_COUNTS)));

/// The codec `huffman`, with the source's table.
pub const HUFFMAN: PositionCodec = PositionCodec {
    name: "huffman",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 164,
    worst_bits: None,
    summary: "a Huffman code of the contents of squares",
    write: |setup, bits| {
        write(&CODE, &setup.board, bits);
        Ok(())
    },
    read: |reader| read(&CODE, reader),
};

/// The codec with a table built from counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    code: PrefixCode,
}

impl Trained {
    /// The table for positions with these total contents of squares (see [`count`]).
    pub fn from_counts(counts: &[u64; 13]) -> Trained {
        Trained { code: built(counts) }
    }

    /// The table: the codes of empty, white P N B R Q K, black p n b r q k.
    pub fn table(&self) -> Vec<String> {
        self.code.texts()
    }

    /// The total size in bits of positions with these contents.
    pub fn cost(&self, counts: &[u64; 13]) -> u64 {
        self.code.cost(counts)
    }

    /// Encodes a layout.
    pub fn encode(&self, setup: &Setup) -> Bits {
        let mut bits = Bits::default();
        write(&self.code, &setup.board, &mut bits);
        bits
    }

    /// Decodes a layout.
    ///
    /// # Errors
    /// The bytes are not a layout.
    pub fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let setup = read(&self.code, &mut reader)?;
        reader.finish()?;
        Ok(setup)
    }
}

/// Adds the contents of a board's squares to the counts: empty, white P N B R Q K, black p n b r q k.
pub fn count(board: &Board, counts: &mut [u64; 13]) {
    for square in Square::ALL {
        if let Some(count) = counts.get_mut(usize::from(board::symbol(board, square))) {
            *count += 1;
        }
    }
}

/// The total size in bits of positions with these contents, using the source's table.
pub fn source_cost(counts: &[u64; 13]) -> u64 {
    CODE.cost(counts)
}

fn built(counts: &[u64; 13]) -> PrefixCode {
    // Thirteen symbols are never too many.
    PrefixCode::from_counts(counts).unwrap_or_default()
}

fn write(code: &PrefixCode, board: &Board, bits: &mut Bits) {
    for square in Square::ALL {
        code.write(board::symbol(board, square), bits);
    }
}

fn read(code: &PrefixCode, reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let symbols = Square::ALL.into_iter().map(|square| {
        let symbol = code.read(reader)?.ok_or(invalid("invalid code"))?;
        Ok((square, symbol))
    });
    board::from_symbols(symbols, "invalid code")
}
