//! Why and where a game could not be read. The bytes of a rejected game are kept.

use std::fmt;

use plybook_chess::chess::{DateError, Position};

use super::{
    lenient_san::looks_like_move, lexer::move_number, piece_letters::PieceLetters, warning::Warning,
};

/// A location in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// 1-based number of the game in its source.
    pub game: u64,
    /// 1-based line; 0 if the source is not text.
    pub line: u64,
    /// 0-based byte offset in the decompressed source. If the source is not text, 0 may mean that there is none.
    pub byte: u64,
    /// The extension of the file of a database that the byte is in; empty if the source is a single file.
    pub file: &'static str,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { game, line, byte, file } = self;
        match (line, byte, *file) {
            (0, 0, "") => write!(f, "game {game}"),
            (0, _, "") => write!(f, "game {game}, byte {byte}"),
            (0, _, file) => write!(f, "game {game}, byte {byte} of the .{file} file"),
            _ => write!(f, "game {game}, line {line}, byte {byte}"),
        }
    }
}

/// A word where a move is expected. It is written with its move number, so that it is found in the text: `7...Bxc6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveWord {
    /// Plies from the usual start position, as the start position of the game numbers its moves.
    plies: usize,
    word: String,
}

impl MoveWord {
    /// A word for the next move in a position.
    pub fn new(position: &impl Position, word: impl Into<String>) -> MoveWord {
        let moves = usize::try_from(position.fullmoves().get()).unwrap_or(1) - 1;
        let plies = moves.saturating_mul(2).saturating_add(usize::from(position.turn().is_black()));
        MoveWord { plies, word: word.into() }
    }
}

impl fmt::Display for MoveWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.plies.is_multiple_of(2) { "." } else { "..." };
        write!(f, "{}{dots}{}", move_number(self.plies), self.word)
    }
}

/// Why a game cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// A word of the movetext that is not a move, number, result or annotation.
    #[error("{0} is not a move")]
    UnknownWord(MoveWord),
    /// A move that matches no legal move.
    #[error("{0} is not a legal move")]
    IllegalMove(MoveWord),
    /// A move that matches several legal moves.
    #[error("{0} matches several legal moves")]
    AmbiguousMove(MoveWord),
    /// A drop in a variant without drops.
    #[error("{0} drops a piece, which this variant does not allow")]
    Drop(MoveWord),
    /// A null move where it is not allowed.
    #[error("{0} is a null move, but the side to move is in check or cannot move")]
    NullMove(MoveWord),
    /// Why a variation cannot be played. It does not reject a game.
    #[error("a variation is kept as a comment: {0}")]
    InVariation(Box<RejectReason>),
    /// What is not clear about a typed date. It does not reject a game.
    #[error("the date is kept as text: {0}")]
    UnclearDate(DateError),
    /// A comment without a closing brace.
    #[error("the comment has no closing brace")]
    UnclosedComment,
    /// A variation without a closing parenthesis, or a stray parenthesis.
    #[error("the parentheses of the variations are not balanced")]
    UnmatchedParenthesis,
    /// A token with no known meaning.
    #[error("the movetext contains something that is neither a move nor an annotation")]
    Unaccounted,
    /// A malformed tag pair.
    #[error("malformed tag pair {0:?}")]
    BadTag(String),
    /// A FEN tag with an invalid value.
    #[error("invalid FEN {0:?}")]
    BadFen(String),
    /// A FEN tag whose position breaks the rules, and what is wrong with it.
    #[error("cannot start from {0:?}: {1}")]
    ImpossiblePosition(String, String),
    /// A start position with more legal moves than chess allows.
    #[error("the start position has more than {} legal moves", plybook_chess::limits::MAX_LEGAL_MOVES)]
    TooManyMoves,
    /// A variant that plybook does not support.
    #[error("the variant {0:?} is not supported")]
    UnknownVariant(String),
    /// An unreadable record of a game: the 1-based ply that was being read or was expected, and what is wrong.
    #[error("ply {0}: {1}")]
    BadRecord(usize, String),
    /// Bytes of a database that have no meaning, and what is wrong.
    #[error("{0}")]
    BadData(String),
    /// A record of a game other than chess that is not UTF-8.
    #[error("the record is not UTF-8")]
    NotUtf8,
    /// Neither tag pairs nor moves.
    #[error("not a PGN game: it has neither tag pairs nor moves")]
    NotPgn,
    /// More bytes than [`plybook_chess::limits::MAX_GAME_BYTES`].
    #[error("the game is larger than {} bytes", plybook_chess::limits::MAX_GAME_BYTES)]
    TooLarge,
    /// More than [`plybook_chess::limits::MAX_GAMES_TOGETHER`] games without tag pairs on one line.
    #[error(
        "more than {} games without tag pairs on one line; put each game on its own line",
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
    #[error("a variation appears before the first move")]
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
    /// Something had to be repaired, and strict reading was requested.
    #[error("strict mode rejects {}", .0.text())]
    NeedsRepair(Warning),
    /// The game has something that an archive cannot store.
    #[error("the game cannot be stored: {0}")]
    Unstorable(String),
    /// The game in the archive is damaged.
    #[error("this game is damaged in the archive: {0}")]
    Unsound(String),
    /// A bug in plybook that is kept from affecting other games.
    #[error("plybook crashed on this game; please report this bug")]
    Panic,
}

