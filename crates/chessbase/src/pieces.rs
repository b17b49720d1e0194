//! The numbers that pieces have in a game: a move names its piece by role and number.

use shakmaty::{Board, ByColor, CastlingSide, Color, Move, Role, Square};

/// Numbered pieces of a role other than pawn.
const MOST: usize = 3;

/// Squares in the order of ChessBase: a1, a2 … a8, b1 … h8.
pub(crate) fn square(number: u8) -> Option<Square> {
    (number < 64).then(|| Square::from_coords(file(number >> 3), rank(number & 7)))
}

fn file(number: u8) -> shakmaty::File {
    shakmaty::File::new(u32::from(number))
}

fn rank(number: u8) -> shakmaty::Rank {
    shakmaty::Rank::new(u32::from(number))
}

/// The squares of the numbered pieces of both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(ByColor<Side>);

#[derive(Clone, Debug, Default)]
struct Side {
    /// Pawns keep their numbers.
    pawns: [Option<Square>; 8],
    /// The first pieces of a role, without gaps: when one is captured, the later ones move up.
    others: [[Option<Square>; MOST]; 4],
}

impl Side {
    fn of_role(&mut self, role: Role) -> &mut [Option<Square>] {
        let [knights, bishops, rooks, queens] = &mut self.others;
        match role {
            Role::Pawn => &mut self.pawns,
            Role::Knight => knights,
            Role::Bishop => bishops,
            Role::Rook => rooks,
            Role::Queen => queens,
            Role::King => &mut [],
        }
    }

    fn add(&mut self, role: Role, square: Square) {
        let free = self.of_role(role).iter_mut().find(|slot| slot.is_none());
        free.into_iter().for_each(|slot| *slot = Some(square));
    }

    fn carry(&mut self, role: Role, from: Square, to: Square) {
        let moved = self.of_role(role).iter_mut().find(|slot| **slot == Some(from));
        moved.into_iter().for_each(|slot| *slot = Some(to));
    }

    fn remove(&mut self, role: Role, square: Square) {
        let slots = self.of_role(role);
        let Some(at) = slots.iter().position(|slot| *slot == Some(square)) else { return };
        let after = slots.get_mut(at..).unwrap_or_default();
        if role != Role::Pawn {
            after.rotate_left(1);
            after.last_mut().into_iter().for_each(|slot| *slot = None);
        } else {
            after.first_mut().into_iter().for_each(|slot| *slot = None);
        }
    }
}

impl Pieces {
    /// The numbers at the start of a game.
    pub(crate) fn of(board: &Board) -> Pieces {
        let mut pieces = Pieces::default();
        for square in (0..64).filter_map(square) {
            if let Some(piece) = board.piece_at(square) {
                pieces.0.get_mut(piece.color).add(piece.role, square);
            }
        }
        pieces
    }

    /// The square of a piece, from its role and its number, which begins at 0.
    pub(crate) fn find(&self, color: Color, role: Role, number: usize) -> Option<Square> {
        let Side { pawns, others: [knights, bishops, rooks, queens] } = self.0.get(color);
        let slots = match role {
            Role::Pawn => &pawns[..],
            Role::Knight => knights,
            Role::Bishop => bishops,
            Role::Rook => rooks,
            Role::Queen => queens,
            Role::King => &[],
        };
        slots.get(number).copied().flatten()
    }

    /// Follows a move of a side.
    pub(crate) fn play(&mut self, color: Color, m: Move) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                if let Some(captured) = capture {
                    self.0.get_mut(!color).remove(captured, to);
                }
                let own = self.0.get_mut(color);
                match promotion {
                    // If its role has enough numbers, the new piece has none for the rest of the game.
                    Some(promotion) => {
                        own.remove(role, from);
                        own.add(promotion, to);
                    }
                    None => own.carry(role, from, to),
                }
            }
            Move::EnPassant { from, to } => {
                self.0.get_mut(!color).remove(Role::Pawn, Square::from_coords(to.file(), from.rank()));
                self.0.get_mut(color).carry(Role::Pawn, from, to);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.0.get_mut(color).carry(Role::Rook, rook, side.rook_to(color));
            }
            Move::Put { .. } => {}
        }
    }
}
