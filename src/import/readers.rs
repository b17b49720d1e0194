//! The readers of text that the threads of an import share.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{Games, games::GamePlace, text_format::TextFormat};
use crate::{
    pgn::{GameBatch, Location, ReadOptions, Reader, RejectReason},
    sources::Source,
};

/// Batches with a game at least this large drop their reader's buffers afterwards.
const LARGE: usize = 1 << 20;

/// Idle readers, which keep their caches and buffers from batch to batch, and the formats of text.
#[derive(Debug)]
pub(super) struct Readers {
    options: ReadOptions,
    formats: Vec<&'static dyn TextFormat>,
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    pub(super) fn new(options: ReadOptions, formats: Vec<&'static dyn TextFormat>) -> Readers {
        Readers { options, formats, idle: Mutex::default() }
    }

    pub(super) fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// The format of a source, by its name or its beginning; the last one that fits.
    pub(super) fn format_of(&self, source: &Source, beginning: &[u8]) -> Option<&'static dyn TextFormat> {
        let is_of = |format: &&'static dyn TextFormat| {
            format.endings().iter().any(|ending| source.has_ending(ending)) || format.is_begun(beginning)
        };
        self.formats.iter().copied().rev().find(is_of)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads every game of a batch in order. A panic rejects the game in which it happened.
    pub(super) fn read(&self, batch: &GameBatch, format: &dyn TextFormat, games: &mut Games<'_>) {
        let idle = self.idle().pop();
        let mut reader = idle.unwrap_or_else(|| Reader::with_options(self.options));
        for game in &batch.games {
            let text = batch.text.get(game.range.clone()).unwrap_or_default();
            let location = Location { line: game.line, byte: game.byte, ..Location::default() };
            let place = GamePlace { location, text };
            if game.cut_short {
                games.reject(place, location, RejectReason::TooLarge);
                continue;
            }
            let before = games.len();
            // A bug in a parser must not cost the other games of a source.
            let parsed = catch_unwind(AssertUnwindSafe(|| format.parse(&mut reader, game, text, games)));
            if parsed.is_err() {
                reader = Reader::with_options(self.options);
                games.truncate(before);
                games.reject(place, location, RejectReason::Panic);
            }
        }
        // Buffers that grew for a large game are dropped.
        if batch.text.len() < LARGE {
            self.idle().push(reader);
        }
    }
}
