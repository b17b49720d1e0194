//! The filters of a page: a form to set them, and the active ones, each with a link that clears it.

use super::{
    address::{Address, RANGES, range_of},
    language::Language,
};
pub(super) use crate::conditions::FormSection;
use crate::{
    conditions::{CONDITIONS, Condition, yes_or_no},
    printable,
};

/// The parameters that specify the position.
pub(super) const POSITION: [&str; 2] = ["fen", "play"];

/// The list parameters that stay when something else is chosen.
pub(super) const ORDER: [&str; 2] = ["sort", "desc"];

/// The filters that a list always shows; the others are in a drawer.
const COMMON: [&str; 8] = ["player", "colour", "opponent", "date", "opening", "result", "elo", "event"];

/// The filters of a page.
#[derive(Debug)]
pub(super) struct Filters {
    /// For lists of games also on what happens in games.
    pub(super) fields: Vec<Field>,
    pub(super) active: Vec<ActiveFilter>,
    /// The page without any filter.
    pub(super) none: Address,
    /// The page with the parameters that the form keeps.
    pub(super) kept: Address,
}

/// A field of the form.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) condition: &'static Condition,
    pub(super) label: &'static str,
    pub(super) value: String,
    /// The allowed values and their names; empty if any text is allowed.
    pub(super) choices: Vec<(&'static str, &'static str)>,
}

impl Field {
    /// A field with its value in a URL.
    pub(super) fn new(condition: &'static Condition, address: &Address, language: Language) -> Field {
        Field {
            condition,
            label: condition.label[language.place()],
            value: address.get(condition.name).unwrap_or_default().to_owned(),
            choices: choices(condition, language),
        }
    }

    pub(super) fn is_yes(&self) -> bool {
        yes_or_no(&self.value) == Some(true)
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.condition.name == name
    }

    /// The two ends of a range, each with the end of its parameter's name.
    pub(super) fn ends(&self) -> [(&'static str, &str); 2] {
        let [from, to] = range_of(&self.value);
        [("from", from), ("to", to)]
    }

    /// The choices of a row of buttons: any, the first three, and the chosen one.
    pub(super) fn buttons(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let is_shown = |(place, choice): &(usize, &(&str, &str))| *place < 3 || choice.0 == self.value;
        let shown = self.choices.iter().enumerate().filter(is_shown);
        shown.map(|(_, (value, label))| (*value, *label, *value == self.value))
    }
}

/// An active filter.
#[derive(Debug)]
pub(super) struct ActiveFilter {
    /// The name of its parameter.
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    /// The page without it.
    pub(super) without: Address,
}

impl Filters {
    /// The filters of a URL. A list of games may also have a position as a filter.
    pub(super) fn of(address: &Address, language: Language, of_list: bool) -> Filters {
        let first = address.without(&["after", "san"]);
        let mut active: Vec<ActiveFilter> =
            CONDITIONS.iter().flat_map(|condition| ActiveFilter::of(condition, &first, language)).collect();
        if of_list && POSITION.iter().any(|name| first.get(name).is_some()) {
            let text = POSITION.map(|name| first.get(name).unwrap_or_default()).join(" ");
            active.push(ActiveFilter {
                name: "position",
                label: language.words().position,
                value: printable::line(text.trim()).into_owned(),
                without: first.without(&POSITION),
            });
        }
        let mut none = first.without(&Filters::names());
        if of_list {
            none = none.without(&POSITION);
        }
        let shown = CONDITIONS.iter().filter(|condition| match condition.place {
            FormSection::Games => true,
            FormSection::Course | FormSection::Board => of_list,
            FormSection::None => false,
        });
        let fields: Vec<Field> = shown.map(|condition| Field::new(condition, &first, language)).collect();
        let names: Vec<&str> = fields.iter().map(|field| field.condition.name).collect();
        Filters { kept: first.without(&names), fields, active, none }
    }

    /// The names of all parameters that select games.
    pub(super) fn names() -> Vec<&'static str> {
        let names = CONDITIONS.iter().flat_map(|condition| [condition.name, condition.alias]);
        names.filter(|name| !name.is_empty()).collect()
    }

    /// A field by name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.condition.name == name)
    }

    /// The fields of a section that are in the drawer.
    pub(super) fn in_drawer(&self, section: FormSection) -> impl Iterator<Item = &Field> {
        let fields = self.fields.iter().filter(move |field| field.condition.place == section);
        fields.filter(|field| !COMMON.contains(&field.condition.name))
    }

    /// The number of filters in the drawer that are set.
    pub(super) fn set_in_drawer(&self) -> usize {
        let fields = self.fields.iter().filter(|field| !COMMON.contains(&field.condition.name));
        fields.filter(|field| !field.value.is_empty()).count()
    }
}

impl ActiveFilter {
    /// A condition by its name and its alias, as a URL has it.
    fn of(condition: &'static Condition, address: &Address, language: Language) -> Vec<ActiveFilter> {
        let of = |name: &'static str| {
            let value = address.get(name).filter(|_| !name.is_empty())?;
            let known = choices(condition, language).into_iter().find(|(known, _)| *known == value);
            let is_range = RANGES.contains(&condition.name);
            let value = if is_range { value.replacen("..", "–", 1) } else { value.to_owned() };
            let shown = || printable::line(&value).into_owned();
            Some(ActiveFilter {
                name: condition.name,
                label: condition.label[language.place()],
                value: known.map_or_else(shown, |(_, label)| label.to_owned()),
                without: address.without(&[name]),
            })
        };
        [condition.name, condition.alias].into_iter().filter_map(of).collect()
    }
}

/// The conditions on one position, which is set up on a board.
pub(super) fn of_board() -> impl Iterator<Item = &'static Condition> {
    CONDITIONS.iter().filter(|condition| condition.place == FormSection::Board)
}

/// The allowed values of a condition, and how they are shown.
fn choices(condition: &Condition, language: Language) -> Vec<(&'static str, &'static str)> {
    if condition.is_switch() {
        return vec![("yes", language.words().yes)];
    }
    let choices = (condition.offers)().into_iter();
    choices.map(|choice| (choice.value, choice.label[language.place()])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::{FilterText, LANGUAGES};

    #[test]
    fn every_choice_is_a_valid_value_of_its_condition() {
        for condition in CONDITIONS {
            for (value, _) in choices(condition, Language::English) {
                // `won` needs a player, and `any_file` needs a pattern.
                let beside = match condition.name {
                    "result" => ("player", "a"),
                    "any_file" => ("pattern", "*/*/*/*/*/*/*/*"),
                    _ => ("date", "1984"),
                };
                let text = FilterText::of([(condition.name, value), beside]).unwrap();
                assert!(text.search().is_ok(), "{} {value}", condition.name);
            }
        }
    }

    #[test]
    fn every_condition_has_its_own_label_and_its_hint_is_an_example() {
        assert_eq!(Language::ALL.map(Language::tag), LANGUAGES);
        for language in Language::ALL {
            let labels: Vec<_> =
                CONDITIONS.iter().map(|condition| condition.label[language.place()]).collect();
            assert!((1..labels.len()).all(|end| !labels[..end].contains(&labels[end])), "{labels:?}");
        }
        for condition in CONDITIONS.iter().filter(|condition| !condition.hint.is_empty()) {
            let mut text =
                FilterText::of([("pattern", "*/*/*/*/*/*/*/*"), ("then", "*/*/*/*/*/*/*/*")]).unwrap();
            text.set(condition.name, condition.hint).unwrap();
            assert!(text.search().is_ok(), "{}", condition.name);
        }
    }
}
