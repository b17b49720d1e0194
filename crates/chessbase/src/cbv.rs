//! Archives of databases (`.cbv`): the files of a database, packed in blocks. The names of files inside are only compared,
//! never used as paths.

use std::io::{self, Read, Seek, SeekFrom, Write};

use plybook_chess::limits::{FREE_EXPANSION_BYTES, MAX_EXPANSION};
use plybook_pgn::Encoding;

use crate::{bytes::Bytes, file::Data, text::until_zero};

/// Bytes of the header, of an entry and of its name.
const HEADER: usize = 8;
const ENTRY: usize = 173;
const NAME: usize = 132;
/// Most files that are believed; a database has about twenty.
const MOST_ENTRIES: usize = 4096;
/// Most bytes of a block after unpacking; ChessBase packs 61,440 at a time.
const MOST_BLOCK: usize = 1 << 20;

/// The bits of a block's packing.
const REPETITIONS: u8 = 1;
const HUFFMAN: u8 = 2;

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It cannot be read or written to.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A part has no meaning.
    #[error("the archive is damaged at byte {byte}: {what}")]
    Damaged {
        /// The offset of the part.
        byte: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// Its files would take too much space.
    #[error("the files in the archive have {0} bytes, far more than it could hold")]
    TooLarge(u64),
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// Its name without directories.
    pub name: String,
    offset: u64,
    packed: u64,
    plain: u64,
}

/// An open archive.
pub struct CbvArchive {
    data: Box<dyn Data>,
    entries: Vec<ArchiveEntry>,
}

/// Whether a file with these first bytes is an archive.
pub fn is_cbv(beginning: &[u8]) -> bool {
    matches!(beginning, [8, 0, _, _, 173, 0, 3, 0, ..])
}

impl CbvArchive {
    /// Opens an archive.
    ///
    /// # Errors
    /// It cannot be read, or its list of files is damaged.
    pub fn open(mut data: Box<dyn Data>) -> Result<CbvArchive, ArchiveError> {
        let length = data.seek(SeekFrom::End(0))?;
        let header = read_at(&mut data, 0, HEADER)?;
        let damaged = |byte, what| Err(ArchiveError::Damaged { byte, what });
        let count = Bytes::at(&header, 2).u16_le().map_or(0, usize::from);
        if !is_cbv(&header) || count > MOST_ENTRIES {
            return damaged(0, "it has no valid header");
        }
        let list = read_at(&mut data, HEADER as u64, count * ENTRY)?;
        let (mut entries, mut total) = (Vec::new(), 0);
        let mut offset = (HEADER + count * ENTRY) as u64;
        for (index, entry) in list.chunks(ENTRY).enumerate() {
            let at = (HEADER + index * ENTRY) as u64;
            let Some(entry) = read_entry(entry, offset) else {
                return damaged(at, "the list of its files is incomplete");
            };
            offset += entry.packed;
            total += entry.plain;
            if offset > length {
                return damaged(at, "the archive ends before the end of this file");
            }
            entries.push(entry);
        }
        if entries.len() < count {
            return damaged(length, "the list of its files is incomplete");
        }
        if total > FREE_EXPANSION_BYTES.max(length.saturating_mul(MAX_EXPANSION)) {
            return Err(ArchiveError::TooLarge(total));
        }
        Ok(CbvArchive { data, entries })
    }

    /// Its files.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// Unpacks a file.
    ///
    /// # Errors
    /// The archive cannot be read or is damaged, or the file cannot be written.
    pub fn unpack(&mut self, entry: &ArchiveEntry, to: &mut dyn Write) -> Result<(), ArchiveError> {
        let (mut offset, end, mut left) = (entry.offset, entry.offset + entry.packed, entry.plain);
        while offset < end {
            let damaged = |what| ArchiveError::Damaged { byte: offset, what };
            let header = read_at(&mut self.data, offset, 4)?;
            let mut header = Bytes(&header);
            let (Some(size), Some(check)) = (header.u16_le(), header.u16_le()) else {
                return Err(damaged("a block has no header"));
            };
            let next = offset + 4 + u64::from(size);
            let block = read_at(&mut self.data, offset + 4, usize::from(size))?;
            if next > end || block.len() < usize::from(size) {
                return Err(damaged("a block is longer than its file"));
            }
            let most = usize::try_from(left).map_or(MOST_BLOCK, |left| left.min(MOST_BLOCK));
            let plain = unpack_block(&block, check, most).ok_or(damaged("a block cannot be decompressed"))?;
            to.write_all(&plain)?;
            left -= plain.len() as u64;
            offset = next;
        }
        match left {
            0 => Ok(()),
            _ => Err(ArchiveError::Damaged {
                byte: end,
                what: "a file is shorter than the list of files says",
            }),
        }
    }
}

