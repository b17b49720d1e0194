//! A stored game as one that can be stored again.

use super::{Forms, GameKind, Record, StoredGame};
use crate::{
    pgn::{Game, Warnings},
    rules::{FinalPosition, LegalMoves, MoveIndex, Rules},
};

impl Record {
    /// Prepares a game of another archive, with the bytes that were kept of its source.
    ///
    /// # Errors
    /// The game is damaged; says how.
    pub fn of_stored(game: &StoredGame, raw: Option<Vec<u8>>) -> Result<Record, String> {
        let variant = match game.kind {
            GameKind::Chess(variant) => variant,
            GameKind::Xelto => {
                let record = game.xelto().map_err(|error| error.to_string())?;
                let record = Record::of_xelto(&record, &mut Forms::default());
                return record.map_err(|error| error.to_string());
            }
        };
        let line = game.line().map_err(|error| error.to_string())?;
        let annotations = game.annotations(&line).map_err(|error| error.to_string())?;
        let mut position = line.start;
        let mut steps = Vec::with_capacity(line.moves.len());
        for &m in &line.moves {
            let legal = position.legal();
            let index = legal.index_of(m).ok_or("a move is not legal")?;
            steps.push(MoveIndex { index, count: legal.count() });
            position.make(m);
        }
        let game = Game {
            tags: game.tags.clone(),
            variant,
            set_up: game.setup.is_some(),
            moves: line.moves,
            steps,
            last: FinalPosition::of(&position),
            outcome: game.result,
            annotations,
            raw,
            warnings: Warnings::default(),
        };
        Record::new(game, &mut Forms::default()).map_err(|error| error.to_string())
    }
}
