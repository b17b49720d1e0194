//! What a trail says about an entire game: how each side castled, which checks it gave, and how the game ended.

use std::ops::ControlFlow;

use plybook_chess::chess::{Bitboard, CastlingSide, Color, Move, Position, QuickChess};
use plybook_record::StoredMoves;

use crate::indexable;

/// Facts about a game of standard chess or Chess960, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts(u32);

/// How a side castled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Castled {
    /// Not at all.
    No,
    /// On the king's side.
    Short,
    /// On the queen's side.
    Long,
}

/// A property of the last position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Final {
    /// The side to move is mated.
    Mate,
    /// The side to move has no legal move, and is not in check.
    Stalemate,
    /// Neither side has enough pieces to mate.
    Insufficient,
    /// No pawn has moved and nothing has been captured for fifty moves of each side.
    FiftyMoves,
    /// The position has occurred at least three times.
    Repetition,
}

impl Final {
    /// All.
    pub const ALL: [Final; 5] =
        [Final::Mate, Final::Stalemate, Final::Insufficient, Final::FiftyMoves, Final::Repetition];

    fn bit(self) -> u32 {
        1 << (4 + self as u32)
    }

    /// Whether it applies to a position that has occurred this often.
    fn is_of(self, position: &QuickChess, times: usize) -> bool {
        match self {
            Final::Mate => position.is_checkmate(),
            Final::Stalemate => position.is_stalemate(),
            Final::Insufficient => position.is_insufficient_material(),
            Final::FiftyMoves => position.halfmoves() >= 100,
            Final::Repetition => times >= 3,
        }
    }
}

/// White captured en passant; the bit above it: Black did.
const EN_PASSANT: u32 = 1 << 9;

/// Nothing is known about the game.
const UNKNOWN: u32 = 1 << 11;

/// Where the number of checks begins.
const CHECKS: u32 = 12;

/// The most checks that are counted.
pub const MOST_CHECKS: u32 = 7;

impl Facts {
    /// The facts of a game about which nothing is known.
    pub const UNKNOWN: Facts = Facts(UNKNOWN);

    /// The facts of a stored game. It is replayed until the facts so far, which do not include the last position, are
    /// enough.
    pub fn of(game: &StoredMoves, are_enough: impl Fn(Facts) -> bool) -> Facts {
        let start = game.start().ok().and_then(|start| indexable(game.variant, start));
        let Some(start) = start else { return Facts::UNKNOWN };
        let Ok(replay) = game.replay(start.clone()) else { return Facts::UNKNOWN };
        let mut recorder = FactsRecorder::default();
        recorder.begin(&start);
        let replayed = replay.run(|position, m| {
            m.into_iter().for_each(|m| recorder.go_on(m, position));
            if are_enough(recorder.facts) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match replayed {
            Ok(Some((last, _))) => recorder.end(&last),
            Ok(None) => recorder.facts,
            Err(_) => Facts::UNKNOWN,
        }
    }

    /// Decodes the number in a column; `None` if it is invalid.
    pub fn from_number(number: u32) -> Option<Facts> {
        let is_known = number & UNKNOWN == 0 && number >> CHECKS <= MOST_CHECKS;
        let castled = [number, number >> 2].map(|bits| bits & 3);
        (number == UNKNOWN || is_known && castled.iter().all(|how| *how < 3)).then_some(Facts(number))
    }

    /// As a number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Whether the other facts are known.
    pub fn are_known(self) -> bool {
        self.0 & UNKNOWN == 0
    }

    /// How a side castled.
    pub fn castled(self, color: Color) -> Castled {
        match self.0 >> color.fold_wb(0, 2) & 3 {
            1 => Castled::Short,
            2 => Castled::Long,
            _ => Castled::No,
        }
    }

    /// Whether the last position has a property.
    pub fn ends_in(self, kind: Final) -> bool {
        // Mate by the hundredth move ends the game before the rule applies. Trails record both.
        let is_mate = kind == Final::FiftyMoves && self.ends_in(Final::Mate);
        self.0 & kind.bit() != 0 && !is_mate
    }

    /// Whether a side captured en passant.
    pub fn took_en_passant(self, color: Color) -> bool {
        self.0 & EN_PASSANT << color.fold_wb(0, 1) != 0
    }

    /// The most consecutive moves with which a side gave check, up to [`MOST_CHECKS`].
    pub fn checks(self) -> u32 {
        if self.are_known() { self.0 >> CHECKS } else { 0 }
    }

    fn gives_checks(&mut self, count: u32) {
        let most = self.checks().max(count.min(MOST_CHECKS));
        self.0 = self.0 & ((1 << CHECKS) - 1) | most << CHECKS;
    }

    fn castles(&mut self, color: Color, side: CastlingSide) {
        let how = if side == CastlingSide::KingSide { 1 } else { 2 };
        self.0 |= how << color.fold_wb(0, 2);
    }

    fn takes_en_passant(&mut self, color: Color) {
        self.0 |= EN_PASSANT << color.fold_wb(0, 1);
    }

    /// Sets the properties of the last position, which has occurred this often.
    fn end(&mut self, position: &QuickChess, times: usize) {
        let said = Final::ALL.into_iter().filter(|kind| kind.is_of(position, times));
        self.0 |= said.map(Final::bit).fold(0, |all, bit| all | bit);
    }
}

/// Records the facts of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct FactsRecorder {
    /// Those so far.
    pub facts: Facts,
    /// The position after the last pawn move or capture: no earlier position can recur.
    since: QuickChess,
    /// With how many of its last moves each side gave check.
    checks: [u32; 2],
    /// The moves from there on, and the squares of White's pieces before the first and after each.
    moves: Vec<Move>,
    white: Vec<Bitboard>,
}

impl FactsRecorder {
    /// Starts recording a game.
    pub fn begin(&mut self, start: &QuickChess) {
        self.facts = Facts::default();
        self.checks = [0; 2];
        self.begin_again(start);
    }

    #[inline]
    fn begin_again(&mut self, position: &QuickChess) {
        self.since.clone_from(position);
        self.moves.clear();
        self.white.clear();
        self.white.push(position.board().white());
    }

    /// Records a move, and the position after it.
    #[inline]
    pub fn go_on(&mut self, m: Move, position: &QuickChess) {
        let by = !position.turn();
        let given = &mut self.checks[by.fold_wb(0, 1)];
        *given = if position.is_check() { *given + 1 } else { 0 };
        if *given > 0 {
            self.facts.gives_checks(*given);
        }
        if let Some(side) = m.castling_side() {
            self.facts.castles(by, side);
        } else if m.is_zeroing() {
            if m.is_en_passant() {
                self.facts.takes_en_passant(by);
            }
            return self.begin_again(position);
        }
        self.moves.push(m);
        self.white.push(position.board().white());
    }

    /// Records the last position. Returns the facts.
    pub fn end(&mut self, last: &QuickChess) -> Facts {
        // Comparing White's squares excludes nearly all games without a threefold repetition in one pass over a short
        // list; comparing positions would mean replaying the end of every game.
        let alike = self.white.iter().filter(|white| Some(*white) == self.white.last()).count();
        // Positions with the same squares may still differ in castling or en passant rights.
        self.facts.end(last, if alike < 3 { alike } else { self.times(last) });
        self.facts
    }

    /// How often a position has occurred since the last pawn move or capture.
    fn times(&self, wanted: &QuickChess) -> usize {
        let mut position = self.since.clone();
        let later = self.moves.iter().filter(|&&m| {
            position.play_unchecked(m);
            position == *wanted
        });
        later.count() + usize::from(self.since == *wanted)
    }
}
