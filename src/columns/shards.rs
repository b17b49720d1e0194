//! A table in several files, each with the next run of games.

use std::io;

use super::{Cell, RowWriter};

/// A table that goes on in the next file when it has written its share of the games to one. The shares are equal, but for
/// one game.
pub struct Shards<'a, F> {
    /// The files that are to come.
    files: F,
    file: Option<Box<dyn RowWriter + 'a>>,
    begun: u64,
    count: u64,
    games: u64,
    seen: u64,
}

impl<'a, F: Iterator<Item = io::Result<Box<dyn RowWriter + 'a>>>> Shards<'a, F> {
    /// A table of so many games in these files.
    pub fn new(files: F, count: u64, games: u64) -> Shards<'a, F> {
        Shards { files, file: None, begun: 0, count: count.max(1), games: games.max(1), seen: 0 }
    }

    /// Goes on in the next file.
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

    /// Files whose games have not come have no rows.
    fn end(mut self: Box<Self>) -> io::Result<()> {
        while self.begun < self.count {
            self.begin()?;
        }
        self.file.map_or(Ok(()), RowWriter::end)
    }
}
