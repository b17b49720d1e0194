//! The heading of a game: players, result, event and opening, with links to their pages.

use super::{
    Address, Page, clocks,
    list::{self, date, shown, tag},
};
use crate::{
    openings::Opening,
    present::games::date_of_tags,
    record::{StoredGame, title},
    rules::Outcome,
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
    pub(super) result: Outcome,
    /// Event, site, date and similar tags, each with the link that it has.
    pub(super) about: Vec<(String, Option<String>)>,
    /// Code, name and link of the opening.
    pub(super) opening: Option<(&'static str, String, Address)>,
}

impl GameHead {
    pub(super) fn new(page: &Page, game: &StoredGame, opening: Option<&'static Opening>) -> GameHead {
        let tags = &game.tags;
        let players = ["White", "Black"].map(|name| tag(tags, name));
        let event = tag(tags, "Event");
        let title = title(players[0], players[1], event, tag(tags, "Site"));
        let has_players = players.iter().any(Option::is_some);
        let player =
            |name: Option<&str>| (list::player(name), name.map(|name| page.name_link("player", name)));
        let names = ["Event", "Site", "Round", "Date", "TimeControl"].into_iter();
        let about = names.filter_map(|name| {
            if name == "Date" {
                return Some((shown(Some(&date(&date_of_tags(tags)?))), None));
            }
            let value = tag(tags, name).filter(|value| *value != title)?;
            Some(match name {
                "Event" => (shown(Some(value)), Some(page.name_link("event", value).to_string())),
                "Site" if is_link(name, value) => {
                    // The host of a web address.
                    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
                    (shown(rest.split('/').next()), Some(shown(Some(value))))
                }
                "Round" => (format!("{} {}", page.words.round, shown(Some(value))), None),
                "TimeControl" => (clocks::control(value).unwrap_or_else(|| shown(Some(value))), None),
                _ => (shown(Some(value)), None),
            })
        });
        let opening = opening
            .map(|opening| (opening.eco, opening.name.to_owned(), page.name_link("opening", opening.name)));
        let of_tags = || {
            let (eco, name) = (tag(tags, "ECO"), tag(tags, "Opening"));
            Some(("", shown(Some(name.or(eco)?)), page.link("/games").of_name("opening", name.or(eco)?)))
        };
        GameHead {
            about: about.collect(),
            title_link: event
                .filter(|event| !has_players && *event == title)
                .map(|event| page.name_link("event", event)),
            title: if has_players { list::player_name(&title) } else { shown(Some(&title)) },
            players: if has_players { players.map(player).into() } else { Vec::new() },
            result: game.result,
            opening: opening.or_else(of_tags),
        }
    }

    /// The title of the page.
    pub(super) fn title_with_result(&self) -> String {
        match self.result {
            Outcome::Unknown => self.title.clone(),
            result => format!("{}, {result}", self.title),
        }
    }
}

/// Whether the value of a tag is a URL that the page may link.
pub(super) fn is_link(name: &str, value: &str) -> bool {
    matches!(name, "Site" | "Link") && is_web_address(value)
}

/// Whether the whole text is a web URL.
fn is_web_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    let is_known = scheme.is_some_and(|(scheme, rest)| {
        matches!(scheme.as_str(), "http" | "https")
            && rest.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    });
    is_known && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"'<>\\`".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_urls_become_links() {
        for (text, is_link) in [
            ("https://lichess.org/abcdefgh", true),
            ("HTTP://example.org/?a=b&c=d#e", true),
            ("javascript:alert(1)", false),
            ("javascript://https://x/%0aalert(1)", false),
            ("data:text/html,x", false),
            ("//example.org", false),
            ("https:example.org", false),
            ("https://", false),
            (" https://example.org", false),
            ("https://example.org/ x", false),
            ("https://example.org/\"onclick=x", false),
            ("Paris", false),
        ] {
            assert_eq!(is_web_address(text), is_link, "{text}");
        }
    }
}
