//! Conditions on games as text, as people, URLs and programs write them.

use std::collections::BTreeMap;

use crate::archive::Sort;

/// The conditions of a filter as text, with the order and the number of games. [`CONDITIONS`](super::CONDITIONS) lists all conditions.
/// Names match as described in [`matches`](crate::archive::matches); ranges are written `a`, `a..b`, `a..` or `..b`.
///
/// ```
/// use plybook::{archive::{Archive, Sort}, conditions::FilterText, import::{Options, import_paths}, query::Context};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let mut asked = FilterText::of([("opening", "king's gambit"), ("date", "..1900")])?;
/// asked.sort = Some("date".to_owned());
/// let filter = asked.filter(Context::new(&Archive::open(&path)?))?;
/// assert_eq!((filter.among.is_some_and(|games| !games.is_empty()), filter.sort), (true, Sort::Date));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "serde_json::Map<String, serde_json::Value>")]
pub struct FilterText {
    /// The values of the conditions, by name.
    pub(super) values: BTreeMap<&'static str, Vec<String>>,
    /// One of [`SORTS`]; by id if not set.
    pub sort: Option<String>,
    /// Sort in descending order.
    pub desc: bool,
    /// The maximum number of games.
    pub limit: Option<u64>,
    /// The number of games to skip.
    pub offset: u64,
}

/// The fields that games can be sorted by.
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
    /// Removes a condition.
    pub fn clear(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// The same without a position and an order.
    pub fn without_position(&self) -> FilterText {
        let mut bare = FilterText { sort: None, desc: false, ..self.clone() };
        bare.clear("position");
        bare
    }

    /// The value of a condition, if it is set; if there are several, the last one.
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

    /// Whether every game passes, in the order of ids.
    pub fn is_every_game_by_id(&self) -> bool {
        self.is_every_game() && self.sort.as_deref().is_none_or(|sort| sort == "id")
    }
}

/// Parses yes or no in any of the spellings that clients use.
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// Parses a number of digits only; a number that is too large becomes the maximum.
pub fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}
