//! The reading end of an import: opens one source after the other, cuts it, and lets the pool parse.

use std::{
    collections::HashMap,
    hash::Hasher,
    io::{Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
        mpsc::{Sender, SyncSender},
    },
};

use rayon::ThreadPool;
use twox_hash::XxHash3_64;

use super::{
    How,
    form::Form,
    parse::{Item, Parsers},
    records::RecordBorders,
    resume::{self, Start},
};
use crate::{
    archive::KnownSource,
    pgn::{Batch, Borders, Cutter, PgnBorders, Piece, Source, SourceError},
};

/// Unpacked bytes of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// What the writer gets, numbered in the order of the sources.
pub(super) enum Event {
    Begin(Begin),
    /// Games, how far the source has been cut, and where an import could go on behind them.
    Games {
        items: Vec<Item>,
        position: u64,
        border: Option<Border>,
    },
    /// The end of the source, or what kept it from being read on and after which byte.
    End {
        failure: Option<(u64, String)>,
    },
}

/// A source that comes next.
#[derive(Clone, Debug)]
pub(super) struct Begin {
    pub name: String,
    pub stamp: Option<u64>,
    /// An earlier import had met it.
    pub met: Option<(KnownSource, How)>,
}

/// A border between games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub byte: u64,
    /// Lines before it.
    pub lines: u64,
    /// Of the bytes before it.
    pub hash: u64,
}

/// Numbers what it sends, and waits while too much is under way.
pub(super) struct Outlet {
    pub pool: Arc<ThreadPool>,
    pub events: Sender<(u64, Event)>,
    pub start: SyncSender<()>,
    pub number: u64,
    pub known: HashMap<String, KnownSource>,
    pub parsers: Arc<Parsers>,
    pub cancel: Arc<AtomicBool>,
}

/// The writer has gone: nothing more is wanted.
struct Closed;

/// What kept a source from being read on, and after which byte.
type Failure = (u64, String);

