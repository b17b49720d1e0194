//! What is stored next to a game, in tables of their own: annotations, original texts and others. The archive has the
//! list of these tables; here, a value is only known by the number of its table.

/// The values stored next to a game, with the numbers of their tables. A game has no row in a table without a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides(Vec<(u8, Vec<u8>)>);

impl Sides {
    /// The table of annotations.
    pub const ANNOTATION: u8 = 8;
    /// The table of original bytes.
    pub const ORIGINAL: u8 = 9;

    /// Adds a value, if there is one.
    #[must_use]
    pub fn with(mut self, table: u8, value: Option<Vec<u8>>) -> Sides {
        self.0.extend(value.map(|value| (table, value)));
        self
    }

    /// The value of a table; empty if there is none.
    pub fn get(&self, table: u8) -> &[u8] {
        self.iter().find(|(own, _)| *own == table).map_or(&[], |(_, value)| value)
    }

    /// The values, with the numbers of their tables.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &[u8])> {
        self.0.iter().map(|(table, value)| (*table, value.as_slice()))
    }

    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        self.iter().map(|(_, value)| value.len()).sum()
    }
}
