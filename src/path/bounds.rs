//! Bounds on what a side can do, and how they are gathered man by man.

use shakmaty::{Bitboard, Move, Rank, Role};

use super::{
    goal::Goal,
    reach::{Flood, Layer, Places, row},
    side::Man,
    steps::Ground,
};

/// What a side can still do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The squares of the men that have a move to spare.
    pub(super) from: Bitboard,
    /// The squares that the next move may go to, castling aside.
    pub(super) to: Bitboard,
    /// The squares on which pawns can capture; all if no pawn has to.
    pub(super) strike: Bitboard,
    /// The squares on which men can capture; all if no capture is due.
    pub(super) capture: Bitboard,
    /// The squares on which men can be lost; all if none is to be lost, none if the moves are too few.
    pub(super) loss: Bitboard,
    /// The men that can be lost.
    pub(super) lost: Bitboard,
    /// The men that will neither move nor be lost: obstacles for everybody.
    pub(super) frozen: Bitboard,
    /// The squares that men stop on or pass on their ways. Obstacles elsewhere change nothing.
    pub(super) area: Bitboard,
    /// The squares of the king's ways.
    pub(super) king_area: Bitboard,
    /// The squares that obstacles guard against the other king.
    pub(super) guard: Bitboard,
}

impl Bounds {
    /// Whether the moves can be enough.
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

    /// Whether what one side has to capture can be lost by the other where it is captured.
    pub(super) fn agree(&self, other: &Bounds) -> bool {
        self.strikes_at(other) && other.strikes_at(self)
    }

    fn strikes_at(&self, other: &Bounds) -> bool {
        self.capture.intersects(other.loss) && self.strike.intersects(other.loss)
    }

    /// Allows what either allows.
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

/// Gathers bounds.
pub(super) struct Sum {
    bounds: Bounds,
    stops: Places,
    strikes: usize,
    captures: usize,
}

impl Sum {
    pub(super) fn new(strikes: usize, captures: usize) -> Sum {
        Sum { bounds: Bounds::default(), stops: Places::default(), strikes, captures }
    }

    /// A piece that may go to this goal in at most `left` moves.
    pub(super) fn add_piece(&mut self, man: &Man, flood: &Flood, goal: &Goal, left: usize) {
        let row = row(man.role);
        let reach = |moves| flood.after(moves, 0);
        let next = reach(1).enter[row] & goal.pieces(left.saturating_sub(1));
        if left == 0 || next.is_empty() {
            return;
        }
        self.add_first(man, next);
        for moves in 1..=left.min(flood.depth()) {
            let back = goal.pieces(left - moves);
            self.stops[row] |= reach(moves).within[row] & back;
            if self.captures > 0 {
                self.bounds.capture |= reach(moves).enter[row] & back;
            }
        }
    }

    /// A pawn that may go to this goal in at most `left` moves.
    pub(super) fn add_pawn(&mut self, man: &Man, flood: &Flood, goal: &Goal, left: usize) {
        if left == 0 {
            return;
        }
        let next = |strikes: usize| {
            let reach = flood.after(1, strikes);
            let places = if strikes == 0 { &reach.within } else { &reach.strike };
            (here(goal, left - 1, self.strikes - strikes, places)).without(man.square)
        };
        let next = if self.strikes > 0 { next(0) | next(1) } else { next(0) };
        if next.is_empty() {
            return;
        }
        self.add_first(man, next);
        for moves in 1..=left.min(flood.depth()) {
            for strikes in 0..=self.strikes {
                self.add_pawn_stops(flood.after(moves, strikes), goal, left - moves, strikes);
            }
        }
    }

    fn add_pawn_stops(&mut self, reach: &Layer, goal: &Goal, left: usize, strikes: usize) {
        let back = self.strikes - strikes;
        let pawn = row(Role::Pawn);
        self.stops[pawn] |= reach.within[pawn] & goal.pawns(left, back);
        self.bounds.strike |= here(goal, left, back, &reach.strike);
        if goal.role != Role::Pawn {
            let piece = row(goal.role);
            self.stops[piece] |= reach.within[piece] & goal.pieces(left);
            // One of the captures is the piece's own.
            if strikes < self.captures {
                self.bounds.capture |= reach.enter[piece] & goal.pieces(left);
            }
        }
    }

    fn add_first(&mut self, man: &Man, next: Bitboard) {
        self.bounds.from.add(man.square);
        self.bounds.to |= next;
        self.stops[row(man.role)].add(man.square);
    }

    /// A man that may be lost after at most `left` moves of its own.
    pub(super) fn add_loss(&mut self, man: &Man, flood: &Flood, left: usize, ground: &Ground) {
        let reach = flood.after(left, self.strikes);
        self.bounds.lost.add(man.square);
        self.bounds.loss |= squares(&reach.within) | passed(man, ground);
        if left == 0 {
            return;
        }
        self.bounds.from.add(man.square);
        self.bounds.to |= squares(&flood.after(1, self.strikes).within).without(man.square);
        if self.captures > 0 {
            self.bounds.capture |= squares(&flood.after(left, self.strikes.min(self.captures - 1)).enter);
            self.bounds.strike |= squares(&reach.strike);
        }
    }

    pub(super) fn finish(self, due: usize, losing: bool, ground: &Ground) -> Bounds {
        let Sum { mut bounds, captures, stops, .. } = self;
        for role in Role::ALL {
            let stops = stops[row(role)];
            bounds.area |= stops | ground.passed(role, stops);
        }
        bounds.king_area = stops[row(Role::King)];
        // If pawns have to make all captures, no piece makes one.
        bounds.capture = if captures == 0 {
            Bitboard::FULL
        } else if captures == due {
            bounds.strike
        } else {
            bounds.capture | bounds.strike
        };
        if due == 0 {
            bounds.strike = Bitboard::FULL;
        }
        if !losing {
            bounds.loss = Bitboard::FULL;
        }
        bounds
    }
}

/// The square on which a pawn that has made a double step can be captured en passant. A pawn that has not
/// yet made it can be lost there as well: it could stop there.
fn passed(man: &Man, ground: &Ground) -> Bitboard {
    let stepped = Bitboard::from(man.square) & ground.rank(Rank::Fourth);
    if man.role == Role::Pawn { ground.passed(Role::Pawn, stepped) } else { Bitboard::EMPTY }
}

fn squares(places: &Places) -> Bitboard {
    places.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares)
}

/// Those of some places from which a goal is near enough.
fn here(goal: &Goal, moves: usize, strikes: usize, places: &Places) -> Bitboard {
    let pawns = places[row(Role::Pawn)] & goal.pawns(moves, strikes);
    if goal.role == Role::Pawn { pawns } else { pawns | places[row(goal.role)] & goal.pieces(moves) }
}
