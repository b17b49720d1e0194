//! Reading the games of PGN one after the other without storing them, in the same way as an import.

use std::{io, ops::ControlFlow, path::PathBuf, sync::Arc};

use super::{
    Games, ResumeOutcome,
    sink::{Batch, Closed, End, Event, Flow, Input, Sink},
    source::{find, read_text, readers},
};
use crate::{
    pgn::{Game, Location, ReadOptions, RejectReason},
    sources::{OpenSource, SourceError},
};

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
    /// Its kind can only be imported.
    #[error("{name}: {why}")]
    Refused {
        /// The source.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// Reading failed after a byte.
    #[error("{name}: {}{why}", after(*.byte))]
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
    let mut reader = GameReader::new(options, each);
    for found in find(paths, false)? {
        let name = found.source.to_string();
        if let Some(why) = found.kind.refusal() {
            return Err(ReadGamesError::Refused { name, why });
        }
        (reader.source, reader.count) = (name.into(), 0);
        let end = found.read(None, &mut reader);
        if !reader.is_read(end)? {
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
    let failed = |why: io::Error| ReadGamesError::Read { name: String::new(), byte: 0, why: why.to_string() };
    let mut opened = OpenSource::of_text(text, None).map_err(failed)?;
    let mut reader = GameReader::new(options, each);
    let end = read_text(&mut opened, &mut reader);
    reader.is_read(end)
}

/// Text for an error after some bytes.
fn after(byte: u64) -> String {
    if byte == 0 { String::new() } else { format!("after byte {byte}: ") }
}

/// Passes games on as they are read.
struct GameReader<'a> {
    source: Arc<str>,
    /// Games of the source so far.
    count: u64,
    input: Input,
    each: &'a mut dyn FnMut(ReadGame) -> ControlFlow<()>,
}

impl<'a> GameReader<'a> {
    fn new(options: ReadOptions, each: &'a mut dyn FnMut(ReadGame) -> ControlFlow<()>) -> GameReader<'a> {
        GameReader { source: "".into(), count: 0, input: Input::new(readers(options)), each }
    }

    /// Whether the source was read completely, and not until the function stopped.
    fn is_read(&self, end: Flow<End>) -> Result<bool, ReadGamesError> {
        match end {
            Err(Closed) => Ok(false),
            Ok(End::Whole | End::Growing { .. }) => Ok(true),
            Ok(End::Failed(problem) | End::Damaged(problem)) => {
                let name = self.source.to_string();
                Err(ReadGamesError::Read { name, byte: problem.byte, why: problem.reason })
            }
        }
    }
}

impl Sink for GameReader<'_> {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }

    fn begin(&mut self, _: Option<ResumeOutcome>) -> Flow {
        Ok(())
    }

    fn batch(&mut self, batch: Batch) -> Flow {
        let mut games = Games::keeping();
        (batch.work)(&mut games);
        for (mut location, game) in games.kept() {
            self.count += 1;
            if location.game == 0 {
                location.game = self.count;
            }
            let read = ReadGame { source: Arc::clone(&self.source), location, game };
            if (self.each)(read).is_break() {
                return Err(Closed);
            }
        }
        Ok(())
    }

    fn send(&mut self, _: Event) -> Flow {
        Ok(())
    }
}
