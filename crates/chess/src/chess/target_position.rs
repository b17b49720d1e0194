//! The position of a search, normalized for comparison with positions of games.

use shakmaty::{PositionError, PositionErrorKinds, variant::VariantPosition};

use super::{Bitboard, Board, Color, Keyed, Position, Setup, Untouched, Variant};

/// A position to find in games: the same pieces on all squares, the same side to move, the valid castling rights, and
/// an en passant square only if a legal move captures there. Move counters are ignored.
///
/// ```
/// use plybook_chess::chess::{Fen, TargetPosition};
/// // No pawn can capture on e3, so the field has no effect.
/// let fen = |text: &str| text.parse::<Fen>().unwrap().into_setup();
/// let after_e4 = TargetPosition::new(&fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"))?;
/// let without = TargetPosition::new(&fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 40"))?;
/// assert_eq!(after_e4, without);
/// # Ok::<(), plybook_chess::chess::TargetPositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPosition {
    variant: Variant,
    targets: Vec<SearchPosition>,
    /// The position with colours swapped, for searches that request it. `None` if it is not a position, or equals the
    /// original.
    mirrored: Option<SearchPosition>,
}

/// One of the positions of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPosition {
    /// The pieces.
    pub board: Board,
    /// The side to move, and the Polyglot key with legal en passant; `None` if only the pieces count.
    pub state: Option<(Color, u64)>,
    /// The rooks that may castle: in Chess960 the key does not distinguish two rooks on one side of the king. Empty if
    /// only the pieces count.
    pub castling: Bitboard,
}

/// A position that no game can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetPositionError {
    /// There are no pieces.
    #[error("no game reaches this position: the board is empty")]
    EmptyBoard,
    /// A side has no king.
    #[error("no game reaches this position: a king is missing")]
    MissingKing,
    /// A side has more than one king.
    #[error("no game reaches this position: a side has several kings")]
    SeveralKings,
    /// A pawn is where none can be.
    #[error("no game reaches this position: there is a pawn on its first or last rank")]
    Pawn,
    /// The last move left its own king in check.
    #[error("no game reaches this position: the side not to move is in check")]
    Check,
    /// Anything else.
    #[error("no game reaches this position: the rules of the variant forbid it")]
    Rules,
}

impl TargetPosition {
    /// A position of standard chess, or of Chess960.
    ///
    /// # Errors
    /// No game can reach it: a king is missing or could be captured, or there are pawns on a first or last rank.
    pub fn new(setup: &Setup) -> Result<TargetPosition, TargetPositionError> {
        TargetPosition::of_variant(Variant::Standard, setup)
    }

    /// A position of a variant. Chess960 and standard chess are treated alike: their positions have the same form.
    ///
    /// # Errors
    /// No game can reach it.
    pub fn of_variant(variant: Variant, setup: &Setup) -> Result<TargetPosition, TargetPositionError> {
        let exact =
            |setup| TargetPosition::position(variant, setup).map(|position| SearchPosition::exact(&position));
        let target = exact(setup.clone())?;
        let mirrored = exact(setup.clone().into_mirrored()).ok();
        Ok(TargetPosition { variant, targets: vec![target], mirrored })
    }

    /// A position that occurs in a game.
    pub fn exact(position: &VariantPosition) -> TargetPosition {
        let target = SearchPosition::exact(position);
        TargetPosition { variant: Variant::of(position), targets: vec![target], mirrored: None }
    }

    /// A position of a variant, normalized for the search, from which moves can be played.
    ///
    /// # Errors
    /// No game can reach it.
    pub fn position(variant: Variant, setup: Setup) -> Result<VariantPosition, TargetPositionError> {
        variant.position_of(setup).map_err(TargetPositionError::of)
    }

