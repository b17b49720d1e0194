//! Bounds on what a side can do, collected piece by piece.

use shakmaty::{Bitboard, Move, Rank, Role, Square};

use super::{
    distance::{Flood, Layer, MAX_STRIKES, Places, row},
    moves::Ground,
    target_square::TargetSquare,
};

/// A piece that is not fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) role: Role,
    pub(super) square: Square,
}

/// What a side can still do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The squares of the pieces that have a move to spare.
    pub(super) from: Bitboard,
    /// The squares that the next move may go to, except castling.
    pub(super) to: Bitboard,
    /// The squares on which pawns can capture; all if no pawn has to capture.
    pub(super) strike: Bitboard,
    /// The squares on which pieces can capture; all if no capture is due.
    pub(super) capture: Bitboard,
    /// The squares on which pieces can be lost; all if none is to be lost, empty if there are too few moves.
    pub(super) loss: Bitboard,
    /// The pieces that can be lost.
    pub(super) lost: Bitboard,
    /// The pieces that will neither move nor be lost: obstacles for both sides.
    pub(super) frozen: Bitboard,
    /// The squares that pieces stop on or pass on their paths. Obstacles elsewhere change nothing.
    pub(super) area: Bitboard,
    /// The squares of the king's paths.
    pub(super) king_area: Bitboard,
    /// The squares that obstacles guard against the other king.
    pub(super) guard: Bitboard,
}

impl Bounds {
    /// Whether there may be enough moves.
    pub(super) fn is_possible(&self) -> bool {
        self.loss.any()
    }

    /// Whether a move may be the next one.
    pub(super) fn allows(&self, m: Move) -> bool {
        match m {
            Move::Castle { king, .. } => self.from.contains(king),
            _ => m.from().is_some_and(|from| self.from.contains(from)) && self.to.contains(m.to()),
        }
    }

    /// Whether the captures of this side are possible with the losses of the other, on the same squares.
    pub(super) fn agree(&self, other: &Bounds) -> bool {
        self.strikes_at(other) && other.strikes_at(self)
    }

    fn strikes_at(&self, other: &Bounds) -> bool {
        self.capture.intersects(other.loss) && self.strike.intersects(other.loss)
    }

    /// Allows everything that either of the two allows.
    pub(super) fn join(&mut self, other: &Bounds) {
        self.from |= other.from;
        self.to |= other.to;
        self.strike |= other.strike;
        self.capture |= other.capture;
        self.loss |= other.loss;
        self.lost |= other.lost;
        self.area |= other.area;
        self.king_area |= other.king_area;
    }
}

/// Collects bounds.
#[derive(Default)]
pub(super) struct BoundsBuilder {
    bounds: Bounds,
    stops: Places,
}

impl BoundsBuilder {
    /// Adds a piece that may move to this goal in at most `left` moves, with at most `captures` captures as a pawn and
    /// as a piece.
    pub(super) fn add_way(
        &mut self,
        man: &Man,
        flood: &Flood,
        goal: &TargetSquare,
        left: usize,
        captures: usize,
    ) {
        if left == 0 {
            return;
        }
        let next = match man.role {
            Role::Pawn => next_of_pawn(flood, goal, left, captures),
            role => flood.after(1, 0).enter[row(role)] & goal.pieces_of(role, left - 1),
        };
        if next.is_empty() {
            return;
        }
        self.bounds.from.add(man.square);
        self.bounds.to |= next;
        self.stops[row(man.role)].add(man.square);
        let strikes = if man.role == Role::Pawn { captures.min(MAX_STRIKES) } else { 0 };
        for moves in 1..=left.min(flood.depth()) {
            for strikes in 0..=strikes {
                self.add_stops(flood.after(moves, strikes), goal, left - moves, captures - strikes);
            }
        }
    }

    /// The squares that are reachable after some moves and pawn captures, and from which the remaining moves are
    /// enough.
    fn add_stops(&mut self, reach: &Layer, goal: &TargetSquare, left: usize, captures: usize) {
        let pawn = row(Role::Pawn);
        self.stops[pawn] |= reach.within[pawn] & goal.pawns(left, captures);
        self.bounds.strike |= reach.strike[pawn] & goal.pawns(left, captures);
        if goal.role != Role::Pawn {
            let piece = row(goal.role);
            self.stops[piece] |= reach.within[piece] & goal.pieces(left);
            self.bounds.strike |= reach.strike[piece] & goal.pieces(left);
            if captures > 0 {
                self.bounds.capture |= reach.enter[piece] & goal.pieces(left);
            }
        }
    }

    /// Adds a piece that may be lost after at most `left` own moves with at most `captures` captures.
    pub(super) fn add_loss(
        &mut self,
        man: &Man,
        flood: &Flood,
        left: usize,
        captures: usize,
        ground: &Ground,
    ) {
        let reach = flood.after(left, captures);
        self.bounds.lost.add(man.square);
        self.bounds.loss |= squares(&reach.within) | passed(man, ground);
        if left == 0 {
            return;
        }
        self.bounds.from.add(man.square);
        self.bounds.to |= squares(&flood.after(1, captures).within).without(man.square);
        self.bounds.strike |= squares(&reach.strike);
        if captures > 0 {
            // One of the captures is made by the piece itself.
            self.bounds.capture |= squares(&flood.after(left, captures - 1).enter);
        }
    }

    /// The bounds of a side, given whether it has to capture, has to capture with pawns, and has to lose pieces.
    pub(super) fn finish(self, capturing: bool, striking: bool, losing: bool, ground: &Ground) -> Bounds {
        let BoundsBuilder { mut bounds, stops } = self;
        for role in Role::ALL {
            let stops = stops[row(role)];
            bounds.area |= stops | ground.passed(role, stops);
        }
        bounds.king_area = stops[row(Role::King)];
        let all_unless = |due: bool, squares| if due { squares } else { Bitboard::FULL };
        bounds.capture = all_unless(capturing, bounds.capture | bounds.strike);
        bounds.strike = all_unless(striking, bounds.strike);
        bounds.loss = all_unless(losing, bounds.loss);
        bounds
    }
}

/// The squares that a pawn may move to first.
fn next_of_pawn(flood: &Flood, goal: &TargetSquare, left: usize, captures: usize) -> Bitboard {
    let pushed = &flood.after(1, 0).within;
    // The pawn's own square is within its reach, but it cannot stay there as a pawn: it moves on or promotes.
    let here = flood.after(0, 0).within[row(Role::Pawn)];
    let quiet = near(goal, left - 1, captures, pushed) & !here;
    match captures {
        0 => quiet,
        _ => quiet | near(goal, left - 1, captures - 1, &flood.after(1, 1).strike),
    }
}

/// The square on which a pawn that has made a double step can be captured en passant. A pawn that has not yet made it
/// can also be lost there, because it could stop there.
fn passed(man: &Man, ground: &Ground) -> Bitboard {
    let stepped = Bitboard::from(man.square) & ground.rank(Rank::Fourth);
    if man.role == Role::Pawn { ground.passed(Role::Pawn, stepped) } else { Bitboard::EMPTY }
}

fn squares(places: &Places) -> Bitboard {
    places.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares)
}

/// The subset of some places from which a goal is near enough.
fn near(goal: &TargetSquare, moves: usize, strikes: usize, places: &Places) -> Bitboard {
    let pawns = places[row(Role::Pawn)] & goal.pawns(moves, strikes);
    if goal.role == Role::Pawn { pawns } else { pawns | places[row(goal.role)] & goal.pieces(moves) }
}
