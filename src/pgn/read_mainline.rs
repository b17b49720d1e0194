//! The one place that names pgn-reader: it reads plain movetexts, whose moves are played as they come.

use std::{
    io, mem,
    ops::ControlFlow,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pgn_reader::{SanPlus, Visitor};
use shakmaty::{
    Chess,
    san::{San, SanError},
    variant::VariantPosition,
};

use super::{
    audit::{Counts, word_at},
    read_full::over_disambiguated,
    san_cache::{Node, SanCache},
    warning::Warnings,
};
use crate::{
    chess::{Annotations, Move, Resolved, SortedMoves, fits, resolve},
    limits::MAX_PLIES,
    rules::{FinalPosition, MoveIndex, Outcome, Rules},
};

/// Plies that memory is set aside for at first: what allocators give out quickly, up to 1,000 bytes of steps.
const USUAL_PLIES: usize = 120;

/// Finds the legal move that a SAN means.
pub(super) trait Resolve: Rules<Move = Move> {
    fn resolve(&self, san: San) -> Result<Resolved, SanError>;

    /// Whether it means just one.
    fn fits(&self, san: San) -> bool;

    /// Whether pieces can be dropped.
    fn has_drops(&self) -> bool {
        false
    }
}

impl Resolve for Chess {
    fn resolve(&self, san: San) -> Result<Resolved, SanError> {
        resolve(self, san)
    }

    fn fits(&self, san: San) -> bool {
        fits(self, san)
    }
}

impl Resolve for VariantPosition {
    fn resolve(&self, san: San) -> Result<Resolved, SanError> {
        match self {
            VariantPosition::Chess(position) => resolve(position, san),
            other => SortedMoves::new(other).resolve(san),
        }
    }

    fn fits(&self, san: San) -> bool {
        match self {
            VariantPosition::Chess(position) => fits(position, san),
            other => SortedMoves::new(other).resolve(san).is_ok(),
        }
    }

    fn has_drops(&self) -> bool {
        matches!(self, VariantPosition::Crazyhouse(_))
    }
}

/// The mainline of a game while pgn-reader reads it.
#[derive(Debug)]
pub(super) struct Mainline<P: Rules> {
    cache: SanCache<P>,
    /// Where the game is, as long as its opening is known.
    opening: Option<Node>,
    /// The position, from where its opening is not known any more.
    position: Option<P>,
    moves: Vec<Move>,
    steps: Vec<MoveIndex>,
    outcome: Option<Outcome>,
    counts: Counts,
    fault: Option<SanError>,
    /// What is odd about moves that could be read, with their plies.
    warnings: Warnings,
}

impl<P: Rules> Default for Mainline<P> {
    fn default() -> Self {
        Mainline {
            cache: SanCache::default(),
            opening: None,
            position: None,
            moves: Vec::new(),
            steps: Vec::new(),
            outcome: None,
            counts: Counts::default(),
            fault: None,
            warnings: Warnings::default(),
        }
    }
}

impl<P: Resolve + PartialEq> Mainline<P> {
    /// Remembers the openings of its games from one start position.
    pub(super) fn with_cache(start: P) -> Mainline<P> {
        Mainline { cache: SanCache::from(start), ..Mainline::default() }
    }
}

/// A mainline that was read to its end.
pub(super) struct Played {
    pub(super) moves: Vec<Move>,
    pub(super) steps: Vec<MoveIndex>,
    pub(super) last: FinalPosition,
    pub(super) board_outcome: Option<Outcome>,
    /// The result after the moves, and its byte.
    pub(super) outcome: Option<(Outcome, usize)>,
    pub(super) annotations: Annotations,
    pub(super) warnings: Warnings,
}

/// pgn-reader, kept from game to game for the sake of its buffer.
#[derive(Debug)]
pub(super) struct Tokenizer {
    reader: pgn_reader::Reader<Feed>,
    feed: Feed,
}

impl Default for Tokenizer {
    fn default() -> Tokenizer {
        let feed = Feed::default();
        Tokenizer { reader: pgn_reader::Reader::new(feed.clone()), feed }
    }
}

impl Tokenizer {
    /// Reads a movetext as far as the mainline can follow it.
    fn read<P: Resolve + PartialEq>(&mut self, movetext: &[u8], mainline: &mut Mainline<P>) {
        self.feed.fill(movetext);
        // A blank line inside a movetext ends a game for pgn-reader, so it is asked until nothing is left.
        loop {
            match self.reader.read_game(mainline) {
                Ok(Some(())) if !mainline.stopped() => {}
                Ok(None) => return,
                // What it still has of this game must not get into the next one.
                _ => break,
            }
        }
        *self = Tokenizer::default();
    }
}

/// The movetext that pgn-reader reads from. It owns its source, and what it owns can only be filled again if
/// it is shared.
#[derive(Clone, Debug, Default)]
struct Feed(Arc<Mutex<io::Cursor<Vec<u8>>>>);

/// At least as many bytes as pgn-reader looks ahead: without them, each token near the end of a movetext would
/// make it shift its buffer and ask for more. A blank line ends the movetext; the rest is one escaped line,
/// which is passed over at once.
const AFTER_MOVETEXT: [u8; 260] = {
    let mut bytes = [b' '; 260];
    [bytes[0], bytes[1], bytes[2], bytes[259]] = [b'\n', b'\n', b'%', b'\n'];
    bytes
};

impl Feed {
    fn cursor(&self) -> MutexGuard<'_, io::Cursor<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a movetext.
    fn fill(&self, movetext: &[u8]) {
        let mut cursor = self.cursor();
        cursor.set_position(0);
        let text = cursor.get_mut();
        text.clear();
        text.extend_from_slice(movetext);
        text.extend_from_slice(&AFTER_MOVETEXT);
    }
}

impl io::Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cursor().read(buffer)
    }
}

