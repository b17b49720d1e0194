//! Families of games: chess with its variants, and games with their own board and pieces.
//!
//! One trait covers what a stored game of another family needs: a family is one file here and one line in [`FAMILIES`];
//! its kinds of games are in [`GameKind`].

mod chess;
#[cfg(feature = "pgn")]
mod chess_pgn;
mod xelto;
mod xelto_tags;

pub(super) use chess::ChessFamily;
pub(super) use xelto::XeltoFamily;
pub use xelto::xelto_fingerprint;

use super::{GameError, GameKind, Ply, StoredGame};
use plybook_chess::chess::Tags;
#[cfg(feature = "pgn")]
use plybook_pgn::TagOrder;

/// A family of games.
pub trait Family: std::fmt::Debug + Sync {
    /// The name of the game.
    fn name(&self) -> &'static str;

    /// Its kinds, in the order of their stored numbers.
    fn kinds(&self) -> Vec<GameKind>;

    /// The kind with a name, including alternative spellings.
    fn kind_of(&self, name: &str) -> Option<GameKind>;

    /// The name of the format of its games, if that is not PGN.
    fn record_format(&self) -> Option<&'static str> {
        None
    }

    /// Whether its games can be written as PGN.
    fn has_pgn(&self) -> bool {
        self.record_format().is_none()
    }

    /// The column that may store a tag's value: the tag's own name, unless the family uses another one.
    fn column<'a>(&self, tag: &'a str) -> &'a str {
        tag
    }

    /// Whether an earlier tag pair has the same column.
    fn is_repeated(&self, tags: &Tags, place: usize, name: &str) -> bool {
        tags.place_of(name) != Some(place)
    }

    /// The number of half-moves up to a ply; `None` if the game has no such ply.
    ///
    /// # Errors
    /// The game is damaged.
    fn resolve(&self, game: &StoredGame, ply: Ply) -> Result<Option<usize>, GameError>;

    /// The fingerprint of the decoded game, and its number of plies.
    ///
    /// # Errors
    /// The game is damaged.
    fn replay_fingerprint(&self, game: &StoredGame) -> Result<(u64, usize), GameError>;

    /// The names of the encodings in which its games are compared; the first one can store them.
    fn codecs(&self) -> Vec<&'static str>;

    /// The bits of a game in some of these encodings; `None` for an encoding that cannot represent it.
    ///
    /// # Errors
    /// The game is damaged.
    fn bits(&self, game: &StoredGame, codecs: &[&str]) -> Result<Vec<Option<u64>>, GameError>;

    /// Appends a game as text, followed by a blank line: as PGN, or in the family's own format.
    ///
    /// # Errors
    /// The game is damaged.
    #[cfg(feature = "pgn")]
    fn write(&self, game: &StoredGame, options: &TextOptions, out: &mut String) -> Result<(), GameError>;
}

/// What to write of a game of chess as PGN. Records of other games are always written completely.
#[cfg(feature = "pgn")]
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Which tag pairs.
    pub order: TagOrder,
    /// The moves and annotations up to this ply; all of them if the game is shorter.
    pub to_ply: Option<Ply>,
    /// Adds the FEN after each move of the mainline as a comment.
    pub fen_comments: bool,
}

/// Every family.
pub static FAMILIES: [&dyn Family; 2] = [&ChessFamily, &XeltoFamily];
