//! The reading end of an import: opens one source after the other, cuts it, and lets the pool parse.

use std::{
    collections::HashMap,
    hash::Hasher,
    io::{Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
        mpsc::Sender,
    },
};

use rayon::ThreadPool;
use twox_hash::XxHash3_64;

use super::{
    How,
    budget::{Budget, Share, estimate},
    form::Form,
    parse::{Item, Parsers},
    records::RecordBorders,
    resume::{self, Start},
    stamp::{is_lasting, stamp},
};
use crate::{
    archive::KnownSource,
    limits::MAX_BARREN_BYTES,
    pgn::{Boundaries, GameBatch, GameSplitter, GameText, PgnBoundaries},
    sources::{FileChange, FileWatch, OpenSource, Source, SourceError},
};

/// Unpacked bytes of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// Bytes of a batch that takes so much that few have room at a time.
const LARGE: usize = 4 << 20;

/// Bytes of memory that an event without games takes.
const SMALL: usize = 1 << 10;

/// What the writer gets, numbered in the order of the sources.
pub(super) enum Event {
    Begin(Begin),
    /// Games, how far the source has been cut, and where an import could go on behind them.
    Games {
        items: Vec<Item>,
        position: u64,
        border: Option<Boundary>,
    },
    End(End),
}

/// How the reading of a source ended.
pub(super) enum End {
    /// Everything has been read.
    Whole,
    /// The last game has no end yet, and the file is being written: it is left for the next import.
    Growing { byte: u64, line: u64 },
    /// What kept an archive from being read on, and after which game.
    Stopped { game: u64, why: String, is_damaged_archive: bool },
    /// What kept it from being read on, and after which byte.
    Failed { byte: u64, why: String },
}

/// A source that comes next.
#[derive(Clone, Debug)]
pub(super) struct Begin {
    pub name: String,
    pub stamp: Option<u64>,
    /// Whether it can be read a second time.
    pub lasting: bool,
    /// An earlier import had met it.
    pub met: Option<(KnownSource, How)>,
}

/// A border between games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    pub byte: u64,
    /// Lines before it.
    pub lines: u64,
    /// Of the bytes before it.
    pub hash: u64,
}

/// Numbers what it sends, and waits while too much is under way.
pub(super) struct Outlet {
    pub pool: Arc<ThreadPool>,
    pub events: Sender<(u64, Event, Share)>,
    pub budget: Arc<Budget>,
    pub number: u64,
    pub known: HashMap<String, KnownSource>,
    pub parsers: Arc<Parsers>,
    pub cancel: Arc<AtomicBool>,
}

/// The writer has gone: nothing more is wanted.
pub(super) struct Closed;

/// What is said of a file that is not what it was when it was opened.
const CHANGED: &str = "it was changed while it was read; import it again when it is complete";

/// Bytes of a game that are looked at to tell whether it is text.
const LOOKED_AT: usize = 1024;

/// What became of a source that an earlier import had met.
enum Reread {
    Ended(End),
    Changed,
}

impl Outlet {
    pub(super) fn read_all(mut self, sources: &[Source], consumed: &Arc<AtomicU64>) {
        for source in sources {
            if self.read_source(source, consumed).is_err() {
                return;
            }
        }
    }

    fn read_source(&mut self, source: &Source, consumed: &Arc<AtomicU64>) -> Result<(), Closed> {
        let (stamp, lasting) = (stamp(source), is_lasting(source));
        let begin = Begin { name: source.to_string(), stamp, lasting, met: None };
        // Without a hash nothing is known of it: a pipe, or an archive from before there were any.
        let known = self.known.get(&begin.name).copied();
        let known = known.filter(|known| known.state.hash.is_some() && lasting);
        if let Source::Archive(path) = source {
            return self.read_archive(path, begin, known, consumed);
        }
        let end = match known {
            None => self.read_anew(source, consumed, begin)?,
            Some(known) if resume::is_done(&known, begin.stamp) => {
                self.send(Event::Begin(begin.met(known, How::Done)))?;
                End::Whole
            }
            Some(known) => {
                let read = self.open(source, consumed, |outlet, opened| {
                    outlet.continue_line(source, opened, &begin, known)
                })?;
                match read {
                    Ok(Reread::Ended(end)) => end,
                    Ok(Reread::Changed) => {
                        self.read_anew(source, consumed, begin.met(known, How::Changed))?
                    }
                    Err(failed) => {
                        self.send(Event::Begin(begin.met(known, How::Continued)))?;
                        failed
                    }
                }
            }
        };
        self.send(Event::End(end))
    }

