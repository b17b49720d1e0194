//! Sources that are text: opened and decompressed, split into games, and read in batches.

use std::{
    hash::Hasher,
    io::{self, Cursor, Read},
    sync::{Arc, atomic::Ordering},
};

use twox_hash::XxHash3_64;

use super::{
    kind::{FoundSource, GameSource},
    pgn::Pgn,
};
use crate::{
    archive::SourceState,
    import::{
        ResumeOutcome, resume,
        sink::{Batch, Closed, End, Flow, ResumePoint, Sink},
        text_format::TextFormat,
    },
    limits::MAX_BARREN_BYTES,
    pgn::{GameBatch, GameSplitter, GameText},
    sources::{FileChange, FileWatch, OpenSource, Source, SourceError, is_damage},
};

/// Decompressed bytes of a batch.
// 64 KiB to 1 MiB give the same speed within the variation (docs/growth.md), so this only decides how much is in
// memory.
const BATCH_BYTES: usize = 256 << 10;

/// Fewest bytes of a ply.
const PLY: usize = 8;

/// The reason reported for a file that changed after it was opened.
const CHANGED: &str = "the file changed while it was being read; import it again when it is complete";

/// Bytes of a game that are checked for being text.
const LOOKED_AT: usize = 1024;

impl<F: TextFormat> GameSource for F {
    fn endings(&self) -> &'static [&'static str] {
        TextFormat::endings(self)
    }

    fn is_begun(&self, beginning: &[u8]) -> bool {
        TextFormat::is_begun(self, beginning)
    }

    fn refusal(&self) -> Option<&'static str> {
        TextFormat::refusal(self)
    }

    fn as_text(&self) -> Option<&dyn TextFormat> {
        Some(self)
    }

    /// In the format that the decompressed text has.
    fn read(
        &self,
        FoundSource { source, .. }: &FoundSource,
        known: Option<&SourceState>,
        sink: &mut dyn Sink,
    ) -> Flow<End> {
        if let Some(state) = known {
            match open(source, sink, |opened, sink| resume(source, opened, state, sink))? {
                Ok(None) => {}
                Ok(Some(end)) | Err(end) => return Ok(end),
            }
        }
        sink.begin(known.map(|_| ResumeOutcome::Changed))?;
        let read = |opened: &mut OpenSource<'_>, sink: &mut dyn Sink| {
            let format = sink.input().readers.format_of(source, opened.text.beginning()).unwrap_or(&Pgn);
            read_opened(opened, format, sink)
        };
        Ok(open(source, sink, read)?.unwrap_or_else(|failed| failed))
    }
}

/// Reads an open source from its beginning.
pub(super) fn read_opened(
    opened: &mut OpenSource<'_>,
    format: &'static dyn TextFormat,
    sink: &mut dyn Sink,
) -> Flow<End> {
    let OpenSource { text, watch, .. } = opened;
    let splitter = GameSplitter::with_boundaries(text, format.boundaries(), 0, 1);
    TextReader { format, watch, hash: XxHash3_64::with_seed(0), sink }.split(splitter)
}

/// Opens a source. A failure to open it is distinct from a writer that has stopped.
fn open<T>(
    source: &Source,
    sink: &mut dyn Sink,
    read: impl FnOnce(&mut OpenSource<'_>, &mut dyn Sink) -> Flow<T>,
) -> Flow<Result<T, End>> {
    let input = sink.input();
    let (encoding, consumed, threads) =
        (input.readers.options().encoding, Arc::clone(&input.consumed), input.threads);
    let read = |opened: &mut OpenSource<'_>| {
        sink.input().confirmed = opened.confirmed.clone();
        read(opened, sink)
    };
    match source.open(encoding, &consumed, threads, read) {
        Ok(read) => read.map(Ok),
        Err(SourceError::Io(_, error)) => Ok(Err(end_of_error(0, &error))),
        Err(error) => Ok(Err(End::failed(0, error.to_string()))),
    }
}

/// Resumes after what an earlier import has processed; `None` if the source has changed.
fn resume(
    source: &Source,
    opened: &mut OpenSource<'_>,
    state: &SourceState,
    sink: &mut dyn Sink,
) -> Flow<Option<End>> {
    let OpenSource { text, watch, .. } = opened;
    let input = sink.input();
    let format = input.readers.format_of(source, text.beginning()).unwrap_or(&Pgn);
    let is_another = |tail: &[u8], next: &[u8]| format.is_another(tail, next);
    match resume::skip_processed(text, is_another, state, &input.cancel) {
        Ok(None) if input.cancel.load(Ordering::Relaxed) => Err(Closed),
        Ok(None) => Ok(None),
        Ok(Some((hash, peeked))) => {
            let outcome = match state.ended {
                true if peeked.trim_ascii().is_empty() => ResumeOutcome::Unchanged,
                true => ResumeOutcome::Grown,
                false => ResumeOutcome::Resumed,
            };
            sink.begin(Some(outcome))?;
            let rest = Cursor::new(peeked).chain(text);
            let splitter =
                GameSplitter::with_boundaries(rest, format.boundaries(), state.bytes, state.lines + 1);
            TextReader { format, watch, hash, sink }.split(splitter).map(Some)
        }
        Err(error) => Ok(Some(end_of_error(state.bytes, &error))),
    }
}

