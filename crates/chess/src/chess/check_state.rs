//! Whether the side to move is in check or mated in a setup that may be illegal.

use shakmaty::{CastlingMode, Chess, Position, PositionError, Setup};

/// No check, check, or checkmate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    /// The side to move is not in check, or does not have exactly one king.
    Quiet,
    /// The side to move is in check and has a legal move, or the setup is not a legal position.
    Check,
    /// The side to move is in check and has no legal move.
    Checkmate,
}

impl CheckState {
    /// The state of a setup, by the rules of standard chess.
    ///
    /// ```
    /// use plybook_chess::chess::{CheckState, Fen};
    /// let fools_mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    /// let setup = fools_mate.parse::<Fen>().unwrap().into_setup();
    /// assert_eq!(CheckState::of(&setup), CheckState::Checkmate);
    /// ```
    pub fn of(setup: &Setup) -> CheckState {
        let board = &setup.board;
        let checkers = |king| board.attacks_to(king, !setup.turn, board.occupied());
        if board.king_of(setup.turn).is_none_or(|king| checkers(king).is_empty()) {
            return CheckState::Quiet;
        }
        let position = setup
            .clone()
            .position::<Chess>(CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check);
        match position {
            Ok(position) if position.legal_moves().is_empty() => CheckState::Checkmate,
            _ => CheckState::Check,
        }
    }

    /// 0, 1 or 2.
    pub const fn number(self) -> u8 {
        self as u8
    }
}
