//! Reading the trail of a game.

use std::ops::ControlFlow;

use super::{
    Change, DamagedTrail, Material, Pawns,
    codes::{BY_PIECE, EN_PASSANT, START, SymbolReader, Which},
    pawns::{PawnMove, View, files, on_file},
    phrases::PHRASES,
};
use crate::width;
use plybook_chess::chess::{Color, Role};

/// What is known about a stretch of a game without pawn moves and captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// How many pieces there are.
    pub material: Material,
    /// The squares of the pawns.
    pub pawns: Pawns,
    /// The number of pieces, except for kings. It never increases.
    pub pieces: u8,
    /// The side that made the move before it; without meaning in the first moment.
    pub by: Color,
}

impl Moment {
    /// The beginning of every game that has a trail.
    pub const START: Moment =
        Moment { material: Material::STANDARD, pawns: Pawns::STANDARD, pieces: 30, by: Color::Black };
}

/// The trail of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailReader<'a> {
    /// The phrases of its material.
    pub materials: &'a [u8],
    /// Its pawns.
    pub pawns: &'a [u8],
}

/// Room for the changes of a game: thirty captures, sixteen promotions, the end, and the rest of a phrase.
const CHANGES: usize = 64;

/// The changes of the material in order, filled up with the end.
// All are listed before the first event is read: no processor can foresee after which event a phrase ends.
#[inline(always)]
fn listed(phrases: &[u8]) -> Result<[Change; CHANGES], DamagedTrail> {
    let (mut changes, mut length, mut is_whole) = ([Change::END; CHANGES], 0, false);
    for phrase in phrases {
        let phrase = PHRASES.get(usize::from(*phrase)).ok_or(DamagedTrail)?;
        let next = changes.get_mut(length..).and_then(<[_]>::first_chunk_mut);
        *next.ok_or(DamagedTrail)? = phrase.padded;
        length += phrase.changes().len();
        is_whole = phrase.is_last;
    }
    if is_whole { Ok(changes) } else { Err(DamagedTrail) }
}

impl TrailReader<'_> {
    /// The changes of the material in order, including the end.
    pub fn changes(self) -> impl Iterator<Item = Change> {
        let phrases = self.materials.iter().filter_map(|phrase| PHRASES.get(usize::from(*phrase)));
        phrases.flat_map(|phrase| phrase.changes().iter().copied())
    }

    /// Calls `each` for every moment of the game, including the first, until it breaks.
    ///
    /// # Errors
    /// The bytes are invalid; earlier moments have been passed on.
    #[inline]
    pub fn moments(self, mut each: impl FnMut(&Moment) -> ControlFlow<()>) -> Result<(), DamagedTrail> {
        let changes = listed(self.materials)?;
        let mut changes = changes.iter().copied();
        let mut reader = SymbolReader::new(self.pawns);
        // The next change of the material is known before each event. As the context of the prefix codes it makes
        // them shorter, and because material and pawns are stored apart, a search by material reads no pawns at all.
        let (mut moment, mut before, mut coming) =
            (Moment::START, START, changes.next().ok_or(DamagedTrail)?);
        while each(&moment).is_continue() {
            reader.look_ahead();
            let number = reader.read(reader.codes.happens(coming.class(), before));
            if number < BY_PIECE {
                moment.by = Color::from_white(number < 2);
                moment.pawns = reader.stepped(moment.pawns, moment.by, 1 + u32::from(number % 2))?;
            } else {
                if coming == Change::END {
                    return if reader.is_at_end() { Ok(()) } else { Err(DamagedTrail) };
                }
                moment.material = coming.applied_to(moment.material);
                moment.pieces = moment.pieces.saturating_sub(coming.captured().is_some().into());
                moment.pawns = match pawn_move(number, coming) {
                    Some(m) => reader.moved(moment.pawns, coming.by(), m)?,
                    None if coming.captured() == Some(Role::Pawn) => {
                        let mut view = moment.pawns.seen_by(coming.by());
                        view.other &= !(1 << reader.square(Which::Taken, view.other)?);
                        view.pawns(coming.by())
                    }
                    None => moment.pawns,
                };
                moment.by = coming.by();
                coming = changes.next().ok_or(DamagedTrail)?;
            }
            before = number.into();
        }
        Ok(())
    }
}

/// The kind of pawn move in an event that changes the material; `None` if a piece moves.
#[inline]
fn pawn_move(number: u8, change: Change) -> Option<PawnMove> {
    Some(match (change.captured(), change.promoted()) {
        _ if number == BY_PIECE => return None,
        _ if number == EN_PASSANT => PawnMove::EnPassant,
        (None, _) => PawnMove::Promotes,
        (Some(_), Some(_)) => PawnMove::TakesPromoting,
        (Some(Role::Pawn), None) => PawnMove::TakesPawn,
        (Some(_), None) => PawnMove::Takes,
    })
}

impl SymbolReader<'_> {
    /// Reads a pawn move. Returns the pawns after it.
    #[inline(always)]
    fn moved(&mut self, pawns: Pawns, by: Color, m: PawnMove) -> Result<Pawns, DamagedTrail> {
        let view = pawns.seen_by(by);
        let from = self.square(Which::Moving(m), view.movable(m))?;
        let to = match m {
            PawnMove::One | PawnMove::Promotes => from + 8,
            PawnMove::Two => from + 16,
            _ => {
                let targets = view.captures(from, m);
                let is_right =
                    if targets.count_ones() > 1 { self.bits(1) == 1 } else { targets >> from >> 9 & 1 == 1 };
                from + if is_right { 9 } else { 7 }
            }
        };
        Ok(view.after(m, from, to).pawns(by))
    }

    /// Reads a step of a pawn by one square or two. Returns the pawns after it.
    // Half of all events. The side and the length of the step are as good as random: a branch on them would be
    // predicted wrongly half the time.
    #[inline(always)]
    fn stepped(&mut self, pawns: Pawns, by: Color, squares: u32) -> Result<Pawns, DamagedTrail> {
        let view = pawns.seen_by(by);
        let (one, two) = (view.movable(PawnMove::One), view.movable(PawnMove::Two));
        let (m, movable) = if squares == 1 { (PawnMove::One, one) } else { (PawnMove::Two, two) };
        let from = self.square(Which::Moving(m), movable)?;
        let own = view.own ^ 1 << from ^ 1 << (from + 8 * squares);
        Ok(View { own, ..view }.pawns(by))
    }

    /// Reads one of several squares.
    #[inline(always)]
    fn square(&mut self, which: Which, squares: u64) -> Result<u32, DamagedTrail> {
        if squares == 0 {
            return Err(DamagedTrail);
        }
        let file = self.read(self.codes.file(which, files(squares)));
        let mut on_file = on_file(squares, file.into());
        if on_file.count_ones() > 1 {
            for _ in 0..self.bits(width(on_file.count_ones() as usize)) {
                on_file &= on_file - 1;
                if on_file == 0 {
                    return Err(DamagedTrail);
                }
            }
        }
        Ok(on_file.trailing_zeros())
    }
}
