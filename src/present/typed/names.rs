//! Names as people type them: of players, events and openings, complete or not.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use super::{
    Hit, HitKind, Place, Searched, points, position,
    selection::{Selection, events_of},
};
use crate::{
    archive::{CountedName, NameKind},
    chess::VariantPosition,
    limits::MAX_TYPED_NAME_BYTES,
    name_start::{NameStart, StartFit},
    openings::{Opening, OpeningError, Openings, eco_range},
    player_name::PlayerPattern,
    present::Result,
    query::OpeningCount,
};

/// Maximum number of openings whose games are counted.
const COUNTED: usize = 12;

/// What a text may mean as a name, by kind.
pub(super) fn begun(of: &Searched<'_>, text: &str) -> Result<Vec<Vec<Hit>>> {
    let begin = NameStart::new(text);
    if text.len() > MAX_TYPED_NAME_BYTES || begin.is_empty() {
        return Ok(Vec::new());
    }
    let players = players(of, text, &begin)?;
    let is_player = players.iter().any(|hit| hit.fit == StartFit::Part);
    let selection = Selection::new(text);
    let games = if is_player { Vec::new() } else { selection.games(of)? };
    let mut events = events(of, text, &begin)?;
    events.extend(selection.editions(of));
    Ok(vec![openings(of, text, &begin)?, players, best(events, of.most), best(games, of.most)])
}

/// The best hits, best first.
fn best(mut hits: Vec<Hit>, most: usize) -> Vec<Hit> {
    hits.sort_by(|a, b| (Reverse(a.points()), &a.name).cmp(&(Reverse(b.points()), &b.name)));
    hits.truncate(most);
    hits
}

/// The players that match the text as a pattern of a filter, and those with words that begin with its words.
fn players(of: &Searched<'_>, text: &str, begin: &NameStart) -> Result<Vec<Hit>> {
    let pattern = PlayerPattern::new(text);
    let hit = |name: &CountedName| {
        let fit = match pattern.fits(&name.name) {
            true => StartFit::Part,
            false => begin.fit_of_first_part(&name.name)?,
        };
        Some(Hit::named(HitKind::Player, name.clone(), fit))
    };
    let hits = match &of.counted {
        Some(counted) => counted.players.iter().filter_map(hit).collect(),
        None => {
            of.archive.names().completions(NameKind::Player, text, of.most)?.iter().filter_map(hit).collect()
        }
    };
    Ok(best(hits, of.most))
}

fn events(of: &Searched<'_>, text: &str, begin: &NameStart) -> Result<Vec<Hit>> {
    let names = match &of.counted {
        Some(counted) => events_of(&counted.occasions, |_| true),
        None => of.archive.names().events_begun(text, of.most)?,
    };
    let hit = |name: CountedName| {
        let fit = begin.fit(&name.name)?;
        Some(Hit::named(HitKind::Event, name, fit))
    };
    Ok(names.into_iter().filter_map(hit).collect())
}

/// The names that resemble a text, by kind.
pub(super) fn similar(of: &Searched<'_>, text: &str) -> Result<Vec<Vec<Hit>>> {
    let near = |kind: HitKind, names: NameKind| -> Result<Vec<Hit>> {
        let names = of.archive.names().near(names, text, of.most)?;
        Ok(names.into_iter().map(|name| Hit::named(kind, name, StartFit::Anywhere)).collect())
    };
    let opening = match Openings::standard().unknown(text) {
        OpeningError::Unknown { similar: Some(name), .. } => Openings::standard().shortest(name).ok(),
        _ => None,
    };
    let opening = opening.map(|opening| Hit::of_opening(opening, StartFit::Anywhere, None));
    Ok(vec![
        near(HitKind::Player, NameKind::Player)?,
        near(HitKind::Event, NameKind::Event)?,
        opening.into_iter().collect(),
    ])
}

/// The openings of a text: each name once.
fn openings(of: &Searched<'_>, text: &str, begin: &NameStart) -> Result<Vec<Hit>> {
    let all = Openings::standard();
    let found: Vec<(StartFit, &Opening)> = match eco_range(text) {
        Some(_) => {
            let codes = all.search(text).into_iter().filter_map(|id| all.get(id));
            codes.map(|opening| (StartFit::Part, opening)).collect()
        }
        None => {
            all.iter().filter_map(|(_, opening)| Some((fit_of_opening(begin, opening)?, opening))).collect()
        }
    };
    let mut names: BTreeMap<&str, (StartFit, &Opening)> = BTreeMap::new();
    for (fit, opening) in found {
        let shortest = names.entry(opening.name).or_insert((fit, opening));
        if opening.plies < shortest.1.plies {
            *shortest = (fit, opening);
        }
    }
    let counts = of.counted.as_ref().map(|counted| games_by_name(&counted.openings)).unwrap_or_default();
    let games = |opening: &Opening| counts.get(opening.name).copied().unwrap_or_default();
    let mut found: Vec<(StartFit, &Opening)> = names.into_values().collect();
    found.sort_by_key(|(fit, opening)| {
        (Reverse(points(HitKind::Opening, *fit, games(opening))), opening.plies)
    });
    let mut hits = Vec::new();
    for (place, (fit, opening)) in found.into_iter().take(of.most).enumerate() {
        let position = VariantPosition::Chess(opening.position());
        let games = if place < COUNTED { position::games(of, &position)? } else { None };
        hits.push(Hit::of_opening(opening, fit, games));
    }
    Ok(best(hits, of.most))
}

/// How well a text fits a name of an opening: `queen gambit` is complete too. The name of a variation alone is not.
fn fit_of_opening(begin: &NameStart, opening: &Opening) -> Option<StartFit> {
    let fit = |name: &str| match begin.fit(name)? {
        StartFit::Part => Some(StartFit::Words).min(begin.fit_of_first_part(name)),
        fit => Some(fit),
    };
    let is_variation = opening.name.contains([':', ',']);
    let best = if is_variation { StartFit::Anywhere } else { StartFit::Part };
    let plain = opening.name.contains("'s").then(|| opening.name.replace("'s", ""));
    let others = opening.other_names().chain(plain);
    others.filter_map(|name| Some(fit(&name)?.max(best))).chain(fit(opening.name)).min()
}

/// The games of each opening, with those of its variations.
fn games_by_name(counts: &[OpeningCount]) -> HashMap<&'static str, u64> {
    let mut games: HashMap<&'static str, u64> = HashMap::new();
    for count in counts {
        let Some(opening) = count.opening.and_then(|id| Openings::standard().get(id)) else { continue };
        let ends = opening.name.match_indices([':', ',']).map(|(at, _)| at).chain([opening.name.len()]);
        for end in ends {
            *games.entry(&opening.name[..end]).or_default() += count.sums.games();
        }
    }
    games
}

impl Hit {
    fn named(kind: HitKind, name: CountedName, fit: StartFit) -> Hit {
        let (detail, games) = (name.years().unwrap_or_default(), Some(name.games).filter(|games| *games > 0));
        Hit { detail, games, ..Hit::new(kind, name.name, Place::Name, fit) }
    }

    fn of_opening(opening: &Opening, fit: StartFit, games: Option<u64>) -> Hit {
        let (name, detail) = (opening.name.to_owned(), opening.eco.to_owned());
        Hit { detail, games, ..Hit::new(HitKind::Opening, name, Place::Name, fit) }
    }
}
