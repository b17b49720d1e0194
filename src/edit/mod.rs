//! Editing games: their tag pairs, comments, glyphs and variations, or their whole text. A game is edited as PGN and read
//! again, so that an edited game is the same as an imported one.

mod annotations;
mod error;
mod lines;
mod same_games;
mod sentence;
mod tag_edit;
mod text;

/// The name of the source of games that were added one by one.
pub const ADDED: &str = "added";

pub(crate) use annotations::{is_glyph, replaced};
pub use annotations::{parse_glyph, with_comment, with_glyphs, with_variation};
pub use error::EditError;
pub use lines::{annotations_at, with_comment_at, with_glyphs_at, with_main_line, without_end};
pub use same_games::{Keep, KeptGame, SameGames};
pub use sentence::{ChangeSentence, name_of};
pub use tag_edit::TagEdit;
pub use text::{
    ShownGames, broken_variation, check_shown, check_unchanged, command_line, encoded, fingerprint, game_of,
    game_read_with, not_understood, record_of, shown_now, text_of,
};
