//! Reading the games of PGN one after the other without storing them, in the same way as an import.

use std::{
    io,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
};

use super::parse::Locator;
use crate::{
    limits::MAX_BARREN_BYTES,
    pgn::{Game, GameBatch, GameSplitter, GameText, Location, ReadOptions, Reader, Reject, RejectReason},
    sources::{OpenSource, Source, SourceError, find_sources},
};

/// Decompressed bytes of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// A game that was read, or why it could not be read.
#[derive(Debug)]
pub struct ReadGame {
    /// The name of its source.
    pub source: Arc<str>,
    /// Its position in the source; for a game that could not be read, the position of the problem.
    pub location: Location,
    /// The game.
    pub game: Result<Game, RejectReason>,
}

/// Why a source could not be read completely.
#[derive(Debug, thiserror::Error)]
pub enum ReadGamesError {
    /// It cannot be opened, or it is not a readable file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It is an archive.
    #[error("{0}: this is a plybook archive, not PGN; export its games first")]
    Archive(String),
    /// Reading failed after a byte.
    #[error("{name}: after byte {byte}: {why}")]
    Read {
        /// The source.
        name: String,
        /// Decompressed bytes read before the failure.
        byte: u64,
        /// What the system or the decompressor says.
        why: String,
    },
}

/// Calls a function for each game of files, directories, zip archives, or `-` for standard input, plain or compressed,
/// in order. Returns false if the function stopped early.
///
/// ```
/// use std::ops::ControlFlow::Continue;
/// # use plybook::{import::read_games, pgn::ReadOptions};
/// let mut games = 0;
/// read_games(&["data/famous.pgn".into()], ReadOptions::default(), &mut |read| {
///     games += u64::from(read.game.is_ok());
///     Continue(())
/// })?;
/// assert_eq!(games, 62);
/// # Ok::<(), plybook::import::ReadGamesError>(())
/// ```
///
/// # Errors
/// A source does not exist or cannot be read completely; the games before that have been passed on.
pub fn read_games(
    paths: &[PathBuf],
    options: ReadOptions,
    each: &mut dyn FnMut(ReadGame) -> ControlFlow<()>,
) -> Result<bool, ReadGamesError> {
    for source in find_sources(paths, &[".pgn"])? {
        let name: Arc<str> = source.to_string().into();
        if matches!(source, Source::Archive(_)) {
            return Err(ReadGamesError::Archive(name.to_string()));
        }
        let mut games = SourceGames::new(&name, options, each);
        if !source.open(options.encoding, &Arc::default(), 1, |opened| games.read(opened))?? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same for a text in memory, which is not compressed. Its games have a source without a name.
///
/// # Errors
/// It is not text.
pub fn read_games_of_text(
    text: &[u8],
    options: ReadOptions,
    each: &mut dyn FnMut(ReadGame) -> ControlFlow<()>,
) -> Result<bool, ReadGamesError> {
    let name: Arc<str> = "".into();
    let failed = |why: io::Error| ReadGamesError::Read { name: String::new(), byte: 0, why: why.to_string() };
    SourceGames::new(&name, options, each).read(&mut OpenSource::of_text(text).map_err(failed)?)
}

/// The games of a source.
struct SourceGames<'a> {
    name: &'a Arc<str>,
    options: ReadOptions,
    reader: Reader,
    count: u64,
    each: &'a mut dyn FnMut(ReadGame) -> ControlFlow<()>,
}

impl<'a> SourceGames<'a> {
    fn new(
        name: &'a Arc<str>,
        options: ReadOptions,
        each: &'a mut dyn FnMut(ReadGame) -> ControlFlow<()>,
    ) -> SourceGames<'a> {
        SourceGames { name, options, reader: Reader::with_options(options), count: 0, each }
    }

    fn read(&mut self, opened: &mut OpenSource<'_>) -> Result<bool, ReadGamesError> {
        let mut splitter = GameSplitter::new(&mut opened.text);
        let mut barren = 0;
        loop {
            let failed = |byte, why| ReadGamesError::Read { name: self.name.to_string(), byte, why };
            let batch = splitter.next_batch(BATCH_BYTES);
            let batch = batch.map_err(|error| failed(splitter.position(), error.to_string()))?;
            let Some(batch) = batch else { return Ok(true) };
            barren = if batch.games.is_empty() { barren + batch.text.len() as u64 } else { 0 };
            if barren > MAX_BARREN_BYTES {
                return Err(failed(splitter.position(), "no game found: not a PGN file".to_owned()));
            }
            if self.batch(&batch).is_break() {
                return Ok(false);
            }
        }
    }

    fn batch(&mut self, batch: &GameBatch) -> ControlFlow<()> {
        for text in &batch.games {
            let bytes = batch.text.get(text.range.clone()).unwrap_or_default();
            let read = if text.cut_short {
                vec![self.rejected(text, bytes, RejectReason::TooLarge)]
            } else {
                self.games(text, bytes)
            };
            read.into_iter().try_for_each(|game| (self.each)(game))?;
        }
        ControlFlow::Continue(())
    }

    /// The games of a text. A panic rejects them.
    fn games(&mut self, text: &GameText, bytes: &[u8]) -> Vec<ReadGame> {
        let before = self.count;
        let read = catch_unwind(AssertUnwindSafe(|| {
            let (mut locator, mut games) = (Locator::new(text, bytes), Vec::new());
            for (range, game) in self.reader.read(bytes) {
                self.count += 1;
                let (at, game) = match game {
                    Ok(game) => (0, Ok(game)),
                    Err(Reject { reason, at }) => (at, Err(reason)),
                };
                let location = Location { game: self.count, ..locator.at(range.start + at) };
                games.push(ReadGame { source: Arc::clone(self.name), location, game });
            }
            games
        }));
        read.unwrap_or_else(|_| {
            self.count = before;
            self.reader = Reader::with_options(self.options);
            vec![self.rejected(text, bytes, RejectReason::Panic)]
        })
    }

    fn rejected(&mut self, text: &GameText, bytes: &[u8], reason: RejectReason) -> ReadGame {
        self.count += 1;
        let location = Location { game: self.count, ..Locator::new(text, bytes).at(0) };
        ReadGame { source: Arc::clone(self.name), location, game: Err(reason) }
    }
}
