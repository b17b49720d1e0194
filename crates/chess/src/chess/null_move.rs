//! Null moves, used in annotated variations: the same board with the other side to move.

use shakmaty::{
    Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Setup, variant::VariantPosition,
};

use super::QuickChess;

/// Positions in which the side to move may pass.
pub trait NullMove: Sized {
    /// The position after a null move. `None` if the side to move is in check.
    fn null_move(&self) -> Option<Self>;
}

impl NullMove for Chess {
    fn null_move(&self) -> Option<Chess> {
        passed_in_chess(self)
    }
}

impl NullMove for QuickChess {
    fn null_move(&self) -> Option<QuickChess> {
        passed_in_chess(self).as_ref().map(QuickChess::from)
    }
}

impl NullMove for VariantPosition {
    fn null_move(&self) -> Option<VariantPosition> {
        let (rules, mode) = (self.variant(), self.castles().mode());
        VariantPosition::from_setup(rules, passed(self), mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}

fn passed_in_chess(position: &impl Position) -> Option<Chess> {
    Chess::from_setup(passed(position), position.castles().mode())
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn passed(position: &impl Position) -> Setup {
    let mut setup = position.to_setup(EnPassantMode::Always);
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    setup.swap_turn();
    setup
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    #[test]
    fn a_null_move_changes_the_side_and_counts() {
        let passed = Chess::new().null_move().unwrap().null_move().unwrap();
        assert_eq!(Position::turn(&passed), Color::White);
        assert_eq!((passed.fullmoves().get(), passed.halfmoves()), (2, 2));
        let check: Fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().unwrap();
        let check: Chess = check.into_position(CastlingMode::Standard).unwrap();
        assert!(check.null_move().is_none());
    }
}
