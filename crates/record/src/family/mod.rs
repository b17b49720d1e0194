//! Families of games: chess with its variants, and games with their own board and pieces.

#[cfg(feature = "pgn")]
mod chess_pgn;
mod xelto;
mod xelto_tags;

pub use xelto::xelto_fingerprint;

use shakmaty::Chess;

use super::{GameError, Ply, StoredGame};
use plybook_chess::{
    chess::Tags,
    codec::game::{self, GAME_CODECS},
};
#[cfg(feature = "pgn")]
use plybook_pgn::TagOrder;
use plybook_xelto::codec::{self as xelto_codec, XELTO_CODECS};

/// A family of games: what is stored, measured and written in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Chess and its variants.
    Chess,
    /// Xelto.
    Xelto,
}

impl Family {
    /// The name of the game.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Chess => "chess",
            Family::Xelto => "Xelto",
        }
    }

    /// The name of the format of its games, if that is not PGN.
    pub const fn record_format(self) -> Option<&'static str> {
        match self {
            Family::Chess => None,
            Family::Xelto => Some("xelto"),
        }
    }

    /// Whether its games can be written as PGN.
    pub const fn has_pgn(self) -> bool {
        self.record_format().is_none()
    }

    /// The column that may store a tag's value: the tag's own name, unless the family uses another one.
    pub(super) fn column(self, tag: &str) -> &str {
        match self {
            Family::Chess => tag,
            Family::Xelto => xelto_tags::column(tag),
        }
    }

    /// Whether another tag pair of the same column counts instead: in chess a later one, in Xelto an earlier one.
    pub(super) fn is_repeated(self, tags: &Tags, place: usize, name: &str) -> bool {
        match self {
            Family::Chess => tags.is_repeating() && tags.place_of(name) != Some(place),
            Family::Xelto => {
                tags.iter().take(place).any(|(other, _)| self.column(other) == self.column(name))
            }
        }
    }

    /// The value of a column: that of the tag pair which counts.
    pub(super) fn value<'a>(self, tags: &'a Tags, column: &str) -> Option<&'a str> {
        match self {
            Family::Chess => tags.get(column),
            Family::Xelto => {
                tags.iter().find(|(name, _)| self.column(name) == column).map(|(_, value)| value)
            }
        }
    }

    /// The number of half-moves up to a ply; `None` if the game has no such ply.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn resolve(self, game: &StoredGame, ply: Ply) -> Result<Option<usize>, GameError> {
        Ok(match self {
            Family::Chess => ply.resolve(&game.start()?, game.plies),
            // The sides alternate from the same first move on.
            Family::Xelto => ply.resolve(&Chess::new(), game.plies),
        })
    }

    /// The names of the encodings in which its games are compared; the first one can store them.
    pub fn codecs(self) -> Vec<&'static str> {
        match self {
            Family::Chess => GAME_CODECS.iter().map(|codec| codec.name).collect(),
            Family::Xelto => XELTO_CODECS.iter().map(|codec| codec.name).collect(),
        }
    }

    /// The bits of a game in some of these encodings; `None` for an encoding that cannot represent it.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn bits(self, game: &StoredGame, codecs: &[&str]) -> Result<Vec<Option<u64>>, GameError> {
        Ok(match self {
            Family::Chess => {
                let known: Vec<_> = codecs.iter().filter_map(|name| game::by_name(name)).collect();
                let codes = game::encode_all(&game.line()?, &known);
                codes.into_iter().map(|code| Some(code.ok()?.bits.len() as u64)).collect()
            }
            Family::Xelto => {
                let moves = xelto_codec::game_moves(&game.xelto()?);
                codecs.iter().map(|name| (xelto_codec::by_name(name)?.bits)(&moves).ok()).collect()
            }
        })
    }

    /// Appends a game as text, followed by a blank line: as PGN, or in the family's own format.
    ///
    /// # Errors
    /// The game is damaged.
    #[cfg(feature = "pgn")]
    pub fn write(self, game: &StoredGame, options: &TextOptions, out: &mut String) -> Result<(), GameError> {
        match self {
            Family::Chess => chess_pgn::write(game, options, out)?,
            Family::Xelto => out.push_str(&format!("{}\n", game.xelto()?)),
        }
        Ok(())
    }
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
