//! How far one piece can get in a number of moves, from every place it can be in.
//!
//! Distances are computed once, on a board with only the pieces that never move. Captures by pawns are counted
//! separately, because they are the only way for a pawn to change files and their number is known. Castling is not
//! treated as a king move, but tried as a unit (see [`side_bounds`](super::side_bounds)).

use shakmaty::{Bitboard, Rank, Role, Square};

use super::moves::Ground;

/// Maximum number of captures by one pawn: from the second rank to the eighth.
pub(super) const MAX_STRIKES: usize = 6;

/// A set of places for pieces of one colour: for each role, in the order of [`Role::ALL`], a set of squares.
pub(super) type Places = [Bitboard; 6];

/// The index of a role in [`Places`].
pub(super) fn row(role: Role) -> usize {
    usize::from(role) - 1
}

/// The roles a pawn promotes to.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The places that one piece can reach within a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layer {
    /// Where it can be.
    pub(super) within: Places,
    /// Where it can arrive by a move as a piece (and so possibly capture).
    pub(super) enter: Places,
    /// Where it can arrive by a capture as a pawn.
    pub(super) strike: Places,
}

/// The reach of one piece by the number of pawn captures allowed, then by the number of moves.
#[derive(Clone, Debug)]
pub(super) struct Flood(Vec<Vec<Layer>>);

impl Flood {
    fn new(ground: &Ground, role: Role, square: Square, strikes: usize) -> Flood {
        let mut start = Layer::default();
        start.within[row(role)] = square.into();
        let kinds = if role == Role::Pawn { strikes + 1 } else { 1 };
        let mut layers = vec![vec![start]; kinds];
        loop {
            let next: Vec<Layer> = (0..kinds).map(|k| grown(&layers, ground, k)).collect();
            if layers.iter().zip(&next).all(|(layers, next)| layers.last() == Some(next)) {
                return Flood(layers);
            }
            layers.iter_mut().zip(next).for_each(|(layers, next)| layers.push(next));
        }
    }

    /// The reach after a number of moves of which at most `strikes` are captures as a pawn.
    pub(super) fn after(&self, moves: usize, strikes: usize) -> &Layer {
        let layers = &self.0[strikes.min(self.0.len() - 1)];
        &layers[moves.min(layers.len() - 1)]
    }

    /// The number of moves after which the reach no longer grows.
    pub(super) fn depth(&self) -> usize {
        self.0[0].len() - 1
    }
}

/// The reach after one more move.
fn grown(layers: &[Vec<Layer>], ground: &Ground, strikes: usize) -> Layer {
    let last = |k: usize| layers[k].last().copied().unwrap_or_default();
    let mut layer = last(strikes);
    let pawns = layer.within[row(Role::Pawn)];
    for role in Role::ALL {
        let entered = ground.step(role, layer.within[row(role)]);
        layer.within[row(role)] |= entered;
        layer.enter[row(role)] |= entered;
    }
    arrive(&mut layer.within, ground, ground.pushes(pawns));
    if strikes > 0 {
        let struck = ground.strikes(last(strikes - 1).within[row(Role::Pawn)]);
        arrive(&mut layer.within, ground, struck);
        arrive(&mut layer.strike, ground, struck);
    }
    layer
}

/// Adds squares that pawns arrive on, with promotion on the last rank.
fn arrive(places: &mut Places, ground: &Ground, pawns: Bitboard) {
    let last = ground.rank(Rank::Eighth);
    places[row(Role::Pawn)] |= pawns & !last;
    PROMOTIONS.iter().for_each(|&role| places[row(role)] |= pawns & last);
}

/// The reach of all pieces of one colour.
#[derive(Clone, Debug)]
pub(super) struct Distances(Vec<Flood>);

impl Distances {
    /// Computes everything for a side that makes at most this many captures in the game.
    pub(super) fn new(ground: &Ground, captures: usize) -> Distances {
        let strikes = captures.min(MAX_STRIKES);
        let places = Role::ALL.into_iter().flat_map(|role| Square::ALL.map(|square| (role, square)));
        Distances(places.map(|(role, square)| Flood::new(ground, role, square, strikes)).collect())
    }

    pub(super) fn flood(&self, role: Role, square: Square) -> &Flood {
        &self.0[row(role) * 64 + usize::from(square)]
    }
}
