//! From SAN to a legal move and its index, in one pass over the sets of targets.

use shakmaty::{
    Bitboard, Move, Role, Square,
    san::{San, SanError},
};

use super::{LegalSets, SortedMoves, sets::Officer, view::ahead};
use crate::rules::LegalMoves;

impl LegalSets {
    /// Finds the legal move that a SAN means, and its index.
    ///
    /// # Errors
    /// No legal move fits, the capture mark is wrong, or several moves fit.
    pub fn resolve(&self, san: San) -> Result<(Move, u32), SanError> {
        let (m, index, capture) = match san {
            San::Normal { role, file, rank, capture, to, promotion } => {
                let mut from = file.map_or(Bitboard::FULL, Bitboard::from_file);
                if let Some(rank) = rank {
                    from &= Bitboard::from_rank(rank);
                }
                let (m, index) = if role == Role::Pawn {
                    self.resolve_pawn(from, to, promotion)?
                } else if promotion.is_none() {
                    let officer = self.only_officer(role, from, to)?;
                    (self.board_move(role, officer.from, to, None), Some(self.index_of_target(officer, to)))
                } else {
                    return Err(SanError::IllegalSan);
                };
                (m, index, capture)
            }
            San::Castle(side) => {
                let m = self.castling_move(side).ok_or(SanError::IllegalSan)?;
                (m, self.index_of(m), false)
            }
            San::Put { .. } | San::Null => return Err(SanError::IllegalSan),
        };
        match index {
            Some(index) if capture == m.is_capture() => Ok((m, index)),
            _ => Err(SanError::IllegalSan),
        }
    }

    fn resolve_pawn(
        &self,
        from: Bitboard,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<(Move, Option<u32>), SanError> {
        let back = |set: Bitboard, step| Bitboard::from(to).shift(-ahead(self.turn, step)) & set;
        let [west, push, east, double] = self.pawns.sets;
        let coming = (back(west, 7) | back(push, 8) | back(east, 9) | back(double, 16)) & from;
        let from = only(coming)?;
        Ok((self.board_move(Role::Pawn, from, to, promotion), self.index_of_pawn(from, to, promotion)))
    }

    /// The one officer of a role on some squares that can go to a square.
    fn only_officer(&self, role: Role, from: Bitboard, to: Square) -> Result<&Officer, SanError> {
        let mut found = Err(SanError::IllegalSan);
        for officer in &self.officers {
            if officer.role == role && officer.targets.contains(to) && from.contains(officer.from) {
                if found.is_ok() {
                    return Err(SanError::AmbiguousSan);
                }
                found = Ok(officer);
            }
        }
        found
    }
}

impl SortedMoves {
    /// Finds the legal move that a SAN means, and its index.
    ///
    /// # Errors
    /// No legal move fits, the capture mark is wrong, or several moves fit.
    pub fn resolve(&self, san: San) -> Result<(Move, u32), SanError> {
        let mut fitting = (0..).zip(self.as_slice()).filter(|(_, m)| san.matches(**m));
        match (fitting.next(), fitting.next()) {
            (Some((index, &m)), None) => Ok((m, index)),
            (Some(_), Some(_)) => Err(SanError::AmbiguousSan),
            (None, _) => Err(SanError::IllegalSan),
        }
    }
}

/// The only one of some squares.
fn only(squares: Bitboard) -> Result<Square, SanError> {
    let first = squares.first().ok_or(SanError::IllegalSan)?;
    if squares.more_than_one() { Err(SanError::AmbiguousSan) } else { Ok(first) }
}
