//! Games that people describe by names and a year: of two players, of a player in a year, of an event, at a site.

use std::collections::HashMap;

use super::{Counted, Hit, HitKind, Place, Searched};
use crate::{
    archive::CountedName,
    name_pattern::Pattern,
    name_start::{NameStart, StartFit},
    player_name::PlayerPattern,
    present::{FilterText, Result},
    query::Occasion,
    record::GameId,
};

/// More words than the names of two players have.
const MOST_WORDS: usize = 6;

/// What people write between two players.
const VERSUS: [&str; 5] = ["-", "–", "v", "vs", "vs."];

/// The words of a text, and the year among them.
pub(super) struct Selection<'a> {
    words: Vec<&'a str>,
    year: Option<u16>,
}

impl<'a> Selection<'a> {
    /// The last word with four digits is the year, if there are other words.
    pub(super) fn new(text: &'a str) -> Selection<'a> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let is_digit = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let place =
            words.iter().rposition(|word| word.len() == 4 && is_digit(word)).filter(|_| words.len() > 1);
        let year = place.and_then(|place| words.remove(place).parse().ok());
        Selection { words, year }
    }

    /// The events of this name in the year.
    pub(super) fn editions(&self, of: &Searched<'_>) -> Vec<Hit> {
        let (Some(year), Some(counted)) = (self.year, &of.counted) else { return Vec::new() };
        let begin = NameStart::new(&self.words.join(" "));
        let hit = |event: CountedName| {
            let (name, fit) = (format!("{} {year}", event.name), begin.fit(&event.name)?);
            let (games, place) = (Some(event.games), Place::Edition { event: event.name, year });
            Some(Hit { games, ..Hit::new(HitKind::Event, name, place, fit) })
        };
        let events = events_of(&counted.occasions, |occasion| occasion.year == Some(year));
        events.into_iter().filter_map(hit).collect()
    }

    /// The games of two players, of a player in the year, and at a site.
    pub(super) fn games(&self, of: &Searched<'_>) -> Result<Vec<Hit>> {
        let mut hits = Vec::new();
        if self.year.is_some() {
            let player = self.words.join(" ");
            hits.extend(self.of_players(of, vec![("player", player)])?);
        }
        let words: Vec<&str> = self.words.iter().filter(|word| !VERSUS.contains(word)).copied().collect();
        let splits = if words.len() <= MOST_WORDS { 1..words.len() } else { 0..0 };
        for (player, opponent) in splits.map(|place| words.split_at(place)) {
            let names = vec![("player", player.join(" ")), ("opponent", opponent.join(" "))];
            hits.extend(self.of_players(of, names)?);
        }
        hits.extend(self.at_site(of));
        Ok(hits)
    }

    /// The games of some players, if there are any.
    fn of_players(
        &self,
        of: &Searched<'_>,
        mut conditions: Vec<(&'static str, String)>,
    ) -> Result<Option<Hit>> {
        let Some(counted) = &of.counted else { return Ok(None) };
        let (mut names, mut fit) = (Vec::new(), StartFit::Part);
        for (name, text) in conditions.iter_mut().filter(|(_, text)| !text.is_empty()) {
            if let Some(player) = known(counted, text) {
                names.push(player);
                continue;
            }
            // The last name may still be incomplete.
            let Some(player) = begun(counted, text).filter(|_| *name == "opponent") else { return Ok(None) };
            (*text, fit) = (format!("\"{player}\""), StartFit::Letters);
            names.push(player);
        }
        if names.len() < conditions.len() {
            return Ok(None);
        }
        conditions.extend(self.year.map(|year| ("date", year.to_string())));
        let filter = FilterText::of(conditions.iter().map(|(name, text)| (*name, text.as_str())))?.rows()?;
        let mut games = 0;
        for game in of.archive.list::<GameId>(&filter) {
            game?;
            games += 1;
        }
        Ok((games > 0).then(|| {
            self.hit(
                names.iter().map(|name| name.trim()).collect::<Vec<_>>().join(" – "),
                games,
                fit,
                conditions,
            )
        }))
    }

    /// The games at a site: it may also be the name of an event, which is more likely meant.
    fn at_site(&self, of: &Searched<'_>) -> Option<Hit> {
        let site = self.words.join(" ");
        let pattern = Pattern::new(&site);
        let is_there = |site: &str| !site.is_empty() && pattern.fits(site);
        let occasions = of.counted.as_ref()?.occasions.iter();
        let found: Vec<_> = occasions
            .filter(|occasion| {
                self.year.is_none_or(|year| occasion.year == Some(year)) && is_there(&occasion.site)
            })
            .collect();
        let best = found.iter().max_by_key(|occasion| (occasion.games, &occasion.site))?;
        let games = found.iter().map(|occasion| occasion.games).sum();
        let mut conditions = vec![("site", site)];
        conditions.extend(self.year.map(|year| ("date", year.to_string())));
        Some(self.hit(best.site.to_string(), games, StartFit::Anywhere, conditions))
    }

    fn hit(&self, name: String, games: u64, fit: StartFit, conditions: Vec<(&'static str, String)>) -> Hit {
        let detail = self.year.map(|year| year.to_string()).unwrap_or_default();
        Hit { detail, games: Some(games), ..Hit::new(HitKind::Games, name, Place::Games(conditions), fit) }
    }
}

/// The player with most games whose name matches a text.
fn known<'a>(counted: &'a Counted, text: &str) -> Option<&'a str> {
    let pattern = PlayerPattern::new(text);
    counted.players.iter().map(|player| player.name.as_str()).find(|name| pattern.fits(name))
}

/// The player with most games whose name begins with a text, and can be given in quotation marks.
fn begun<'a>(counted: &'a Counted, text: &str) -> Option<&'a str> {
    let begin = NameStart::new(text);
    let mut names = counted.players.iter().map(|player| player.name.as_str());
    names.find(|name| begin.fit_of_first_part(name).is_some() && !name.contains(['"', ';']))
}

/// The events of some occasions, with their games.
pub(super) fn events_of(occasions: &[Occasion], is_meant: impl Fn(&Occasion) -> bool) -> Vec<CountedName> {
    let mut events: HashMap<&str, CountedName> = HashMap::new();
    for occasion in occasions.iter().filter(|occasion| !occasion.event.is_empty() && is_meant(occasion)) {
        events.entry(&occasion.event).or_default().add_games(occasion.games, occasion.year);
    }
    events.into_iter().map(|(name, counted)| CountedName { name: name.to_owned(), ..counted }).collect()
}
