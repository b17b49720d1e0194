//! The hash of a row: see [`checksum`](super::checksum).

use rusqlite::types::ValueRef;
use twox_hash::XxHash3_64;

use super::checksum::Checked;

/// Bytes of memory that are kept from one row to the next.
const KEPT: usize = 64 << 10;

/// The hash of a row in the making.
pub(super) struct RowHash(pub(super) Vec<u8>);

impl RowHash {
    pub(super) fn push(&mut self, value: ValueRef<'_>) {
        let bytes = &mut self.0;
        let mut long = |kind: u8, content: &[u8]| {
            bytes.push(kind);
            bytes.extend((content.len() as u64).to_le_bytes());
            bytes.extend(content);
        };
        match value {
            ValueRef::Null => bytes.push(0),
            ValueRef::Integer(number) => {
                bytes.push(1);
                bytes.extend(number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                bytes.push(2);
                bytes.extend(number.to_bits().to_le_bytes());
            }
            ValueRef::Text(text) => long(3, text),
            ValueRef::Blob(blob) => long(4, blob),
        }
    }

    pub(super) fn finish(&mut self, table: Checked) -> u64 {
        let hash = XxHash3_64::oneshot_with_seed(table as u64, &self.0);
        self.0.clear();
        // What a large row took is not kept.
        self.0.shrink_to(KEPT);
        hash
    }
}
