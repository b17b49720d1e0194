//! One side in a position of the search: its key, what it has left, and its bounds, looked up or worked out.

use std::ops::Deref;

use shakmaty::{Bitboard, ByColor, Chess, Color, Position};

use super::{
    bounds::Bounds,
    keys,
    memory::BoundsMemory,
    side::{Scene, Side},
    target::Target,
};

/// One side in a position of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    pub(super) color: Color,
    /// The key of its men and rights.
    pub(super) key: u64,
    /// The moves it has left, and how many of them capture.
    pub(super) moves: usize,
    pub(super) captures: usize,
    /// What it can do among its own obstacles only.
    pub(super) alone: Bounds,
    /// What it can do among the obstacles of both sides.
    pub(super) bounds: Bounds,
}

/// Works out the bounds of armies and remembers them.
pub(super) struct Judge {
    sides: ByColor<Side>,
    memory: BoundsMemory,
    /// How many bounds had to be worked out.
    pub(super) worked_out: u64,
}

impl Judge {
    pub(super) fn new(target: &Target, bytes: usize) -> Judge {
        let sides = ByColor::new_with(|color| Side::new(target, color));
        Judge { sides, memory: BoundsMemory::new(bytes), worked_out: 0 }
    }

    /// Sets an army's bounds as if the other side had no obstacles; `false` if its moves are too few.
    pub(super) fn judge_alone(&mut self, army: &mut Army, position: &impl Deref<Target = Chess>) -> bool {
        army.alone.frozen = Bitboard::EMPTY;
        army.alone = self.look_up(army, [Bitboard::EMPTY; 2], position);
        army.bounds = army.alone;
        army.alone.is_possible()
    }

    /// Sets an army's bounds among the obstacles of the other; `false` if its moves are too few.
    pub(super) fn judge_among(
        &mut self,
        army: &mut Army,
        other: &Bounds,
        position: &impl Deref<Target = Chess>,
    ) -> bool {
        let obstacles = [other.frozen & army.alone.area, other.guard & army.alone.king_area];
        let free = obstacles.iter().all(|squares| squares.is_empty());
        army.bounds = if free { army.alone } else { self.look_up(army, obstacles, position) };
        army.bounds.is_possible()
    }

    fn look_up(
        &mut self,
        army: &Army,
        [blocked, closed]: [Bitboard; 2],
        position: &impl Deref<Target = Chess>,
    ) -> Bounds {
        let key = army.key ^ keys::budget(army.moves, army.captures) ^ keys::obstacles(blocked, closed);
        if let Some(bounds) = self.memory.get(key) {
            return bounds;
        }
        let bounds = self.sides.get(army.color).bounds(&Scene {
            board: position.board(),
            rights: position.castles().castling_rights() & army.color.backrank(),
            moves: army.moves,
            captures: army.captures,
            blocked,
            closed,
            frozen: army.alone.frozen,
        });
        self.worked_out += 1;
        self.memory.put(key, &bounds);
        bounds
    }
}
