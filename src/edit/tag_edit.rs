//! Changing tag pairs.

use std::{fmt, str::FromStr};

use super::{
    error::EditError,
    text::{edited_record, game_of, text_of},
};
use crate::{
    archive::ArchiveError,
    chess::{QuickChess, Tags, Variant, rating_of_tag, typed_date},
    limits::MAX_TAG_BYTES,
    pgn::{GameWriter, TagOrder},
    record::{GameKind, Record, Sides, StoredGame, TagLayoutCache},
    rules::Outcome,
};

/// A tag pair to be set, or a tag to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagEdit {
    name: String,
    /// `None` to delete it.
    value: Option<String>,
}

impl fmt::Display for TagEdit {
    /// Writes `Name=Value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value.as_deref().unwrap_or_default())
    }
}

impl FromStr for TagEdit {
    type Err = EditError;

    /// Parses `Name=Value`; `Name=` deletes the tag.
    fn from_str(text: &str) -> Result<TagEdit, EditError> {
        let (name, value) = text.split_once('=').ok_or(EditError::TagPair)?;
        TagEdit::new(name, Some(value).filter(|value| !value.is_empty()))
    }
}

impl TagEdit {
    /// Sets a tag to a value, or deletes it. A date is stored in the form of PGN, however it was typed.
    ///
    /// # Errors
    /// The name or the value cannot be written as PGN.
    pub fn new(name: &str, value: Option<&str>) -> Result<TagEdit, EditError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.len() > 255 || !name.chars().all(is_name) {
            return Err(EditError::TagName(name.to_owned()));
        }
        let value = match value {
            Some(text) if matches!(name, "Date" | "EventDate" | "UTCDate") => {
                Some(typed_date(text).map_err(EditError::from)?.to_string())
            }
            value => value.map(str::to_owned),
        };
        if let Some(value) = &value {
            if value.len() > MAX_TAG_BYTES {
                return Err(EditError::LongValue(name.to_owned()));
            }
            if value.chars().any(char::is_control) {
                return Err(EditError::Control(name.to_owned()));
            }
        }
        if matches!(name, "WhiteElo" | "BlackElo") && value.as_deref().is_some_and(|value| !is_rating(value))
        {
            return Err(EditError::Rating);
        }
        if name == "Result" && value.as_deref().is_some_and(|value| outcome(value).is_none()) {
            return Err(EditError::Result);
        }
        Ok(TagEdit { name: name.to_owned(), value })
    }

    /// A game with changed tag pairs; `None` if it has them already.
    ///
    /// # Errors
    /// It is not a game of chess, it is damaged, or it cannot have these tag pairs.
    pub fn apply(edits: &[TagEdit], game: &StoredGame) -> Result<Option<Record>, ArchiveError> {
        let tags = edits.iter().fold(game.tags.clone(), |tags, edit| edit.set_in(&tags));
        if tags == game.tags {
            return Ok(None);
        }
        let mut edited = StoredGame { tags, ..game.clone() };
        for edit in edits.iter().filter(|edit| edit.name == "Result") {
            edited.result = edit.value.as_deref().and_then(outcome).unwrap_or(edited.result);
        }
        if edits.iter().any(|edit| edit.name == "FEN") {
            edited.setup = None;
        }
        let is_text = TagEdit::are_text(edits, &edited);
        let text = if is_text { header_of(&edited) } else { text_with(game, &edited)? };
        let read = game_of(text.as_bytes()).map_err(|error| {
            ArchiveError::Edit(format!("game {} cannot have these tags: {error}", game.id).into())
        })?;
        if read.tags != edited.tags || read.outcome != edited.result {
            let what =
                format!("game {} cannot have these tags: they would not be read back as they are", game.id);
            return Err(ArchiveError::Edit(what.into()));
        }
        if !is_text {
            return edited_record(game, read);
        }
        let record = Record::of_stored(edited, Sides::default(), &mut TagLayoutCache::default());
        record.map(Some).map_err(|what| ArchiveError::damaged(game.id, what))
    }

    /// Whether the moves of an edited game mean the same whatever these tags are, so that they need not be written and
    /// read again.
    fn are_text(edits: &[TagEdit], edited: &StoredGame) -> bool {
        let is_rule = |edit: &TagEdit| {
            ["Result", "FEN", "SetUp", "Variant"].iter().any(|name| edit.name.eq_ignore_ascii_case(name))
        };
        let is_plain = edited.kind == GameKind::Chess(Variant::Standard) && edited.setup.is_none();
        is_plain && edited.marks.is_empty() && !edited.tags.is_empty() && !edits.iter().any(is_rule)
    }

    /// The tag pairs with this one: in its place if there is one, otherwise at the end.
    fn set_in(&self, tags: &Tags) -> Tags {
        let (mut changed, mut new) = (Tags::default(), self.value.as_deref());
        for (name, value) in tags.iter() {
            if name != self.name {
                changed.push(name, value);
            } else if let Some(value) = new.take() {
                changed.push(name, value);
            }
        }
        if let Some(value) = new {
            changed.push(&self.name, value);
        }
        changed
    }
}

/// Whether a text is a rating, or says that it is unknown. Imported games may have others.
fn is_rating(text: &str) -> bool {
    matches!(text, "?" | "-") || rating_of_tag(text).is_some()
}

/// A result by its text.
fn outcome(text: &str) -> Option<Outcome> {
    text.parse::<Outcome>().ok().filter(|outcome| outcome.as_str() == text)
}

/// The tag pairs of a game as text, with its result and without its moves.
fn header_of(game: &StoredGame) -> String {
    let mut text = String::new();
    let start = QuickChess::default();
    GameWriter::new(&mut text, &game.tags, TagOrder::AsTheyAre, &start, game.result).end();
    text
}

/// The text of a game with other tag pairs and perhaps another result. The moves are those of the game as it was.
fn text_with(game: &StoredGame, edited: &StoredGame) -> Result<String, ArchiveError> {
    let with_tags = StoredGame { tags: edited.tags.clone(), ..game.clone() };
    let text = text_of(&with_tags)?;
    if edited.result == game.result {
        return Ok(text);
    }
    let end = text.trim_end();
    let moves = end.strip_suffix(game.result.as_str()).unwrap_or(end);
    Ok(format!("{moves}{}\n", edited.result.as_str()))
}