fn read_at(data: &mut dyn Data, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    data.seek(SeekFrom::Start(offset))?;
    data.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads an entry whose packed data is at an offset. Sizes are signed.
fn read_entry(entry: &[u8], offset: u64) -> Option<ArchiveEntry> {
    let path = until_zero(entry.get(..NAME)?);
    let name = path.rsplit(|byte| matches!(byte, b'\\' | b'/')).next().unwrap_or_default();
    let name = Encoding::USUAL.decode(name).unwrap_or_default().into_owned();
    let mut sizes = Bytes::at(entry, NAME);
    let [packed, plain] = [sizes.i32_le()?, sizes.i32_le()?].map(u64::try_from);
    (entry.len() == ENTRY).then_some(ArchiveEntry { name, offset, packed: packed.ok()?, plain: plain.ok()? })
}

/// Unpacks a block; `None` if it is damaged, or unpacks to more than `most` bytes.
fn unpack_block(block: &[u8], check: u16, most: usize) -> Option<Vec<u8>> {
    let (&packing, data) = block.split_first()?;
    let is_packed = |bit: u8| packing & bit != 0;
    let data = if is_packed(HUFFMAN) { unpack_huffman(data)? } else { data.to_vec() };
    let data = if is_packed(REPETITIONS) { unpack_repetitions(&data, most)? } else { data };
    // Only one real block that is packed has been compared with its check value, so those are not judged by it.
    let is_intact = packing != 0 || has_check(block, check);
    (packing <= REPETITIONS | HUFFMAN && is_intact && data.len() <= most).then_some(data)
}

/// Whether a block, with its packing, has a check value: the sum of its words. ChessBase leaves out a last byte without
/// another one; descriptions of the format do not.
fn has_check(block: &[u8], check: u16) -> bool {
    let (pairs, last) = block.as_chunks::<2>();
    let sum = pairs.iter().fold(0, |sum: u16, pair| sum.wrapping_add(u16::from_le_bytes(*pair)));
    let last = last.first().copied().map_or(0, u16::from);
    check == sum || check == sum.wrapping_add(last)
}

/// A node of the tree of codes: for each bit another node, or a byte at a leaf.
#[derive(Clone, Copy, Default)]
struct HuffmanNode {
    next: [Option<usize>; 2],
    byte: Option<u8>,
}

/// A count of bytes, then the code of each of 256 bytes, then the codes.
fn unpack_huffman(data: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Bytes(data);
    let count = usize::from(bytes.u16()?);
    let mut bits = bytes.0.iter().flat_map(|byte| (0..8).rev().map(move |bit| usize::from(byte >> bit & 1)));
    let mut nodes = vec![HuffmanNode::default()];
    for byte in 0..=255 {
        let mut length = 0;
        for _ in 0..4 {
            length = length << 1 | bits.next()?;
        }
        let mut node = 0;
        for _ in 0..length {
            let (bit, new) = (bits.next()?, nodes.len());
            let next = *nodes.get_mut(node)?.next.get_mut(bit)?.get_or_insert(new);
            if next == new {
                nodes.push(HuffmanNode::default());
            }
            node = next;
        }
        if length > 0 {
            nodes.get_mut(node)?.byte = Some(byte);
        }
    }
    let mut plain = Vec::with_capacity(count);
    while plain.len() < count {
        let mut node = nodes.first()?;
        while node.byte.is_none() {
            node = nodes.get((*node.next.get(bits.next()?)?)?)?;
        }
        plain.extend(node.byte);
    }
    Some(plain)
}

/// Groups of 16 items: a word whose bits say for each item whether it is a byte, or a repetition of bytes.
fn unpack_repetitions(data: &[u8], most: usize) -> Option<Vec<u8>> {
    let (mut bytes, mut plain) = (Bytes(data), Vec::new());
    while !bytes.0.is_empty() {
        let control = bytes.u16_le()?;
        for item in (0..16).rev() {
            let Some(first) = bytes.u8() else { break };
            if control >> item & 1 == 0 {
                plain.push(first);
            } else {
                repeat(first, &mut bytes, &mut plain)?;
            }
            if plain.len() > most {
                return None;
            }
        }
    }
    Some(plain)
}

fn repeat(first: u8, bytes: &mut Bytes<'_>, plain: &mut Vec<u8>) -> Option<()> {
    let (high, low, next) = (usize::from(first >> 4), usize::from(first & 15), bytes.u8()?);
    let far = 16 * usize::from(next) + low;
    let length = match high {
        0 => {
            plain.resize(plain.len() + low + 3, next);
            return Some(());
        }
        1 => {
            plain.resize(plain.len() + far + 19, bytes.u8()?);
            return Some(());
        }
        2 => usize::from(bytes.u8()?) + 16,
        length => length,
    };
    for _ in 0..length {
        plain.push(*plain.get(plain.len().checked_sub(far + 3)?)?);
    }
    Some(())
}
