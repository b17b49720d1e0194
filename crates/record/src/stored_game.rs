//! A stored game: its tag pairs, and its encoded moves.

use std::ops::ControlFlow;

use shakmaty::{fen::Fen, variant::VariantPosition};

use super::{Family, GameError, GameId, GameKind};
use plybook_chess::{
    chess::{Annotations, Move, Tags, Variant},
    codec::{AnyReplay, CodecId, annotation, game::GameMoves},
    rules::{LegalMoves, Outcome, Rules},
};

/// A game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number in the archive.
    pub id: GameId,
    /// The game that is played.
    pub kind: GameKind,
    /// How the moves are encoded.
    pub codec: CodecId,
    /// The moves as written by the codec.
    pub moves: Vec<u8>,
    /// The number of plies.
    pub plies: usize,
    /// The result in the PGN or the record.
    pub result: Outcome,
    /// All tag pairs, unchanged.
    pub tags: Tags,
    /// The FEN of the start position, if it is not the usual one.
    pub setup: Option<String>,
    /// The annotations, encoded; empty if there are none.
    pub marks: Vec<u8>,
}

/// The encoded moves of a game of chess, and what is needed to decode them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMoves {
    /// Its number in the archive.
    pub id: GameId,
    /// The variant.
    pub variant: Variant,
    /// How the moves are encoded.
    pub codec: CodecId,
    /// The moves as written by the codec.
    pub moves: Vec<u8>,
    /// The number of plies.
    pub plies: usize,
    /// The result in the PGN.
    pub result: Outcome,
    /// The FEN of the start position, if it is not the usual one.
    pub setup: Option<String>,
}

impl StoredMoves {
    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        size_of::<StoredMoves>() + self.moves.len()
    }

    /// The start position.
    ///
    /// # Errors
    /// The stored FEN is damaged.
    pub fn start(&self) -> Result<VariantPosition, GameError> {
        start_of(self.id, self.variant, self.setup.as_deref())
    }

    /// Begins a replay from the start position, which may have a faster type than that of [`start`](Self::start).
    ///
    /// # Errors
    /// The stored moves are damaged.
    pub fn replay<P: Rules>(&self, start: P) -> Result<AnyReplay<P>, GameError> {
        let replay = self.codec.replay(start, &self.moves, self.plies);
        replay.map_err(|error| GameError::Moves(self.id, error))
    }
}

fn start_of(id: GameId, variant: Variant, setup: Option<&str>) -> Result<VariantPosition, GameError> {
    let Some(fen) = setup else { return Ok(variant.start()) };
    let fen: Option<Fen> = fen.trim().parse().ok();
    fen.and_then(|fen| variant.position(&fen).ok()).ok_or(GameError::Setup(id))
}

impl StoredGame {
    /// The error for a game that does not belong to the requested family.
    pub(super) fn is_not(&self, wanted: Family) -> GameError {
        GameError::OtherFamily { id: self.id, is: self.kind.family().name(), wanted: wanted.name() }
    }

    /// The variant of chess.
    ///
    /// # Errors
    /// It is not a game of chess.
    pub fn variant(&self) -> Result<Variant, GameError> {
        self.kind.variant().ok_or_else(|| self.is_not(Family::Chess))
    }

    /// The start position of a game of chess.
    ///
    /// # Errors
    /// The stored FEN is damaged, or the game is not chess.
    pub fn start(&self) -> Result<VariantPosition, GameError> {
        start_of(self.id, self.variant()?, self.setup.as_deref())
    }

    /// Only its moves, for a game of chess.
    ///
    /// # Errors
    /// It is not a game of chess.
    pub fn stored_moves(&self) -> Result<StoredMoves, GameError> {
        let (variant, StoredGame { id, codec, moves, plies, result, setup, .. }) = (self.variant()?, self);
        let (moves, setup) = (moves.clone(), setup.clone());
        Ok(StoredMoves { id: *id, variant, codec: *codec, moves, plies: *plies, result: *result, setup })
    }

    /// Begins a replay from the game's start position.
    ///
    /// # Errors
    /// The stored moves are damaged.
    pub fn replay<P: Rules>(&self, start: P) -> Result<AnyReplay<P>, GameError> {
        let replay = self.codec.replay(start, &self.moves, self.plies);
        replay.map_err(|error| GameError::Moves(self.id, error))
    }

    /// Start position, all moves and the result of a game of chess. The result is the one in the PGN.
    ///
    /// # Errors
    /// The stored game is damaged, or is not chess.
    pub fn line(&self) -> Result<GameMoves<VariantPosition>, GameError> {
        self.line_from(self.start()?)
    }

    /// The game played from a start position.
    pub(super) fn line_from<P: Rules>(&self, start: P) -> Result<GameMoves<P>, GameError> {
        let mut moves = Vec::with_capacity(self.plies.min(1024));
        self.play(start.clone(), |position, m| {
            position.make(m);
            moves.push(m);
        })?;
        Ok(GameMoves { start, moves, outcome: self.result })
    }

    /// Replays the game from a start position: `make` plays every move. Only if this succeeds are they valid.
    pub(super) fn play<P: Rules>(
        &self,
        start: P,
        make: impl FnMut(&mut P, P::Move),
    ) -> Result<(), GameError> {
        let ended = self.replay(start)?.run_with(|_, _| ControlFlow::Continue(()), make);
        let ended = ended.map_err(|error| GameError::Moves(self.id, error))?;
        // Only if the board ended the game can the PGN have another result.
        let differs = |(last, outcome): (P, Outcome)| outcome != self.result && last.legal().count() > 0;
        if self.codec.info().outcome && ended.is_some_and(differs) {
            return Err(GameError::Result(self.id));
        }
        Ok(())
    }

    /// The comments, glyphs and variations, on the moves of [`line`](StoredGame::line).
    ///
    /// # Errors
    /// They are damaged.
    pub fn annotations(&self, line: &GameMoves<VariantPosition>) -> Result<Annotations, GameError> {
        self.annotations_on(|| line.start.clone(), &line.moves)
    }

    /// The annotations on the moves from a start position.
    pub(super) fn annotations_on(
        &self,
        start: impl FnOnce() -> VariantPosition,
        moves: &[Move],
    ) -> Result<Annotations, GameError> {
        if self.marks.is_empty() {
            return Ok(Annotations::default());
        }
        annotation::decode(&self.marks, &start(), moves)
            .map_err(|error| GameError::Annotations(self.id, error))
    }

    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let setup = self.setup.as_ref().map_or(0, String::len);
        size_of::<StoredGame>() + self.moves.len() + self.marks.len() + setup + self.tags.memory()
    }

    /// The bits of its moves.
    pub fn bits(&self) -> u64 {
        self.codec.bits(&self.moves)
    }
}
