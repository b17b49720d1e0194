//! The reading end of an import: lets one source after the other be read, and submits its batches to the pool.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, mpsc::Sender},
};

use super::{
    Games, ImportCondition, ResumeOutcome,
    games::GameEncoding,
    memory_budget::{MemoryBudget, Reservation, estimate},
    resume,
    sink::{Batch, Begin, Closed, End, Event, Flow, Input, Sink},
    source::FoundSource,
    workers::Workers,
};
use crate::{
    archive::KnownSource,
    sources::{Confirmed, Source, path_name},
};

/// Bytes of memory that an event without games takes.
const SMALL: usize = 1 << 10;

/// Bytes that are recorded of a ply for the index of positions.
const RECORDED: usize = 24;

/// Numbers the events it sends, and waits while too much memory is in flight.
pub(super) struct SourceReader {
    pub workers: Workers,
    pub events: Sender<(u64, Event, Reservation)>,
    pub memory_budget: Arc<MemoryBudget>,
    /// The number of the next event.
    pub number: u64,
    pub known: HashMap<String, KnownSource>,
    pub encoding: GameEncoding,
    pub condition: Option<Arc<dyn ImportCondition>>,
    /// See [`Options::base`](super::Options::base).
    pub base: Option<PathBuf>,
    pub input: Input,
    /// The source that is being read, until it has begun.
    pub next: Option<Begin>,
}

impl SourceReader {
    pub(super) fn read_all(mut self, sources: &[FoundSource]) {
        for source in sources {
            if self.read_source(source).is_err() {
                return;
            }
        }
    }

    /// The name of a source in the archive.
    fn name(&self, source: &Source) -> String {
        let (name, base) = (source.to_string(), self.base.as_deref().map(path_name));
        let within = base.and_then(|base| name.strip_prefix(&base)?.strip_prefix('/').map(str::to_owned));
        within.unwrap_or(name)
    }

    fn read_source(&mut self, found: &FoundSource) -> Flow {
        let (name, stamp, lasting) = (self.name(&found.source), found.stamp(), found.is_lasting());
        (self.input.confirmed, self.input.bytes) = (Confirmed::all(), found.bytes().unwrap_or(0));
        // Pipes have no hash, and neither have archives from before hashes were stored.
        let known = self.known.get(&name).copied();
        let known = known.filter(|known| known.state.hash.is_some() && lasting);
        self.next = Some(Begin { name, stamp, lasting, known });
        let end = match known {
            Some(known) if resume::is_unchanged(&known, stamp) => {
                self.begin(Some(ResumeOutcome::Unchanged))?;
                End::Whole
            }
            _ => found.read(known.as_ref().map(|known| &known.state), self)?,
        };
        // Unless it could not be opened, it has begun.
        self.begin(known.map(|_| ResumeOutcome::Resumed))?;
        let confirmed = self.input.confirmed.bytes();
        self.send(Event::End { end, confirmed })
    }

    /// Waits for space for the next event.
    fn reservation(&self, bytes: usize) -> Flow<Reservation> {
        self.memory_budget.reservation(self.number, bytes).ok_or(Closed)
    }
}

impl Sink for SourceReader {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }

    fn begin(&mut self, outcome: Option<ResumeOutcome>) -> Flow {
        self.next.take().map_or(Ok(()), |begin| self.send(Event::Begin(begin, outcome)))
    }

    fn batch(&mut self, batch: Batch) -> Flow {
        let Batch { bytes, games, largest, plies, position, resume_point, work } = batch;
        let recorded = if self.encoding.recorded.positions { RECORDED * plies } else { 0 };
        let bytes = estimate(bytes, games, largest) + recorded;
        let mut reservation = self.reservation(bytes)?;
        let (number, events, encoding) = (self.number, self.events.clone(), self.encoding);
        let condition = self.condition.clone();
        let confirmed = self.input.confirmed.bytes();
        self.number += 1;
        self.workers.spawn(bytes, largest, move || {
            let mut read = Games::encoding(encoding, games, &mut reservation);
            work(&mut read);
            let mut games = Box::new(read.done());
            games.failure = condition.and_then(|condition| games.keep_matching(&*condition).err());
            let event = Event::Batch { games, position, resume_point, confirmed };
            // An error means that the writer has stopped.
            let _ = events.send((number, event, reservation));
        });
        Ok(())
    }

    fn send(&mut self, event: Event) -> Flow {
        let bytes = if let Event::Shared(values) = &event { values.memory() } else { SMALL };
        let reservation = self.reservation(bytes)?;
        self.events.send((self.number, event, reservation)).map_err(|_| Closed)?;
        self.number += 1;
        Ok(())
    }
}
