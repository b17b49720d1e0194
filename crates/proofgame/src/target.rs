//! The position that a game must reach, as far as it is specified by a full or partial FEN.

use std::str::FromStr;

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square, attacks};

use super::possible::{self, Impossible};

/// A position to reach: a placement, and any other fields that are given.
///
/// ```
/// use plybook_proofgame::Target;
///
/// let open: Target = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R".parse()?;
/// assert_eq!(open.turn(), None);
/// let full: Target = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1".parse()?;
/// assert_eq!(full.turn(), Some(plybook_chess::chess::Color::Black));
/// # Ok::<(), plybook_proofgame::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub(super) board: Board,
    pub(super) turn: Option<Color>,
    /// The squares of the rooks that may still castle.
    pub(super) castling: Option<Bitboard>,
    pub(super) en_passant: Option<Option<Square>>,
    /// Which en passant squares count: those of legal captures, or every square passed by a double step.
    ep_mode: EnPassantMode,
}

impl Target {
    /// Parses the leading fields of a FEN like [`str::parse`], but takes the en passant field literally: the last move
    /// was the double step past that square, whether or not a pawn can capture there, and "-" means that it was not a
    /// double step.
    ///
    /// # Errors
    /// The text is not a FEN, or no game can reach its position.
    pub fn as_written(text: &str) -> Result<Target, TargetError> {
        read(text, EnPassantMode::Always)
    }

    fn checked(mut self) -> Result<Target, Impossible> {
        self.turn = possible::check(&self.board, self.turn, self.castling, self.en_passant)?;
        if let (EnPassantMode::Legal, Some(turn), Some(Some(square))) =
            (self.ep_mode, self.turn, self.en_passant)
        {
            self.en_passant = Some(Some(square).filter(|&square| is_capturable(&self.board, turn, square)));
        }
        Ok(self)
    }

    /// The placement.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move, if known.
    pub fn turn(&self) -> Option<Color> {
        self.turn
    }

    /// Whether a position matches the target.
    pub fn is_reached_by(&self, position: &Chess) -> bool {
        position.board() == &self.board
            && self.turn.is_none_or(|turn| turn == position.turn())
            && self.castling.is_none_or(|rooks| rooks == position.castles().castling_rights())
            && self.en_passant.is_none_or(|square| square == position.ep_square(self.ep_mode))
    }
}

/// Whether a pawn of the side to move can legally capture on an en passant square.
fn is_capturable(board: &Board, turn: Color, square: Square) -> bool {
    let pawns = attacks::pawn_attacks(!turn, square) & board.pawns() & board.by_color(turn);
    pawns.into_iter().any(|from| {
        let mut after = board.clone();
        after.discard_piece_at(from);
        after.discard_piece_at(Square::from_coords(square.file(), from.rank()));
        after.set_piece_at(square, turn.pawn());
        let king = after.king_of(turn);
        king.is_none_or(|king| after.attacks_to(king, !turn, after.occupied()).is_empty())
    })
}

/// Why a text is not a target position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The first field is not a piece placement.
    #[error("invalid piece placement; expected the first field of a FEN")]
    Placement,
    /// The second field is neither `w` nor `b`.
    #[error("invalid side to move; expected w or b")]
    Turn,
    /// The third field is neither `-` nor a combination of `KQkq`.
    #[error("invalid castling field; expected - or letters of KQkq")]
    Castling,
    /// The fourth field is neither `-` nor a square.
    #[error("invalid en passant field; expected - or a square")]
    EnPassant,
    /// A move counter is not a number, or there is text after the last field.
    #[error("invalid move counters; expected at most two numbers after the en passant field")]
    Clocks,
    /// The text is a position, but no game can reach it.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl FromStr for Target {
    type Err = TargetError;

    /// Parses the leading fields of a FEN; missing fields are left open. Move counters are checked and ignored. An en
    /// passant square without a legal capture is treated as none, because programs differ in whether they write it. A side in
    /// check is always the side to move.
    fn from_str(text: &str) -> Result<Target, TargetError> {
        read(text, EnPassantMode::Legal)
    }
}

fn read(text: &str, ep_mode: EnPassantMode) -> Result<Target, TargetError> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().and_then(|field| field.parse().ok()).ok_or(TargetError::Placement)?;
    let target = Target {
        board,
        turn: fields.next().map(turn).transpose()?,
        castling: fields.next().map(castling).transpose()?,
        en_passant: fields.next().map(en_passant).transpose()?,
        ep_mode,
    };
    for clock in [fields.next(), fields.next()].into_iter().flatten() {
        clock.parse::<u32>().map_err(|_| TargetError::Clocks)?;
    }
    if fields.next().is_some() {
        return Err(TargetError::Clocks);
    }
    Ok(target.checked()?)
}

fn turn(field: &str) -> Result<Color, TargetError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(TargetError::Turn),
    }
}

fn castling(field: &str) -> Result<Bitboard, TargetError> {
    let mut rooks = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rooks);
    }
    for letter in field.chars() {
        let rook = match letter {
            'K' => Square::H1,
            'Q' => Square::A1,
            'k' => Square::H8,
            'q' => Square::A8,
            _ => return Err(TargetError::Castling),
        };
        if !rooks.insert(rook) {
            return Err(TargetError::Castling);
        }
    }
    Ok(rooks)
}

fn en_passant(field: &str) -> Result<Option<Square>, TargetError> {
    match field {
        "-" => Ok(None),
        square => square.parse().map(Some).map_err(|_| TargetError::EnPassant),
    }
}
