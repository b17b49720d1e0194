//! What has been played before a position: the last moves, and keys of earlier positions.

use shakmaty::{Board, CastlingSide, Color, Move, Role};

use super::squares::{KING, PAWN, ROLES, ROOK, VALUES};
use crate::bits::mix;

/// A move that was played, as the mover of the current position sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    pub role: usize,
    pub from: usize,
    pub to: usize,
    /// The role of the captured piece and 1; 0 if there was none.
    pub captured: usize,
}

impl Played {
    /// A move with squares as White sees them.
    pub(super) fn new(m: Move, turn: Color) -> Played {
        let to = match m {
            Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook).king_to(turn),
            _ => m.to(),
        };
        Played {
            role: usize::from(m.role()) - 1,
            from: m.from().map_or(0, usize::from),
            to: usize::from(to),
            captured: m.capture().map_or(0, usize::from),
        }
    }

    fn flipped(self, flip: usize) -> Played {
        Played { from: self.from ^ flip, to: self.to ^ flip, ..self }
    }

    /// Piece and target as one number below 384.
    pub(super) fn piece_to(&self) -> usize {
        self.role * 64 + self.to
    }
}

/// Keys of the pieces as one side sees them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keys {
    /// All pieces.
    pub all: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// The pieces of the side itself other than pawns.
    pub non_pawns: u64,
}

/// The history of a game up to a position.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The moves, with squares as White sees them.
    moves: Vec<Played>,
    /// The keys of the earlier positions, each as its mover saw it.
    earlier: Vec<u64>,
    /// The keys of the current position as White and as Black see it.
    keys: [Keys; 2],
    /// White's material minus Black's, in pawns, in each earlier position and in this one.
    balances: Vec<i16>,
    /// The number of plies since the last capture or pawn move, in this game.
    pub quiet_plies: usize,
}

impl History {
    /// Of a game that starts with this board.
    pub(super) fn new(board: &Board) -> History {
        let (mut history, mut balance) = (History::default(), 0);
        for (square, piece) in board.clone() {
            history.toggle(piece.color, usize::from(piece.role) - 1, usize::from(square));
            balance += piece.color.fold_wb(1, -1) * VALUES[usize::from(piece.role) - 1];
        }
        history.balances.push(balance);
        history
    }

    /// The number of plies played.
    pub(super) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// One of the last moves as the mover sees it: 1 is the opponent's last move, 2 the mover's own one before it.
    #[inline(always)]
    pub(super) fn last(&self, back: usize, flip: usize) -> Option<Played> {
        let index = self.moves.len().checked_sub(back)?;
        self.moves.get(index).map(|played| played.flipped(flip))
    }

    /// The keys of the current position as a side sees it.
    #[inline(always)]
    pub(super) fn keys(&self, side: Color) -> Keys {
        self.keys[side as usize]
    }

    /// White's material minus Black's, in pawns, a number of plies ago.
    #[inline(always)]
    pub(super) fn balance(&self, back: usize) -> i16 {
        let index = self.balances.len().saturating_sub(1 + back);
        self.balances.get(index).copied().unwrap_or(0)
    }

    /// How often the current position has occurred before; `turn` is the side to move.
    #[inline(always)]
    pub(super) fn occurrences(&self, turn: Color) -> usize {
        let key = self.keys(turn).all;
        let quiet = self.earlier.iter().rev().take(self.quiet_plies).skip(1).step_by(2);
        quiet.filter(|&&earlier| earlier == key).count()
    }

    /// Continues with a move; `turn` is the side that plays it.
    pub(super) fn play(&mut self, m: Move, turn: Color) {
        self.earlier.push(self.keys(turn).all);
        let played = Played::new(m, turn);
        let is_zeroing = played.role == PAWN || played.captured > 0;
        self.quiet_plies = if is_zeroing { 0 } else { self.quiet_plies + 1 };
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                for (role, from, to) in [(KING, king, side.king_to(turn)), (ROOK, rook, side.rook_to(turn))] {
                    self.toggle(turn, role, usize::from(from));
                    self.toggle(turn, role, usize::from(to));
                }
            }
            _ => {
                let becomes = m.promotion().map_or(played.role, |role: Role| usize::from(role) - 1);
                self.toggle(turn, played.role, played.from);
                self.toggle(turn, becomes, played.to);
                if let Some(captured) = m.capture() {
                    let passed = played.from & 56 | played.to & 7;
                    let square = if m.is_en_passant() { passed } else { played.to };
                    self.toggle(!turn, usize::from(captured) - 1, square);
                }
            }
        }
        let promoted = m.promotion().map_or(0, |role| VALUES[usize::from(role) - 1] - VALUES[PAWN]);
        let won = m.capture().map_or(0, |role| VALUES[usize::from(role) - 1]);
        self.balances.push(self.balance(0) + turn.fold_wb(1, -1) * (promoted + won));
        self.moves.push(played);
    }

    /// Adds or removes a piece.
    fn toggle(&mut self, color: Color, role: usize, square: usize) {
        for side in Color::ALL {
            let (own, seen) = (side == color, if side.is_white() { square } else { square ^ 56 });
            let key = piece_key(if own { role } else { ROLES + role }, seen);
            let keys = &mut self.keys[side as usize];
            keys.all ^= key;
            keys.pawns ^= if role == PAWN { key } else { 0 };
            keys.non_pawns ^= if own && role != PAWN { key } else { 0 };
        }
    }
}

/// Earlier positions that moves could repeat.
pub(super) struct Repetitions<'a> {
    /// The keys of the positions since the last capture or pawn move. The opponent was to move in every second of them,
    /// the last among them.
    quiet: &'a [u64],
    /// The key of the current position as the opponent sees it.
    current: u64,
    /// A bit for the lowest six bits of each key: most moves repeat nothing, and need not be compared with each position.
    filter: u64,
}

impl Repetitions<'_> {
    /// Of the current position; `turn` is the side to move.
    #[inline(always)]
    pub(super) fn new(history: &History, turn: Color) -> Repetitions<'_> {
        let first = history.earlier.len().saturating_sub(history.quiet_plies);
        let quiet = &history.earlier[first..];
        let filter = quiet.iter().rev().step_by(2).fold(0, |filter, key| filter | 1 << (key & 63));
        Repetitions { quiet, current: history.keys(!turn).all, filter }
    }

    /// How often the position after a move has occurred, which is neither a capture nor by a pawn; squares as the mover
    /// sees them.
    #[inline(always)]
    pub(super) fn count(&self, role: usize, from: usize, to: usize) -> usize {
        let after = self.current ^ piece_key(ROLES + role, from ^ 56) ^ piece_key(ROLES + role, to ^ 56);
        if self.filter >> (after & 63) & 1 == 0 {
            return 0;
        }
        self.quiet.iter().rev().step_by(2).filter(|&&key| key == after).count()
    }
}

/// The key of a piece (0 to 5 own, 6 to 11 the enemy's) on a square.
#[inline(always)]
fn piece_key(piece: usize, square: usize) -> u64 {
    KEYS[piece][square & 63]
}

static KEYS: [[u64; 64]; 2 * ROLES] = {
    let (mut keys, mut number) = ([[0; 64]; 2 * ROLES], 0);
    while number < 64 * 2 * ROLES {
        keys[number / 64][number % 64] = mix(number as u64 + 1);
        number += 1;
    }
    keys
};
