//! The definition of a condition: its name, the syntax of its value, its help and labels, and its effect on a search.

use super::{draft::Draft, filter_text::FilterText};
use crate::{archive::NameKind, request::RequestError};

/// A condition on games, for all front ends: an option of the command line (`--min-plies`), a URL parameter, a field of
/// a form, a keyword argument of Python (`min_plies`).
#[derive(Debug)]
pub struct Condition {
    /// The name, with underscores between words.
    pub name: &'static str,
    /// An accepted alternative name; empty if there is none.
    pub alias: &'static str,
    /// The syntax of the value.
    pub kind: ValueType,
    /// The name of the value in the help.
    pub value: &'static str,
    /// The help, in one sentence.
    pub help: &'static str,
    /// More text for the long help; may be empty.
    pub more: &'static str,
    /// The heading in the help.
    pub heading: Heading,
    /// The label in a form, in the order of [`LANGUAGES`].
    pub label: Label,
    /// An example value for a form.
    pub hint: &'static str,
    /// The place in a form.
    pub place: FormSection,
    /// Another condition that this one requires; empty if there is none.
    pub needs: &'static str,
    /// The values that a form offers, if there is a fixed set.
    pub offers: fn() -> Vec<Choice>,
    /// Rejects an invalid value as soon as it is given.
    pub check: fn(&str) -> Result<(), RequestError>,
    /// Adds the condition to a search.
    pub ask: fn(&Given<'_>, &mut Draft) -> Result<(), RequestError>,
}

/// A text in each of [`LANGUAGES`].
pub type Label = [&'static str; 2];

/// The languages of forms.
pub const LANGUAGES: [&str; 2] = ["en", "de"];

/// The syntax of a condition's value.
#[derive(Clone, Copy, Debug)]
pub enum ValueType {
    /// One text.
    Text,
    /// Names of this type in the archive, or names of sources; several are separated by semicolons, and any may match.
    Names(Option<NameKind>),
    /// Codes, ids or ranges of them; several are separated by commas, and any may match.
    Codes,
    /// Texts. The condition may be given several times; all of them must match.
    Texts,
    /// A number.
    Number,
    /// One or more numbers.
    Numbers,
    /// One of a few words, the same as a form offers.
    Word,
    /// `yes`; `no` is the same as leaving the condition out.
    Switch,
    /// `yes` or `no`. The command line has a separate option for `no`, with this name and this help.
    YesOrNo(&'static str, &'static str),
}

/// A value that a form offers.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The value itself.
    pub value: &'static str,
    /// The label.
    pub label: Label,
}

/// A heading in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// The players.
    Players,
    /// Event, date and source.
    Origin,
    /// Properties of the game.
    Games,
    /// Positions and patterns.
    Positions,
    /// Events in the course of the game.
    Course,
}

/// The place of a field in forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormSection {
    /// With the fields for games.
    Games,
    /// With the fields for the course of games.
    Course,
    /// The same, and also next to the board on which a pattern is set up.
    Board,
    /// Not in a form; only in URLs.
    None,
}

impl Heading {
    /// The text of the heading.
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
    /// A condition with defaults for all other fields.
    pub const fn new(
        name: &'static str,
        kind: ValueType,
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
            place: FormSection::None,
            needs: "",
            offers: Vec::new,
            check: |_| Ok(()),
            ask,
        }
    }

    /// The name as an option: `min-plies`.
    pub fn option(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The type of names that complete the value.
    pub fn completes(&self) -> Option<NameKind> {
        if let ValueType::Names(kind) = self.kind { kind } else { None }
    }

    /// Whether the condition is a switch without a value.
    pub fn is_switch(&self) -> bool {
        matches!(self.kind, ValueType::Switch)
    }
}

/// The value of a condition, with access to the other conditions.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// All conditions.
    pub(super) text: &'a FilterText,
    /// The values of this condition.
    pub(super) values: &'a [String],
}

impl<'a> Given<'a> {
    /// The text; if there are several, the last one.
    pub(super) fn text(&self) -> &'a str {
        self.values.last().map_or("", String::as_str)
    }

    /// The number, which was checked when it was set.
    pub(super) fn number(&self) -> usize {
        self.text().parse().unwrap_or(usize::MAX)
    }

    /// Parses the value as one of several words.
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
