//! Single numbers of a [`Column`](super::Column): of its rows, only those with the distinct numbers and those with the
//! games that are asked for are read. So a lookup takes the same time however many games there are.

use std::sync::OnceLock;

use super::{Part, Rows, column::Head, segment::known};

/// A column of which few numbers are needed, with one index per game.
#[derive(Debug)]
pub(super) struct SparseColumn {
    part: Part,
    head: Head,
    row_bytes: usize,
    /// The rows that have been read.
    rows: Vec<OnceLock<Vec<u8>>>,
}

impl SparseColumn {
    /// The column in a part whose rows have this many bytes, but for the last, of this many games; `None` if it is stored
    /// as runs, which must be read from the first.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn open<R: Rows>(
        rows: &R,
        part: Part,
        row_bytes: usize,
        games: usize,
    ) -> Result<Option<SparseColumn>, R::Error> {
        let (mut bytes, mut read) = (Vec::new(), Vec::new());
        // How many bytes the distinct numbers take is known only after they have been read.
        let head = loop {
            if bytes.len() != read.len() * row_bytes {
                return Err(rows.damaged());
            }
            let row = rows.row(part, read.len() as u32)?;
            bytes.extend(&row);
            read.push(OnceLock::from(row));
            if let Ok(head) = Head::read(&bytes, games) {
                break head;
            }
        };
        let all = head.bits_of(games as u32).start.div_ceil(8).div_ceil(row_bytes);
        read.resize_with(all.max(read.len()), OnceLock::new);
        let column = SparseColumn { part, head, row_bytes, rows: read };
        Ok(Some(column).filter(|column| !column.head.is_in_runs))
    }

    /// The number of a game.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn get<R: Rows>(&self, rows: &R, rank: u32) -> Result<u32, R::Error> {
        let bits = self.head.bits_of(rank);
        let mut place = 0u64;
        for at in bits.start / 8..bits.end.div_ceil(8) {
            place = place << 8 | u64::from(self.byte(rows, at)?);
        }
        let place = place >> (bits.end.next_multiple_of(8) - bits.end) & ((1 << bits.len()) - 1);
        self.head.value(place as usize).ok_or_else(|| rows.damaged())
    }

    fn byte<R: Rows>(&self, rows: &R, at: usize) -> Result<u8, R::Error> {
        let number = at / self.row_bytes;
        let slot = self.rows.get(number).ok_or_else(|| rows.damaged())?;
        let row = known(slot, || rows.row(self.part, number as u32))?;
        row.get(at % self.row_bytes).copied().ok_or_else(|| rows.damaged())
    }
}
