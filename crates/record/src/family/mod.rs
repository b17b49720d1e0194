//! Families of games: chess with its variants, and games with a board and pieces of their own.
//!
//! What a stored game of another family needs is behind one trait: a family is one file here and one line in
//! [`FAMILIES`]; its kinds of games stand in [`GameKind`].

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

    /// The kind with a name, with the spellings in use.
    fn kind_of(&self, name: &str) -> Option<GameKind>;

    /// The name of the format that its games are written in, if that is not PGN.
    fn record_format(&self) -> Option<&'static str> {
        None
    }

    /// Whether its games can be written as PGN.
    fn has_pgn(&self) -> bool {
        self.record_format().is_none()
    }

    /// The name of the column that a tag's value may stand in: the tag's own, unless the family writes it otherwise.
    fn column<'a>(&self, tag: &'a str) -> &'a str {
        tag
    }

    /// Whether a tag pair before this one has the same column.
    fn is_repeated(&self, tags: &Tags, place: usize, name: &str) -> bool {
        tags.place_of(name) != Some(place)
    }

    /// The number of half-moves that a place in a game means; `None` if the game has no such ply.
    ///
    /// # Errors
    /// The game is damaged.
    fn resolve(&self, game: &StoredGame, ply: Ply) -> Result<Option<usize>, GameError>;

    /// The fingerprint of a game as it is decoded, and its plies.
    ///
    /// # Errors
    /// The game is damaged.
    fn replay_fingerprint(&self, game: &StoredGame) -> Result<(u64, usize), GameError>;

    /// The names of the encodings that its games are compared in, the one that can store them first.
    fn codecs(&self) -> Vec<&'static str>;

    /// The bits of a game in some of these encodings; `None` where one of them cannot hold it.
    ///
    /// # Errors
    /// The game is damaged.
    fn bits(&self, game: &StoredGame, codecs: &[&str]) -> Result<Vec<Option<u64>>, GameError>;

    /// Appends a game as text, with a blank line behind it: as PGN, or as the family writes its records.
    ///
    /// # Errors
    /// The game is damaged.
    #[cfg(feature = "pgn")]
    fn write(&self, game: &StoredGame, options: &TextOptions, out: &mut String) -> Result<(), GameError>;
}

/// What of a game of chess is written as PGN. Records of other games are written whole.
#[cfg(feature = "pgn")]
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Which tag pairs.
    pub order: TagOrder,
    /// The moves and annotations up to this ply; the whole game if that is shorter.
    pub to_ply: Option<Ply>,
    /// After each move of the mainline the FEN of the position, as a comment.
    pub fen_comments: bool,
}

/// Every family.
pub static FAMILIES: [&dyn Family; 2] = [&ChessFamily, &XeltoFamily];