impl RejectReason {
    /// Whether a word that is not a move has the form of one in another language.
    pub fn has_foreign_letters(&self) -> bool {
        matches!(self, RejectReason::UnknownWord(at) if looks_like_move(&at.word, PieceLetters::Auto))
    }

    /// The word that cannot be read as a move, or not be played.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            RejectReason::UnknownWord(at)
            | RejectReason::IllegalMove(at)
            | RejectReason::AmbiguousMove(at)
            | RejectReason::Drop(at)
            | RejectReason::NullMove(at) => Some(&at.word),
            _ => None,
        }
    }

    /// Whether the word after a number of plies could not be read as a move.
    pub(super) fn is_of_word(&self, plies: usize) -> bool {
        matches!(self, RejectReason::UnknownWord(at) | RejectReason::IllegalMove(at) if at.plies == plies)
    }

    /// A malformed tag pair.
    pub(super) fn bad_tag(pair: &str) -> RejectReason {
        RejectReason::BadTag(pair.chars().take(80).collect())
    }

    /// The key in machine-readable reports; one per kind.
    pub fn key(&self) -> &'static str {
        match self {
            RejectReason::UnknownWord(..) => "unknown_word",
            RejectReason::IllegalMove(..) => "illegal_move",
            RejectReason::AmbiguousMove(..) => "ambiguous_move",
            RejectReason::Drop(..) => "drop",
            RejectReason::NullMove(..) => "null_move",
            RejectReason::UnclearDate(_) => "unclear_date",
            RejectReason::UnclosedComment => "unclosed_comment",
            RejectReason::UnmatchedParenthesis => "unmatched_parenthesis",
            RejectReason::Unaccounted => "unaccounted",
            RejectReason::BadTag(_) => "bad_tag",
            RejectReason::BadFen(_) => "bad_fen",
            RejectReason::ImpossiblePosition(..) => "impossible_position",
            RejectReason::TooManyMoves => "too_many_moves",
            RejectReason::UnknownVariant(_) => "unknown_variant",
            RejectReason::BadRecord(..) => "bad_record",
            RejectReason::BadData(_) => "bad_data",
            RejectReason::InVariation(reason) => reason.key(),
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

/// A game that could not be read, and where the problem is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Reject {
    /// What is wrong.
    pub reason: RejectReason,
    /// Byte offset of the problem within the game's own text.
    pub at: usize,
}
