//! What the number of a move means: the piece that moves and where it goes, or both squares.

use plybook_chess::chess::{QuickChess, Resolved, resolve};
use shakmaty::{CastlingSide, Color, File, Position, Role, Square, san::San};

use crate::pieces::{Pieces, square};

/// Files and ranks by which a piece moves.
type Step = (i32, i32);

const KING: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [Step; 8] = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
const LINES: [Step; 2] = [(0, 1), (1, 0)];
const DIAGONALS: [Step; 2] = [(1, 1), (1, -1)];
const QUEEN: [Step; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
/// For White: one step, two steps, captures to the right and to the left.
const PAWN: [Step; 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];

/// The first number of each piece with a number of its own.
const FIRST: [(u8, Role, usize); 13] = [
    (11, Role::Queen, 0),
    (39, Role::Rook, 0),
    (53, Role::Rook, 1),
    (67, Role::Bishop, 0),
    (81, Role::Bishop, 1),
    (95, Role::Knight, 0),
    (103, Role::Knight, 1),
    (111, Role::Pawn, 0),
    (143, Role::Queen, 1),
    (171, Role::Queen, 2),
    (199, Role::Rook, 2),
    (213, Role::Bishop, 2),
    (227, Role::Knight, 2),
];

/// The move that a number from 1 to 234 means, if it is legal.
pub(crate) fn short_move(position: &QuickChess, pieces: &Pieces, number: u8) -> Option<Resolved> {
    let color = Position::turn(position);
    let side = match number {
        9 => Some(CastlingSide::KingSide),
        10 => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if let Some(side) = side {
        return resolve(position, San::Castle(side));
    }
    let (from, to) = match number.checked_sub(1).and_then(|step| KING.get(usize::from(step))) {
        Some(&step) => {
            let king = position.board().king_of(color)?;
            (king, king.stepped(step)?)
        }
        None => {
            let &(first, role, number_of_role) = FIRST.iter().rfind(|(first, ..)| *first <= number)?;
            let code = usize::from(number - first);
            let piece = if role == Role::Pawn { code / PAWN.len() } else { number_of_role };
            let from = pieces.find(color, role, piece)?;
            (from, target(color, role, from, code)?)
        }
    };
    between(position, from, to, None)
}

fn target(color: Color, role: Role, from: Square, code: usize) -> Option<Square> {
    match role {
        Role::Pawn => {
            let &(file, rank) = PAWN.get(code % PAWN.len())?;
            from.stepped(color.fold_wb((file, rank), (-file, -rank)))
        }
        Role::Knight => from.stepped(*KNIGHT.get(code)?),
        Role::Bishop => from.slid(*DIAGONALS.get(code / 7)?, code),
        Role::Rook => from.slid(*LINES.get(code / 7)?, code),
        Role::Queen => from.slid(*QUEEN.get(code / 7)?, code),
        Role::King => None,
    }
}

trait Stepped: Sized {
    fn stepped(self, step: Step) -> Option<Self>;
    /// The square after seven codes for one to seven steps in a direction; past the edge it goes on at the other one.
    fn slid(self, step: Step, code: usize) -> Option<Self>;
}

impl Stepped for Square {
    fn stepped(self, step: Step) -> Option<Square> {
        let (file, rank) = step;
        let file = self.file().to_u32().checked_add_signed(file)?;
        let rank = self.rank().to_u32().checked_add_signed(rank)?;
        (file < 8 && rank < 8).then(|| Square::new(8 * rank + file))
    }

    fn slid(self, step: Step, code: usize) -> Option<Square> {
        let (file, rank) = step;
        let steps = i32::try_from(code % 7).ok()? + 1;
        let file = self.file().to_u32().checked_add_signed(file * steps)? & 7;
        // One direction is negative, and eight more is the same square.
        let rank = (self.rank().to_u32() + 8).checked_add_signed(rank * steps)? & 7;
        Some(Square::new(8 * rank + file))
    }
}

/// A move with both squares and the role of a promotion in one number.
pub(crate) fn long_move(position: &QuickChess, number: u16) -> Option<Resolved> {
    let [from, to] = [number, number >> 6].map(|squares| square((squares & 63) as u8));
    let (from, to) = (from?, to?);
    if from == to {
        // Castling in Chess960: the square to which the king goes.
        let side = CastlingSide::from_king_side(to.file() > File::E);
        return resolve(position, San::Castle(side));
    }
    let promotion = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].get(usize::from(number >> 12 & 3));
    between(position, from, to, promotion.copied())
}

/// The legal move between two squares. The promotion counts only if a pawn reaches the last rank.
fn between(position: &QuickChess, from: Square, to: Square, promotion: Option<Role>) -> Option<Resolved> {
    let board = position.board();
    let role = board.role_at(from)?;
    if role == Role::King && from.file() == File::E && from.file().distance(to.file()) == 2 {
        let side = CastlingSide::from_king_side(to.file() > File::E);
        return resolve(position, San::Castle(side));
    }
    let promotes = role == Role::Pawn && matches!(to.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth);
    let san = San::Normal {
        role,
        file: Some(from.file()),
        rank: Some(from.rank()),
        capture: board.role_at(to).is_some() || role == Role::Pawn && from.file() != to.file(),
        to,
        promotion: promotion.filter(|_| promotes),
    };
    resolve(position, san)
}
