//! Why and where a game could not be read. A rejected game keeps its bytes.

use std::fmt;

use super::warning::Warning;

/// Where something stands in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// 1-based number of the game in its source.
    pub game: u64,
    /// 1-based line.
    pub line: u64,
    /// 0-based byte, counted in the unpacked source.
    pub byte: u64,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, byte {}", self.game, self.line, self.byte)
    }
}

/// Why a game cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// A word of the movetext that is no move, number, result or annotation.
    #[error("ply {ply}: {word:?} is no move")]
    UnknownWord {
        /// The 1-based ply that was expected.
        ply: usize,
        /// The word.
        word: String,
    },
    /// A move that no legal move fits.
    #[error("ply {ply}: {word:?} is not legal here")]
    IllegalMove {
        /// The 1-based ply.
        ply: usize,
        /// The move as written.
        word: String,
    },
    /// A move that several legal moves fit.
    #[error("ply {ply}: {word:?} could be several moves")]
    AmbiguousMove {
        /// The 1-based ply.
        ply: usize,
        /// The move as written.
        word: String,
    },
    /// A drop in a game that has none.
    #[error(
        "ply {ply}: {word:?} drops a piece, which this variant does not allow; a game of crazyhouse needs its \
         Variant tag, or the variant given (--variant crazyhouse)"
    )]
    Drop {
        /// The 1-based ply.
        ply: usize,
        /// The move as written.
        word: String,
    },
    /// A null move where none can be.
    #[error("ply {ply}: {word:?} is a null move, but the side to move is in check or cannot move")]
    NullMove {
        /// The 1-based ply.
        ply: usize,
        /// The move as written.
        word: String,
    },
    /// A comment without its closing brace.
    #[error("the comment has no closing brace")]
    UnclosedComment,
    /// A variation without its closing parenthesis, or the other way round.
    #[error("the parentheses of the variations do not match")]
    UnmatchedParenthesis,
    /// A token whose meaning could not be found.
    #[error("not every token of the movetext could be accounted for")]
    Unaccounted,
    /// A tag pair that cannot be read.
    #[error("the tag pair {0:?} cannot be read")]
    BadTag(String),
    /// A FEN tag that is no FEN.
    #[error("the FEN {0:?} cannot be read")]
    BadFen(String),
    /// A FEN tag whose position breaks the rules.
    #[error("the position {fen:?} is not possible: {why}")]
    ImpossiblePosition {
        /// The FEN.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// A start position with more legal moves than lawful chess can have.
    #[error("the start position has more than {} legal moves", plybook_chess::limits::MAX_LEGAL_MOVES)]
    TooManyMoves,
    /// A variant plybook does not know.
    #[error("the variant {0:?} is not supported")]
    UnknownVariant(String),
    /// A record of a game other than chess that cannot be read.
    #[error("ply {ply}: {problem}")]
    BadRecord {
        /// The 1-based ply that was being read, or was due.
        ply: usize,
        /// What is wrong.
        problem: String,
    },
    /// Such a record that is not UTF-8.
    #[error("the record is not UTF-8")]
    NotUtf8,
    /// Neither tag pairs nor moves.
    #[error("this is no PGN: neither tag pairs nor moves")]
    NotPgn,
    /// More bytes than [`plybook_chess::limits::MAX_GAME_BYTES`].
    #[error("the game is larger than {} bytes", plybook_chess::limits::MAX_GAME_BYTES)]
    TooLarge,
    /// More than [`plybook_chess::limits::MAX_GAMES_TOGETHER`] games without tag pairs on one line.
    #[error(
        "more than {} games without tag pairs stand on one line; give each a line",
        plybook_chess::limits::MAX_GAMES_TOGETHER
    )]
    TooManyTogether,
    /// More plies than [`plybook_chess::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", plybook_chess::limits::MAX_PLIES)]
    TooLong,
    /// More tag pairs than [`plybook_chess::limits::MAX_TAGS`].
    #[error("the game has more than {} tag pairs", plybook_chess::limits::MAX_TAGS)]
    TooManyTags,
    /// A variation before the first move.
    #[error("a variation stands where no move is before it")]
    NoMoveToVary,
    /// A comment larger than [`plybook_chess::limits::MAX_COMMENT_BYTES`].
    #[error("a comment is larger than {} bytes", plybook_chess::limits::MAX_COMMENT_BYTES)]
    CommentTooLarge,
    /// Variations nested deeper than [`plybook_chess::limits::MAX_VARIATION_DEPTH`].
    #[error("the variations are nested deeper than {} levels", plybook_chess::limits::MAX_VARIATION_DEPTH)]
    TooDeep,
    /// More annotations than [`plybook_chess::limits::MAX_ANNOTATIONS`].
    #[error("the game has more than {} annotations", plybook_chess::limits::MAX_ANNOTATIONS)]
    TooManyAnnotations,
    /// Something had to be repaired, and strict reading was asked for.
    #[error("strict reading refuses {}", .0.text())]
    NeedsRepair(Warning),
    /// Something of it that an archive cannot hold.
    #[error("the game cannot be stored: {0}")]
    Unstorable(String),
    /// A game of an archive that is not as it was stored.
    #[error("the game is damaged in its archive: {0}")]
    Unsound(String),
    /// The program failed on this game: a bug, kept from harming other games.
    #[error("plybook failed on this game (a bug worth reporting)")]
    Panic,
}

