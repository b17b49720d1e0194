//! How far men get in a number of moves, and how far they are from where they have to be.
//!
//! Both are measured on the board of the men that never move (see [`steps`](super::steps)), so both are
//! lower bounds. Captures by pawns are counted apart, because they are what moves a pawn to another file and
//! their number is known. A king's castling is not a step: it is tried as a whole (see [`side`](super::side)).

use shakmaty::{Color, Role, Square};

use super::steps::{Places, Steps, row};

/// No number of moves is enough.
pub(super) const NEVER: u8 = u8::MAX;

/// Most captures one man can make as a pawn: from the second rank to the eighth.
pub(super) const MAX_STRIKES: usize = 6;

/// What one man has within reach by a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layer {
    /// Where it can be.
    pub(super) within: Places,
    /// Where it can arrive as a piece that moves (and so perhaps captures).
    pub(super) enter: Places,
    /// Where it can arrive by a capture as a pawn.
    pub(super) strike: Places,
}

/// The reach of one man by the number of pawn captures allowed, then by the number of moves.
#[derive(Clone, Debug)]
pub(super) struct Flood(Vec<Vec<Layer>>);

impl Flood {
    fn new(steps: &Steps, role: Role, square: Square, strikes: usize) -> Flood {
        let start = Layer { within: Places::of(role, square), ..Layer::default() };
        let kinds = if role == Role::Pawn { strikes + 1 } else { 1 };
        let mut layers = vec![vec![start]; kinds];
        loop {
            let next: Vec<Layer> = (0..kinds).map(|k| Flood::grown(&layers, steps, k)).collect();
            if layers.iter().zip(&next).all(|(layers, next)| layers.last() == Some(next)) {
                return Flood(layers);
            }
            layers.iter_mut().zip(next).for_each(|(layers, next)| layers.push(next));
        }
    }

    fn grown(layers: &[Vec<Layer>], steps: &Steps, strikes: usize) -> Layer {
        let last = |k: usize| layers[k].last().copied().unwrap_or_default();
        let mut layer = last(strikes);
        let pieces = steps.pieces(&layer.within);
        let pushes = steps.pushes(&layer.within);
        layer.within.join(&pieces);
        layer.within.join(&pushes);
        layer.enter.join(&pieces);
        if strikes > 0 {
            let struck = steps.strikes(&last(strikes - 1).within);
            layer.within.join(&struck);
            layer.strike.join(&struck);
        }
        layer
    }

    /// The reach after a number of moves of which at most `strikes` are captures as a pawn.
    pub(super) fn after(&self, moves: usize, strikes: usize) -> &Layer {
        let layers = &self.0[strikes.min(self.0.len() - 1)];
        &layers[moves.min(layers.len() - 1)]
    }

    /// The number of moves after which nothing more comes within reach.
    pub(super) fn depth(&self) -> usize {
        self.0[0].len() - 1
    }

    /// The least number of moves to a place, or [`NEVER`].
    fn distance(&self, role: Role, square: Square, strikes: usize) -> u8 {
        let moves = (0..=self.depth()).find(|&n| self.after(n, strikes).within.contains(role, square));
        moves.and_then(|moves| u8::try_from(moves).ok()).unwrap_or(NEVER)
    }
}

/// A place of the target that a man has to come to, with the way there from everywhere.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) role: Role,
    pub(super) square: Square,
    /// Moves from a place, by the number of pawn captures allowed.
    moves: Vec<[u8; 384]>,
    /// Pawn captures needed from a place.
    strikes: [u8; 384],
    /// The places from which a number of moves is enough, by the number of pawn captures allowed.
    back: Vec<Vec<Places>>,
}

impl Goal {
    /// The least number of moves from a place, with at most `strikes` captures as a pawn; or [`NEVER`].
    pub(super) fn moves(&self, role: Role, square: Square, strikes: usize) -> u8 {
        self.moves[strikes.min(self.moves.len() - 1)][index(role, square)]
    }

    /// The least number of captures as a pawn on any way from a place; or [`NEVER`].
    pub(super) fn strikes(&self, role: Role, square: Square) -> u8 {
        self.strikes[index(role, square)]
    }

    /// The places from which `moves` are enough, with at most `strikes` captures as a pawn.
    pub(super) fn back(&self, moves: usize, strikes: usize) -> &Places {
        let layers = &self.back[strikes.min(self.back.len() - 1)];
        &layers[moves.min(layers.len() - 1)]
    }
}

/// The index of a role and a square in tables over all places.
pub(super) fn index(role: Role, square: Square) -> usize {
    row(role) * 64 + usize::from(square)
}

/// The reach of all men of one colour.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    floods: Vec<Flood>,
    strikes: usize,
}

impl Reach {
    /// Measures everything for a side that makes at most this many captures in the game.
    pub(super) fn new(steps: &Steps, captures: usize) -> Reach {
        let strikes = captures.min(MAX_STRIKES);
        let places = Role::ALL.into_iter().flat_map(|role| Square::ALL.map(|square| (role, square)));
        let floods = places.map(|(role, square)| Flood::new(steps, role, square, strikes)).collect();
        Reach { floods, strikes }
    }

    pub(super) fn flood(&self, role: Role, square: Square) -> &Flood {
        &self.floods[index(role, square)]
    }

    pub(super) fn goal(&self, role: Role, square: Square) -> Goal {
        let moves: Vec<[u8; 384]> = (0..=self.strikes)
            .map(|k| std::array::from_fn(|place| self.floods[place].distance(role, square, k)))
            .collect();
        let least = |place: usize| moves.iter().position(|moves| moves[place] != NEVER);
        let strikes =
            std::array::from_fn(|place| least(place).map_or(NEVER, |k| k.try_into().unwrap_or(NEVER)));
        let back = moves.iter().map(layers).collect();
        Goal { role, square, moves, strikes, back }
    }
}

fn layers(moves: &[u8; 384]) -> Vec<Places> {
    let last = moves.iter().copied().filter(|&n| n != NEVER).max().unwrap_or(0);
    (0..=last).map(|most| places(|role, square| moves[index(role, square)] <= most)).collect()
}

fn places(holds: impl Fn(Role, Square) -> bool) -> Places {
    Places(Role::ALL.map(|role| Square::ALL.into_iter().filter(|&square| holds(role, square)).collect()))
}

/// The square where a colour's king is before castling.
pub(super) fn king_home(color: Color) -> Square {
    color.fold_wb(Square::E1, Square::E8)
}
