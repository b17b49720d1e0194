//! The positions of a game, in the form in which they are looked up among those of others.

use std::{collections::HashMap, ops::ControlFlow::Continue};

use super::GameOrder;
use crate::{
    chess::{Board, Date, Keyed, Move, Position, RunningKey, Variant, VariantPosition, whole_key},
    openings::{OpeningId, Openings},
    position_index::PositionKeys,
    record::{GameError, GameId, StoredMoves},
    rules::Rules,
};

/// A game whose positions are looked up: its moves, and keys of the positions.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Its number, if it is one of the archive.
    pub id: Option<GameId>,
    /// Where it stands in time; a game that is not in the archive stands behind those of its day.
    pub order: GameOrder,
    /// The variant.
    pub variant: Variant,
    /// The start position.
    pub start: VariantPosition,
    /// The moves of its mainline, up to a null move.
    pub moves: Vec<Move>,
    /// The last position that has a name, by its ply.
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

/// What two positions have in common if they are the same, and not otherwise but by a chance of one in 2⁶⁴ for each pair
/// with pieces on the same squares: pieces, side to move, rooks that may castle, legal en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::query) struct SamePosition {
    pub whole: u64,
    pub occupied: u64,
}

impl SamePosition {
    #[inline]
    pub(in crate::query) fn of<P: Position>(position: &P, key: RunningKey) -> SamePosition {
        let whole = whole_key(key.get(), position.castles().castling_rights());
        SamePosition { whole, occupied: position.board().occupied().0 }
    }
}

impl Spot {
    fn of<P: Position>(position: &P, key: RunningKey) -> Spot {
        let same = SamePosition::of(position, key);
        Spot { keys: PositionKeys::of(position.board(), same.whole), same }
    }
}

impl ComparedGame {
    /// Of a stored game with its date.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn of_stored(stored: &StoredMoves, date: Option<Date>) -> Result<ComparedGame, GameError> {
        let start = stored.start()?;
        let order = GameOrder::new(date.map_or(0, Date::packed), stored.id);
        let mut game = ComparedGame::new(Some(stored.id), order, stored.variant, start.clone());
        match start {
            VariantPosition::Chess(start) => game.follow(stored, start)?,
            start => game.follow(stored, start)?,
        }
        Ok(game.named())
    }

    /// Of a game that is not in the archive, with legal moves.
    pub fn of_moves(
        variant: Variant,
        start: VariantPosition,
        moves: &[Move],
        date: Option<Date>,
    ) -> ComparedGame {
        // It stands behind all games of its day.
        let order = GameOrder::new(date.map_or(0, Date::packed), GameId::MAX);
        let mut game = ComparedGame::new(None, order, variant, start.clone());
        match start {
            VariantPosition::Chess(start) => game.play(start, moves),
            start => game.play(start, moves),
        }
        game.named()
    }

    fn new(id: Option<GameId>, order: GameOrder, variant: Variant, start: VariantPosition) -> ComparedGame {
        ComparedGame { id, order, variant, start, moves: Vec::new(), opening: None, spots: Vec::new() }
    }

    fn follow<P: Rules<Move = Move> + Keyed>(
        &mut self,
        game: &StoredMoves,
        start: P,
    ) -> Result<(), GameError> {
        let mut key = RunningKey::of(&start);
        let replayed = game.replay(start)?.run(|position, m| {
            if let Some(m) = m {
                key.advance(m, position);
                self.moves.push(m);
            }
            self.spots.push(Spot::of(position, key));
            Continue(())
        });
        replayed.map(|_| ()).map_err(|error| GameError::Moves { id: game.id, error })
    }

    fn play<P: Rules<Move = Move> + Keyed>(&mut self, mut position: P, moves: &[Move]) {
        let mut key = RunningKey::of(&position);
        self.spots.push(Spot::of(&position, key));
        for &m in moves {
            position.make(m);
            key.advance(m, &position);
            self.moves.push(m);
            self.spots.push(Spot::of(&position, key));
        }
    }

    /// With its opening: of games of standard chess and Chess960 only.
    fn named(mut self) -> ComparedGame {
        if self.is_chess() {
            let openings = Openings::standard();
            let name = |(ply, spot): (usize, &Spot)| Some((ply, openings.at(spot.same.whole)?));
            self.opening = self.spots.iter().enumerate().rev().find_map(name);
        }
        self
    }

    /// Whether it was played by the rules of chess: standard chess and Chess960 are one in this.
    pub fn is_chess(&self) -> bool {
        matches!(self.start, VariantPosition::Chess(_))
    }

    /// About how many bytes it takes in memory.
    pub fn memory(&self) -> usize {
        size_of_val(self.moves.as_slice()) + size_of_val(self.spots.as_slice())
    }

    /// The position after some plies; the last one if there are fewer.
    pub fn position(&self, plies: usize) -> VariantPosition {
        let mut position = self.start.clone();
        self.moves.iter().take(plies).for_each(|m| position.make(*m));
        position
    }

    /// The plies of its positions, of one that it repeats the first.
    pub(in crate::query) fn plies(&self) -> HashMap<SamePosition, usize, foldhash::fast::RandomState> {
        let mut plies = HashMap::default();
        for (ply, spot) in self.spots.iter().enumerate() {
            plies.entry(spot.same).or_insert(ply);
        }
        plies
    }

    /// Its positions one after the other as boards.
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
