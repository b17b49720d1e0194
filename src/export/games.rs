//! Exports games as PGN, and games without PGN as records.

use std::{
    fmt::Debug,
    io::Write,
    ops::AddAssign,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{ExportError, LineForm, or_damaged};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameCheck, in_batches_in_order},
    record::{GameError, StoredGame, TextOptions},
};

/// Writes games of an archive.
///
/// ```
/// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, export::Export};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let (mut pgn, mut export) = (Vec::new(), Export::new(&archive));
/// export.write(&Filter { limit: Some(3), ..Filter::default() }, &mut pgn, |damage| eprintln!("{damage}"))?;
/// assert_eq!(export.counts.written, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Export<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// The format.
    pub form: GameForm<'a>,
    /// The tag pairs and the last ply for games of chess.
    pub options: TextOptions,
    /// Whether games whose original text is stored are written byte for byte as in their source.
    pub original: bool,
    /// Treats games that have changed since they were stored as damaged, even if they can be read.
    pub check: Option<&'a GameCheck>,
    /// Stops the export after the current game when this becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// The progress so far, even if the export failed.
    pub counts: ExportCounts,
}

/// The format of exported games.
#[derive(Clone, Copy, Debug, Default)]
pub enum GameForm<'a> {
    /// PGN; for games that have no PGN, their records.
    #[default]
    Text,
    /// Lines, only for games of chess.
    Lines(LineForm),
    /// A form of the caller, only for games of chess.
    Other(&'a dyn GameFormat),
}

/// A way to write a game of chess. Several threads write games at the same time.
pub trait GameFormat: Debug + Sync {
    /// Appends a game.
    ///
    /// # Errors
    /// The game is damaged.
    fn write(&self, game: &StoredGame, out: &mut String) -> Result<(), GameError>;
}

/// The counts of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ExportCounts {
    /// Games written.
    pub written: u64,
    /// Damaged games, which were reported and skipped.
    pub damaged: u64,
    /// Games without PGN in an export of PGN, which were skipped.
    pub left_out: u64,
    /// Games that the format cannot store, which were skipped.
    #[serde(skip)]
    pub unstorable: u64,
}

impl AddAssign for ExportCounts {
    fn add_assign(&mut self, other: ExportCounts) {
        self.written += other.written;
        self.damaged += other.damaged;
        self.left_out += other.left_out;
        self.unstorable += other.unstorable;
    }
}

