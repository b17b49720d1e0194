//! The games of a batch while they are read on one of all cores: encoded for the archive, or kept as they are.

use std::mem;

use super::{Note, Options, memory_budget::Reservation};
use crate::{
    archive::{Preparation, PreparedGames},
    chess::{Move, QuickChess},
    codec::CodecId,
    pgn::{Game, Location, Observer, RejectReason, Warning, Warnings},
    record::{Record, TagLayoutCache},
    recording::{IndexParts, Places, Recording},
};

/// Bytes of read games beyond the estimate after which the budget is updated.
// Not for every game, because the budget has a lock that all threads share.
const REPORT_EVERY: usize = 256 << 10;

/// Takes the games of a batch in order. A source either numbers all its games in their locations, or none: then they
/// are counted.
#[derive(Default)]
pub(super) struct Games<'a> {
    encoding: GameEncoding,
    layouts: TagLayoutCache,
    recording: Recording,
    batch: ParsedBatch,
    prepared: Preparation,
    /// Games that are not to be encoded.
    kept: Option<Vec<KeptGame>>,
    /// Bytes of the items alone.
    bytes: usize,
    memory: Option<Memory<'a>>,
}

/// How games are encoded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameEncoding {
    codec: CodecId,
    /// Whether the bytes of rejected games are needed.
    keep_rejected: bool,
    /// What is recorded for the index.
    pub recorded: IndexParts,
}

/// The memory of a batch.
struct Memory<'a> {
    reservation: &'a mut Reservation,
    /// The estimated bytes of the batch.
    estimate: usize,
    reported: usize,
}

/// Where a game is in its source, and its bytes, if it is text.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlace<'a> {
    pub location: Location,
    pub text: &'a [u8],
}

/// Where a game is, and the game as it was read; or where the problem is, and why it could not be read.
pub(super) type KeptGame = (Location, Result<Game, RejectReason>);

/// A batch that was read.
#[derive(Default)]
pub(super) struct ParsedBatch {
    pub items: Vec<Item>,
    /// The games that can be stored.
    pub games: PreparedGames,
    /// Records that the source leaves out on purpose.
    pub omitted: Vec<(Note, Location)>,
    /// What was recorded for the index.
    pub recording: Recording,
    /// Why the condition of the import could not be checked.
    pub failure: Option<String>,
}

/// A game of a batch: its location and its outcome.
#[derive(Debug)]
pub(super) struct Item {
    pub location: Location,
    /// Its index among the prepared games.
    pub game: Result<usize, Rejected>,
    /// Whether it does not meet the condition of the import.
    pub is_left_out: bool,
    /// The offsets of what was recorded for it.
    pub places: Places,
    pub warnings: Warnings,
    /// The locations of the first warnings.
    pub warning_locations: Vec<(Warning, Location)>,
    /// The source's own notes on it.
    pub notes: Vec<Note>,
}

/// A game that cannot be stored, with its bytes if they are needed.
#[derive(Debug)]
pub(super) struct Rejected {
    pub reason: RejectReason,
    /// Where in the source the problem is.
    pub problem_at: Location,
    pub text: Vec<u8>,
}

impl GameEncoding {
    pub(super) fn new(options: &Options, recorded: IndexParts) -> GameEncoding {
        let keep_rejected = options.rejects.is_some() || options.keep_rejects;
        GameEncoding { codec: options.codec, keep_rejected, recorded }
    }
}

impl<'a> Games<'a> {
    /// Encodes games, and reserves the memory they take.
    pub(super) fn encoding(encoding: GameEncoding, games: usize, reservation: &'a mut Reservation) -> Self {
        let estimate = reservation.bytes;
        let batch = ParsedBatch { items: Vec::with_capacity(games), ..ParsedBatch::default() };
        let memory = Some(Memory { reservation, estimate, reported: estimate });
        let recording = Recording::of(encoding.recorded);
        Games { encoding, recording, batch, memory, ..Games::default() }
    }

