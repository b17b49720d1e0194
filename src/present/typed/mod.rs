//! What a text typed into a single search field may mean: a position, a game, an opening, a player, an event.

mod names;
mod position;
mod selection;

use std::{cmp::Reverse, sync::Arc};

use serde::Serialize;

use super::Result;
use crate::{
    archive::{Archive, CountedName, Filter, Summary},
    chess::Date,
    name_start::StartFit,
    query::{Occasion, OpeningCount, PositionIndex},
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
    /// The games of two players, or of a player, an event or a site.
    Games,
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
    /// The page of an event in a year.
    Edition { event: String, year: u16 },
    /// The games that meet conditions: their names, and what they require.
    Games(Vec<(&'static str, String)>),
}

/// What a text may mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meanings {
    /// The hits of each kind, best first; the kinds in the order of their best hits. No group is empty.
    pub(crate) groups: Vec<Vec<Hit>>,
    /// Whether nothing has such a name, and the hits are only similar.
    pub(crate) is_similar: bool,
    /// Whether the hits are positions that differ in castling rights, because the text leaves them out.
    pub(crate) any_castling: bool,
}

/// Where a text is looked up.
#[derive(Debug)]
pub(crate) struct Searched<'a> {
    pub(crate) archive: &'a Archive,
    pub(crate) index: Option<&'a PositionIndex>,
    /// The names with their games. Without them, hits are ranked by estimates, and there are fewer kinds.
    pub(crate) counted: Option<Counted>,
    /// The maximum number of hits of each kind.
    pub(crate) most: usize,
}

/// The names of an archive with their games.
#[derive(Debug)]
pub(crate) struct Counted {
    /// The players, most games first.
    pub(crate) players: Arc<Vec<CountedName>>,
    pub(crate) occasions: Arc<Vec<Occasion>>,
    pub(crate) openings: Arc<Vec<OpeningCount>>,
}

/// How many times as many points as the second hit the first must have to be the only thing that a text can mean.
const CLEAR: u64 = 16;

impl Meanings {
    /// What a text may mean in an archive.
    pub(crate) fn of(searched: &Searched<'_>, text: &str) -> Result<Meanings> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Meanings::default());
        }
        let positions = position::positions(searched, text)?;
        if !positions.hits.is_empty() {
            let any_castling = positions.any_castling;
            return Ok(Meanings { groups: vec![positions.hits], is_similar: false, any_castling });
        }
        let mut groups = vec![game(searched.archive, text)?.into_iter().collect()];
        groups.extend(names::begun(searched, text)?);
        groups.retain(|hits: &Vec<Hit>| !hits.is_empty());
        let is_similar = groups.is_empty();
        if is_similar {
            groups = names::similar(searched, text)?;
            groups.retain(|hits| !hits.is_empty());
        }
        groups.sort_by_key(|hits| hits.iter().map(Hit::order).min());
        Ok(Meanings { groups, is_similar, any_castling: false })
    }

    /// The only thing that the text can mean: a position, a game with this number, the only name, or a complete name with
    /// far more games than anything else.
    pub(crate) fn clear(&self) -> Option<&Hit> {
        let first = self.groups.first()?.first().filter(|_| !self.is_similar && !self.any_castling)?;
        let others = self.groups.iter().flatten().skip(1);
        let points = others.map(Hit::points).max().unwrap_or_default();
        let is_certain = matches!(first.kind, HitKind::Position | HitKind::Game);
        let is_only = self.groups.iter().flatten().count() == 1;
        let leads = first.fit == StartFit::Part && first.points() >= points.saturating_mul(CLEAR);
        (is_certain || is_only || leads).then_some(first)
    }
}

/// The game that a text names by its number: `12345` or `#12345`.
fn game(archive: &Archive, text: &str) -> Result<Option<Hit>> {
    let number = text.strip_prefix('#').unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let Some(id) = number.parse::<GameId>().ok().filter(|_| is_number) else { return Ok(None) };
    let filter = Filter { ids: Some(id..=id), ..Filter::default() };
    let Some(game) = archive.list::<Summary>(&filter).next().transpose()? else { return Ok(None) };
    let detail = game.date.map(Date::known).unwrap_or_default();
    Ok(Some(Hit { detail, ..Hit::new(HitKind::Game, game.title, Place::Game(id), StartFit::Part) }))
}

impl Hit {
    fn new(kind: HitKind, name: String, place: Place, fit: StartFit) -> Hit {
        Hit { kind, name, detail: String::new(), games: None, place, fit }
    }

    /// Better hits first: positions and games are certain.
    fn order(&self) -> (bool, Reverse<u64>) {
        let is_name = !matches!(self.kind, HitKind::Position | HitKind::Game);
        (is_name, Reverse(self.points()))
    }

    fn points(&self) -> u64 {
        points(self.kind, self.fit, self.games.unwrap_or_default())
    }
}

/// What a name is worth as a hit: a better fit counts as much as four times the games. A player is more likely meant than
/// an event or an opening named after the player.
fn points(kind: HitKind, fit: StartFit, games: u64) -> u64 {
    let weight = match (fit, kind) {
        (StartFit::Part, HitKind::Player) => 2048,
        (StartFit::Part, _) => 64,
        (StartFit::Words, _) | (StartFit::Letters, HitKind::Player) => 16,
        (StartFit::Letters, _) => 4,
        (StartFit::Anywhere, _) => 1,
    };
    games.saturating_add(1).saturating_mul(weight)
}
