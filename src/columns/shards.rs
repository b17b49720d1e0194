//! Tables that are split into several files, each with consecutive games.

use std::io;

use super::{Cell, RowWriter};

/// A table that continues in the next file after its share of the games. All shares are equal, give or take one game.
pub struct Shards<'a, F> {
    /// The remaining files.
    files: F,
    file: Option<Box<dyn RowWriter + 'a>>,
    begun: u64,
    count: u64,
    games: u64,
    seen: u64,
}

impl<'a, F: Iterator<Item = io::Result<Box<dyn RowWriter + 'a>>>> Shards<'a, F> {
    /// Creates a table of a known number of games.
    pub fn new(files: F, count: u64, games: u64) -> Shards<'a, F> {
        Shards { files, file: None, begun: 0, count: count.max(1), games: games.max(1), seen: 0 }
    }

    /// Continues in the next file.
    fn begin(&mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            file.end()?;
        }
        self.file = self.files.next().transpose()?;
        self.begun += 1;
        Ok(())
    }
}

impl<'a, F: Iterator<Item = io::Result<Box<dyn RowWriter + 'a>>>> RowWriter for Shards<'a, F> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        let place = u128::from(self.seen) * u128::from(self.count) / u128::from(self.games);
        self.seen += 1;
        while self.begun < self.count && u128::from(self.begun) <= place {
            self.begin()?;
        }
        self.file.as_mut().map_or(Ok(()), |file| file.game(rows))
    }

    /// If there are fewer games than files, the remaining files get no rows.
    fn end(mut self: Box<Self>) -> io::Result<()> {
        while self.begun < self.count {
            self.begin()?;
        }
        self.file.map_or(Ok(()), RowWriter::end)
    }
}
