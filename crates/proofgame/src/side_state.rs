//! One side in a position of the search: its key, its remaining moves, and its bounds, cached or computed.

use std::ops::Deref;

use shakmaty::{Bitboard, ByColor, Chess, Color, Position};

use super::{
    bounds::Bounds,
    keys,
    side_bounds::{Scene, SideBounds},
    target::Target,
    transposition::BoundsTable,
};

/// One side in a position of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideState {
    pub(super) color: Color,
    /// The key of its pieces and rights.
    pub(super) key: u64,
    /// The number of moves left, and how many of them are captures.
    pub(super) moves: usize,
    pub(super) captures: usize,
    /// What it can do considering only its own obstacles.
    pub(super) alone: Bounds,
    /// What it can do considering the obstacles of both sides.
    pub(super) bounds: Bounds,
}

/// Computes and caches the bounds of sides.
pub(super) struct Judge {
    sides: ByColor<SideBounds>,
    memory: BoundsTable,
    /// How many bounds had to be computed.
    pub(super) worked_out: u64,
}

impl Judge {
    pub(super) fn new(target: &Target, bytes: usize) -> Judge {
        let sides = ByColor::new_with(|color| SideBounds::new(target, color));
        Judge { sides, memory: BoundsTable::new(bytes), worked_out: 0 }
    }

    /// Sets a side's bounds as if the other side had no obstacles; `false` if it has too few moves.
    pub(super) fn judge_alone(
        &mut self,
        side: &mut SideState,
        position: &impl Deref<Target = Chess>,
    ) -> bool {
        side.alone.frozen = Bitboard::EMPTY;
        side.alone = self.look_up(side, [Bitboard::EMPTY; 2], position);
        side.bounds = side.alone;
        side.alone.is_possible()
    }

    /// Sets a side's bounds with the obstacles of the other; `false` if it has too few moves.
    pub(super) fn judge_among(
        &mut self,
        side: &mut SideState,
        other: &Bounds,
        position: &impl Deref<Target = Chess>,
    ) -> bool {
        let obstacles = [other.frozen & side.alone.area, other.guard & side.alone.king_area];
        let free = obstacles.iter().all(|squares| squares.is_empty());
        side.bounds = if free { side.alone } else { self.look_up(side, obstacles, position) };
        side.bounds.is_possible()
    }

    fn look_up(
        &mut self,
        side: &SideState,
        [blocked, closed]: [Bitboard; 2],
        position: &impl Deref<Target = Chess>,
    ) -> Bounds {
        let key = side.key ^ keys::budget(side.moves, side.captures) ^ keys::obstacles(blocked, closed);
        if let Some(bounds) = self.memory.get(key) {
            return bounds;
        }
        let bounds = self.sides.get(side.color).bounds(&Scene {
            board: position.board(),
            rights: position.castles().castling_rights() & side.color.backrank(),
            moves: side.moves,
            captures: side.captures,
            blocked,
            closed,
            frozen: side.alone.frozen,
        });
        self.worked_out += 1;
        self.memory.put(key, &bounds);
        bounds
    }
}