    fn read_anew(&mut self, source: &Source, consumed: &Arc<AtomicU64>, begin: Begin) -> Result<End, Closed> {
        self.send(Event::Begin(begin))?;
        let cut = |outlet: &mut Outlet, opened: &mut OpenSource<'_>| {
            let OpenSource { text, watch } = opened;
            let form = Form::of(source, text.beginning());
            outlet.cut_from(text, form, (0, 1), XxHash3_64::with_seed(0), watch)
        };
        Ok(self.open(source, consumed, cut)?.unwrap_or_else(|failed| failed))
    }

    /// Opens a source; a failure to do so is told apart from a writer that has gone.
    fn open<T>(
        &mut self,
        source: &Source,
        consumed: &Arc<AtomicU64>,
        read: impl FnOnce(&mut Outlet, &mut OpenSource<'_>) -> Result<T, Closed>,
    ) -> Result<Result<T, End>, Closed> {
        match source.open(self.parsers.encoding(), consumed, |opened| read(self, opened)) {
            Ok(read) => read.map(Ok),
            Err(SourceError::Io { error, .. }) => Ok(Err(End::Failed { byte: 0, why: error.to_string() })),
            Err(error) => Ok(Err(End::Failed { byte: 0, why: error.to_string() })),
        }
    }

    /// Goes on behind what an earlier import had done with.
    fn continue_line(
        &mut self,
        source: &Source,
        opened: &mut OpenSource<'_>,
        begin: &Begin,
        known: KnownSource,
    ) -> Result<Reread, Closed> {
        let state = known.state;
        let OpenSource { text, watch } = opened;
        let form = Form::of(source, text.beginning());
        match resume::skip(text, form, &state, &self.cancel) {
            Ok(Start::Anew) => Ok(Reread::Changed),
            Ok(Start::Cancelled) => Err(Closed),
            Ok(Start::Here { hash, peeked }) => {
                let how = match state.ended {
                    true if peeked.trim_ascii().is_empty() => How::Done,
                    true => How::Grown,
                    false => How::Continued,
                };
                self.send(Event::Begin(begin.clone().met(known, how)))?;
                let rest = Cursor::new(peeked).chain(text);
                let start = (state.bytes, state.lines + 1);
                self.cut_from(rest, form, start, *hash, watch).map(Reread::Ended)
            }
            Err(error) => {
                self.send(Event::Begin(begin.clone().met(known, How::Continued)))?;
                Ok(Reread::Ended(End::Failed { byte: state.bytes, why: error.to_string() }))
            }
        }
    }

    /// Cuts to the end, or to where the source cannot be read on, from a border: its byte and line.
    fn cut_from<R: Read>(
        &mut self,
        reader: R,
        form: Form,
        (byte, line): (u64, u64),
        hash: XxHash3_64,
        watch: &FileWatch,
    ) -> Result<End, Closed> {
        match form {
            Form::Pgn => self.cut(
                GameSplitter::with_boundaries(reader, PgnBoundaries::default(), byte, line),
                form,
                hash,
                watch,
            ),
            Form::Xelto => self.cut(
                GameSplitter::with_boundaries(reader, RecordBorders::default(), byte, line),
                form,
                hash,
                watch,
            ),
        }
    }

    fn cut<R: Read, B: Boundaries>(
        &mut self,
        mut cutter: GameSplitter<R, B>,
        form: Form,
        mut hash: XxHash3_64,
        watch: &FileWatch,
    ) -> Result<End, Closed> {
        let mut barren = 0;
        loop {
            match cutter.next_batch(BATCH_BYTES) {
                Ok(None) => return Ok(how_it_ended(&GameBatch::default(), form, watch, cutter.position())),
                Ok(Some(batch)) => {
                    let position = cutter.position();
                    let ended = cutter.has_ended().then(|| how_it_ended(&batch, form, watch, position));
                    if let Some(end @ (End::Growing { .. } | End::Failed { .. })) = ended {
                        self.parse_cut_short(batch, form, position, &mut hash)?;
                        return Ok(end);
                    }
                    barren = if holds_games(&batch) { 0 } else { barren + batch.text.len() as u64 };
                    hash.write(&batch.text);
                    let border = cutter.boundary();
                    let border =
                        border.map(|(byte, line)| Boundary { byte, lines: line - 1, hash: hash.finish() });
                    self.parse(batch, form, position, border)?;
                    if barren > MAX_BARREN_BYTES {
                        let why = format!("no game in {} MiB: this is no PGN, or has no end", barren >> 20);
                        return Ok(End::Failed { byte: position, why });
                    }
                    if let Some(end) = ended {
                        return Ok(end);
                    }
                }
                Err(error) => {
                    let byte = cutter.position();
                    while let Ok(Some(batch)) = cutter.next_batch(BATCH_BYTES) {
                        self.parse_cut_short(batch, form, cutter.position(), &mut hash)?;
                    }
                    return Ok(End::Failed { byte, why: error.to_string() });
                }
            }
        }
    }

    /// Parses what was read before a failure, or of a file that is being written. The last game may lack its end:
    /// it is taken only if it has a result, and read again when the source is whole.
    fn parse_cut_short(
        &mut self,
        mut batch: GameBatch,
        form: Form,
        position: u64,
        hash: &mut XxHash3_64,
    ) -> Result<(), Closed> {
        let Some(last) = batch.games.pop() else { return Ok(()) };
        hash.write(batch.text.get(..last.range.start).unwrap_or_default());
        let border = Boundary { byte: last.byte, lines: last.line - 1, hash: hash.finish() };
        let text = batch.text.get(last.range.clone()).unwrap_or_default().to_vec();
        self.parse(batch, form, position, Some(border))?;
        if !form.is_terminated(&text) {
            return Ok(());
        }
        let piece = GameText { range: 0..text.len(), ..last };
        self.parse(GameBatch { text, games: vec![piece] }, form, position, None)
    }

    /// Lets the pool parse a batch.
    fn parse(
        &mut self,
        batch: GameBatch,
        form: Form,
        position: u64,
        border: Option<Boundary>,
    ) -> Result<(), Closed> {
        let largest = batch.games.iter().map(|piece| piece.range.len()).max().unwrap_or(0);
        let (bytes, parsers) =
            (estimate(batch.text.len(), batch.games.len(), largest), Arc::clone(&self.parsers));
        self.spawn(bytes, move |share| Event::Games {
            items: parsers.parse(batch, form, share),
            position,
            border,
        })
    }

    /// Lets the pool do some work that takes about so many bytes and whose outcome is the next event.
    pub(super) fn spawn(
        &mut self,
        bytes: usize,
        work: impl FnOnce(&mut Share) -> Event + Send + 'static,
    ) -> Result<(), Closed> {
        let mut share = self.share(bytes)?;
        let (number, events) = (self.number, self.events.clone());
        self.number += 1;
        let work = move || {
            let event = work(&mut share);
            // An error means that the writer has gone.
            let _ = events.send((number, event, share));
        };
        // Not many large games have room at a time; and what is freed by one thread serves no other one.
        if bytes >= LARGE {
            work();
        } else {
            self.pool.spawn(work);
        }
        Ok(())
    }

    pub(super) fn send(&mut self, event: Event) -> Result<(), Closed> {
        let share = self.share(SMALL)?;
        self.events.send((self.number, event, share)).map_err(|_| Closed)?;
        self.number += 1;
        Ok(())
    }

    /// Waits for room for the next event.
    fn share(&self, bytes: usize) -> Result<Share, Closed> {
        self.budget.share(self.number, bytes).ok_or(Closed)
    }
}

