//! The reasons of errors in a request.

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is empty.
    #[error("it is empty")]
    Empty,
    /// The second word is not a side.
    #[error("the side to move must be w or b")]
    Turn,
    /// Too few or too many ranks.
    #[error("expected 8 ranks separated by /")]
    Ranks,
    /// A rank that can never have 8 squares.
    #[error("each rank must have 8 squares")]
    Squares,
    /// A rank with too many layouts.
    #[error("a rank matches too many layouts; use fewer *")]
    Layouts,
    /// A rank that is too long.
    #[error("a rank has more than 8 squares")]
    LongRank,
    /// Nothing in brackets.
    #[error("empty brackets")]
    EmptyBrackets,
    /// Brackets without an end.
    #[error("missing closing bracket")]
    OpenBracket,
    /// A letter that is not a piece.
    #[error("unknown piece; use PNBRQK for White and pnbrqk for Black")]
    Piece,
}

/// Why a text is not material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// One side, or more than two.
    #[error("expected two sides separated by a space, for example 'KRPPP KRPP'")]
    Sides,
    /// Both sides have the same prefix.
    #[error("both sides have the same colour")]
    SameColour,
    /// An unknown prefix.
    #[error("a colour must be w: or b:")]
    Colour,
    /// A letter that is not a piece.
    #[error("unknown piece; use K, Q, R, B, N and P")]
    Piece,
    /// More pieces than a side can have.
    #[error("too many pieces")]
    TooMany,
    /// Several kings.
    #[error("a side can have only one king")]
    Kings,
    /// An invalid range.
    #[error("braces must contain one or two numbers, for example P{{2}} or P{{0,8}}")]
    Braces,
    /// A range that ends before it begins.
    #[error("the first number in braces is larger than the second")]
    Backward,
}

/// A condition without the one that it requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Requirement {
    /// A number of plies, without a position that lasts for it.
    #[error("min-plies requires material or a pattern")]
    MinPlies,
    /// Other files, without a pattern.
    #[error("any-file requires a pattern: pattern, then or not-pattern")]
    AnyFile,
    /// A later pattern, without an earlier position.
    #[error("then requires material or a pattern before it")]
    Then,
    /// A distance between patterns, without a later one for each.
    #[error("within requires then; give within once, or once per then")]
    Within,
    /// Facts that only games of chess have.
    #[error(
        "a search for castling, en passant or how games end requires games of standard chess or Chess960"
    )]
    Chess,
}

/// Why it is not clear who won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnclearWinner {
    /// Nobody is named.
    #[error("give one of these, or use 1-0 or 0-1")]
    Nobody,
    /// Each side has a name.
    #[error("both players are named, so use 1-0 or 0-1")]
    BothPlayers,
    /// A player and material.
    #[error("both are given, so omit one, or use 1-0 or 0-1")]
    PlayerAndMaterial,
}

/// The expected type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Expected {
    /// A number.
    #[error("a number")]
    Number,
    /// A switch.
    #[error("yes or no")]
    YesOrNo,
}

/// What an unknown word stands for, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// A side on which to castle.
    #[error("invalid value for castling")]
    Castling,
    /// How a game ends.
    #[error("invalid ending")]
    Ending,
    /// A piece.
    #[error("invalid promotion")]
    Promotion,
    /// A speed.
    #[error("invalid speed")]
    Speed,
    /// A field to sort by.
    #[error("cannot sort by")]
    Sort,
    /// A variant of chess, or another game.
    #[error("unknown variant")]
    Variant,
}