impl<'a> Export<'a> {
    /// Creates an export of PGN.
    pub fn new(archive: &'a Archive) -> Export<'a> {
        let (form, options) = (GameForm::default(), TextOptions::default());
        let counts = ExportCounts::default();
        Export { archive, form, options, original: false, check: None, cancel: None, counts }
    }

    /// Writes the games that pass a filter, in order; each PGN is followed by an empty line. Games without PGN are
    /// written as records if the filter selects only them, and otherwise skipped. Damaged games are passed to `damaged`
    /// and skipped. Uses all cores.
    ///
    /// # Errors
    /// The archive cannot be read, or `out` cannot be written.
    pub fn write(
        &mut self,
        filter: &Filter,
        out: &mut dyn Write,
        mut damaged: impl FnMut(ExportError),
    ) -> Result<(), ExportError> {
        let parts = self.archive.games(filter).map(|game| match or_damaged(game)? {
            Ok(game) if filter.kind.is_none() && !game.kind.family().has_pgn() => Ok(ExportedGame::LeftOut),
            Ok(game) => self.part(game),
            Err(error) => Ok(ExportedGame::Damaged(error)),
        });
        let writer = &GameWriter { form: self.form, options: self.options, check: self.check };
        let mut counts = self.counts;
        let join = |batch: ExportBatch| {
            batch.for_each(writer, |text| {
                match text {
                    Ok(Some(text)) => {
                        counts.written += 1;
                        out.write_all(text)?;
                        if counts.written == 1 {
                            // Output buffers hold a quarter of a mebibyte, so without this the reader of
                            // `plybook export | head` would get nothing until that many games were read.
                            out.flush()?;
                        }
                    }
                    Ok(None) => counts.left_out += 1,
                    Err(error) => {
                        counts.damaged += 1;
                        damaged(error);
                    }
                }
                if self.cancel.is_some_and(|cancel| cancel.load(Relaxed)) {
                    return Err(ArchiveError::Stopped.into());
                }
                Ok(())
            })
        };
        let read =
            in_batches_in_order(parts, ExportedGame::memory, |parts| ExportBatch::of(parts, writer), join);
        self.counts = counts;
        read
    }

    /// The text of a game.
    fn part(&self, game: StoredGame) -> Result<ExportedGame, ExportError> {
        let original = if self.original { self.archive.original(game.id) } else { Ok(None) };
        Ok(match or_damaged(original)? {
            Ok(Some(bytes)) => match self.check.map_or(Ok(()), |check| check.check(&game)) {
                Ok(()) => ExportedGame::Text([bytes.trim_ascii(), b"\n\n"].concat()),
                Err(error) => ExportedGame::Damaged(error.into()),
            },
            Ok(None) => ExportedGame::Game(Box::new(game)),
            Err(error) => ExportedGame::Damaged(error),
        })
    }
}

/// The size of the text of a batch after which its remaining games are formatted one by one: compressed comments can
/// expand a thousandfold.
const MOST_TEXT: usize = 1 << 20;

/// A formatted batch of games.
//
// The games stay with their text, although the text is all that is written: the thread that reads the archive allocated
// them, and `for_each` runs there, so the same thread frees them. Two threads that allocate and free the same memory
// contend for the allocator: an import's writer spends 18 % of its time freeing records of other threads.
struct ExportBatch {
    parts: Vec<ExportedGame>,
    text: String,
    /// Where the text of each game ends, for the games formatted so far.
    ends: Vec<Result<usize, ExportError>>,
}

impl ExportBatch {
    fn of(parts: Vec<ExportedGame>, writer: &GameWriter<'_>) -> ExportBatch {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(parts.len()));
        for part in &parts {
            if let ExportedGame::Game(game) = part
                && text.len() < MOST_TEXT
            {
                ends.push(writer.write(game, &mut text).map(|()| text.len()));
            }
        }
        ExportBatch { parts, text, ends }
    }

    /// Passes the text of each game to `each` until it stops; `None` for a game that is skipped.
    fn for_each(
        self,
        writer: &GameWriter<'_>,
        mut each: impl FnMut(Result<Option<&[u8]>, ExportError>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let ExportBatch { parts, text, ends } = self;
        let (mut rest, mut begin, mut ends) = (String::new(), 0, ends.into_iter());
        for part in parts {
            let written = match part {
                ExportedGame::LeftOut => Ok(None),
                ExportedGame::Damaged(error) => Err(error),
                ExportedGame::Text(ref text) => Ok(Some(&text[..])),
                ExportedGame::Game(ref game) => match ends.next() {
                    Some(Ok(end)) => Ok(text.as_bytes().get(std::mem::replace(&mut begin, end)..end)),
                    Some(Err(error)) => Err(error),
                    None => {
                        rest.clear();
                        writer.write(game, &mut rest).map(|()| Some(rest.as_bytes()))
                    }
                },
            };
            each(written)?;
        }
        Ok(())
    }
}

/// Formats games.
struct GameWriter<'a> {
    form: GameForm<'a>,
    options: TextOptions,
    check: Option<&'a GameCheck>,
}

impl GameWriter<'_> {
    /// Appends a game; appends nothing if it is damaged.
    fn write(&self, game: &StoredGame, out: &mut String) -> Result<(), ExportError> {
        self.check.map_or(Ok(()), |check| check.check(game))?;
        let begin = out.len();
        let written = match self.form {
            GameForm::Text => game.kind.family().write(game, &self.options, out),
            GameForm::Lines(form) => form.write(game, self.options.to_ply, out),
            GameForm::Other(form) => form.write(game, out),
        };
        written.inspect_err(|_| out.truncate(begin))?;
        Ok(())
    }
}

/// A game to write.
enum ExportedGame {
    Game(Box<StoredGame>),
    /// The original text.
    Text(Vec<u8>),
    LeftOut,
    Damaged(ExportError),
}

impl ExportedGame {
    /// The approximate size in memory.
    fn memory(&self) -> usize {
        match self {
            ExportedGame::Game(game) => game.memory(),
            ExportedGame::Text(text) => text.len(),
            ExportedGame::LeftOut | ExportedGame::Damaged(_) => 0,
        }
    }
}
