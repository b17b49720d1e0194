//! The heading of a game: players, result, event and opening, with links to their pages.

use super::{
    address::Address,
    clocks,
    layout::Page,
    list::{result, result_class, shown, tag},
    names::{event_link, opening_link, player_link},
    web_address::is_link,
};
use crate::{
    openings::Opening,
    present::games::known_date,
    record::{StoredGame, title},
};

/// The heading of a game.
#[derive(Debug)]
pub(super) struct GameHead {
    /// The title in one line: the event if no player is named.
    pub(super) title: String,
    /// The link of the event, if it is the title.
    pub(super) title_link: Option<Address>,
    /// White and Black; empty if neither is known.
    pub(super) players: Vec<(String, Option<Address>)>,
    /// As in PGN.
    pub(super) result: &'static str,
    /// Event, site, date and similar tags, each with the link that it has.
    pub(super) about: Vec<(String, Option<String>)>,
    /// Code, name and link of the opening.
    pub(super) opening: Option<(&'static str, String, Address)>,
}

impl GameHead {
    pub(super) fn new(
        page: &Page,
        game: &StoredGame,
        opening: Option<(usize, &'static Opening)>,
    ) -> GameHead {
        let tags = &game.tags;
        let players = ["White", "Black"].map(|name| tag(tags, name));
        let event = tag(tags, "Event");
        let title = title(players[0], players[1], event, tag(tags, "Site"));
        let has_players = players.iter().any(Option::is_some);
        let player = |name: Option<&str>| (shown(name), name.map(|name| player_link(page, name)));
        let names = ["Event", "Site", "Round", "Date", "TimeControl"].into_iter();
        let about = names.filter_map(|name| {
            let value = tag(tags, name).filter(|value| *value != title)?;
            Some(match name {
                "Event" => (shown(Some(value)), Some(event_link(page, value).to_string())),
                "Site" if is_link(name, value) => {
                    // The host of a web address.
                    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
                    (shown(rest.split('/').next()), Some(shown(Some(value))))
                }
                "Round" => (format!("{} {}", page.words.round, shown(Some(value))), None),
                "Date" => (shown(Some(known_date(value))), None),
                "TimeControl" => (clocks::control(value).unwrap_or_else(|| shown(Some(value))), None),
                _ => (shown(Some(value)), None),
            })
        });
        let opening = opening
            .map(|(_, opening)| (opening.eco, opening.name.to_owned(), opening_link(page, opening.name)));
        let of_tags = || {
            let (eco, name) = (tag(tags, "ECO"), tag(tags, "Opening"));
            Some(("", shown(Some(name.or(eco)?)), page.link("/games").of_name("opening", name.or(eco)?)))
        };
        GameHead {
            about: about.collect(),
            title_link: event
                .filter(|event| !has_players && *event == title)
                .map(|event| event_link(page, event)),
            title: shown(Some(&title)),
            players: if has_players { players.map(player).into() } else { Vec::new() },
            result: game.result.as_str(),
            opening: opening.or_else(of_tags),
        }
    }

    /// The title of the page.
    pub(super) fn title_with_result(&self) -> String {
        match self.result {
            "*" => self.title.clone(),
            result => format!("{}, {result}", self.title),
        }
    }

    /// The result as it is printed.
    pub(super) fn score(&self) -> &'static str {
        result(self.result)
    }

    /// The class of its colour.
    pub(super) fn result_class(&self) -> &'static str {
        result_class(self.result)
    }
}