/// What became of a source that an earlier import had met.
enum Reread {
    Ended(Option<Failure>),
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
        let begin = Begin { name: source.to_string(), stamp: resume::stamp(source), met: None };
        // Without a hash nothing is known of it: standard input, or an archive from before there were any.
        let known = self.known.get(&begin.name).copied();
        let known = known.filter(|known| known.state.hash.is_some() && *source != Source::Stdin);
        let failure = match known {
            None => self.read_anew(source, consumed, begin)?,
            Some(known) if resume::is_done(&known, begin.stamp) => {
                self.send(Event::Begin(begin.met(known, How::Done)))?;
                None
            }
            Some(known) => {
                let read =
                    self.open(source, consumed, |outlet, reader| outlet.go_on(source, reader, &begin, known));
                match read {
                    Ok(Reread::Ended(failure)) => failure,
                    Ok(Reread::Changed) => {
                        self.read_anew(source, consumed, begin.met(known, How::Changed))?
                    }
                    Err(failure) => {
                        self.send(Event::Begin(begin.met(known, How::Continued)))?;
                        Some(failure?)
                    }
                }
            }
        };
        self.send(Event::End { failure })
    }

    fn read_anew(
        &mut self,
        source: &Source,
        consumed: &Arc<AtomicU64>,
        begin: Begin,
    ) -> Result<Option<Failure>, Closed> {
        self.send(Event::Begin(begin))?;
        let cut = |outlet: &mut Outlet, reader: &mut dyn Read| {
            let (form, reader) = Form::of(source, reader);
            outlet.cut_from(reader, form, (0, 1), XxHash3_64::with_seed(0))
        };
        match self.open(source, consumed, cut) {
            Ok(failure) => Ok(failure),
            Err(failure) => failure.map(Some),
        }
    }

    /// Opens a source; a failure to do so is told apart from a writer that has gone.
    fn open<T>(
        &mut self,
        source: &Source,
        consumed: &Arc<AtomicU64>,
        read: impl FnOnce(&mut Outlet, &mut dyn Read) -> Result<T, Closed>,
    ) -> Result<T, Result<Failure, Closed>> {
        match source.open(consumed, |reader| read(self, reader)) {
            Ok(read) => read.map_err(Err),
            Err(SourceError::Io { error, .. }) => Err(Ok((0, error.to_string()))),
            Err(error) => Err(Ok((0, error.to_string()))),
        }
    }

    /// Goes on behind what an earlier import had done with.
    fn go_on(
        &mut self,
        source: &Source,
        reader: &mut dyn Read,
        begin: &Begin,
        known: KnownSource,
    ) -> Result<Reread, Closed> {
        let state = known.state;
        let (form, mut reader) = Form::of(source, reader);
        match resume::skip(&mut reader, form, &state, &self.cancel) {
            Ok(Start::Anew) => Ok(Reread::Changed),
            Ok(Start::Cancelled) => Err(Closed),
            Ok(Start::Here { hash, peeked }) => {
                let how = match state.ended {
                    true if peeked.trim_ascii().is_empty() => How::Done,
                    true => How::Grown,
                    false => How::Continued,
                };
                self.send(Event::Begin(begin.clone().met(known, how)))?;
                let rest = Cursor::new(peeked).chain(reader);
                self.cut_from(rest, form, (state.bytes, state.lines + 1), *hash).map(Reread::Ended)
            }
            Err(error) => {
                self.send(Event::Begin(begin.clone().met(known, How::Continued)))?;
                Ok(Reread::Ended(Some((state.bytes, error.to_string()))))
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
    ) -> Result<Option<Failure>, Closed> {
        match form {
            Form::Pgn => {
                self.cut(Cutter::with_borders(reader, PgnBorders::default(), byte, line), form, hash)
            }
            Form::Xelto => {
                self.cut(Cutter::with_borders(reader, RecordBorders::default(), byte, line), form, hash)
            }
        }
    }

    fn cut<R: Read, B: Borders>(
        &mut self,
        mut cutter: Cutter<R, B>,
        form: Form,
        mut hash: XxHash3_64,
    ) -> Result<Option<Failure>, Closed> {
        loop {
            match cutter.next_batch(BATCH_BYTES) {
                Ok(Some(batch)) => {
                    hash.write(&batch.text);
                    let border = cutter.border();
                    let border =
                        border.map(|(byte, line)| Border { byte, lines: line - 1, hash: hash.finish() });
                    self.parse(batch, form, cutter.position(), border)?;
                }
                Ok(None) => return Ok(None),
                Err(error) => {
                    let failure = (cutter.position(), error.to_string());
                    while let Ok(Some(batch)) = cutter.next_batch(BATCH_BYTES) {
                        self.parse_cut_short(batch, form, cutter.position(), &mut hash)?;
                    }
                    return Ok(Some(failure));
                }
            }
        }
    }

    /// Parses what was read before a failure. The last game may lack its end: it is taken only if it has a
    /// result, and read again when the source has been mended.
    fn parse_cut_short(
        &mut self,
        mut batch: Batch,
        form: Form,
        position: u64,
        hash: &mut XxHash3_64,
    ) -> Result<(), Closed> {
        let Some(last) = batch.pieces.pop() else { return Ok(()) };
        hash.write(batch.text.get(..last.range.start).unwrap_or_default());
        let border = Border { byte: last.byte, lines: last.line - 1, hash: hash.finish() };
        let text = batch.text.get(last.range.clone()).unwrap_or_default().to_vec();
        self.parse(batch, form, position, Some(border))?;
        if !form.is_terminated(&text) {
            return Ok(());
        }
        let piece = Piece { range: 0..text.len(), ..last };
        self.parse(Batch { text, pieces: vec![piece] }, form, position, None)
    }

    /// Lets the pool parse a batch.
    fn parse(
        &mut self,
        batch: Batch,
        form: Form,
        position: u64,
        border: Option<Border>,
    ) -> Result<(), Closed> {
        self.start.send(()).map_err(|_| Closed)?;
        let (number, events, parsers) = (self.number, self.events.clone(), Arc::clone(&self.parsers));
        self.number += 1;
        self.pool.spawn(move || {
            let items = parsers.parse(&batch, form);
            // An error means that the writer has gone.
            let _ = events.send((number, Event::Games { items, position, border }));
        });
        Ok(())
    }

    fn send(&mut self, event: Event) -> Result<(), Closed> {
        self.start.send(()).map_err(|_| Closed)?;
        self.events.send((self.number, event)).map_err(|_| Closed)?;
        self.number += 1;
        Ok(())
    }
}

impl Begin {
    fn met(self, known: KnownSource, how: How) -> Begin {
        Begin { met: Some((known, how)), ..self }
    }
}
