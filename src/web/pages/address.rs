//! Links from one page of this server to another.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use axum::http::Uri;

use super::{Failure, Result, board, names::exact};
use crate::{
    chess::{Move, VariantPosition, move_list},
    openings::Openings,
    rules::Rules,
    web::parameters::Parameters,
};

/// Page parameters that do not select games.
pub(super) const OWN: [&str; 6] = ["after", "by", "flip", "lang", "san", "ply"];

/// The ranges of which forms have both ends.
pub(super) const RANGES: [&str; 2] = ["date", "elo"];

/// The parameters of the two ends of a range.
fn ends(name: &str) -> [String; 2] {
    ["from", "to"].map(|end| format!("{name}_{end}"))
}

/// A path of this server with its parameters. It always begins with a slash, so no parameter value can turn it into a
/// link to another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Address {
    path: String,
    /// No value is empty.
    parameters: Parameters,
}

impl Address {
    /// The requested URL.
    pub(super) fn of(uri: &Uri) -> Address {
        let mut parameters = Parameters::new(uri.query());
        parameters.retain(|_, value| !value.is_empty());
        Address { path: uri.path().to_owned(), parameters }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.text(name)
    }

    /// The value of a parameter; `what` is what it must be.
    pub(super) fn parsed<T: FromStr>(&self, name: &str, what: &str) -> Result<Option<T>> {
        let wrong = |text| Failure::invalid(name, format_args!("{text:?} is not {what}"));
        self.get(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// Sets a parameter; an empty value removes it.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        match value {
            "" => self.parameters.retain(|known, _| known != name),
            value => self.parameters.set(name, value),
        }
    }

    /// The same with another value of a parameter.
    pub(in crate::web) fn with(&self, name: &str, value: impl Display) -> Address {
        let mut address = self.clone();
        address.set(name, &value.to_string());
        address
    }

    /// The same for the games of exactly one name, from the first page.
    pub(super) fn of_name(&self, parameter: &str, name: &str) -> Address {
        self.without(&["after"]).with(parameter, exact(name))
    }

    /// The same without some parameters.
    pub(super) fn without(&self, names: &[&str]) -> Address {
        let mut address = self.clone();
        address.parameters.retain(|name, _| !names.contains(&name));
        address
    }

    /// Joins the two ends of a range, which forms have as separate fields, into one parameter: `date_from=2015` becomes
    /// `date=2015..`. Without such a field nothing changes.
    fn join_ranges(&mut self) {
        for name in RANGES {
            let ends = ends(name);
            if ends.iter().all(|end| self.get(end).is_none()) {
                continue;
            }
            let [from, to] = ends.each_ref().map(|end| self.get(end).unwrap_or_default().trim());
            let range = if from == to { from.to_owned() } else { format!("{from}..{to}") };
            self.set(name, &range);
            *self = self.without(&ends.each_ref().map(String::as_str));
        }
    }

    /// The position after the moves that were entered as the opening; nothing if it has another name, or if there is
    /// a position. Returns whether it has changed.
    fn play_opening(&mut self) -> bool {
        let moves = |text: &str| match move_list(text) {
            Ok((start, moves)) if Openings::standard().search(text).is_empty() => {
                uci_line(start.into(), &moves)
            }
            _ => String::new(),
        };
        let has_position = ["fen", "play", "variant"].iter().any(|name| self.get(name).is_some());
        let play = self.get("opening").filter(|_| !has_position).map(moves).unwrap_or_default();
        if !play.is_empty() {
            self.set("play", &play);
            self.set("opening", "");
        }
        !play.is_empty()
    }

    /// The requested URL in the form that readers see and copy: with joined ranges, and a position instead of the moves
    /// of an opening; `None` if it has this form.
    pub(super) fn joined(uri: &Uri) -> Option<Address> {
        let mut names = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let is_end = |name: &str| RANGES.iter().any(|range| ends(range).iter().any(|end| end == name));
        let has_ends = names.any(|(name, _)| is_end(&name));
        let mut address = Address::of(uri);
        address.join_ranges();
        (address.play_opening() || has_ends).then_some(address)
    }

    /// The two ends of a range in a parameter: `2015..2020`, `2015..`, or `2015` for both.
    pub(super) fn range(&self, name: &str) -> [&str; 2] {
        range_of(self.get(name).unwrap_or_default())
    }

    /// Another path with the same parameters.
    pub(super) fn to_path(&self, path: impl Into<String>) -> Address {
        Address { path: path.into(), parameters: self.parameters.clone() }
    }

    /// Another path with only the named parameters.
    pub(super) fn to(&self, path: impl Into<String>, names: &[&str]) -> Address {
        let mut address = self.to_path(path);
        address.parameters.retain(|name, _| names.contains(&name));
        address
    }
}

/// Moves as URLs contain them.
fn uci_line(mut position: VariantPosition, moves: &[Move]) -> String {
    let uci = |m: &Move| {
        let uci = board::uci(&position, *m);
        position.make(*m);
        uci
    };
    moves.iter().map(uci).collect::<Vec<_>>().join(",")
}

/// The two ends of a range.
pub(super) fn range_of(text: &str) -> [&str; 2] {
    text.split_once("..").map_or([text; 2], |(from, to)| [from, to])
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.extend_pairs(self.parameters.iter()).finish();
        // Moves and ranges are easier to read this way; neither character has a special meaning in a query.
        if query.is_empty() {
            Ok(())
        } else {
            write!(f, "?{}", query.replace("%2C", ",").replace("%2F", "/"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Address {
        Address::of(&text.parse().unwrap())
    }

    #[test]
    fn addresses_keep_parameters_and_lose_cleared_ones() {
        let address = of("/games?player=M%C3%BCller+%26+Co&elo=2400..&site=&sort=date&sort=elo");
        assert_eq!(address.to_string(), "/games?player=M%C3%BCller+%26+Co&elo=2400..&sort=elo");
        assert_eq!(address.without(&["player", "elo"]).to_string(), "/games?sort=elo");
        assert_eq!(
            address.with("elo", "").with("after", 3).without(&["player"]).to_string(),
            "/games?sort=elo&after=3"
        );
        assert_eq!(address.to("/explorer", &["elo"]).to_string(), "/explorer?elo=2400..");
        assert_eq!(of("/explorer?play=e2e4,e7e5").to_string(), "/explorer?play=e2e4,e7e5");
        assert_eq!(of("/").get("play"), None);
    }

    #[test]
    fn the_ends_of_a_range_become_one_parameter() {
        let joined = |text: &str| {
            let mut address = of(text);
            address.join_ranges();
            address.to_string()
        };
        assert_eq!(joined("/games?date_from=2015&date_to=2020"), "/games?date=2015..2020");
        assert_eq!(joined("/games?date=1990&date_to=+2020+&elo_from=2400"), "/games?date=..2020&elo=2400..");
        assert_eq!(joined("/games?date_from=&date=1990"), "/games?date=1990");
        assert_eq!(joined("/games?date_from=1858&date_to=1858"), "/games?date=1858");
        assert_eq!(of("/games?date=2015..").range("date"), ["2015", ""]);
        assert_eq!(
            (of("/games?date=2015").range("date"), of("/games").range("date")),
            (["2015"; 2], [""; 2])
        );
    }

    #[test]
    fn no_value_escapes_from_its_parameter() {
        let evil = "\"><script>&x=y#\r\n'\u{202e}\0";
        let address = Address::of(&Uri::from_static("/games")).with("player", evil);
        let text = address.to_string();
        assert!(
            text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(['"', '<', '>', '#', '\''])
        );
        assert_eq!(of(&text).get("player"), Some(evil));
    }
}
