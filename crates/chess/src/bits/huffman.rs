//! Prefix codes: built from counts by Huffman's algorithm, or given as text.
//!
//! Source: D. A. Huffman, "A Method for the Construction of Minimum-Redundancy Codes" (1952). The two lightest nodes
//! are joined until one is left; the depth of a symbol is the length of its code. Ties between equal weights go to the
//! node with the smallest symbol, and the codes are canonical (shorter first, then by symbol), so the same counts
//! always give the same code.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{BitError, BitReader, Bits};

/// Maximum number of symbols. A tree with 64 leaves is at most 63 levels deep.
const MAX_SYMBOLS: usize = 64;

/// A code of up to 64 symbols, none a prefix of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrefixCode {
    codes: Vec<Code>,
}

/// The code of one symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Code {
    bits: u64,
    len: u8,
}

impl PrefixCode {
    /// A code given as one string of `0` and `1` per symbol; `None` if one is a prefix of another, is longer than 64
    /// bits or is not such a string, or if there are more than 64.
    pub fn from_text(texts: &[&str]) -> Option<PrefixCode> {
        let code = |text: &&str| {
            let len = u8::try_from(text.len()).ok().filter(|len| (1..=64).contains(len))?;
            Some(Code { bits: u64::from_str_radix(text, 2).ok()?, len })
        };
        let codes: Vec<Code> = texts.iter().map(code).collect::<Option<_>>()?;
        let clash = |(n, a): (usize, &&str)| {
            texts.iter().enumerate().any(|(other, b)| other != n && b.starts_with(a))
        };
        let clashes = texts.iter().enumerate().any(clash);
        (!clashes && codes.len() <= MAX_SYMBOLS).then_some(PrefixCode { codes })
    }

    /// Huffman's code for symbols with these counts; a count of 0 is treated as 1, so that every symbol can be
    /// written. `None` for more than 64 symbols, whose codes could be longer than 64 bits.
    ///
    /// ```
    /// use plybook_chess::bits::huffman::PrefixCode;
    /// let code = PrefixCode::from_counts(&[5, 2, 1, 1]).unwrap();
    /// assert_eq!(code.lengths(), [1, 2, 3, 3]);
    /// assert_eq!(code.texts(), ["0", "10", "110", "111"]);
    /// assert_eq!(code.cost(&[5, 2, 1, 1]), 15);
    /// ```
    pub fn from_counts(counts: &[u64]) -> Option<PrefixCode> {
        let counts: Vec<u64> = counts.iter().map(|&count| count.max(1)).collect();
        (counts.len() <= MAX_SYMBOLS).then(|| canonical(&depths(&counts)))
    }

    /// The length of each symbol's code.
    pub fn lengths(&self) -> Vec<u8> {
        self.codes.iter().map(|code| code.len).collect()
    }

    /// Each symbol's code as `0` and `1`.
    pub fn texts(&self) -> Vec<String> {
        let text = |code: &Code| format!("{:01$b}", code.bits, usize::from(code.len));
        self.codes.iter().map(text).collect()
    }

    /// The total size in bits of symbols with these counts.
    pub fn cost(&self, counts: &[u64]) -> u64 {
        let costs = self.codes.iter().zip(counts).map(|(code, count)| count.saturating_mul(code.len.into()));
        costs.fold(0, u64::saturating_add)
    }

    /// Writes a symbol; writes nothing if it is not in the code.
    pub fn write(&self, symbol: u8, bits: &mut Bits) {
        if let Some(code) = self.codes.get(usize::from(symbol)) {
            bits.push(code.bits, code.len.into());
        }
    }

    /// Reads a symbol; `None` for bits that are not a code (possible only in a code given as text).
    ///
    /// # Errors
    /// The bits end within a code.
    pub fn read(&self, reader: &mut BitReader<'_>) -> Result<Option<u8>, BitError> {
        let (mut bits, mut len) = (0, 0);
        while self.codes.iter().any(|code| code.len > len) {
            bits = bits << 1 | u64::from(reader.bit()?);
            len += 1;
            let place = self.codes.iter().position(|code| (code.bits, code.len) == (bits, len));
            if let Some(symbol) = place {
                return Ok(u8::try_from(symbol).ok());
            }
        }
        Ok(None)
    }
}

/// The depth of every symbol in the tree for the counts. A single symbol still takes one bit.
fn depths(counts: &[u64]) -> Vec<u8> {
    let mut depths = vec![u8::from(counts.len() == 1); counts.len()];
    let leaf = |(symbol, &count): (usize, &u64)| Reverse((u128::from(count), vec![symbol]));
    // The members of a node are sorted, so comparing two nodes compares their smallest symbols first.
    let mut nodes: BinaryHeap<_> = counts.iter().enumerate().map(leaf).collect();
    while let (Some(Reverse(light)), Some(Reverse(heavy))) = (nodes.pop(), nodes.pop()) {
        let mut members = [light.1, heavy.1].concat();
        members.sort_unstable();
        for &symbol in &members {
            if let Some(depth) = depths.get_mut(symbol) {
                *depth += 1;
            }
        }
        nodes.push(Reverse((light.0 + heavy.0, members)));
        if nodes.len() == 1 {
            break;
        }
    }
    depths
}

/// The canonical code with these lengths, which must be those of a tree.
fn canonical(lengths: &[u8]) -> PrefixCode {
    let mut order: Vec<(u8, usize)> =
        lengths.iter().enumerate().map(|(symbol, &len)| (len, symbol)).collect();
    order.sort_unstable();
    let mut codes = vec![Code { bits: 0, len: 0 }; lengths.len()];
    let (mut next, mut previous) = (0u64, 0u8);
    for (len, symbol) in order {
        next <<= len - previous;
        if let Some(code) = codes.get_mut(symbol) {
            *code = Code { bits: next, len };
        }
        (next, previous) = (next + 1, len);
    }
    PrefixCode { codes }
}
