//! The definition of a condition: its name, the syntax of its value, its help and labels, and its effect on a search.

use super::{draft::Draft, filter_text::FilterText};
use crate::{
    archive::NameKind,
    name_pattern::MOST_PATTERNS,
    request::{RequestError, WordError},
};

/// A condition on games, for all front ends: an option of the command line (`--min-plies`), a URL parameter, a field of
/// a form, a keyword argument of Python (`min_plies`).
#[derive(Clone, Copy, Debug)]
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
    /// Whether it concerns what only a stored game has, such as its id.
    pub of_stored: bool,
    /// Another condition that this one requires; empty if there is none.
    pub needs: &'static str,
    /// The values that a form offers, if there is a fixed set.
    pub offers: fn() -> Vec<Choice>,
    /// Rejects an invalid value as soon as it is given.
    pub check: fn(&str) -> Result<(), RequestError>,
    /// Adds the condition to a search; nothing for those that are read when a search is built, such as all patterns.
    pub ask: Ask,
}

/// Adds a condition to a search.
type Ask = fn(&Given<'_>, &mut Draft) -> Result<(), RequestError>;

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
    /// A condition without effect.
    pub(super) const fn new(name: &'static str, kind: ValueType, heading: Heading) -> Condition {
        Condition {
            name,
            alias: "",
            kind,
            value: match kind {
                ValueType::Names(_) => "NAME",
                ValueType::Text | ValueType::Codes => "RANGE",
                ValueType::Number | ValueType::Numbers => "N",
                ValueType::Texts | ValueType::Word | ValueType::Switch | ValueType::YesOrNo(..) => "",
            },
            help: "",
            more: "",
            heading,
            label: [""; 2],
            hint: "",
            place: match heading {
                Heading::Players | Heading::Origin | Heading::Games => FormSection::Games,
                Heading::Positions => FormSection::Board,
                Heading::Course => FormSection::Course,
            },
            of_stored: false,
            needs: "",
            offers: Vec::new,
            check: |_| Ok(()),
            ask: |_, _| Ok(()),
        }
    }

    pub(super) const fn alias(self, alias: &'static str) -> Condition {
        Condition { alias, ..self }
    }

    pub(super) const fn value(self, value: &'static str) -> Condition {
        Condition { value, ..self }
    }

    pub(super) const fn help(self, help: &'static str) -> Condition {
        Condition { help, ..self }
    }

    pub(super) const fn more(self, more: &'static str) -> Condition {
        Condition { more, ..self }
    }

    pub(super) const fn label(self, english: &'static str, german: &'static str) -> Condition {
        Condition { label: [english, german], ..self }
    }

    pub(super) const fn hint(self, hint: &'static str) -> Condition {
        Condition { hint, ..self }
    }

    pub(super) const fn in_form(self, place: FormSection) -> Condition {
        Condition { place, ..self }
    }

    pub(super) const fn of_stored(self) -> Condition {
        Condition { of_stored: true, place: FormSection::None, ..self }
    }

    pub(super) const fn needs(self, needs: &'static str) -> Condition {
        Condition { needs, ..self }
    }

    pub(super) const fn offers(self, offers: fn() -> Vec<Choice>) -> Condition {
        Condition { offers, ..self }
    }

    pub(super) const fn check(self, check: fn(&str) -> Result<(), RequestError>) -> Condition {
        Condition { check, ..self }
    }

    pub(super) const fn ask(self, ask: Ask) -> Condition {
        Condition { ask, ..self }
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

    /// Requires a name; a pattern must not contain too many.
    pub(super) fn name(&self, required: &mut Option<String>) -> Result<(), RequestError> {
        if self.text().matches(';').count() >= MOST_PATTERNS {
            return Err(RequestError::ManyNames);
        }
        *required = Some(self.text().to_owned());
        Ok(())
    }

    /// Parses the value as one of several words; `what` is wrong if it is another one.
    pub(super) fn word<T: Copy>(
        &self,
        what: WordError,
        words: &[(&'static str, T, Label)],
    ) -> Result<T, RequestError> {
        let found = words.iter().find(|(word, ..)| *word == self.text());
        let known = || words.iter().map(|(word, ..)| *word);
        found.map(|(_, value, _)| *value).ok_or_else(|| RequestError::word(what, self.text(), known()))
    }
}

/// The words as choices of a form.
pub(super) fn choices<T>(words: &[(&'static str, T, Label)]) -> Vec<Choice> {
    words.iter().map(|(value, _, label)| Choice { value, label: *label }).collect()
}
