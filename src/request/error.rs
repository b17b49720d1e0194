//! Errors in a request, and between a request and its answer.

use std::{io, num::ParseIntError};

use shakmaty::{Color, fen::ParseFenError};

use super::{CodeFormat, Expected, MaterialError, PatternError, Requirement, UnclearWinner, WordError};
use crate::{
    archive::{ArchiveError, FilterError},
    chess::{MoveListError, fen_problem},
    codec::{DecodeError, EncodeError},
    export::ExportError,
    limits::{MAX_CONDITIONS, MAX_LINE_MOVES},
    name_pattern::MOST_PATTERNS,
    openings::OpeningError,
    proofgame::TargetError,
    query::TargetPositionError,
    record::{GameError, GameId, PlyError},
};

/// Why a request is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// An invalid range in a filter.
    #[error(transparent)]
    Range(#[from] FilterError),
    /// An invalid ply.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// A side has a name, and a player is required to have that side.
    #[error("player with colour {} cannot be combined with a name for {}", .0, .0)]
    TwoNames(Color),
    /// An invalid colour.
    #[error("invalid colour {0:?}; use white or black")]
    Colour(String),
    /// An unknown condition.
    #[error("unknown field `{name}`, expected one of {known}")]
    NoCondition {
        /// The requested name.
        name: String,
        /// The existing names.
        known: String,
    },
    /// A value of the wrong type.
    #[error("{name}: invalid value {text:?}, expected {what}")]
    Value {
        /// The name of the condition.
        name: &'static str,
        /// The given value.
        text: String,
        /// The expected type.
        what: Expected,
    },
    /// An invalid tag pair.
    #[error("invalid tag pair {0:?}; expected NAME=VALUE")]
    Tag(String),
    /// An empty text where one is required.
    #[error("{0} must not be empty")]
    Empty(&'static str),
    /// An invalid result.
    #[error("invalid result {0:?}; use 1-0, 0-1, 1/2-1/2 or *")]
    Outcome(String),
    /// An invalid result for a filter.
    #[error("invalid result {0:?}; use 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost")]
    Result(String),
    /// `won` or `lost`, but the side is ambiguous.
    #[error("won and lost are relative to the player, or to the first side of the material: {0}")]
    WhoWon(UnclearWinner),
    /// An invalid pattern.
    #[error("invalid pattern {text:?}: {why}")]
    Pattern {
        /// The given text.
        text: String,
        /// The reason.
        why: PatternError,
    },
    /// Invalid material.
    #[error("invalid material {text:?}: {why}")]
    Material {
        /// The given text.
        text: String,
        /// The reason.
        why: MaterialError,
    },
    /// An unknown word.
    #[error("{what} {text:?}; use one of {known}")]
    Word {
        /// What the word stands for, and what is wrong with it.
        what: WordError,
        /// The given word.
        text: String,
        /// The accepted words.
        known: String,
    },
    /// A condition that requires another one.
    #[error(transparent)]
    Requires(#[from] Requirement),
    /// A condition of an import on what only stored games have.
    #[error("{0} refers to games that are already stored, and cannot be a condition of an import")]
    OfStoredGames(&'static str),
    /// Too many conditions.
    #[error("a search can have at most {MAX_CONDITIONS} patterns and materials")]
    Conditions,
    /// Too many names.
    #[error("a search can have at most {MOST_PATTERNS} names")]
    ManyNames,
    /// A game other than chess.
    #[error("{0} is not a variant of chess")]
    NotChess(String),
    /// A missing position.
    #[error("the position is missing")]
    NoPosition,
    /// An invalid FEN.
    #[error("invalid FEN {text:?}: {}", fen_problem(.error))]
    Fen {
        /// The given text.
        text: String,
        /// The reason.
        error: ParseFenError,
    },
    /// A text that is not a FEN, moves, a place in a game, or the name of an opening.
    #[error(
        "invalid position {text:?}; expected a FEN, GAME:PLY, the name of an opening, or moves from the start position"
    )]
    Moves {
        /// The given text.
        text: String,
        /// Why it cannot be parsed as moves.
        #[source]
        error: MoveListError,
    },
    /// An illegal move in a line.
    #[error("move {place} of the line, {text:?}, is illegal; write moves like e2e4,e7e5")]
    IllegalMove {
        /// The given move.
        text: String,
        /// Its number, starting at 1.
        place: usize,
    },
    /// A game that is too large for a JSON tree.
    #[error("game {0} has too many annotations for this format; request its PGN instead")]
    LargeGame(GameId),
    /// A line that is too long.
    #[error("a line can have at most {MAX_LINE_MOVES} moves")]
    LongLine,
    /// A position with castling rights that FEN cannot express.
    #[error("FEN cannot express these castling rights")]
    Castling,
    /// A FEN that is not a valid start position.
    #[error("{0:?} is not a valid start position")]
    Start(String),
    /// An invalid code, or an unknown codec.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// An unknown or ambiguous opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A position that no game can reach.
    #[error(transparent)]
    TargetPosition(#[from] TargetPositionError),
    /// A position that the search for a shortest game does not support.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl RequestError {
    /// An unknown word, and the accepted ones.
    pub(crate) fn word(
        what: WordError,
        text: &str,
        known: impl IntoIterator<Item = &'static str>,
    ) -> RequestError {
        RequestError::Word { what, text: text.to_owned(), known: listed(known) }
    }
}

/// A list of names, separated by commas.
pub(super) fn listed(names: impl IntoIterator<Item = &'static str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Why a code cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// An unknown codec.
    #[error("unknown {of} codec {name:?}; use one of {known}")]
    Codec {
        /// The given name.
        name: String,
        /// What the codec should encode.
        of: &'static str,
        /// The existing codecs.
        known: String,
    },
    /// A missing code.
    #[error("the code is missing")]
    Missing,
    /// An invalid code.
    #[error("invalid code {text:?}, expected {}", .format.texts())]
    Invalid {
        /// The given text.
        text: String,
        /// The expected notation.
        format: CodeFormat,
        /// The position of the invalid byte, if known.
        #[source]
        error: Option<data_encoding::DecodeError>,
    },
    /// An invalid number of plies after a code.
    #[error("invalid number of plies {text:?}")]
    Plies {
        /// The given text.
        text: String,
        /// The reason.
        #[source]
        error: ParseIntError,
    },
    /// Unexpected text after a code.
    #[error("unexpected {0:?} after the code")]
    After(String),
    /// A number that does not encode a position.
    #[error("this number does not encode a position in this encoding")]
    NoSuchNumber,
    /// A number that encodes several positions.
    #[error(
        "this number is ambiguous: it encodes a position with {first} bits and another one with {second} bits"
    )]
    SeveralNumbers {
        /// The number of bits of one.
        first: usize,
        /// The number of bits of another.
        second: usize,
    },
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PresentError {
    /// The request is invalid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The archive cannot be read, or has no such game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A stored game cannot be replayed, or has no such ply.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An encoding cannot represent the value.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A code is invalid in its encoding.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An invalid arrow or circle.
    #[error(
        "invalid shape `{0}`; an arrow is a colour (G, R, Y or B) and two squares, such as Ge2e4; a circle is a colour and one square, such as Rd5"
    )]
    Shape(String),
    /// An unknown theme.
    #[error("unknown theme {0:?}; use brown or print")]
    Theme(String),
    /// Not enough memory for an image.
    #[error("not enough memory for an image of this size")]
    Picture,
    /// The answer cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl From<CodeError> for PresentError {
    fn from(error: CodeError) -> PresentError {
        PresentError::Request(error.into())
    }
}

impl From<ExportError> for PresentError {
    fn from(error: ExportError) -> PresentError {
        match error {
            ExportError::Archive(error) => error.into(),
            ExportError::Game(error) => error.into(),
            ExportError::Write(error) => error.into(),
        }
    }
}