    /// Keeps games of chess as they are.
    pub(super) fn keeping() -> Games<'a> {
        Games { kept: Some(Vec::new()), ..Games::default() }
    }

    /// Adds a game of chess or a variant. The location of each of its warnings is a byte in its text.
    pub(super) fn chess(
        &mut self,
        place: GamePlace<'_>,
        mut game: Game,
        mut at: impl FnMut(usize) -> Location,
    ) {
        if let Some(kept) = &mut self.kept {
            return kept.push((place.location, Ok(game)));
        }
        let warnings = mem::take(&mut game.warnings);
        let places = self.recording.add(game.variant, || game.start(), &game.moves);
        match Record::of_pgn(game, self.encoding.codec, &mut self.layouts) {
            Ok(record) => {
                let locations = warnings.places().into_iter().map(|(warning, byte)| (warning, at(byte)));
                let warning_locations = locations.collect();
                let item = Item::new(place.location, Ok(self.prepared.add(&record)));
                self.push(Item { warnings, warning_locations, places, ..item });
            }
            Err(error) => self.reject(place, place.location, RejectReason::Unstorable(error.to_string())),
        }
    }

    /// Adds a game of any kind as a record, made with a codec and the layouts of tags; or why it cannot be stored, and
    /// where the problem is.
    pub(super) fn record(
        &mut self,
        place: GamePlace<'_>,
        encode: impl FnOnce(CodecId, &mut TagLayoutCache) -> Result<Record, (RejectReason, Location)>,
    ) {
        if self.kept.is_some() {
            return self.reject(place, place.location, RejectReason::NotPgn);
        }
        match encode(self.encoding.codec, &mut self.layouts) {
            Ok(record) => {
                let game = Ok(self.prepared.add(&record));
                self.push(Item::new(place.location, game));
            }
            Err((reason, problem_at)) => self.reject(place, problem_at, reason),
        }
    }

    /// Adds games that are rows already.
    pub(super) fn rows(&mut self, games: PreparedGames, location: impl Fn(usize) -> Location) {
        let items = (0..games.len()).map(|game| Item::new(location(game), Ok(game)));
        self.batch = ParsedBatch { items: items.collect(), games, ..ParsedBatch::default() };
        // The rows are as large as they were estimated.
        self.memory = None;
    }

    /// Adds a game that cannot be stored.
    pub(super) fn reject(&mut self, place: GamePlace<'_>, problem_at: Location, reason: RejectReason) {
        if let Some(kept) = &mut self.kept {
            return kept.push((problem_at, Err(reason)));
        }
        let text = if self.encoding.keep_rejected { place.text.to_vec() } else { Vec::new() };
        let game = Err(Rejected { reason, problem_at, text });
        self.push(Item::new(place.location, game));
    }

    /// Adds a note of the source's own kinds on the last game.
    pub(super) fn note(&mut self, note: Note) {
        self.batch.items.last_mut().into_iter().for_each(|item| item.notes.push(note));
    }

    /// Counts a record that is left out on purpose.
    pub(super) fn omit(&mut self, note: Note, location: Location) {
        self.batch.omitted.push((note, location));
    }

    fn push(&mut self, item: Item) {
        self.bytes += item.bytes();
        self.batch.items.push(item);
        // The text is still in memory as well.
        let bytes = self.bytes + self.prepared.memory();
        if let Some(Memory { reservation, estimate, reported }) = &mut self.memory
            && bytes >= *reported + REPORT_EVERY
        {
            *reported = bytes;
            reservation.reserve(*estimate + bytes);
        }
    }

    /// The number of games so far.
    pub(super) fn len(&self) -> usize {
        self.kept.as_ref().map_or(self.batch.items.len(), Vec::len)
    }

    /// Takes back the games after the first ones.
    pub(super) fn truncate(&mut self, games: usize) {
        self.batch.items.truncate(games);
        self.kept.iter_mut().for_each(|kept| kept.truncate(games));
    }

    /// Drops everything except the games.
    pub(super) fn done(self) -> ParsedBatch {
        match self.memory {
            Some(memory) => {
                memory.reservation.reserve(self.bytes + self.prepared.memory());
                ParsedBatch { games: self.prepared.done(), recording: self.recording, ..self.batch }
            }
            None => self.batch,
        }
    }

    /// The games that were kept.
    pub(super) fn kept(self) -> Vec<KeptGame> {
        self.kept.unwrap_or_default()
    }
}

impl Item {
    /// A game without warnings, of which nothing was recorded.
    fn new(location: Location, game: Result<usize, Rejected>) -> Item {
        let (places, warnings) = (Places::default(), Warnings::default());
        let (warning_locations, notes) = (Vec::new(), Vec::new());
        Item { location, game, is_left_out: false, places, warnings, warning_locations, notes }
    }

    /// Estimates its memory, without the prepared game.
    fn bytes(&self) -> usize {
        let text = self.game.as_ref().map_or_else(|rejected| rejected.text.len(), |_| 0);
        size_of::<Item>() + text + self.places.bytes()
    }
}

impl Observer<QuickChess> for &mut Games<'_> {
    fn begin(&mut self, start: &QuickChess) {
        self.recording.begin(start);
    }

    #[inline]
    fn moved(&mut self, m: Move, position: &QuickChess) {
        self.recording.go_on(m, position);
    }

    fn ended(&mut self, last: &QuickChess) {
        self.recording.end(last);
    }

    fn forget(&mut self) {
        self.recording.forget();
    }
}
