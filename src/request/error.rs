//! What is wrong with a request.

use shakmaty::{Color, fen::ParseFenError};

use crate::{
    archive::FilterError,
    limits::{MAX_CONDITIONS, MAX_LINE_MOVES},
    name_pattern::MOST_PATTERNS,
    openings::OpeningError,
    proofgame::TargetError,
    query::SoughtError,
    record::{GameId, PlyError},
};

/// Why a request cannot be understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No range of a filter.
    #[error(transparent)]
    Range(#[from] FilterError),
    /// No place in a game.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// A name for a side, and a player said to have that side.
    #[error("the player has {}, and {} has a name of its own", .0, .0)]
    TwoNames(Color),
    /// No colour.
    #[error("{0:?} is no colour; write white or black")]
    Colour(String),
    /// There is no condition with this name.
    #[error("unknown field `{name}`, expected one of {known}")]
    NoCondition {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A value of another kind than the condition has.
    #[error("{name}: {text:?} is no {what}")]
    Value {
        /// The name of the condition.
        name: &'static str,
        /// What was given.
        text: String,
        /// What it should be.
        what: &'static str,
    },
    /// No tag pair.
    #[error("{0:?} is no tag pair; write it like NAME=VALUE")]
    Tag(String),
    /// A text that is empty and must not be.
    #[error("{0} needs a text")]
    Empty(&'static str),
    /// Nothing to sort by.
    #[error("{text:?} is nothing to sort by; there are {known}")]
    Sort {
        /// What was asked for.
        text: String,
        /// What there is.
        known: String,
    },
    /// No result.
    #[error("{0:?} is no result; write 1-0, 0-1, 1/2-1/2 or *")]
    Outcome(String),
    /// No result that games can be filtered by.
    #[error("{0:?} is not a valid result; write 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost")]
    Result(String),
    /// Won or lost, and it is not clear by whom.
    #[error("won and lost are relative to the player, or to the first side of the material: {0}")]
    WhoWon(&'static str),
    /// No pattern.
    #[error("{text:?} is no pattern: {why}")]
    Pattern {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// No material.
    #[error("{text:?} is no material: {why}")]
    Material {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A word that means nothing here.
    #[error("{text:?} is no {what}; there are {known}")]
    Word {
        /// What it should be.
        what: &'static str,
        /// What was asked for.
        text: String,
        /// What there is.
        known: String,
    },
    /// A condition about another one that is missing.
    #[error("{0} needs {1}")]
    Unused(&'static str, &'static str),
    /// Too much at a time.
    #[error("at most {MAX_CONDITIONS} patterns and materials are searched for at a time")]
    Conditions,
    /// Too many names.
    #[error("at most {MOST_PATTERNS} names are looked for at a time")]
    ManyNames,
    /// No speed.
    #[error("{text:?} is no speed; there are {known}")]
    Speed {
        /// What was asked for.
        text: String,
        /// What there is.
        known: String,
    },
    /// No game that plybook knows.
    #[error("{text:?} is no variant plybook knows; it knows {known}")]
    Kind {
        /// What was asked for.
        text: String,
        /// What there is.
        known: String,
    },
    /// Another game than chess.
    #[error("{0} is no variant of chess")]
    NotChess(String),
    /// No codec of this kind.
    #[error("{name:?} is no {of} codec; there are {known}")]
    Codec {
        /// What was asked for.
        name: String,
        /// What it should encode.
        of: &'static str,
        /// What there is.
        known: String,
    },
    /// Nothing where a position should be.
    #[error("there is no position")]
    NoPosition,
    /// No FEN.
    #[error("{text:?} is no FEN")]
    Fen {
        /// What was given.
        text: String,
        /// What is wrong with it.
        #[source]
        error: ParseFenError,
    },
    /// No FEN, no moves, no place in a game and no opening.
    #[error("{text:?} is no position: no FEN, no GAME:PLY, no opening's name, and no moves from the start")]
    Moves {
        /// What was given.
        text: String,
        /// What is wrong with it as moves.
        #[source]
        error: Cause,
    },
    /// A move of a line that cannot be played.
    #[error("move {place} of the line, {text:?}, cannot be played there; write moves like e2e4,e7e5")]
    IllegalMove {
        /// What was given.
        text: String,
        /// Which it is, from 1 on.
        place: usize,
    },
    /// A game of which there is too much to be given as a tree.
    #[error("there is more in game {0} than is given in this form; ask for its PGN")]
    LargeGame(GameId),
    /// A line that is too long.
    #[error("a line has at most {MAX_LINE_MOVES} moves")]
    LongLine,
    /// A position whose castling rights FEN has no letters for.
    #[error("FEN cannot say these castling rights")]
    Castling,
    /// Nothing where a code should be.
    #[error("there is no code")]
    NoCode,
    /// No code of this format.
    #[error("{text:?} is no {what}")]
    Code {
        /// What was given.
        text: String,
        /// What it should be.
        what: &'static str,
        /// Which byte is wrong, where that is known.
        #[source]
        error: Option<Cause>,
    },
    /// Not the number of plies that should follow a code.
    #[error("{text:?} is no number of plies")]
    Plies {
        /// What was given.
        text: String,
        /// What is wrong with it.
        #[source]
        error: Cause,
    },
    /// Something after a code.
    #[error("{0:?} follows after the code")]
    AfterCode(String),
    /// A FEN from which nobody can play.
    #[error("{0:?} is no position to play from")]
    Start(String),
    /// No position has this number.
    #[error("no position of this encoding has this number")]
    NoSuchNumber,
    /// Several positions have this number.
    #[error("this number fits {first} and {second} bits")]
    SeveralNumbers {
        /// The bits of one.
        first: usize,
        /// The bits of another.
        second: usize,
    },
    /// No opening, or several.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A position that no game reaches.
    #[error(transparent)]
    Sought(#[from] SoughtError),
    /// A position that cannot be searched for.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// The error of another layer.
type Cause = Box<dyn std::error::Error + Send + Sync>;
