//! Conditions on games as people, addresses and programs write them.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::{
    CONDITIONS, Condition,
    condition::{Given, Kind},
    draft::Draft,
};
use crate::{
    archive::{Archive, Filter, NameKind, Sort},
    query::{PositionIndex, Search, Sought},
    request::{PresentError, RequestError},
};

/// The conditions of a filter as text, in which order, and how many games. [`CONDITIONS`] says which there are. Names match
/// as [`matches`](crate::archive::matches) says; ranges are written `a`, `a..b`, `a..` or `..b`.
///
/// ```
/// use std::ops::ControlFlow;
/// use plybook::{archive::{Archive, Sort}, conditions::FilterText, import::{Options, import_paths}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let mut asked = FilterText::of([("opening", "king's gambit"), ("date", "..1900")])?;
/// asked.sort = Some("date".to_owned());
/// let filter = asked.filter(&Archive::open(&path)?, None, |_| ControlFlow::Continue(()))?.unwrap();
/// assert_eq!((filter.among.is_some_and(|games| !games.is_empty()), filter.sort), (true, Sort::Date));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterText {
    /// The values of conditions, by their names.
    values: BTreeMap<&'static str, Vec<String>>,
    /// One of [`SORTS`]; by id if there is none.
    pub sort: Option<String>,
    /// Sort the other way round.
    pub desc: bool,
    /// At most this number of games.
    pub limit: Option<u64>,
    /// Without the first games, as many as this.
    pub offset: u64,
}

/// What games can be sorted by.
pub const SORTS: [(&str, Sort); 11] = [
    ("id", Sort::Id),
    ("date", Sort::Date),
    ("white", Sort::White),
    ("black", Sort::Black),
    ("event", Sort::Event),
    ("site", Sort::Site),
    ("elo", Sort::Elo),
    ("eco", Sort::Eco),
    ("result", Sort::Result),
    ("plies", Sort::Plies),
    ("bytes", Sort::Bytes),
];

impl FilterText {
    /// The conditions with some names and values.
    ///
    /// # Errors
    /// There is no condition with such a name, or its value is of another kind.
    pub fn of<'a>(
        conditions: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<FilterText, RequestError> {
        let mut text = FilterText::default();
        for (name, value) in conditions {
            text.set(name, value)?;
        }
        Ok(text)
    }

    /// Sets a condition; of those that may have several values, adds one.
    ///
    /// # Errors
    /// There is no condition with this name, or its value is of another kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let condition = Condition::named(name)?;
        let value = condition.read(value)?;
        let values = self.values.entry(condition.name).or_default();
        match condition.kind {
            Kind::Names(_) => join(values, value, "; "),
            Kind::Codes => join(values, value, ","),
            Kind::Texts | Kind::Numbers => values.push(value),
            // Without its option nothing is asked.
            Kind::Switch if value == "no" => self.clear(condition.name),
            Kind::Text | Kind::Word | Kind::Number | Kind::YesOrNo(..) | Kind::Switch => {
                *values = vec![value]
            }
        }
        Ok(())
    }

    /// Removes a condition.
    pub fn clear(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// The value of a condition, if it is set; of several the last.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).last().map(String::as_str)
    }

    /// All values of a condition.
    pub fn all(&self, name: &str) -> &[String] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a condition is set.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether every game passes.
    pub fn is_every_game(&self) -> bool {
        self.values.is_empty() && self.limit.is_none() && self.offset == 0
    }

    /// Whether it asks for games of players by their names.
    pub fn names_players(&self) -> bool {
        self.names().any(|(_, kind, _)| kind == NameKind::Player)
    }

    /// The names of players, events and sites that it asks for, each with the condition.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, NameKind, &str)> {
        CONDITIONS
            .iter()
            .filter_map(|condition| Some((condition.name, condition.completes()?, self.get(condition.name)?)))
    }

    /// A position that a text means, as it counts here: the pieces alone or not, with colours swapped or not, in games of
    /// the variant that is asked for; else of that of the stored game that the text names, or of chess.
    ///
    /// # Errors
    /// The text means no position, or none that a game can reach.
    pub fn sought(&self, text: &str, archive: &Archive) -> Result<Sought, PresentError> {
        self.draft()?.sought(text.parse().map_err(PresentError::Request)?, archive)
    }

    /// Whether every game passes, in the order of ids.
    pub fn is_every_game_by_id(&self) -> bool {
        self.is_every_game() && self.sort.as_deref().is_none_or(|sort| sort == "id")
    }

    /// The filter that the text means. What only a replay can tell is looked for in all games that are not indexed and
    /// meet the other conditions: `watch` learns how many of them have been looked through, and may break off; then there
    /// is no filter.
    ///
    /// # Errors
    /// A condition cannot be understood, or two name the same side; the archive cannot be read.
    pub fn filter(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Filter>, PresentError> {
        self.draft()?.filter(archive, index, watch)
    }

    /// The conditions on the rows of games.
    ///
    /// # Errors
    /// A condition cannot be understood.
    pub fn rows(&self) -> Result<Filter, RequestError> {
        Ok(self.draft()?.rows)
    }

    /// What games are searched for; `None` if that is nothing besides what their rows say.
    ///
    /// # Errors
    /// A condition cannot be understood.
    pub fn search(&self) -> Result<Option<Search>, RequestError> {
        self.draft()?.search()
    }

    /// What the conditions ask, together.
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
    /// The condition with a name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<&'static Condition, RequestError> {
        let is_named = |condition: &&&Condition| {
            condition.name == name || !condition.alias.is_empty() && condition.alias == name
        };
        CONDITIONS
            .iter()
            .find(is_named)
            .copied()
            .ok_or_else(|| RequestError::NoCondition { name: name.to_owned(), known: known() })
    }

    /// A value as it is kept: a number in digits, `yes` or `no`, or the text itself.
    fn read(&self, value: &str) -> Result<String, RequestError> {
        (self.check)(value)?;
        let wrong = |what| RequestError::Value { name: self.name, text: value.to_owned(), what };
        match self.kind {
            Kind::Number | Kind::Numbers => {
                number(value).map(|number| number.to_string()).ok_or_else(|| wrong("number"))
            }
            Kind::Switch | Kind::YesOrNo(..) => {
                let is_yes = yes_or_no(value).ok_or_else(|| wrong("yes or no"))?;
                Ok(if is_yes { "yes" } else { "no" }.to_owned())
            }
            Kind::Text | Kind::Names(_) | Kind::Codes | Kind::Texts | Kind::Word => Ok(value.to_owned()),
        }
    }
}

/// The names of all fields of a filter.
fn known() -> String {
    let conditions = CONDITIONS.iter().map(|condition| condition.name);
    let names = conditions.chain(["sort", "desc", "limit", "offset"]);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Adds a value to those that are one text.
fn join(values: &mut Vec<String>, value: String, separator: &str) {
    match values.first_mut() {
        Some(text) => *text += &format!("{separator}{value}"),
        None => values.push(value),
    }
}

/// Yes or no, in one of the ways in which clients write it.
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// Digits only; more than a number holds are the largest one.
pub fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

fn sort(text: &str) -> Result<Sort, RequestError> {
    let found = SORTS.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, sort)| sort).ok_or_else(|| RequestError::Sort {
        text: text.to_owned(),
        known: SORTS.map(|(name, _)| name).join(", "),
    })
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
