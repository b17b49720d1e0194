//! Why a game cannot be edited as requested.

use crate::{
    archive::ArchiveError,
    chess::DateError,
    limits::{MAX_COMMENT_BYTES, MAX_TAG_BYTES},
    pgn::RejectReason,
    record::GameId,
};

/// Why an edit is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The main line is to become the main line.
    #[error("game {0}: this move belongs to the main line already")]
    OnMainLine(GameId),
    /// A variation that begins where there is no other move.
    #[error("game {0}: this variation is not an alternative to a move")]
    NoAlternative(GameId),
    /// A move with variations is to be deleted.
    #[error("game {0}: this move has variations; make one of them the main line or delete them first")]
    HasVariations(GameId),
    /// The edited game has no text that means it.
    #[error("game {0}: this cannot be written as PGN: it would not be read back as it is")]
    NotReadBack(GameId),
    /// A comment that is too long.
    #[error("the comment is longer than {MAX_COMMENT_BYTES} bytes")]
    LongComment,
    /// A comment with a closing brace.
    #[error("a comment must not contain }}, which ends it in PGN")]
    BraceInComment,
    /// A glyph before the first move.
    #[error("there is no move at ply 0; a glyph follows a move")]
    NoMove,
    /// An unknown glyph.
    #[error("{0:?} is not a glyph; write !, ?, !!, ??, !?, ?!, a sign such as +- or =, or $1 to $255")]
    Glyph(String),
    /// A variation of which the game has all moves.
    #[error("these moves are those of the game; a variation must differ from them")]
    SameMoves,
    /// A variation that continues the game.
    #[error("the game ends here; a variation must be an alternative to one of its moves")]
    AfterEnd,
    /// A variation with comments on moves that it does not begin with.
    #[error("a variation cannot begin with comments on moves of the game")]
    CommentOnGame,
    /// A variation that is not PGN.
    #[error("the variation cannot be read: {0}")]
    Variation(RejectReason),
    /// A text that is not PGN.
    #[error("line {line}: {reason}")]
    Text {
        /// The 1-based line.
        line: usize,
        /// What is wrong there.
        reason: RejectReason,
    },
    /// A text with a variation that cannot be played.
    #[error("line {line}: this variation cannot be played: {reason}")]
    BrokenVariation {
        /// The 1-based line.
        line: usize,
        /// What is wrong there.
        reason: Box<RejectReason>,
    },
    /// A text without a game.
    #[error("the text has no game")]
    NoGame,
    /// A text with several games.
    #[error("the text has more than one game; several are added by an import")]
    SeveralGames,
    /// A text that is not a tag pair.
    #[error("write a tag as Name=Value; Name= deletes it")]
    TagPair,
    /// An invalid name of a tag.
    #[error("{0:?} is not the name of a tag: letters, digits and _ are allowed")]
    TagName(String),
    /// A value that is too long.
    #[error("the value of {0} is longer than {MAX_TAG_BYTES} bytes")]
    LongValue(String),
    /// A value with a control character.
    #[error("the value of {0} contains a control character, such as a line break")]
    Control(String),
    /// An invalid result.
    #[error("a Result must be 1-0, 0-1, 1/2-1/2 or *")]
    Result,
    /// An invalid rating.
    #[error("a rating is a number such as 2705")]
    Rating,
    /// A date that is not clear.
    #[error(transparent)]
    Date(#[from] DateError),
}

impl From<EditError> for ArchiveError {
    fn from(error: EditError) -> ArchiveError {
        ArchiveError::Edit(error.into())
    }
}
