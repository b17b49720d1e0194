//! Parses a position: a FEN, moves from the start, the name of an opening, or a place in a game of an archive.

use std::str::FromStr;

use shakmaty::{EnPassantMode, Square};

use super::{PresentError, RequestError};
use crate::{
    archive::Archive,
    chess::{Bitboard, Chess, Color, Fen, Position, Role, Setup, fen_or_epd, move_list},
    openings::{Opening, OpeningError, Openings},
    record::{GameId, Ply},
};

/// The meaning of a text that describes a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionText {
    /// A position that does not need an archive: a FEN, moves from the start such as `1. e4 c5` or `e2e4 c7c5`, or the
    /// name of an opening, which stands for the end of its shortest line.
    Setup(Setup),
    /// A place in a stored game, such as `3:12w`.
    Stored {
        /// The game.
        game: GameId,
        /// The place.
        ply: Ply,
    },
}

impl FromStr for PositionText {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<PositionText, RequestError> {
        let text = text.trim();
        let first = text.split_whitespace().next().ok_or(RequestError::NoPosition)?;
        if first.matches('/').count() > 2 {
            let fen = fen_or_epd(text);
            let fen = fen.map_err(|error| RequestError::Fen { text: text.to_owned(), error })?;
            return Ok(PositionText::Setup(fen.into_setup()));
        }
        // Names of openings may also contain colons.
        if let Some((id, ply)) = text.split_once(':')
            && let Ok(game) = id.parse()
        {
            return Ok(PositionText::Stored { game, ply: ply.parse()? });
        }
        after_moves(text).or_else(|no_moves| opening(text, no_moves)).map(PositionText::Setup)
    }
}

impl PositionText {
    /// The position. `archive` is called only if the text refers to a stored game.
    ///
    /// # Errors
    /// The archive has no such game or ply, cannot be read, or `archive` fails.
    pub fn setup<'a, E: From<PresentError>>(
        self,
        archive: impl FnOnce() -> Result<&'a Archive, E>,
    ) -> Result<Setup, E> {
        match self {
            PositionText::Setup(setup) => Ok(setup),
            PositionText::Stored { game, ply } => {
                let stored = |archive: &Archive| -> Result<Setup, PresentError> {
                    Ok(archive.game(game)?.position_at(ply)?.to_setup(EnPassantMode::Always))
                };
                Ok(stored(archive()?)?)
            }
        }
    }
}

/// Whether a text is a FEN that ends before the castling rights, of a position that could have some. It is read as if
/// nobody may castle.
pub fn lacks_castling(text: &str) -> bool {
    let fen = text.parse::<Fen>().ok().filter(|_| text.split_whitespace().count() < 3);
    fen.is_some_and(|fen| {
        let board = fen.into_setup().board;
        let has_home = |color: Color| {
            let on = |role: Role, squares: [Square; 2]| {
                let squares = squares.map(|square| color.fold_wb(square, square.flip_vertical()));
                (board.by_piece(role.of(color)) & Bitboard::from_iter(squares)).any()
            };
            on(Role::King, [Square::E1; 2]) && on(Role::Rook, [Square::A1, Square::H1])
        };
        Color::ALL.into_iter().any(has_home)
    })
}

/// The position after moves from the start position.
fn after_moves(text: &str) -> Result<Setup, RequestError> {
    let moves = move_list(text);
    let (mut position, moves): (Chess, _) =
        moves.map_err(|error| RequestError::Moves { text: text.to_owned(), error })?;
    for m in moves {
        position.play_unchecked(m);
    }
    Ok(position.to_setup(EnPassantMode::Always))
}

/// The opening that a text names, if it is not moves; used to tell the user how the text was interpreted.
pub fn named_opening(text: &str) -> Option<&'static Opening> {
    let is_moves = after_moves(text).is_ok();
    Openings::standard().shortest(text).ok().filter(|_| !is_moves)
}

/// The position of the opening that a text names.
fn opening(text: &str, no_moves: RequestError) -> Result<Setup, RequestError> {
    match Openings::standard().shortest(text) {
        Ok(opening) => Ok(opening.position().to_setup(EnPassantMode::Always)),
        Err(OpeningError::Unknown { similar: None, .. }) => Err(no_moves),
        Err(error) => Err(error.into()),
    }
}

/// The FEN of a position.
///
/// # Errors
/// FEN cannot express its castling rights.
pub fn fen_of(setup: Setup) -> Result<String, RequestError> {
    Ok(Fen::try_from_setup(setup).map_err(|_| RequestError::Castling)?.to_string())
}
