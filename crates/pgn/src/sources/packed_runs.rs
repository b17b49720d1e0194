//! Splits a compressed source into runs of complete zstd frames or gzip members, by their headers, without
//! decompressing.
//!
//! A zstd frame contains the compressed length of each of its blocks. A gzip member has its length only if the
//! compressor wrote it into the header, as bgzip does; otherwise its end is found only by decompressing it.
//!
//! The headers are not verified here, and need not be correct: if a run can be decompressed to its last byte without
//! an error, then it begins and ends at part boundaries.

use std::{io::Read, mem};

use super::parts::Compression;
use plybook_chess::limits::{MAX_AHEAD_PACKED, MAX_AHEAD_UNPACKED};

/// Size of the largest block of a zstd frame, in bytes.
const BLOCK: usize = 128 << 10;

/// Size of the largest gzip member that bgzip writes, in bytes.
const MEMBER: usize = 64 << 10;

/// Compressed or decompressed size at which a run is complete, in bytes.
const RUN: usize = 1 << 20;

/// Largest window of a zstd frame, as encoded in its header: 2^31 bytes. The library is configured to reject larger
/// ones.
const MAX_WINDOW: usize = (31 - 10) << 3;

/// Complete parts, one after another.
#[derive(Debug)]
pub(super) struct Run {
    pub compression: Compression,
    pub packed: Vec<u8>,
    /// Upper limit of the decompressed size, in bytes.
    pub most: usize,
    /// Whether all parts have checksums.
    pub is_checked: bool,
}

impl Run {
    /// Memory needed to decompress it, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.packed.len() + self.most
    }
}

/// A frame or a member: its compressed length, the upper limit of its decompressed size, in bytes, and whether it has a
/// checksum.
type Part = (usize, usize, bool);

/// Splits a source.
#[derive(Debug)]
pub(super) struct RunCutter<R> {
    raw: R,
    compression: Compression,
    /// Bytes that have been read for the next run.
    read: Vec<u8>,
    is_over: bool,
    has_failed: bool,
}

impl<R: Read> RunCutter<R> {
    pub(super) fn new(raw: R, compression: Compression) -> RunCutter<R> {
        RunCutter { raw, compression, read: Vec::new(), is_over: false, has_failed: false }
    }

    /// Whether there are no more runs.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the source ends after the last run, with no rest that cannot be split.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_over && self.read.is_empty() && !self.has_failed
    }

    pub(super) fn into_inner(self) -> R {
        self.raw
    }

    /// The next run, if any.
    pub(super) fn next(&mut self) -> Option<Run> {
        let (mut end, mut most, mut is_checked) = (0, 0, true);
        while !self.is_over && end.max(most) < RUN {
            let part = match self.compression {
                Compression::Zstd => self.zstd_frame(end),
                Compression::Gzip => self.bgzip_member(end),
                _ => None,
            };
            match part {
                Some((packed, unpacked, checked)) => {
                    (end, most, is_checked) = (end + packed, most + unpacked, is_checked && checked);
                }
                None => self.is_over = true,
            }
        }
        if end == 0 {
            return None;
        }
        let rest = self.read.split_off(end);
        let mut packed = mem::replace(&mut self.read, rest);
        packed.shrink_to_fit();
        Some(Run { compression: self.compression, packed, most, is_checked })
    }

    /// Bytes at an offset of the buffer, if the source has that many. Callers never request more than the maximum size
    /// of a part.
    fn bytes(&mut self, at: usize, length: usize) -> Option<&[u8]> {
        let end = at + length;
        let missing = end.saturating_sub(self.read.len());
        if missing > 0 && !self.has_failed {
            self.has_failed = (&mut self.raw).take(missing as u64).read_to_end(&mut self.read).is_err();
        }
        self.read.get(at..end)
    }

    fn number(&mut self, at: usize, length: usize) -> Option<usize> {
        let bytes = self.bytes(at, length)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn part(&mut self, at: usize, length: usize, most: usize, is_checked: bool) -> Option<Part> {
        let is_small = length <= MAX_AHEAD_PACKED && most <= MAX_AHEAD_UNPACKED;
        (is_small && self.bytes(at, length).is_some()).then_some((length, most, is_checked))
    }

    fn zstd_frame(&mut self, begin: usize) -> Option<Part> {
        let magic = self.number(begin, 4)?;
        // A skippable frame.
        if magic & !0xf == 0x184d_2a50 {
            let length = self.number(begin + 4, 4)?;
            return self.part(begin, length.checked_add(8)?, 0, true);
        }
        if magic != 0xfd2f_b528 {
            return None;
        }
        let flags = self.number(begin + 4, 1)?;
        let is_one_segment = flags & 0x20 != 0;
        if !is_one_segment && self.number(begin + 5, 1)? > MAX_WINDOW {
            return None;
        }
        let dictionary = [0, 1, 2, 4].get(flags & 3)?;
        let content = match flags >> 6 {
            0 => usize::from(is_one_segment),
            shift => 1 << shift,
        };
        let mut length = 5 + usize::from(!is_one_segment) + dictionary + content;
        let mut most = 0;
        loop {
            let block = self.number(begin + length, 3)?;
            // An RLE block contains only the repeated byte.
            let packed = if block >> 1 & 3 == 1 { 1 } else { block >> 3 };
            (length, most) = (length + 3 + packed, most + BLOCK);
            if length > MAX_AHEAD_PACKED || most > MAX_AHEAD_UNPACKED {
                return None;
            }
            if block & 1 != 0 {
                break;
            }
        }
        let is_checked = flags & 4 != 0;
        let checksum = if is_checked { 4 } else { 0 };
        self.part(begin, length + checksum, most, is_checked)
    }

    fn bgzip_member(&mut self, begin: usize) -> Option<Part> {
        // An extra field with only `BC`: the length of the member minus one.
        match *self.bytes(begin, 18)? {
            [0x1f, 0x8b, 8, 4, _, _, _, _, _, _, 6, 0, b'B', b'C', 2, 0, low, high] => {
                self.part(begin, usize::from(u16::from_le_bytes([low, high])) + 1, MEMBER, true)
            }
            _ => None,
        }
    }
}
