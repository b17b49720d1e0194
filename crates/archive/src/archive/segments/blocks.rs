//! Reading the blocks of a segment.

use rusqlite::{OptionalExtension, types::ValueRef};
use twox_hash::XxHash3_64;

use super::Segments;
use crate::archive::{ArchiveError, ArchiveFile, Result, StoredSegment};
use plybook_index::position_index::{Part, Rows};

/// Bytes of the checksum at the end of a block.
const PROOF: usize = 4;

/// The blocks of a segment.
#[derive(Clone, Copy, Debug)]
pub struct SegmentBlocks<'a> {
    file: ArchiveFile<'a>,
    segment: i64,
}

/// The number of blocks that [`Segments::have_damage`] checks: about 16 MiB.
const LOOKED_AT: i64 = 1 << 14;

impl<'a> Segments<'a> {
    /// Whether the index is visibly corrupt. Checks the first blocks, without comparing them with the games.
    pub fn have_damage(self) -> Result<bool> {
        for archive in self.archive.files().each() {
            let segments = archive.segments();
            let _snapshot = archive.snapshot()?;
            if segments.exist().map_err(|error| archive.db.error(error))? {
                match segments.have_damaged_blocks().map_err(|error| segments.error(error)) {
                    Ok(false) => {}
                    Ok(true) | Err(ArchiveError::DamagedIndex(_)) => return Ok(true),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(false)
    }

    fn have_damaged_blocks(self) -> rusqlite::Result<bool> {
        let mut find = self.archive.db.prepare("SELECT id, data FROM segment_block ORDER BY id LIMIT ?1")?;
        let (mut rows, mut next) = (find.query([LOOKED_AT])?, None);
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            // The next block of a part, or the first one of a later part.
            let is_in_order = match next {
                Some(next) if id == next => true,
                Some(next) => id > next && id & 0xff_ffff == 0,
                None => id & 0xff_ffff == 0,
            };
            if !is_in_order || opened(id, row.get_ref(1)?).is_none() {
                return Ok(true);
            }
            next = Some(id.saturating_add(1));
        }
        Ok(false)
    }

    /// The file that contains a segment.
    pub fn file_with<S>(self, segment: &StoredSegment<S>) -> ArchiveFile<'a> {
        let part = self.archive.files().parts().get(segment.part as usize);
        part.map_or(ArchiveFile::Alone(self.archive), ArchiveFile::Part)
    }
}

impl<'a> ArchiveFile<'a> {
    /// The blocks of a segment.
    pub fn segment_blocks<S>(self, segment: &StoredSegment<S>) -> SegmentBlocks<'a> {
        SegmentBlocks { file: self, segment: segment.id }
    }
}

/// The id of a block.
pub(super) fn block_id(segment: i64, part: u8, number: u32) -> i64 {
    segment << 32 | i64::from(part) << 24 | i64::from(number & 0xff_ffff)
}

/// Appends the checksum to a block.
// Each block has its own checksum, because a lookup reads single blocks: checking a segment as a unit would mean
// reading all of it. The id is the seed, so that a block moved elsewhere is detected too.
pub(super) fn sealed(id: i64, mut data: Vec<u8>) -> Vec<u8> {
    data.extend(proof(id, &data));
    data
}

fn proof(id: i64, data: &[u8]) -> [u8; PROOF] {
    let hash = XxHash3_64::oneshot_with_seed(id.cast_unsigned(), data).to_le_bytes();
    [hash[0], hash[1], hash[2], hash[3]]
}

/// The data of a block, if its checksum is correct.
pub(super) fn opened(id: i64, value: ValueRef<'_>) -> Option<&[u8]> {
    let (data, end) = value.as_blob().ok()?.split_last_chunk::<PROOF>()?;
    (proof(id, data) == *end).then_some(data)
}

impl Rows for SegmentBlocks<'_> {
    type Error = ArchiveError;

    fn row(&self, part: Part, number: u32) -> Result<Vec<u8>> {
        let id = block_id(self.segment, part.number(), number);
        self.file.lock().segments().read(|db| {
            let mut find = db.prepare_cached("SELECT data FROM segment_block WHERE id = ?1")?;
            let data = find.query_row([id], |row| Ok(opened(id, row.get_ref(0)?).map(<[u8]>::to_vec)));
            data.optional().map(Option::flatten)
        })
    }

    fn whole(&self, part: Part) -> Result<Vec<u8>> {
        self.whole_part(part.number())
    }

    fn damaged(&self) -> ArchiveError {
        self.file.lock().segments().damaged()
    }
}

impl SegmentBlocks<'_> {
    /// All rows of a part, by its number, concatenated.
    ///
    /// # Errors
    /// One of them is damaged.
    pub(super) fn whole_part(&self, part: u8) -> Result<Vec<u8>> {
        let first = block_id(self.segment, part, 0);
        self.file.lock().segments().read(|db| {
            let sql = "SELECT id, data FROM segment_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
            let mut find = db.prepare_cached(sql)?;
            let mut rows = find.query([first, block_id(self.segment, part, u32::MAX)])?;
            let mut whole = Vec::new();
            for expected in first.. {
                let Some(row) = rows.next()? else { break };
                let id = row.get(0)?;
                match opened(id, row.get_ref(1)?) {
                    Some(data) if id == expected => whole.extend(data),
                    _ => return Ok(None),
                }
            }
            Ok(Some(whole))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_checksums_cover_data_and_id() {
        let block = sealed(7, vec![1, 2, 3]);
        assert_eq!(opened(7, ValueRef::Blob(&block)), Some(&[1, 2, 3][..]));
        assert_eq!(opened(8, ValueRef::Blob(&block)), None);
        for bit in 0..8 * block.len() {
            let mut flipped = block.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(opened(7, ValueRef::Blob(&flipped)), None);
        }
    }
}
