//! What a text typed into a single search field may mean: a position, a game, an opening, a player, an event.

mod names;
mod position;

use std::cmp::Reverse;

use serde::Serialize;

use super::PresentError;
use crate::{
    archive::{Archive, Filter, Summary},
    name_start::StartFit,
    query::PositionIndex,
    record::GameId,
};

/// The kind of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HitKind {
    Position,
    Game,
    Opening,
    Player,
    Event,
}

/// A thing that a text may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) kind: HitKind,
    /// Its name, or the moves to a position.
    pub(crate) name: String,
    /// What distinguishes it from similar ones: a code, years, the opening of a position.
    pub(crate) detail: String,
    /// The number of games, if it is known.
    pub(crate) games: Option<u64>,
    pub(crate) place: Place,
    fit: StartFit,
}

/// Where a hit is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A position: a FEN, which is empty for the start position, and moves in UCI notation, separated by commas.
    Position { fen: String, play: String },
    /// A game.
    Game(GameId),
    /// The page of the name.
    Name,
}

/// What a text may mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meanings {
    /// The hits of each kind, best first; the kinds in the order of their best hits. No group is empty.
    pub(crate) groups: Vec<Vec<Hit>>,
    /// Whether nothing has such a name, and the hits are only similar.
    pub(crate) is_similar: bool,
}

/// How a text is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// The maximum number of hits of each kind.
    pub(crate) most: usize,
    /// Whether to count the games of events, which takes longer.
    pub(crate) counts_events: bool,
}

impl Meanings {
    /// What a text may mean in an archive.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub(crate) fn of(
        archive: &Archive,
        index: Option<&PositionIndex>,
        text: &str,
        lookup: Lookup,
    ) -> Result<Meanings, PresentError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Meanings::default());
        }
        if let Some(hit) = position::hit(archive, index, text)? {
            return Ok(Meanings { groups: vec![vec![hit]], is_similar: false });
        }
        let mut groups = vec![game(archive, text)?.into_iter().collect()];
        groups.extend(names::begun(archive, index, text, lookup)?);
        groups.retain(|hits: &Vec<Hit>| !hits.is_empty());
        let is_similar = groups.is_empty();
        if is_similar {
            groups = names::similar(archive, text, lookup.most)?;
            groups.retain(|hits| !hits.is_empty());
        }
        groups.sort_by_key(|hits| hits.iter().map(Hit::order).min());
        Ok(Meanings { groups, is_similar })
    }

    /// The only thing that the text can mean: a position, a game with this number, or the only name.
    pub(crate) fn clear(&self) -> Option<&Hit> {
        let first = self.groups.first()?.first().filter(|_| !self.is_similar)?;
        let is_only = self.groups.len() == 1 && self.groups[0].len() == 1;
        let is_certain = matches!(first.kind, HitKind::Position | HitKind::Game);
        (is_only || is_certain).then_some(first)
    }
}

impl Hit {
    /// Better hits first: positions and games are certain.
    fn order(&self) -> (bool, StartFit, Reverse<u64>) {
        let is_name = !matches!(self.kind, HitKind::Position | HitKind::Game);
        (is_name, self.fit, Reverse(self.games.unwrap_or_default()))
    }
}

/// The game that a text names by its number: `12345` or `#12345`.
fn game(archive: &Archive, text: &str) -> Result<Option<Hit>, PresentError> {
    let number = text.strip_prefix('#').unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let Some(id) = number.parse::<GameId>().ok().filter(|_| is_number) else { return Ok(None) };
    let filter = Filter { ids: Some(id..=id), ..Filter::default() };
    let Some(game) = archive.list::<Summary>(&filter).next().transpose()? else { return Ok(None) };
    Ok(Some(Hit {
        kind: HitKind::Game,
        name: game.title,
        detail: game.date.as_deref().map(super::games::known_date).unwrap_or_default().to_owned(),
        games: None,
        place: Place::Game(id),
        fit: StartFit::Part,
    }))
}