/// How a source has ended whose last games are at hand.
fn how_it_ended(batch: &GameBatch, form: Form, watch: &FileWatch, byte: u64) -> End {
    let is_open =
        |last: &&GameText| !form.is_terminated(batch.text.get(last.range.clone()).unwrap_or_default());
    let open = batch.games.last().filter(is_open);
    let change = if open.is_some() { watch.change_in_a_moment() } else { watch.change() };
    match (change, open) {
        (FileChange::None, _) | (FileChange::Grown, None) => End::Whole,
        (FileChange::Grown, Some(last)) => End::Growing { byte: last.byte, line: last.line },
        (FileChange::Other, _) => End::Failed { byte, why: CHANGED.to_owned() },
    }
}

/// Whether there is a game in a batch that could be one: a whole one, of text.
fn holds_games(batch: &GameBatch) -> bool {
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    batch.games.iter().filter(|piece| !piece.cut_short).any(|piece| {
        let text = batch.text.get(piece.range.clone()).unwrap_or_default();
        let text = text.get(..LOOKED_AT).unwrap_or(text);
        text.iter().filter(is_control).count() <= text.len() / 20
    })
}

impl Begin {
    pub(super) fn met(self, known: KnownSource, how: How) -> Begin {
        Begin { met: Some((known, how)), ..self }
    }
}