impl RejectReason {
    /// Whether a word at a ply could not be read as a move.
    pub(super) fn is_of_word(&self, at: usize) -> bool {
        matches!(self, RejectReason::UnknownWord { ply, .. } | RejectReason::IllegalMove { ply, .. } if *ply == at)
    }

    /// A tag pair that cannot be read.
    pub(super) fn bad_tag(pair: &str) -> RejectReason {
        RejectReason::BadTag(pair.chars().take(80).collect())
    }

    /// The key in machine-readable reports: one a kind.
    pub const fn key(&self) -> &'static str {
        match self {
            RejectReason::UnknownWord { .. } => "unknown_word",
            RejectReason::IllegalMove { .. } => "illegal_move",
            RejectReason::AmbiguousMove { .. } => "ambiguous_move",
            RejectReason::Drop { .. } => "drop",
            RejectReason::NullMove { .. } => "null_move",
            RejectReason::UnclosedComment => "unclosed_comment",
            RejectReason::UnmatchedParenthesis => "unmatched_parenthesis",
            RejectReason::Unaccounted => "unaccounted",
            RejectReason::BadTag(_) => "bad_tag",
            RejectReason::BadFen(_) => "bad_fen",
            RejectReason::ImpossiblePosition { .. } => "impossible_position",
            RejectReason::TooManyMoves => "too_many_moves",
            RejectReason::UnknownVariant(_) => "unknown_variant",
            RejectReason::BadRecord { .. } => "bad_record",
            RejectReason::NotUtf8 => "not_utf8",
            RejectReason::NotPgn => "not_pgn",
            RejectReason::TooLarge => "too_large",
            RejectReason::TooManyTogether => "too_many_together",
            RejectReason::TooLong => "too_long",
            RejectReason::TooManyTags => "too_many_tags",
            RejectReason::NoMoveToVary => "no_move_to_vary",
            RejectReason::CommentTooLarge => "comment_too_large",
            RejectReason::TooDeep => "too_deep",
            RejectReason::TooManyAnnotations => "too_many_annotations",
            RejectReason::NeedsRepair(_) => "needs_repair",
            RejectReason::Unstorable(_) => "unstorable",
            RejectReason::Unsound(_) => "unsound",
            RejectReason::Panic => "panic",
        }
    }
}

/// A game that could not be read, and where the trouble is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Reject {
    /// What is wrong.
    pub reason: RejectReason,
    /// The byte of the game's own text at which it is wrong.
    pub at: usize,
}
