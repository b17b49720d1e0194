//! Making trails.

use std::ops::ControlFlow;

use super::{
    Facts, Material, Part, Pawns, TrailShape,
    events::Event,
    phrases::NO_TRAIL,
    segment::{GAMES_A_ROW, LONGEST_PAWNS},
    write::write,
};
use crate::{
    chess::{Bitboard, Chess, Move, Position, Variant, VariantPosition},
    position_index::Column,
    record::{GameId, StoredMoves},
};

/// What is written of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailedGame {
    /// Its id.
    pub id: GameId,
    facts: Facts,
    /// Its material and its pawns.
    trail: Option<(Vec<u8>, Vec<u8>)>,
}

impl TrailedGame {
    /// What is to be written of a stored game.
    pub fn of(game: &StoredMoves) -> TrailedGame {
        let unknown = TrailedGame { id: game.id, facts: Facts::UNKNOWN, trail: None };
        match game.start() {
            Ok(VariantPosition::Chess(start))
                if matches!(game.variant, Variant::Standard | Variant::Chess960) =>
            {
                TrailedGame::replayed(game, start).unwrap_or(unknown)
            }
            _ => unknown,
        }
    }

    /// What is said of it as a whole.
    pub fn facts(&self) -> Facts {
        self.facts
    }

    /// `None` if it is damaged.
    fn replayed(game: &StoredMoves, start: Chess) -> Option<TrailedGame> {
        let begins_as_usual =
            Material::of(start.board()) == Material::STANDARD && Pawns::of(start.board()) == Pawns::STANDARD;
        let mut recorder = EventRecorder::default();
        let replay = game.replay(start.clone()).ok()?;
        let replayed = replay.run(|position, m| {
            recorder.record(position, m);
            ControlFlow::Continue(())
        });
        let (last, _) = replayed.ok()??;
        let EventRecorder { mut facts, events, since } = recorder;
        let alike = since.iter().filter(|seen| Some(*seen) == since.last()).count();
        // What looks alike need not be the same.
        facts.end(&last, if alike < 3 { alike } else { times(game, start, &last) });
        let trail = begins_as_usual.then(|| {
            let mut materials = Vec::new();
            let pawns = write(&events, &mut materials);
            (materials, pawns)
        });
        let trail = trail.filter(|(_, pawns)| pawns.len() <= LONGEST_PAWNS);
        Some(TrailedGame { id: game.id, facts, trail })
    }
}

/// Records what a game does while it is replayed.
#[derive(Default)]
struct EventRecorder {
    facts: Facts,
    events: Vec<Event>,
    /// Of the positions since the last event, which alone can come back, the squares of White's pieces.
    since: Vec<Bitboard>,
}

impl EventRecorder {
    #[inline]
    fn record(&mut self, position: &Chess, m: Option<Move>) {
        let by = !position.turn();
        if let Some(m) = m {
            if let Some(side) = m.castling_side() {
                self.facts.castles(by, side);
            } else if let Some(event) = Event::of(m, by) {
                if m.is_en_passant() {
                    self.facts.takes_en_passant(by);
                }
                self.events.push(event);
                self.since.clear();
            }
        }
        self.since.push(position.board().white());
    }
}

/// How often a position stands on the board of a game.
fn times(game: &StoredMoves, start: Chess, wanted: &Chess) -> usize {
    let mut times = 0;
    let replayed = game.replay(start).map(|replay| {
        replay.run(|position, _| {
            times += usize::from(position == wanted);
            ControlFlow::Continue(())
        })
    });
    // It has been replayed before.
    drop(replayed);
    times
}

/// The trails of the games with consecutive ids, in the making.
#[derive(Debug)]
pub struct TrailBuilder {
    first: GameId,
    materials: Vec<u8>,
    pawns: Vec<u8>,
    rows: Vec<u8>,
    facts: Vec<u32>,
}

/// The rows of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltTrails {
    /// What its blocks are written with.
    pub shape: TrailShape,
    /// The blocks, in the order of parts and numbers.
    pub blocks: Vec<(Part, u32, Vec<u8>)>,
}

impl TrailBuilder {
    /// Begins with the game of an id.
    pub fn new(first: GameId) -> TrailBuilder {
        let (materials, pawns, rows, facts) = Default::default();
        TrailBuilder { first, materials, pawns, rows, facts }
    }

    /// Adds a game; they come in the order of their ids. Ids that are left out are of games without a trail.
    pub fn push(&mut self, game: &TrailedGame) {
        self.leave_out_until(game.id);
        self.add(game.facts, game.trail.as_ref());
    }

    /// The number of games so far, those that were left out included.
    pub fn games(&self) -> u64 {
        self.facts.len() as u64
    }

    fn leave_out_until(&mut self, id: GameId) {
        while self.first + (self.facts.len() as GameId) < id {
            self.add(Facts::UNKNOWN, None);
        }
    }

    fn add(&mut self, facts: Facts, trail: Option<&(Vec<u8>, Vec<u8>)>) {
        if self.facts.len().is_multiple_of(GAMES_A_ROW) {
            for part in [&self.materials, &self.pawns] {
                self.rows.extend((part.len() as u32).to_le_bytes());
            }
        }
        self.facts.push(facts.number());
        match trail {
            Some((materials, pawns)) => {
                self.materials.extend(materials);
                self.pawns.push(pawns.len() as u8);
                self.pawns.extend(pawns);
            }
            None => {
                self.materials.push(NO_TRAIL);
                self.pawns.push(0);
            }
        }
    }

    /// Ends with the game of an id; blocks have about so many bytes.
    pub fn finish(mut self, last: GameId, bytes: usize) -> BuiltTrails {
        self.leave_out_until(last + 1);
        let shape = TrailShape { games: self.facts.len() as u32, block_bytes: bytes as u32 };
        let facts = Column::of(&self.facts).to_bytes();
        let parts = [
            (Part::Materials, &self.materials),
            (Part::Pawns, &self.pawns),
            (Part::Rows, &self.rows),
            (Part::Facts, &facts),
        ];
        let blocks = parts.into_iter().flat_map(|(part, whole)| {
            let pieces = (0..).zip(whole.chunks(bytes.max(1)));
            pieces.map(move |(number, piece)| (part, number, piece.to_vec()))
        });
        BuiltTrails { shape, blocks: blocks.collect() }
    }
}
