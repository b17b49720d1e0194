//! Sets conditions by name, and builds the filter from them.

use super::{
    CONDITIONS, Condition,
    condition::{Given, ValueType},
    draft::Draft,
    filter_text::{FilterText, SORTS, number, yes_or_no},
};
use crate::{
    archive::{Archive, Filter, NameKind, Sort},
    query::{Context, Search, TargetPosition},
    request::{Expected, PresentError, RequestError, WordError},
};

impl FilterText {
    /// Creates a filter from names and values of conditions.
    ///
    /// # Errors
    /// A condition does not exist, or its value is invalid.
    pub fn of<'a>(
        conditions: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<FilterText, RequestError> {
        let mut text = FilterText::default();
        for (name, value) in conditions {
            text.set(name, value)?;
        }
        Ok(text)
    }

    /// Sets a condition; adds a value to conditions that may have several.
    ///
    /// # Errors
    /// The condition does not exist, or the value is invalid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let condition = Condition::named(name)?;
        let value = condition.read(value)?;
        let values = self.values.entry(condition.name).or_default();
        match condition.kind {
            ValueType::Names(_) => join(values, value, "; "),
            ValueType::Codes => join(values, value, ","),
            ValueType::Texts | ValueType::Numbers => values.push(value),
            // `no` is the same as leaving the option out.
            ValueType::Switch if value == "no" => self.clear(condition.name),
            ValueType::Text
            | ValueType::Word
            | ValueType::Number
            | ValueType::YesOrNo(..)
            | ValueType::Switch => *values = vec![value],
        }
        Ok(())
    }

    /// Whether the filter contains names of players.
    pub fn names_players(&self) -> bool {
        self.names().any(|(_, kind, _)| kind == NameKind::Player)
    }

    /// The names of players, events and sites in the filter, each with its condition.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, NameKind, &str)> {
        CONDITIONS
            .iter()
            .filter_map(|condition| Some((condition.name, condition.completes()?, self.get(condition.name)?)))
    }

    /// The position that a text describes, as a search target: pieces only or not, with colours swapped or not, in
    /// games of the requested variant; by default that of the stored game that the text refers to, or standard chess.
    ///
    /// # Errors
    /// The text is not a valid position, or no game can reach it.
    pub fn sought(&self, text: &str, archive: &Archive) -> Result<TargetPosition, PresentError> {
        self.draft()?.sought(self, text.parse().map_err(PresentError::Request)?, archive)
    }

    /// Builds the filter. Conditions that need a replay are checked on all games that are not indexed and meet the
    /// other conditions. The watch receives the number of games replayed so far.
    ///
    /// # Errors
    /// A condition is invalid, two conditions name the same side, or the archive cannot be read.
    pub fn filter(&self, context: Context<'_>) -> Result<Filter, PresentError> {
        self.draft()?.filter(self, context)
    }

    /// The conditions on the rows of games.
    ///
    /// # Errors
    /// A condition is invalid.
    pub fn rows(&self) -> Result<Filter, RequestError> {
        Ok(self.draft()?.rows)
    }

    /// The conditions that need a search of positions or moves; `None` if the rows are sufficient.
    ///
    /// # Errors
    /// A condition is invalid.
    pub fn search(&self) -> Result<Option<Search>, RequestError> {
        self.draft()?.search(self)
    }

    /// Collects the requirements of all conditions.
    pub(super) fn draft(&self) -> Result<Draft, RequestError> {
        let mut draft = Draft::default();
        let rows = &mut draft.rows;
        rows.sort = self.sort.as_deref().map(sort).transpose()?.unwrap_or_default();
        (rows.descending, rows.limit, rows.offset) = (self.desc, self.limit, self.offset);
        for condition in CONDITIONS {
            if let Some(values) = self.values.get(condition.name) {
                (condition.ask)(&Given { text: self, values }, &mut draft)?;
            }
        }
        Ok(draft)
    }
}

impl Condition {
    /// The condition with this name.
    ///
    /// # Errors
    /// There is no such condition.
    pub fn named(name: &str) -> Result<&'static Condition, RequestError> {
        let is_named = |condition: &&Condition| {
            condition.name == name || !condition.alias.is_empty() && condition.alias == name
        };
        let condition = CONDITIONS.iter().find(is_named);
        condition.ok_or_else(|| RequestError::NoCondition { name: name.to_owned(), known: known() })
    }

    /// Normalizes a value: a number in digits, `yes` or `no`, or the text itself.
    fn read(&self, value: &str) -> Result<String, RequestError> {
        (self.check)(value)?;
        let wrong = |what| RequestError::Value { name: self.name, text: value.to_owned(), what };
        match self.kind {
            ValueType::Number | ValueType::Numbers => {
                number(value).map(|number| number.to_string()).ok_or_else(|| wrong(Expected::Number))
            }
            ValueType::Switch | ValueType::YesOrNo(..) => {
                let is_yes = yes_or_no(value).ok_or_else(|| wrong(Expected::YesOrNo))?;
                Ok(if is_yes { "yes" } else { "no" }.to_owned())
            }
            ValueType::Text | ValueType::Names(_) | ValueType::Codes | ValueType::Texts | ValueType::Word => {
                Ok(value.to_owned())
            }
        }
    }
}

/// The names of all fields of a filter.
fn known() -> String {
    let conditions = CONDITIONS.iter().map(|condition| condition.name);
    let names = conditions.chain(["sort", "desc", "limit", "offset"]);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Appends a value to a text that may list several.
fn join(values: &mut Vec<String>, value: String, separator: &str) {
    match values.first_mut() {
        Some(text) => *text += &format!("{separator}{value}"),
        None => values.push(value),
    }
}

fn sort(text: &str) -> Result<Sort, RequestError> {
    let found = SORTS.into_iter().find(|(name, _)| *name == text);
    let known = || SORTS.map(|(name, _)| name);
    found.map(|(_, sort)| sort).ok_or_else(|| RequestError::word(WordError::Sort, text, known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_refused_sets_nothing() {
        let mut text = FilterText::default();
        for (name, value) in
            [("mirror", "perhaps"), ("casual", "x"), ("checks", "-1"), ("within", "a"), ("tag", "=x")]
        {
            assert!(text.set(name, value).is_err(), "{name}");
        }
        text.set("mirror", "no").unwrap();
        assert_eq!(text, FilterText::default());
    }

    #[test]
    fn of_what_may_be_given_several_times_every_value_counts() {
        let text =
            FilterText::of([("player", "tal"), ("player", "karpov"), ("eco", "B"), ("eco", "C4")]).unwrap();
        assert_eq!((text.get("player"), text.get("eco")), (Some("tal; karpov"), Some("B,C4")));
        let text =
            FilterText::of([("within", "3"), ("within", "4"), ("checks", "1"), ("checks", "2")]).unwrap();
        assert_eq!(
            (text.all("within"), text.all("checks")),
            (&["3".into(), "4".into()][..], &["2".into()][..])
        );
    }
}
