//! What a condition is: its name, how it is written, what people read about it, and what it asks.

use super::{draft::Draft, filter_text::FilterText};
use crate::{archive::NameKind, request::RequestError};

/// A condition on games, as every front end has it: an option of the command line (`--min-plies`), a parameter of an
/// address, a field of a form, a keyword of Python (`min_plies`).
#[derive(Debug)]
pub struct Condition {
    /// Its name, with underscores between words.
    pub name: &'static str,
    /// Another name that is understood; empty if there is none.
    pub alias: &'static str,
    /// How its value is written.
    pub kind: Kind,
    /// What the help calls its value.
    pub value: &'static str,
    /// What it asks, in a sentence.
    pub help: &'static str,
    /// What the long help adds; empty if that is nothing.
    pub more: &'static str,
    /// Where it is in the help.
    pub heading: Heading,
    /// What a form calls it, in the order of [`LANGUAGES`].
    pub label: Label,
    /// An example for a form.
    pub hint: &'static str,
    /// Where a form has it.
    pub place: Place,
    /// The condition without which it says nothing; empty if there is none.
    pub needs: &'static str,
    /// What a form offers, if not any text.
    pub offers: fn() -> Vec<Choice>,
    /// Refuses a value that can never be understood, as soon as it is given.
    pub check: fn(&str) -> Result<(), RequestError>,
    /// Adds it to what is asked.
    pub ask: fn(&Given<'_>, &mut Draft) -> Result<(), RequestError>,
}

/// A text in each of [`LANGUAGES`].
pub type Label = [&'static str; 2];

/// The languages of forms.
pub const LANGUAGES: [&str; 2] = ["en", "de"];

/// How the value of a condition is written.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One text.
    Text,
    /// Names of a kind that the archive has, or of sources; any of several, which semicolons separate.
    Names(Option<NameKind>),
    /// Codes, ids or ranges of them; any of several, which commas separate.
    Codes,
    /// Texts that may be given several times; each of them counts.
    Texts,
    /// A number.
    Number,
    /// Numbers, one for each of several things.
    Numbers,
    /// One of a few words, which are those that a form offers.
    Word,
    /// Yes; no says nothing.
    Switch,
    /// Yes or no. The command line has an option for no, with this name and this help.
    YesOrNo(&'static str, &'static str),
}

/// A value that a form offers.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// As it is written.
    pub value: &'static str,
    /// As it is shown.
    pub label: Label,
}

/// A heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Who played.
    Players,
    /// Where a game comes from.
    Origin,
    /// What a game is.
    Games,
    /// What is on the board.
    Positions,
    /// What happens in a game.
    Course,
}

/// Where a form has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Among the fields for games.
    Games,
    /// Among those for what happens in games.
    Course,
    /// There too, and beside the board on which a pattern is set up.
    Board,
    /// Nowhere: only addresses have it.
    None,
}

impl Heading {
    /// Its text.
    pub fn text(self) -> &'static str {
        match self {
            Heading::Players => "Players",
            Heading::Origin => "Event, date and source",
            Heading::Games => "Games",
            Heading::Positions => "Positions and patterns",
            Heading::Course => "Course of the game",
        }
    }
}

impl Condition {
    /// A condition, of which the rest is nothing.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        heading: Heading,
        help: &'static str,
        label: Label,
        ask: fn(&Given<'_>, &mut Draft) -> Result<(), RequestError>,
    ) -> Condition {
        Condition {
            name,
            alias: "",
            kind,
            value: "",
            help,
            more: "",
            heading,
            label,
            hint: "",
            place: Place::None,
            needs: "",
            offers: Vec::new,
            check: |_| Ok(()),
            ask,
        }
    }

    /// Its name as an option: `min-plies`.
    pub fn option(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The kind of names that complete its value.
    pub fn completes(&self) -> Option<NameKind> {
        if let Kind::Names(kind) = self.kind { kind } else { None }
    }

    /// The value that a form offers as the only one: it is that or not.
    pub fn is_switch(&self) -> bool {
        matches!(self.kind, Kind::Switch)
    }
}

/// The value of a condition, beside the others.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// All conditions.
    pub(super) text: &'a FilterText,
    /// What this one has.
    pub(super) values: &'a [String],
}

impl<'a> Given<'a> {
    /// Its text; of several the last.
    pub(super) fn text(&self) -> &'a str {
        self.values.last().map_or("", String::as_str)
    }

    /// Its number, which was checked when it was set.
    pub(super) fn number(&self) -> usize {
        self.text().parse().unwrap_or(usize::MAX)
    }

    /// Its value as one of some words.
    pub(super) fn word<T: Copy>(
        &self,
        what: &'static str,
        known: &[(&'static str, T)],
    ) -> Result<T, RequestError> {
        let found = known.iter().find(|(name, _)| *name == self.text());
        found.map(|(_, value)| *value).ok_or_else(|| RequestError::Word {
            what,
            text: self.text().to_owned(),
            known: known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        })
    }
}
