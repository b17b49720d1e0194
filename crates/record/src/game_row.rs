//! The columns of a stored game, and their conversion to a game.

use super::{
    GameId, GameKind, Round, StoredGame,
    columns::{TagColumns, result_of},
    read_tags::{StoredTags, read_tags},
};
use plybook_chess::codec::CodecId;

/// The columns of a game and of the rows it refers to, with names resolved. The archive reads them from SQLite; other
/// programs can use their own reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// `game.id`.
    pub id: GameId,
    /// `tag_layout.codec`.
    pub codec: i64,
    /// `tag_layout.variant`.
    pub variant: i64,
    /// `tag_layout.names`.
    pub names: String,
    /// `tag_layout.slots`.
    pub slots: String,
    /// `game.moves`.
    pub moves: Vec<u8>,
    /// `game.plies`.
    pub plies: i64,
    /// `game.result`.
    pub result: i64,
    /// `player.name` of `game.white`.
    pub white: Option<String>,
    /// `player.name` of `game.black`.
    pub black: Option<String>,
    /// `event.name`.
    pub event: Option<String>,
    /// `site.name`.
    pub site: Option<String>,
    /// `game.round`.
    pub round: Round,
    /// `section.date`.
    pub date: Option<i64>,
    /// `game.white_elo`.
    pub white_elo: Option<i64>,
    /// `game.black_elo`.
    pub black_elo: Option<i64>,
    /// `game.eco`.
    pub eco: Option<i64>,
    /// `section.tags`.
    pub section_tags: Option<String>,
    /// `game.tags`.
    pub tags: Option<String>,
    /// `annotation.marks`.
    pub marks: Option<Vec<u8>>,
}

/// Why a row is not a valid game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// A codec of a newer version, or an invalid one.
    #[error("its moves use codec {0}, which this version of plybook does not support")]
    UnknownCodec(i64),
    /// A variant of a newer version, or an invalid one.
    #[error("it has the variant number {0}, which this version of plybook does not support")]
    UnknownKind(i64),
    /// The number is not a valid date.
    #[error("its date is invalid")]
    Date,
    /// Names, slots and values do not match.
    #[error("its tags do not match their layout")]
    Tags,
}

impl GameRow {
    /// Converts the row to a game. `text` returns the text with an id in `tag_value`.
    ///
    /// # Errors
    /// The row is from a newer version, or damaged.
    pub fn into_game(self, text: impl Fn(i64) -> Option<String>) -> Result<StoredGame, RowError> {
        let codec = CodecId::from_number(self.codec).ok_or(RowError::UnknownCodec(self.codec))?;
        let kind = u8::try_from(self.variant).ok().and_then(GameKind::from_id);
        let kind = kind.ok_or(RowError::UnknownKind(self.variant))?;
        let result = result_of(self.result);
        let columns = TagColumns {
            kind,
            result,
            white: self.white,
            black: self.black,
            event: self.event,
            site: self.site,
            round: self.round.text(),
            date: self.date.map(u32::try_from).transpose().map_err(|_| RowError::Date)?,
            white_elo: self.white_elo,
            black_elo: self.black_elo,
            eco: self.eco,
        };
        let stored = StoredTags {
            names: &self.names,
            slots: &self.slots,
            common: self.section_tags.as_deref(),
            own: self.tags.as_deref(),
        };
        let tags = read_tags(&columns, &stored, text).ok_or(RowError::Tags)?;
        Ok(StoredGame {
            id: self.id,
            kind,
            codec,
            moves: self.moves,
            plies: usize::try_from(self.plies).unwrap_or(0),
            result,
            setup: tags.get("FEN").filter(|fen| !fen.trim().is_empty()).map(str::to_owned),
            tags,
            marks: self.marks.unwrap_or_default(),
        })
    }
}
