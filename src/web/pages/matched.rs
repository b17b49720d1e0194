//! Whose games a list has: the names that a filter matches, and those that are like them, with links to their games.

use super::{layout::Request, words::Words};
use crate::{
    archive::CountedName,
    present::{FilterText, matched_names::MatchedNames},
    printable,
    web::{AppState, Asked, Failure, api, pages::address::Address},
};

/// A line of names.
#[derive(Debug)]
pub(super) struct Matched {
    /// What they are.
    pub(super) label: &'static str,
    /// The names, the number and the years of their games, and the page with these alone.
    pub(super) names: Vec<(String, String, Address)>,
    /// How many others there are; empty if there are none.
    pub(super) more: String,
}

impl Matched {
    /// The lines about the names of a filter.
    pub(super) fn all(
        app: &AppState,
        asked: &Asked<'_>,
        request: &Request,
        filter: &FilterText,
    ) -> Result<Vec<Matched>, Failure> {
        let words = request.words();
        let mut lines = Vec::new();
        for MatchedNames { parameter, names, more, similar } in api::matched_names(app, asked, filter)? {
            let more = match more {
                0 => String::new(),
                more => {
                    format!("{} {} {}", words.and, request.language.number(more as u64), words.more_names)
                }
            };
            lines.push(Matched::new(request, parameter, label(words, parameter), (names, more)));
            lines.push(Matched::new(request, parameter, words.similar_names, (similar, String::new())));
        }
        lines.retain(|line| !line.names.is_empty());
        Ok(lines)
    }

    fn new(
        request: &Request,
        parameter: &str,
        label: &'static str,
        (names, more): (Vec<CountedName>, String),
    ) -> Matched {
        let link = |of: CountedName| {
            let games = request.language.number(of.games);
            let about = of.years().map_or(games.clone(), |years| format!("{games} ({years})"));
            let whole = format!("\"{}\"", of.name.replace('"', ""));
            let address = request.address.without(&["after"]).with(parameter, whole);
            (printable::line(&of.name).into_owned(), about, address)
        };
        Matched { label, names: names.into_iter().map(link).collect(), more }
    }
}

fn label(words: &'static Words, parameter: &str) -> &'static str {
    match parameter {
        "opponent" => words.opponent,
        "white" => words.white,
        "black" => words.black,
        _ => words.player,
    }
}