    /// Only the pieces of a position, in games of a variant: with either side to move and any castling rights.
    pub fn board_only(variant: Variant, board: &Board) -> TargetPosition {
        let target = SearchPosition::of_board(board.clone());
        let mirrored = SearchPosition::of_board(board.clone().into_mirrored());
        let mirrored = Some(mirrored).filter(|mirrored| *mirrored != target);
        TargetPosition { variant, targets: vec![target], mirrored }
    }

    /// Also matches the position with colours swapped and the board mirrored vertically, including the side to move,
    /// castling rights and the en passant square.
    pub fn mirrored(mut self) -> TargetPosition {
        self.targets.extend(self.mirrored.take());
        self
    }

    /// The positions to find, any of which matches.
    pub fn targets(&self) -> &[SearchPosition] {
        &self.targets
    }

    /// Whether games of a variant can reach it.
    pub fn is_of(&self, variant: Variant) -> bool {
        variant == self.variant || self.is_chess() && is_chess(variant)
    }

    /// Whether a position of a game [of the variant](Self::is_of) matches, given its pieces, the side to move, the
    /// rooks that may castle, and its key.
    pub fn has(&self, board: &Board, turn: Color, castling: Bitboard, key: u64) -> bool {
        self.targets.iter().any(|target| {
            target.board == *board
                && target
                    .state
                    .is_none_or(|(to_move, known)| (to_move, known, target.castling) == (turn, key, castling))
        })
    }

    /// Like [`has`](Self::has), if the key is not known.
    #[inline]
    pub fn is_at<P: Keyed>(&self, position: &P) -> bool {
        self.targets.iter().any(|target| target.is_at(position))
    }

    /// Whether neither a position nor any position that can follow it matches.
    #[inline]
    pub fn is_behind<P: Position>(&self, position: &P) -> bool {
        // In some variants pieces return to the board.
        self.is_chess() && self.targets.iter().all(|target| target.is_behind(position))
    }

    fn is_chess(&self) -> bool {
        is_chess(self.variant)
    }
}

/// Whether a variant is played by the rules of chess.
fn is_chess(variant: Variant) -> bool {
    matches!(variant, Variant::Standard | Variant::Chess960)
}

impl SearchPosition {
    /// Exactly this position.
    pub fn exact(position: &VariantPosition) -> SearchPosition {
        SearchPosition {
            board: position.board().clone(),
            state: Some((position.turn(), position.key())),
            castling: position.castles().castling_rights(),
        }
    }

    fn of_board(board: Board) -> SearchPosition {
        SearchPosition { board, state: None, castling: Bitboard::EMPTY }
    }

    /// Whether a position equals this one.
    #[inline]
    pub fn is_at<P: Keyed>(&self, position: &P) -> bool {
        self.board == *position.board()
            && self.state.is_none_or(|(turn, key)| {
                turn == position.turn()
                    && self.castling == position.castles().castling_rights()
                    && key == position.key()
            })
    }

    /// Whether something is gone that never returns: pieces, unmoved pawns, castling rights.
    #[inline]
    pub fn is_behind<P: Position>(&self, position: &P) -> bool {
        position.board().occupied().count() < self.board.occupied().count()
            || !Untouched::new(&self.board, self.castling).is_within(Untouched::of(position))
    }
}

impl TargetPositionError {
    fn of(error: PositionError<VariantPosition>) -> TargetPositionError {
        let reasons = [
            (PositionErrorKinds::EMPTY_BOARD, TargetPositionError::EmptyBoard),
            (PositionErrorKinds::MISSING_KING, TargetPositionError::MissingKing),
            (PositionErrorKinds::TOO_MANY_KINGS, TargetPositionError::SeveralKings),
            (PositionErrorKinds::PAWNS_ON_BACKRANK, TargetPositionError::Pawn),
            (PositionErrorKinds::OPPOSITE_CHECK, TargetPositionError::Check),
        ];
        let found = reasons.into_iter().find(|(kind, _)| error.kinds().contains(*kind));
        found.map_or(TargetPositionError::Rules, |(_, why)| why)
    }
}

#[cfg(test)]
mod tests;
