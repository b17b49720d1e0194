//! Reading the rejected games that an archive keeps again, as an import of their texts.

use std::{mem, path::Path, sync::Arc, time::Instant};

use super::{
    Games, ImportError, Options, Report, ResumeOutcome,
    games::{GameEncoding, GamePlace, ParsedBatch},
    index::index,
    memory_budget::MemoryBudget,
    recorder::Recorder,
    sink::{Batch, Closed, End, Event, Flow, Input, Sink},
    source::{read_text_of, readers},
    writer::ImportWriter,
};
use crate::{
    archive::{Archive, KeptReject},
    files::Protected,
    pgn::{Location, RejectReason},
    recording::IndexParts,
    sources::OpenSource,
};

/// Reads the rejected games that an archive keeps again. Those that are stored, or that the archive has, are removed from the
/// rejected games in the same transaction. This is an import with a number of its own; undoing it restores them. Of the
/// options, `rejects`, `keep_rejects` and those on sources have no effect.
///
/// # Errors
/// The archive cannot be opened or written, or a kept text is damaged. What was committed before stays.
pub fn retry(path: &Path, options: &Options) -> Result<Report, ImportError> {
    let begin = Instant::now();
    let _patience = options.busy_timeout().in_force();
    let ids = Archive::open(path)?.reject_ids()?;
    let options = &Options { rejects: None, keep_rejects: false, ..options.clone() };
    let mut writer = ImportWriter::new(path, None, None, options, &Protected::default())?;
    let mut texts = Texts {
        input: Input::new(readers(options.reading)),
        encoding: GameEncoding::new(options, IndexParts::default()),
        memory_budget: Arc::default(),
        games: Vec::new(),
    };
    for id in ids {
        if let Some(reject) = writer.kept_reject(id)? {
            writer.retry(&reject, texts.read(&reject))?;
        }
    }
    let mut report = writer.finish(|| begin.elapsed().as_secs_f64())?;
    index(path, options, &mut report, Recorder::default(), |_| {});
    Ok(report)
}

/// Reads kept texts, one at a time.
struct Texts {
    input: Input,
    encoding: GameEncoding,
    memory_budget: Arc<MemoryBudget>,
    /// What was read of the present text.
    games: Vec<ParsedBatch>,
}

impl Texts {
    /// The games of a text, with the place of the rejected game.
    fn read(&mut self, reject: &KeptReject) -> Vec<ParsedBatch> {
        let encoding = self.input.readers.options().encoding;
        let read = OpenSource::of_text(&reject.text, encoding)
            .map(|mut opened| read_text_of(&reject.source, &mut opened, self));
        let why = match read {
            Ok(Ok(End::Failed(problem) | End::Damaged(problem))) => Some(problem.reason),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let place = Location { game: reject.location.game, ..Location::default() };
        if let Some(why) = why {
            self.games.clear();
            let reason = RejectReason::Unstorable(why);
            // There is no budget to exceed.
            let _ = self.batch(Batch {
                bytes: 0,
                games: 1,
                largest: 0,
                plies: 0,
                position: 0,
                resume_point: None,
                work: Box::new(move |games| {
                    games.reject(GamePlace { location: place, text: &[] }, place, reason);
                }),
            });
        }
        let mut games = mem::take(&mut self.games);
        for item in games.iter_mut().flat_map(|batch| &mut batch.items) {
            item.location = place;
            item.warning_locations.iter_mut().for_each(|(_, at)| *at = reject.location);
            if let Err(rejected) = &mut item.game {
                rejected.problem_at = reject.location;
            }
        }
        games
    }
}

impl Sink for Texts {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }

    fn begin(&mut self, _: Option<ResumeOutcome>) -> Flow {
        Ok(())
    }

    fn batch(&mut self, batch: Batch) -> Flow {
        let mut reservation = self.memory_budget.reservation(0, batch.bytes).ok_or(Closed)?;
        let mut games = Games::encoding(self.encoding, batch.games, &mut reservation);
        (batch.work)(&mut games);
        self.games.push(games.done());
        Ok(())
    }

    fn send(&mut self, _: Event) -> Flow {
        Ok(())
    }
}
