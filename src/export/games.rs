//! Games as PGN again, and games without PGN as records.

use std::{
    io::Write,
    ops::{AddAssign, ControlFlow},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{ExportError, LineForm};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameCheck, in_batches_in_order},
    record::{StoredGame, TextOptions},
};

/// Writes the games of an archive.
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
    archive: &'a Archive,
    form: GameForm,
    options: TextOptions,
    original: bool,
    check: Option<&'a GameCheck>,
    cancel: Option<&'a AtomicBool>,
    /// What has been done so far, also if it was stopped by an error.
    pub counts: ExportCounts,
}

/// What is written of each game.
#[derive(Clone, Copy, Debug, Default)]
pub enum GameForm {
    /// PGN; of games that have none, their records.
    #[default]
    Text,
    /// Lines, which only games of chess have.
    Lines(LineForm),
}

/// What an export has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ExportCounts {
    /// Games written.
    pub written: u64,
    /// Games that cannot be read: reported and left out.
    pub damaged: u64,
    /// Games that have no PGN, among games that have: left out.
    pub left_out: u64,
}

impl AddAssign for ExportCounts {
    fn add_assign(&mut self, other: ExportCounts) {
        self.written += other.written;
        self.damaged += other.damaged;
        self.left_out += other.left_out;
    }
}

impl<'a> Export<'a> {
    /// An export of games as they are stored.
    pub fn new(archive: &'a Archive) -> Export<'a> {
        let (form, options) = (GameForm::default(), TextOptions::default());
        let counts = ExportCounts::default();
        Export { archive, form, options, original: false, check: None, cancel: None, counts }
    }

    /// Games are written in this form.
    pub fn form(self, form: GameForm) -> Export<'a> {
        Export { form, ..self }
    }

    /// Games of chess are written with these tag pairs, up to this ply.
    pub fn options(self, options: TextOptions) -> Export<'a> {
        Export { options, ..self }
    }

    /// Games whose original text is kept are written byte for byte as they stood in their source.
    pub fn original(self, original: bool) -> Export<'a> {
        Export { original, ..self }
    }

    /// Games that are not as they were stored are damaged, also if they can be read.
    pub fn check(self, check: Option<&'a GameCheck>) -> Export<'a> {
        Export { check, ..self }
    }

    /// The export ends after the game at which this has become true.
    pub fn cancel(self, cancel: &'a AtomicBool) -> Export<'a> {
        Export { cancel: Some(cancel), ..self }
    }

    /// Writes the games that pass a filter; after each PGN comes a blank line. Games that have no PGN are
    /// written as records if the filter asks for them alone, and left out otherwise. Every game that is damaged is handed
    /// to `damaged`, and the next one is written. All cores take part; the games stay in their order.
    ///
    /// # Errors
    /// The archive cannot be read on, or `out` cannot be written.
    pub fn write(
        &mut self,
        filter: &Filter,
        out: &mut dyn Write,
        mut damaged: impl FnMut(ExportError),
    ) -> Result<(), ExportError> {
        let parts = self.archive.games(filter).map(|game| match game {
            Ok(game) if filter.kind.is_none() && !game.kind.family().has_pgn() => Ok(Part::LeftOut),
            Ok(game) => self.part(game),
            Err(error @ ArchiveError::Damaged { .. }) => Ok(Part::Damaged(error.into())),
            Err(error) => Err(ExportError::from(error)),
        });
        let writer = &GameWriter { form: self.form, options: self.options, check: self.check };
        let (mut counts, mut failed) = (self.counts, None);
        let join = |batch: Batch| {
            batch.for_each(writer, |text| {
                match text {
                    Ok(Some(text)) => {
                        counts.written += 1;
                        failed = out.write_all(text).err();
                        if counts.written == 1 && failed.is_none() {
                            // Whoever wants only this one has it before the others are read.
                            failed = out.flush().err();
                        }
                    }
                    Ok(None) => counts.left_out += 1,
                    Err(error) => {
                        counts.damaged += 1;
                        damaged(error);
                    }
                }
                if failed.is_some() || self.cancel.is_some_and(|cancel| cancel.load(Relaxed)) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })
        };
        let read = in_batches_in_order(parts, Part::memory, |parts| Batch::of(parts, writer), join);
        self.counts = counts;
        read?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// What is to be written of a game.
    fn part(&self, game: StoredGame) -> Result<Part, ExportError> {
        let original = if self.original { self.archive.original(game.id) } else { Ok(None) };
        Ok(match original {
            Ok(Some(bytes)) => match self.check.map_or(Ok(()), |check| check.check(&game)) {
                Ok(()) => Part::Text([bytes.trim_ascii(), b"\n\n"].concat()),
                Err(error) => Part::Damaged(error.into()),
            },
            Ok(None) => Part::Game(Box::new(game)),
            Err(error @ ArchiveError::Damaged { .. }) => Part::Damaged(error.into()),
            Err(error) => return Err(error.into()),
        })
    }
}

/// Bytes of text after which the rest of a batch is left to be written in its turn: comments may be packed a thousand times
/// smaller.
const MOST_TEXT: usize = 1 << 20;

/// Games of a batch on their way out. They go along with their text, so that the thread that has made them frees them: two
/// that do that to the same memory are in each other's way.
struct Batch {
    parts: Vec<Part>,
    text: String,
    /// Where the text of each game ends, as far as they are written.
    ends: Vec<Result<usize, ExportError>>,
}

impl Batch {
    fn of(parts: Vec<Part>, writer: &GameWriter<'_>) -> Batch {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(parts.len()));
        for part in &parts {
            if let Part::Game(game) = part
                && text.len() < MOST_TEXT
            {
                ends.push(writer.write(game, &mut text).map(|()| text.len()));
            }
        }
        Batch { parts, text, ends }
    }

    /// Hands the text of each game to `each`, until it breaks: none for one that is left out.
    fn for_each(
        self,
        writer: &GameWriter<'_>,
        mut each: impl FnMut(Result<Option<&[u8]>, ExportError>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Batch { parts, text, ends } = self;
        let (mut rest, mut begin, mut ends) = (String::new(), 0, ends.into_iter());
        for part in parts {
            let written = match part {
                Part::LeftOut => Ok(None),
                Part::Damaged(error) => Err(error),
                Part::Text(ref text) => Ok(Some(&text[..])),
                Part::Game(ref game) => match ends.next() {
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
        ControlFlow::Continue(())
    }
}

/// Writes games as they are wanted.
struct GameWriter<'a> {
    form: GameForm,
    options: TextOptions,
    check: Option<&'a GameCheck>,
}

impl GameWriter<'_> {
    /// Appends a game; nothing of one that is damaged.
    fn write(&self, game: &StoredGame, out: &mut String) -> Result<(), ExportError> {
        self.check.map_or(Ok(()), |check| check.check(game))?;
        let begin = out.len();
        let written = match self.form {
            GameForm::Text => game.kind.family().write(game, &self.options, out),
            GameForm::Lines(form) => form.write(game, self.options.to_ply, out),
        };
        written.inspect_err(|_| out.truncate(begin))?;
        Ok(())
    }
}

/// A game on its way out.
enum Part {
    Game(Box<StoredGame>),
    /// One that is not written anew.
    Text(Vec<u8>),
    LeftOut,
    Damaged(ExportError),
}

impl Part {
    /// About how many bytes it takes in memory.
    fn memory(&self) -> usize {
        match self {
            Part::Game(game) => game.memory(),
            Part::Text(text) => text.len(),
            Part::LeftOut | Part::Damaged(_) => 0,
        }
    }
}