impl<P: Resolve + PartialEq> Mainline<P> {
    /// Plays a plain movetext from a start position. `None` if a move does not fit, or if pgn-reader did not see
    /// just the tokens that the audit has counted.
    pub(super) fn play(
        &mut self,
        tokens: &mut Tokenizer,
        start: P,
        movetext: &[u8],
        audited: Counts,
    ) -> Option<Played> {
        self.moves.clear();
        self.steps.clear();
        self.opening = self.cache.start(&start);
        self.position = self.opening.is_none().then_some(start);
        (self.outcome, self.counts, self.fault) = (None, Counts::default(), None);
        self.warnings = Warnings::default();
        tokens.read(movetext, self);
        let accounted = self.fault.is_none() && self.counts == audited;
        if accounted && self.moves.len() <= MAX_PLIES { self.finish(movetext) } else { None }
    }

    /// Whether there is no use in reading on.
    fn stopped(&self) -> bool {
        self.fault.is_some() || self.moves.len() > MAX_PLIES
    }

    fn finish(&mut self, movetext: &[u8]) -> Option<Played> {
        let position = match self.opening {
            Some(opening) => self.cache.position(opening)?,
            None => self.position.as_ref()?,
        };
        let last = FinalPosition::of(position);
        Some(Played {
            moves: mem::replace(&mut self.moves, Vec::with_capacity(USUAL_PLIES)),
            steps: mem::replace(&mut self.steps, Vec::with_capacity(USUAL_PLIES)),
            last,
            board_outcome: (last.count == 0).then(|| position.board_outcome()),
            // It is the last word of a plain movetext.
            outcome: self.outcome.map(|outcome| {
                (outcome, movetext.trim_ascii_end().len().saturating_sub(outcome.as_str().len()))
            }),
            annotations: Annotations::default(),
            warnings: self.placed_warnings(movetext),
        })
    }

    /// The warnings with the bytes of the moves instead of their plies.
    fn placed_warnings(&mut self, movetext: &[u8]) -> Warnings {
        let mut warnings = mem::take(&mut self.warnings);
        warnings.replace(|ply| word_at(movetext, ply).map_or(0, |(at, _)| at));
        warnings
    }

    fn play_san(&mut self, san: San) -> Option<()> {
        let resolved = match self.opening.and_then(|from| self.cache.follow(from, san)) {
            Some((opening, resolved)) => {
                self.opening = Some(opening);
                resolved
            }
            None => self.resolve_and_make(san)?,
        };
        let Resolved { m, index, count } = resolved;
        self.steps.push(MoveIndex { index, count });
        self.moves.push(m);
        (self.moves.len() <= MAX_PLIES).then_some(())
    }

    /// Makes a move that is not of a known opening; a new one begins with the first such move.
    fn resolve_and_make(&mut self, san: San) -> Option<Resolved> {
        let opening = self.opening.take();
        if let Some(opening) = opening {
            self.position = self.cache.position(opening).cloned();
        }
        let position = self.position.as_mut()?;
        let resolved = position.resolve(san).map_err(|fault| self.fault = Some(fault)).ok()?;
        let warning = over_disambiguated(san, |shorter| position.fits(shorter));
        position.make(resolved.m);
        match (warning, opening) {
            (Some(warning), _) => self.warnings.mark(warning, self.moves.len() + 1),
            (None, Some(opening)) => self.cache.learn(opening, san, resolved, position.clone()),
            (None, None) => {}
        }
        Some(resolved)
    }
}

impl<P: Resolve + PartialEq> Visitor for Mainline<P> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.counts.words += 1;
        match self.play_san(san.san) {
            Some(()) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.counts.results += 1;
        self.outcome.get_or_insert(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
