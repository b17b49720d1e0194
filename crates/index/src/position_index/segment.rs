//! Querying a segment: what it reads is cached, except for rows of postings.

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use super::{
    Column, ColumnOf, Level, Part, PopularPosition, PositionKeys, SegmentShape, popular,
    sparse_column::SparseColumn,
};

/// Provides the rows of a segment.
pub trait Rows {
    /// Why a row cannot be read.
    type Error;

    /// A row.
    ///
    /// # Errors
    /// The row is missing or damaged.
    fn row(&self, part: Part, number: u32) -> Result<Vec<u8>, Self::Error>;

    /// All rows of a part, concatenated.
    ///
    /// # Errors
    /// One of them is damaged.
    fn whole(&self, part: Part) -> Result<Vec<u8>, Self::Error>;

    /// The error for invalid rows.
    fn damaged(&self) -> Self::Error;
}

/// The first key of each row of popular positions, and the cached rows.
#[derive(Debug)]
struct PopularRows {
    firsts: Vec<u64>,
    rows: Vec<OnceLock<Vec<u8>>>,
}

/// Of this part of the games of a segment, numbers are read one by one; after that, columns are read as a whole.
const READ_SPARSELY: u32 = 8;

/// A column, as far as it has been read.
#[derive(Debug, Default)]
struct CachedColumn {
    whole: OnceLock<Column>,
    /// `None` inside if it can only be read as a whole.
    sparse: OnceLock<Option<SparseColumn>>,
}

/// A segment. It can be queried from several threads; each provides the rows.
#[derive(Debug, Default)]
pub struct Segment {
    shape: SegmentShape,
    // The directories and columns are read on first use: a single lookup needs one directory and one row, while a
    // filter needs entire columns. Rows of postings are not cached, because queries rarely return to one.
    postings_first: OnceLock<Vec<u64>>,
    popular: OnceLock<PopularRows>,
    order: CachedColumn,
    columns: [CachedColumn; ColumnOf::ALL.len()],
    /// The games of which numbers were to be read.
    asked: AtomicU32,
}

impl Segment {
    /// A segment with these parameters.
    pub fn new(shape: SegmentShape) -> Segment {
        Segment { shape, ..Segment::default() }
    }

    /// Its parameters.
    pub fn shape(&self) -> &SegmentShape {
        &self.shape
    }

    /// The sort positions of the games that may reach one of some positions that are not popular, without duplicates.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn candidates<R: Rows>(&self, rows: &R, positions: &[PositionKeys]) -> Result<Vec<u32>, R::Error> {
        let hashes = positions.iter().flat_map(|keys| Level::ALL.map(|level| keys.hash(level)));
        let mut hashes: Vec<u64> = hashes.collect();
        hashes.sort_unstable();
        hashes.dedup();
        let firsts =
            known(&self.postings_first, || firsts(rows, Part::PostingsFirst, self.shape.posting_rows))?;
        // Upper limit of the games found, each once under each hash.
        let (mut ranks, mut found) = (Vec::new(), 0);
        for hash in hashes {
            let range = self.shape.postings.range(hash);
            // A bucket may begin in the row before the first one that begins in it.
            let from = firsts.partition_point(|first| *first < range.start).saturating_sub(1);
            let to = firsts.partition_point(|first| *first < range.end);
            for number in from..to {
                let row = rows.row(Part::Postings, number as u32)?;
                self.shape.postings.ranks(&row, hash, &mut ranks).map_err(|_| rows.damaged())?;
            }
            found += self.shape.games as usize;
            if ranks.len() > found {
                return Err(rows.damaged());
            }
        }
        ranks.sort_unstable();
        ranks.dedup();
        Ok(ranks)
    }

    /// The records that may belong to a position with a whole key: nearly always one or none.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn popular<R: Rows>(&self, rows: &R, key: u64) -> Result<Vec<PopularPosition>, R::Error> {
        let Some(row) = self.popular_row(rows, key)? else { return Ok(Vec::new()) };
        popular::find(row, key, self.shape.games).map_err(|_| rows.damaged())
    }

    /// The row in which the record of a key would be.
    fn popular_row<R: Rows>(&self, rows: &R, key: u64) -> Result<Option<&Vec<u8>>, R::Error> {
        let popular = known(&self.popular, || {
            let firsts = firsts(rows, Part::PopularFirst, self.shape.popular_rows)?;
            let rows = firsts.iter().map(|_| OnceLock::new()).collect();
            Ok(PopularRows { firsts, rows })
        })?;
        let number = popular.firsts.partition_point(|first| *first <= key).checked_sub(1);
        let Some((number, row)) = number.and_then(|number| Some((number, popular.rows.get(number)?))) else {
            return Ok(None);
        };
        known(row, || rows.row(Part::Popular, number as u32)).map(Some)
    }

    /// The offset in the segment of each game, by sort position.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn order<R: Rows>(&self, rows: &R) -> Result<&Column, R::Error> {
        self.whole(rows, Part::Order)
    }

    /// A column, in sort order.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn column<R: Rows>(&self, rows: &R, of: ColumnOf) -> Result<&Column, R::Error> {
        self.whole(rows, Part::Column(of))
    }

    /// Whether numbers of some more games should be read from whole columns, not [one by one](Self::number).
    pub fn reads_whole(&self, games: u64) -> bool {
        let games = u32::try_from(games).unwrap_or(u32::MAX);
        let asked = self.asked.load(Relaxed).saturating_add(games);
        self.asked.store(asked, Relaxed);
        asked > self.shape.games / READ_SPARSELY
    }

    /// The number of a game in the order or in a column, by its sort position: reads little for few games.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn number<R: Rows>(&self, rows: &R, part: Part, rank: u32) -> Result<u32, R::Error> {
        let SegmentShape { games, row_bytes, .. } = self.shape;
        let cached = self.cached(part).ok_or_else(|| rows.damaged())?;
        if cached.whole.get().is_none() {
            let open = || SparseColumn::open(rows, part, row_bytes as usize, games as usize);
            if let Some(sparse) = known(&cached.sparse, open)? {
                return sparse.get(rows, rank);
            }
        }
        Ok(self.whole(rows, part)?.get(rank))
    }

    fn whole<R: Rows>(&self, rows: &R, part: Part) -> Result<&Column, R::Error> {
        let cached = self.cached(part).ok_or_else(|| rows.damaged())?;
        known(&cached.whole, || {
            let column = Column::from_bytes(&rows.whole(part)?, self.shape.games as usize);
            column.map_err(|_| rows.damaged())
        })
    }

    fn cached(&self, part: Part) -> Option<&CachedColumn> {
        match part {
            Part::Order => Some(&self.order),
            Part::Column(of) => self.columns.get(of as usize),
            _ => None,
        }
    }
}

/// The first value of each of some rows.
fn firsts<R: Rows>(rows: &R, part: Part, count: u32) -> Result<Vec<u64>, R::Error> {
    let bytes = rows.whole(part)?;
    let (firsts, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() || firsts.len() != count as usize {
        return Err(rows.damaged());
    }
    let firsts: Vec<u64> = firsts.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    if firsts.is_sorted_by(|one, next| one < next) { Ok(firsts) } else { Err(rows.damaged()) }
}

/// Returns a cached value, or reads it.
pub(super) fn known<T, E>(slot: &OnceLock<T>, read: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(value) = slot.get() {
        return Ok(value);
    }
    let value = read()?;
    Ok(slot.get_or_init(|| value))
}
