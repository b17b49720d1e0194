//! The columns of a stored game, and their conversion to a game.

use std::borrow::Cow;

use super::{GameId, GameKind, Round, StoredGame, columns::result_of, read_tags::read_tags};
use plybook_chess::{chess::Date, codec::CodecId, openings::eco_text};

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
        if self.date.is_some_and(|date| u32::try_from(date).is_err()) {
            return Err(RowError::Date);
        }
        let tags = read_tags(&self, kind, text).ok_or(RowError::Tags)?;
        // Of several FEN tags that differ, which only releases up to 0.2 stored, the first counts.
        let fen = tags.iter().find(|(name, _)| *name == "FEN").map(|(_, fen)| fen.to_owned());
        let setup = fen.filter(|fen| !fen.trim().is_empty());
        Ok(StoredGame {
            id: self.id,
            kind,
            codec,
            moves: self.moves,
            plies: usize::try_from(self.plies).unwrap_or(0),
            result: result_of(self.result),
            setup,
            tags,
            marks: self.marks.unwrap_or_default(),
        })
    }

    /// The value of a tag that has a column.
    pub(super) fn value(&self, kind: GameKind, name: &str) -> Option<Cow<'_, str>> {
        fn text(text: &Option<String>) -> Option<Cow<'_, str>> {
            text.as_deref().map(Cow::Borrowed)
        }
        let number =
            |number: Option<i64>| number.map_or(Cow::Borrowed(""), |number| number.to_string().into());
        match kind.family().column(name) {
            "White" => text(&self.white),
            "Black" => text(&self.black),
            "Event" => text(&self.event),
            "Site" => text(&self.site),
            "Round" => self.round.text(),
            "Variant" => Some(kind.name().into()),
            "Result" => Some(result_of(self.result).as_str().into()),
            "Date" => match self.date {
                Some(packed) => {
                    Date::from_packed(packed.try_into().ok()?).map(|date| date.to_string().into())
                }
                None => Some("".into()),
            },
            "WhiteElo" => Some(number(self.white_elo)),
            "BlackElo" => Some(number(self.black_elo)),
            "ECO" => Some(self.eco.map_or("".into(), |eco| eco_text(eco).into())),
            _ => None,
        }
    }
}
