//! Openings, players and events whose names begin with a typed text or resemble it.

use std::{cmp::Reverse, collections::HashSet};

use super::{Hit, HitKind, Lookup, Place, position::games};
use crate::{
    archive::{Archive, CountedName, NameKind},
    chess::VariantPosition,
    limits::MAX_TYPED_NAME_BYTES,
    name_start::{NameStart, StartFit},
    openings::{Opening, OpeningError, Openings, eco_range},
    present::PresentError,
    query::PositionIndex,
};

/// Maximum number of openings whose games are counted: those with the shortest lines, which have the most games.
const COUNTED: usize = 12;

/// The names whose words begin with those of a text, by kind.
pub(super) fn begun(
    archive: &Archive,
    index: Option<&PositionIndex>,
    text: &str,
    lookup: Lookup,
) -> Result<Vec<Vec<Hit>>, PresentError> {
    let (names, begin) = (archive.names(), NameStart::new(text));
    if text.len() > MAX_TYPED_NAME_BYTES || begin.is_empty() {
        return Ok(Vec::new());
    }
    let players = names.completions(NameKind::Player, text, lookup.most)?;
    let events = match lookup.counts_events {
        true => names.completions(NameKind::Event, text, lookup.most)?,
        false => names.events_begun(text, lookup.most)?,
    };
    let hits = |kind: HitKind, names: Vec<CountedName>| -> Vec<Hit> {
        names.into_iter().map(|name| Hit::named(kind, name, &begin)).collect()
    };
    Ok(vec![
        openings(archive, index, text, &begin, lookup.most)?,
        hits(HitKind::Player, players),
        hits(HitKind::Event, events),
    ])
}

/// The names that resemble a text, by kind.
pub(super) fn similar(archive: &Archive, text: &str, most: usize) -> Result<Vec<Vec<Hit>>, PresentError> {
    let begin = NameStart::new(text);
    let near = |kind: HitKind, of: NameKind| -> Result<Vec<Hit>, PresentError> {
        let names = archive.names().near(of, text, most)?;
        Ok(names.into_iter().map(|name| Hit::named(kind, name, &begin)).collect())
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
fn openings(
    archive: &Archive,
    index: Option<&PositionIndex>,
    text: &str,
    begin: &NameStart,
    most: usize,
) -> Result<Vec<Hit>, PresentError> {
    let all = Openings::standard();
    let mut found: Vec<(StartFit, &Opening)> = match eco_range(text) {
        Some(_) => {
            let codes = all.search(text).into_iter().filter_map(|id| all.get(id));
            codes.map(|opening| (StartFit::Part, opening)).collect()
        }
        None => all.iter().filter_map(|(_, opening)| Some((begin.fit(opening.name)?, opening))).collect(),
    };
    found.sort_by_key(|(fit, opening)| (*fit, opening.plies, opening.name));
    let mut names = HashSet::new();
    found.retain(|(_, opening)| names.insert(opening.name));
    found.truncate(most.max(COUNTED));
    let mut hits = Vec::new();
    for (place, (fit, opening)) in found.into_iter().enumerate() {
        let position = VariantPosition::Chess(opening.position());
        let games = if place < COUNTED { games(archive, index, &position)? } else { None };
        hits.push(Hit::of_opening(opening, fit, games));
    }
    hits.sort_by_key(|hit| (hit.fit, Reverse(hit.games)));
    hits.truncate(most);
    Ok(hits)
}

impl Hit {
    fn named(kind: HitKind, name: CountedName, begin: &NameStart) -> Hit {
        Hit {
            kind,
            detail: name.years().unwrap_or_default(),
            games: Some(name.games).filter(|games| *games > 0),
            place: Place::Name,
            fit: begin.fit(&name.name).unwrap_or(StartFit::Anywhere),
            name: name.name,
        }
    }

    fn of_opening(opening: &Opening, fit: StartFit, games: Option<u64>) -> Hit {
        Hit {
            kind: HitKind::Opening,
            name: opening.name.to_owned(),
            detail: opening.eco.to_owned(),
            games,
            place: Place::Name,
            fit,
        }
    }
}
