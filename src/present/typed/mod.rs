//! What a text typed into a single search field may mean: a position, a game, an opening, a player, an event.

use std::{cmp::Reverse, collections::HashSet, ops::ControlFlow};

use serde::Serialize;
use shakmaty::uci::UciMove;

use super::{PresentError, numbered::numbered_line};
use crate::{
    archive::{Archive, CountedName, Filter, NameKind, Summary},
    chess::{Chess, Move, Position, Variant, VariantPosition, move_list},
    limits::{MAX_LINE_MOVES, MAX_TYPED_NAME_BYTES},
    name_start::{NameStart, StartFit},
    openings::{Opening, OpeningError, Openings, eco_range},
    query::{FindProgress, OpeningName, PositionIndex, TargetPosition, count_reaching},
    record::{GameId, fen},
    request,
    rules::Rules,
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

/// An archive and its index.
type Indexed<'a> = (&'a Archive, Option<&'a PositionIndex>);

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
        if let Some(hit) = typed_position((archive, index), text)? {
            return Ok(Meanings { groups: vec![vec![hit]], is_similar: false });
        }
        let mut groups = vec![game(archive, text)?.into_iter().collect()];
        groups.extend(begun((archive, index), text, lookup)?);
        groups.retain(|hits: &Vec<Hit>| !hits.is_empty());
        let is_similar = groups.is_empty();
        if is_similar {
            groups = similar(archive, text, lookup.most)?;
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

/// Maximum number of openings whose games are counted: those with the shortest lines, which have the most games.
const COUNTED: usize = 12;

/// The names whose words begin with those of a text, by kind.
fn begun(of: Indexed<'_>, text: &str, lookup: Lookup) -> Result<Vec<Vec<Hit>>, PresentError> {
    let (names, begin) = (of.0.names(), NameStart::new(text));
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
        openings(of, text, &begin, lookup.most)?,
        hits(HitKind::Player, players),
        hits(HitKind::Event, events),
    ])
}

/// The names that resemble a text, by kind.
fn similar(archive: &Archive, text: &str, most: usize) -> Result<Vec<Vec<Hit>>, PresentError> {
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
fn openings(of: Indexed<'_>, text: &str, begin: &NameStart, most: usize) -> Result<Vec<Hit>, PresentError> {
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
        let games = if place < COUNTED { games(of, &position)? } else { None };
        hits.push(Hit::of_opening(opening, fit, games));
    }
    hits.sort_by_key(|hit| (hit.fit, Reverse(hit.games)));
    hits.truncate(most);
    Ok(hits)
}

impl Hit {
    /// Better hits first: positions and games are certain.
    fn order(&self) -> (bool, StartFit, Reverse<u64>) {
        let is_name = !matches!(self.kind, HitKind::Position | HitKind::Game);
        (is_name, self.fit, Reverse(self.games.unwrap_or_default()))
    }

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

/// The number of games that may be replayed to count the games of a position.
const REPLAYED: u64 = 2_000;

/// The position that a text describes: legal moves from the start, or a FEN with at least the side to move.
fn typed_position(of: Indexed<'_>, text: &str) -> Result<Option<Hit>, PresentError> {
    let Some((line, name, place)) = of_moves(text).or_else(|| of_fen(text)) else { return Ok(None) };
    let opening = OpeningName::of(&line);
    let games = match line.last() {
        Some(position) => games(of, position)?,
        None => None,
    };
    Ok(Some(Hit {
        kind: HitKind::Position,
        name,
        detail: opening.map(|opening| format!("{} {}", opening.eco, opening.name)).unwrap_or_default(),
        games,
        place,
        fit: StartFit::Part,
    }))
}

/// The number of games that reach a position, if it is known without a long search.
fn games((archive, index): Indexed<'_>, position: &VariantPosition) -> Result<Option<u64>, PresentError> {
    let Some(index) = index.filter(|index| index.is_complete() && index.has_positions()) else {
        return Ok(None);
    };
    let watch = |progress: FindProgress| match progress.games {
        0..REPLAYED => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let sought = TargetPosition::exact(position);
    let counted = count_reaching(archive, Some(index), &sought, &Filter::default(), watch)?;
    Ok(counted.map(|counted| counted.hits))
}

type TypedPosition = (Vec<VariantPosition>, String, Place);

fn of_moves(text: &str) -> Option<TypedPosition> {
    let (start, moves) = move_list(&plain(text)).ok().filter(|(_, moves)| !moves.is_empty())?;
    let line = positions(start.clone(), &moves);
    let uci = |(position, m): (&VariantPosition, &Move)| {
        UciMove::from_move(*m, position.castles().mode()).to_string()
    };
    let place = if moves.len() <= MAX_LINE_MOVES {
        let play = line.iter().zip(&moves).map(uci).collect::<Vec<_>>().join(",");
        Place::Position { fen: String::new(), play }
    } else {
        Place::Position { fen: line.last().map(fen)?, play: String::new() }
    };
    Some((line, numbered_line(VariantPosition::Chess(start), &moves), place))
}

/// Moves without what people add to them: commas, glyphs, zeros for castling.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        let word = word.trim_end_matches(['!', '?']);
        if word.contains("0-0") {
            word.replace("0-0-0", "O-O-O").replace("0-0", "O-O")
        } else {
            word.to_owned()
        }
    };
    text.split([' ', ',', '\t', '\n', '\u{a0}']).map(word).collect::<Vec<_>>().join(" ")
}

fn positions(start: Chess, moves: &[Move]) -> Vec<VariantPosition> {
    let mut line = vec![VariantPosition::Chess(start)];
    for m in moves {
        let mut next = line[line.len() - 1].clone();
        next.make(*m);
        line.push(next);
    }
    line
}

fn of_fen(text: &str) -> Option<TypedPosition> {
    if text.matches('/').count() < 7 {
        return None;
    }
    let line = request::line(Variant::Standard, Some(text), None).ok()?;
    let fen = line.last().map(fen)?;
    let place = Place::Position { fen: fen.clone(), play: String::new() };
    Some((line, fen, place))
}
