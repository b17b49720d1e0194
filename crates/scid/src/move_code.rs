//! The code of a move: four bits whose meaning depends on the piece.

use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

/// The steps of a king and a knight, by their codes from 1.
const KING_STEPS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
const KNIGHT_STEPS: [i32; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];

/// The steps of a pawn by its code modulo 3, and its promotion by its code divided by 3.
const PAWN_STEPS: [i32; 3] = [7, 8, 9];
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

/// Codes of the king.
const NULL_MOVE: u8 = 0;
const CASTLES_LONG: u8 = 9;
const CASTLES_SHORT: u8 = 10;

/// The code of a pawn's two steps.
const TWO_STEPS: u8 = 15;

/// What a queen's diagonal move adds to its target square in a second byte.
const DIAGONAL: u8 = 64;

/// What a code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodedMove {
    /// The side to move passes.
    Null,
    Castle(CastlingSide),
    To(Square, Option<Role>),
}

/// A piece that moves.
#[derive(Clone, Copy, Debug)]
pub struct MovingPiece {
    pub color: Color,
    pub role: Role,
    pub from: Square,
}

impl MovingPiece {
    /// Whether the code takes a second byte.
    pub fn has_second_byte(self, code: u8) -> bool {
        self.role == Role::Queen && u32::from(code) == u32::from(self.from.file())
    }

    /// The meaning of a code, with its second byte if it has one. `None` if it leads off the board. Whether the move is
    /// legal is another question.
    pub fn decode(self, code: u8, second: Option<u8>) -> Option<CodedMove> {
        match (self.role, code) {
            (Role::King, NULL_MOVE) => Some(CodedMove::Null),
            (Role::King, CASTLES_LONG) => Some(CodedMove::Castle(CastlingSide::QueenSide)),
            (Role::King, CASTLES_SHORT) => Some(CodedMove::Castle(CastlingSide::KingSide)),
            (Role::Pawn, code) => self.pawn_move(code),
            (_, code) => self.target(code, second).map(|to| CodedMove::To(to, None)),
        }
    }

    /// The code of a move to a square, with its second byte if it has one.
    pub fn encode(self, coded: CodedMove) -> Option<(u8, Option<u8>)> {
        let (to, promotion) = match coded {
            CodedMove::Null => return Some((NULL_MOVE, None)),
            CodedMove::Castle(CastlingSide::QueenSide) => return Some((CASTLES_LONG, None)),
            CodedMove::Castle(CastlingSide::KingSide) => return Some((CASTLES_SHORT, None)),
            CodedMove::To(to, promotion) => (to, promotion),
        };
        let step = i32::from(to) - i32::from(self.from);
        let index = |steps: &[i32], step: i32| steps.iter().position(|&other| other == step);
        let (file, rank) = (u32::from(to.file()), u32::from(to.rank()));
        let is_on_rank = self.from.rank() == to.rank();
        let code = match self.role {
            Role::King => index(&KING_STEPS, step)? + 1,
            Role::Knight => index(&KNIGHT_STEPS, step)? + 1,
            Role::Pawn if step.abs() == 16 => usize::from(TWO_STEPS),
            Role::Pawn => {
                let promotion = PROMOTIONS.iter().position(|&other| other == promotion)?;
                index(&PAWN_STEPS, step.abs())? + 3 * promotion
            }
            Role::Bishop if step % 9 == 0 && (step > 0) == (to.file() > self.from.file()) => file as usize,
            Role::Bishop => file as usize + 8,
            Role::Queen if !is_on_rank && self.from.file() != to.file() => {
                return Some((
                    u8::try_from(u32::from(self.from.file())).ok()?,
                    Some(DIAGONAL + u8::from(to)),
                ));
            }
            Role::Rook | Role::Queen if is_on_rank => file as usize,
            Role::Rook | Role::Queen => rank as usize + 8,
        };
        Some((u8::try_from(code).ok()?, None))
    }

    fn target(self, code: u8, second: Option<u8>) -> Option<Square> {
        let step = |steps: [i32; 8]| self.step(*steps.get(usize::from(code.checked_sub(1)?))?);
        match self.role {
            Role::King => step(KING_STEPS),
            Role::Knight => step(KNIGHT_STEPS),
            Role::Bishop => {
                let files = i32::from(code & 7) - i32::from(self.from.file());
                self.step(if code < 8 { 9 * files } else { -7 * files })
            }
            Role::Queen if second.is_some() => Square::try_from(second?.checked_sub(DIAGONAL)?).ok(),
            _ if code < 8 => Some(Square::from_coords(File::new(u32::from(code)), self.from.rank())),
            _ => Some(Square::from_coords(self.from.file(), Rank::new(u32::from(code & 7)))),
        }
    }

    fn pawn_move(self, code: u8) -> Option<CodedMove> {
        let forward = |step: i32| self.step(self.color.fold_wb(step, -step));
        if code == TWO_STEPS {
            return Some(CodedMove::To(forward(16)?, None));
        }
        let step = *PAWN_STEPS.get(usize::from(code % 3))?;
        let promotion = *PROMOTIONS.get(usize::from(code / 3))?;
        Some(CodedMove::To(forward(step)?, promotion))
    }

    /// The square after a step. A step over the edge of the board comes to a square that the piece cannot reach.
    fn step(self, by: i32) -> Option<Square> {
        u32::try_from(i32::from(self.from) + by).ok().and_then(|square| Square::try_from(square).ok())
    }
}