/// An error after some bytes.
fn end_of_error(byte: u64, error: &io::Error) -> End {
    match End::failed(byte, error.to_string()) {
        End::Failed(problem) if is_damage(error) => End::Damaged(problem),
        end => end,
    }
}

/// Reads a text.
struct TextReader<'a> {
    format: &'static dyn TextFormat,
    watch: &'a FileWatch,
    /// The hash of the text that was passed on.
    hash: XxHash3_64,
    sink: &'a mut dyn Sink,
}

impl TextReader<'_> {
    /// Splits to the end, or to where the source cannot be read any further.
    fn split(&mut self, mut splitter: GameSplitter<impl Read>) -> Flow<End> {
        let mut barren = 0;
        loop {
            match splitter.next_batch(BATCH_BYTES) {
                Ok(None) => return Ok(self.end_of(&GameBatch::default(), splitter.position())),
                Ok(Some(batch)) => {
                    let position = splitter.position();
                    let ended = splitter.has_ended().then(|| self.end_of(&batch, position));
                    if let Some(end @ (End::Growing { .. } | End::Failed(_))) = ended {
                        self.pass_incomplete(batch, position)?;
                        return Ok(end);
                    }
                    // An endless stream such as /dev/zero must end with an error, but a real file may begin with a
                    // long text without games.
                    barren = if holds_games(&batch) { 0 } else { barren + batch.text.len() as u64 };
                    self.hash.write(&batch.text);
                    let hash = self.hash.finish();
                    let resume_point = splitter.boundary();
                    let resume_point =
                        resume_point.map(|(byte, line)| ResumePoint { byte, lines: line - 1, hash });
                    self.pass(batch, position, resume_point)?;
                    if barren > MAX_BARREN_BYTES {
                        let why = format!(
                            "no game found in {} MiB: not a PGN file, or an endless stream",
                            barren >> 20
                        );
                        return Ok(End::failed(position, why));
                    }
                    if let Some(end) = ended {
                        return Ok(end);
                    }
                }
                Err(error) => {
                    let byte = splitter.position();
                    while let Ok(Some(batch)) = splitter.next_batch(BATCH_BYTES) {
                        self.pass_incomplete(batch, splitter.position())?;
                    }
                    return Ok(end_of_error(byte, &error));
                }
            }
        }
    }

    /// Passes on what was read before a failure, or of a file that is still being written. The last game may be
    /// incomplete: it is stored only if it has a result, and read again when the source is complete.
    fn pass_incomplete(&mut self, mut batch: GameBatch, position: u64) -> Flow {
        let Some(last) = batch.games.pop() else { return Ok(()) };
        self.hash.write(batch.text.get(..last.range.start).unwrap_or_default());
        let resume_point = ResumePoint { byte: last.byte, lines: last.line - 1, hash: self.hash.finish() };
        let text = batch.text.get(last.range.clone()).unwrap_or_default().to_vec();
        self.pass(batch, position, Some(resume_point))?;
        if !self.format.is_terminated(&text) {
            return Ok(());
        }
        let game = GameText { range: 0..text.len(), ..last };
        self.pass(GameBatch { text, games: vec![game] }, position, None)
    }

    /// Passes on a batch.
    fn pass(&mut self, batch: GameBatch, position: u64, resume_point: Option<ResumePoint>) -> Flow {
        let (readers, format) = (Arc::clone(&self.sink.input().readers), self.format);
        self.sink.batch(Batch {
            bytes: batch.text.len(),
            games: batch.games.len(),
            largest: batch.games.iter().map(|game| game.range.len()).max().unwrap_or(0),
            plies: batch.text.len() / PLY,
            position,
            resume_point,
            work: Box::new(move |games| readers.read(&batch, format, games)),
        })
    }

    /// How the source ended, judged by its last games.
    fn end_of(&mut self, batch: &GameBatch, byte: u64) -> End {
        if !self.sink.input().is_resumed_later {
            return End::Whole;
        }
        let is_open = |last: &&GameText| {
            !self.format.is_terminated(batch.text.get(last.range.clone()).unwrap_or_default())
        };
        let open = batch.games.last().filter(is_open);
        let change = if open.is_some() { self.watch.change_in_a_moment() } else { self.watch.change() };
        match (change, open) {
            (FileChange::None, _) | (FileChange::Grown, None) => End::Whole,
            (FileChange::Grown, Some(last)) => End::Growing { byte: last.byte, line: last.line },
            (FileChange::Other, _) => End::failed(byte, CHANGED.to_owned()),
        }
    }
}

/// Whether a batch contains a game that could be valid: complete, and text.
fn holds_games(batch: &GameBatch) -> bool {
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    batch.games.iter().filter(|game| !game.cut_short).any(|game| {
        let text = batch.text.get(game.range.clone()).unwrap_or_default();
        let text = text.get(..LOOKED_AT).unwrap_or(text);
        text.iter().filter(is_control).count() <= text.len() / 20
    })
}
