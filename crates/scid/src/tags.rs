//! The tags of a game: those that follow from its record in the index, and those that its data has.

use std::borrow::Cow;

use plybook_chess::{chess::Tags, limits::MAX_TAGS};
use plybook_pgn::{Encoding, Reject, RejectReason, Warning, Warnings};

use crate::{
    bytes::Bytes,
    index::GameRecord,
    text::decoded,
    values::{COMMON_TAGS, RATING_TAGS, date_text, eco_text},
};

/// The kinds of tags by their first byte: the length of a name, or the number of a common one, or others.
const FIRST_COMMON: u8 = 241;
const FIRST_UNKNOWN: u8 = 251;
const SHORT_DATE: u8 = 255;

/// Something unusual that only Scid's data can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irregularity {
    /// The game is marked as Chess960, because its start position has impossible castling rights, but is standard chess.
    MarkedChess960,
    /// It has tags whose names are not known. They are left out.
    UnknownTags,
    /// It has more comments than places for them. The last ones are at the end of the game.
    CommentsWithoutPlace,
}

/// Collects what is read of a game besides its moves.
#[derive(Debug)]
pub struct Reading {
    /// The encoding of text that is not UTF-8, if it was given.
    pub encoding: Option<Encoding>,
    pub tags: Tags,
    /// The tags that the data has.
    own: Tags,
    pub warnings: Warnings,
    pub irregularities: Vec<Irregularity>,
}

impl Reading {
    pub fn new(encoding: Option<Encoding>) -> Reading {
        let (tags, own, warnings) = (Tags::default(), Tags::default(), Warnings::default());
        Reading { encoding, tags, own, warnings, irregularities: Vec::new() }
    }

    /// Decodes a text at a byte of the data.
    pub fn text<'a>(&mut self, text: &'a [u8], at: usize) -> Cow<'a, str> {
        let decoded = decoded(text, self.encoding.unwrap_or(Encoding::USUAL));
        if matches!(decoded, Cow::Owned(_)) {
            let warning = if self.encoding.is_some() { Warning::NamedEncoding } else { Warning::NotUtf8 };
            self.warnings.mark(warning, at);
        }
        decoded
    }

    /// Notes something about the game.
    pub fn note(&mut self, irregularity: Irregularity) {
        if !self.irregularities.contains(&irregularity) {
            self.irregularities.push(irregularity);
        }
    }

    /// Adds the tags that follow from the record in the index, with the names White, Black, event, site and round; then
    /// those that the data has. Among these may be a date or result that no field of the index can hold.
    pub fn add_tags(&mut self, record: &GameRecord, names: [&str; 5]) {
        let [white, black, event, site, round] = names;
        let date = date_text(record.date);
        let own = |name: &str| self.own.iter().find(|(own, _)| *own == name).map(|(_, value)| value);
        let roster = [
            ("Event", event),
            ("Site", site),
            ("Date", own("Date").unwrap_or(&date)),
            ("Round", round),
            ("White", white),
            ("Black", black),
            ("Result", own("Result").unwrap_or(record.outcome.as_str())),
        ];
        for (name, value) in roster {
            self.tags.push(name, &one_line(value));
        }
        let ratings = RATING_TAGS.iter().zip(record.ratings).zip(record.rating_types);
        for ((tags, rating), kind) in ratings.filter(|((_, rating), _)| *rating > 0) {
            // An unknown type is taken for the first one.
            self.tags.push(tags.get(kind).unwrap_or(&tags[0]), &rating.to_string());
        }
        let eco = eco_text(record.eco).map(|eco| ("ECO", eco));
        let event_date = (record.event_date > 0).then(|| ("EventDate", date_text(record.event_date)));
        let flags = Some(("ScidFlags", record.flags.letters())).filter(|(_, flags)| !flags.is_empty());
        for (name, value) in [eco, event_date, flags].into_iter().flatten() {
            self.tags.push(name, &value);
        }
        let mut in_roster = vec!["Date", "Result"];
        for (name, value) in self.own.iter() {
            if let Some(place) = in_roster.iter().position(|roster| *roster == name) {
                in_roster.swap_remove(place);
            } else if self.tags.push(name, value) {
                self.warnings.add(Warning::RepeatedTags);
            }
        }
    }

    /// Reads the tags at the start of the data.
    pub fn read_tags(&mut self, data: &mut Bytes<'_>) -> Result<(), Reject> {
        loop {
            let at = data.at();
            let cut_short = || bad_data("the data ends within the tags", at);
            match data.byte().ok_or_else(cut_short)? {
                0 => return Ok(()),
                SHORT_DATE => {
                    data.take(3).ok_or_else(cut_short)?;
                    self.note(Irregularity::UnknownTags);
                }
                kind => {
                    let name = match kind {
                        ..FIRST_COMMON => Some(data.take(usize::from(kind)).ok_or_else(cut_short)?),
                        FIRST_COMMON..FIRST_UNKNOWN => {
                            COMMON_TAGS.get(usize::from(kind - FIRST_COMMON)).map(|name| name.as_bytes())
                        }
                        _ => None,
                    };
                    let length = data.byte().ok_or_else(cut_short)?;
                    let value = data.take(usize::from(length)).ok_or_else(cut_short)?;
                    match name {
                        Some(name) => self.add_tag(name, value, at)?,
                        None => self.note(Irregularity::UnknownTags),
                    }
                }
            }
        }
    }

    fn add_tag(&mut self, name: &[u8], value: &[u8], at: usize) -> Result<(), Reject> {
        if self.own.len() >= MAX_TAGS {
            return Err(Reject { reason: RejectReason::TooManyTags, at });
        }
        let (name, value) = (self.text(name, at), self.text(value, at));
        // PGN can express neither other names nor line breaks.
        let (plain_name, plain_value) = (tag_name(&name), one_line(&value));
        if plain_name != name || plain_value != value {
            self.warnings.mark(Warning::OddTag, at);
        }
        self.own.push(&plain_name, &plain_value);
        Ok(())
    }
}

/// Data without meaning.
pub fn bad_data(problem: &str, at: usize) -> Reject {
    Reject { reason: RejectReason::BadData(problem.to_owned()), at }
}

/// A tag name with underscores for all characters that no tag name has.
fn tag_name(name: &str) -> Cow<'_, str> {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
    match name.chars().all(is_usual) {
        true => name.into(),
        false => name.chars().map(|c| if is_usual(c) { c } else { '_' }).collect(),
    }
}

/// A text with spaces for its line breaks.
fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\r']) {
        true => text.replace(['\n', '\r'], " ").into(),
        false => text.into(),
    }
}
