//! The positions of a game, in the form in which they are looked up in other games.

use std::{collections::HashMap, ops::ControlFlow::Continue};

use super::{GameOrder, Others};
use crate::{
    chess::{Bitboard, Board, Date, Keyed, Move, Position, Variant, VariantPosition, whole_key},
    openings::{OpeningId, Openings},
    position_index::PositionKeys,
    query::scan::{ScannedPosition, follow},
    record::{GameError, GameId, StoredMoves},
    rules::Rules,
};

/// A game whose positions are looked up: its moves, and the keys of its positions.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Its id, if it is in the archive.
    pub id: Option<GameId>,
    /// Its place in chronological order; a game that is not in the archive comes after those of the same day.
    pub order: GameOrder,
    /// The variant.
    pub variant: Variant,
    /// The start position.
    pub start: VariantPosition,
    /// The moves of its mainline, up to a null move.
    pub moves: Vec<Move>,
    /// The last named position, by its ply.
    pub opening: Option<(usize, OpeningId)>,
    /// The positions, the start first.
    pub(in crate::query) spots: Vec<Spot>,
}

/// A position of a game.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct Spot {
    pub keys: PositionKeys,
    pub same: SamePosition,
}

/// An identifier of a position: pieces, side to move, rooks with castling rights, legal en passant. Different positions
/// with the same occupied squares have the same identifier with a probability of 2⁻⁶⁴ per pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::query) struct SamePosition {
    pub whole: u64,
    pub occupied: u64,
}

impl SamePosition {
    pub(in crate::query) fn of(position: &VariantPosition) -> SamePosition {
        let castling = position.castles().castling_rights();
        SamePosition::new(position.board(), castling, position.key())
    }

    #[inline]
    pub(in crate::query) fn scanned(position: &ScannedPosition<'_>) -> SamePosition {
        SamePosition::new(position.board, position.castling, position.key)
    }

    #[inline]
    fn new(board: &Board, castling: Bitboard, key: u64) -> SamePosition {
        SamePosition { whole: whole_key(key, castling), occupied: board.occupied().0 }
    }
}

impl Spot {
    fn new(board: &Board, same: SamePosition) -> Spot {
        Spot { keys: PositionKeys::of(board, same.whole), same }
    }
}

impl ComparedGame {
    /// From a stored game with its date.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn of_stored(stored: &StoredMoves, date: Option<Date>) -> Result<ComparedGame, GameError> {
        let start = stored.start()?;
        let order = GameOrder::new(date.unwrap_or_default(), stored.id);
        let mut game = ComparedGame::new(Some(stored.id), order, stored.variant, start);
        follow(stored, |position, m| {
            game.moves.extend(m);
            game.spots.push(Spot::new(position.board, SamePosition::scanned(position)));
            Continue(())
        })?;
        Ok(game.named())
    }

    /// From a game that is not in the archive, with legal moves.
    pub fn of_moves(
        variant: Variant,
        start: VariantPosition,
        moves: &[Move],
        date: Option<Date>,
    ) -> ComparedGame {
        // It comes after all games of the same day.
        let order = GameOrder::new(date.unwrap_or_default(), GameId::MAX);
        let mut position = start.clone();
        let mut game = ComparedGame::new(None, order, variant, start);
        game.spots.push(Spot::new(position.board(), SamePosition::of(&position)));
        for &m in moves {
            position.make(m);
            game.moves.push(m);
            game.spots.push(Spot::new(position.board(), SamePosition::of(&position)));
        }
        game.named()
    }

    /// The games that it is compared with: all others, or earlier ones.
    pub(in crate::query) fn others(&self, any_date: bool) -> Others {
        if any_date { Others::AllBut(self.id) } else { Others::Before(self.order) }
    }

    fn new(id: Option<GameId>, order: GameOrder, variant: Variant, start: VariantPosition) -> ComparedGame {
        ComparedGame { id, order, variant, start, moves: Vec::new(), opening: None, spots: Vec::new() }
    }

    /// Adds the opening: of games of standard chess and Chess960 only.
    fn named(mut self) -> ComparedGame {
        if self.is_chess() {
            let openings = Openings::standard();
            let name = |(ply, spot): (usize, &Spot)| Some((ply, openings.at(spot.same.whole)?));
            self.opening = self.spots.iter().enumerate().rev().find_map(name);
        }
        self
    }

    /// Whether it was played by the rules of chess: standard chess and Chess960 are treated as one.
    pub fn is_chess(&self) -> bool {
        matches!(self.start, VariantPosition::Chess(_))
    }

    /// Its approximate size in memory.
    pub fn memory(&self) -> usize {
        size_of_val(self.moves.as_slice()) + size_of_val(self.spots.as_slice())
    }

    /// The position after some plies; the last one if there are fewer.
    pub fn position(&self, plies: usize) -> VariantPosition {
        let mut position = self.start.clone();
        self.moves.iter().take(plies).for_each(|m| position.make(*m));
        position
    }

    /// The plies of its positions; of a repeated position, the first.
    pub(in crate::query) fn plies(&self) -> HashMap<SamePosition, usize, foldhash::fast::RandomState> {
        let mut plies = HashMap::default();
        for (ply, spot) in self.spots.iter().enumerate() {
            plies.entry(spot.same).or_insert(ply);
        }
        plies
    }

    /// Its positions in order, as boards.
    pub(in crate::query) fn boards(&self) -> impl Iterator<Item = Board> {
        let mut position = self.start.clone();
        let first = position.board().clone();
        let rest = self.moves.iter().map(move |m| {
            position.make(*m);
            position.board().clone()
        });
        std::iter::once(first).chain(rest)
    }
}
