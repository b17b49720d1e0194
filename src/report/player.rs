//! The report on a player: scores by colour, opening, opponent's rating and year, and the first moves.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use serde::Serialize;

use super::{
    lines::{LineScore, Lines, first_moves},
    openings::{MostPlayed, OpeningTallies},
    profile::{PlayerProfile, ProfileTally, YearScore},
    results::{Band, Score, ScoreTally, Tallied, opponent_elo},
};
use crate::{
    archive::{Archive, Filter, GameSet, NameKind, PlayedGame, Result},
    chess::Move,
    openings::OpeningId,
    query::{Context, in_batches, opening_of},
    record::StoredMoves,
    rules::Color,
};

/// The width of a range of ratings.
const BAND: u32 = 100;

/// The player of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name, as a pattern: see [`matches`](crate::archive::matches).
    pub name: String,
    /// Only games with this colour.
    pub colour: Option<Color>,
    /// Only games against these opponents, as a pattern.
    pub opponent: Option<String>,
}

/// The report on a player. A game between two players whose names both match counts for both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerReport {
    /// The name in the request.
    pub player: String,
    /// The matching names with the most games.
    pub names: Vec<PlayerName>,
    /// The number of matching names with games.
    pub different_names: u64,
    /// The number of games.
    pub games: u64,
    /// All games.
    pub total: Score,
    /// As White.
    pub white: Score,
    /// As Black.
    pub black: Score,
    /// The openings as White.
    pub openings_as_white: MostPlayed<Score>,
    /// The openings as Black.
    pub openings_as_black: MostPlayed<Score>,
    /// By opponent's rating, highest first; unrated opponents last.
    pub opponents: Vec<Band<Score>>,
    /// By year, earliest first; games without a year last.
    pub years: Vec<YearScore>,
    /// The most played first moves as White, from the start of standard chess.
    pub lines_as_white: Vec<LineScore>,
    /// The most played replies as Black: to e4, to d4, and to everything else.
    pub lines_as_black: Vec<LineScore>,
    /// Further figures, for a page.
    #[serde(skip)]
    pub profile: PlayerProfile,
}

/// A name, as written in games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerName {
    /// The name.
    pub name: String,
    /// Games of this name.
    pub games: u64,
}

/// The report on a player, from the games that match a filter, which includes the conditions on the player. `lines` is
/// the maximum number of names, and of families and openings of each colour. The beginning of every game is replayed,
/// on all cores; a game that is damaged there has no opening and no moves.
///
/// The watch receives the number of games read.
pub fn player_report(
    context: Context<'_>,
    player: &Player,
    filter: &Filter,
    lines: usize,
) -> Result<PlayerReport> {
    let archive = context.archive;
    let sides = Sides::new(archive, player)?;
    let mut tally = PlayerTally::default();
    let work = |games: Vec<(PlayedGame, Option<StoredMoves>)>| -> Vec<SeenGame> {
        games.iter().map(|(game, moves)| SeenGame::new(*game, moves.as_ref())).collect()
    };
    let join = |games: Vec<SeenGame>| games.iter().for_each(|seen| tally.add(seen, sides.of(&seen.game)));
    in_batches(context, archive.list(filter), work, join)?;
    tally.report(archive, player, lines)
}

/// The ids of the matching names.
struct Sides {
    player: Vec<i64>,
    opponent: Option<Vec<i64>>,
    colour: Option<Color>,
}

impl Sides {
    fn new(archive: &Archive, player: &Player) -> Result<Sides> {
        let named = |name: &String| -> Result<Vec<i64>> {
            let mut ids = archive.names().players(name)?;
            ids.sort_unstable();
            Ok(ids)
        };
        Ok(Sides {
            player: named(&player.name)?,
            opponent: player.opponent.as_ref().map(named).transpose()?,
            colour: player.colour,
        })
    }

    /// The player's colours in a game: both, if the opponent's name matches too.
    fn of(&self, game: &PlayedGame) -> impl Iterator<Item = (Color, Option<i64>)> {
        let is = |ids: &[i64], id: Option<i64>| id.is_some_and(|id| ids.binary_search(&id).is_ok());
        Color::ALL.into_iter().filter_map(move |side| {
            let (own, other) = side.fold_wb((game.white, game.black), (game.black, game.white));
            let is_side = self.colour.is_none_or(|colour| colour == side)
                && is(&self.player, own)
                && self.opponent.as_ref().is_none_or(|opponent| is(opponent, other));
            is_side.then_some((side, own))
        })
    }
}

/// A game whose beginning has been replayed.
struct SeenGame {
    game: PlayedGame,
    opening: Option<OpeningId>,
    moves: Vec<Move>,
}

impl SeenGame {
    fn new(game: PlayedGame, moves: Option<&StoredMoves>) -> SeenGame {
        let opening = moves.and_then(|moves| opening_of(moves).ok()?);
        SeenGame { game, opening, moves: moves.map(first_moves).unwrap_or_default() }
    }
}

/// The games of one colour.
#[derive(Debug, Default)]
struct SideTally {
    all: ScoreTally,
    openings: OpeningTallies<ScoreTally>,
    lines: Lines,
}

#[derive(Debug, Default)]
struct PlayerTally {
    games: u64,
    total: ScoreTally,
    white: SideTally,
    black: SideTally,
    opponents: BTreeMap<Option<u32>, ScoreTally>,
    years: BTreeMap<Option<u16>, ScoreTally>,
    names: HashMap<i64, u64>,
    profile: ProfileTally,
}

impl PlayerTally {
    fn add(&mut self, seen: &SeenGame, sides: impl Iterator<Item = (Color, Option<i64>)>) {
        let (game, mut is_counted) = (&seen.game.facts, false);
        for (side, name) in sides {
            is_counted = true;
            let of_side = side.fold_wb(&mut self.white, &mut self.black);
            let band = opponent_elo(game, side).map(|elo| elo / BAND * BAND);
            let tallies = [
                &mut self.total,
                &mut of_side.all,
                self.opponents.entry(band).or_default(),
                self.years.entry(game.date.year()).or_default(),
            ];
            tallies.into_iter().for_each(|tally| tally.add(game, side));
            of_side.openings.add(seen.opening, |tally| tally.add(game, side));
            of_side.lines.add(game, side, &seen.moves);
            self.profile.add(&seen.game, side);
            name.into_iter().for_each(|name| *self.names.entry(name).or_default() += 1);
        }
        self.games += u64::from(is_counted);
    }

    fn report(self, archive: &Archive, player: &Player, lines: usize) -> Result<PlayerReport> {
        let band = |(from, tally): (Option<u32>, ScoreTally)| Band {
            from: from.map(i64::from),
            to: from.map(|from| i64::from(from.saturating_add(BAND - 1))),
            results: tally.answer(),
        };
        let year = |(year, tally): (Option<u16>, ScoreTally)| YearScore { year, score: tally.answer() };
        let mut years: Vec<YearScore> = self.years.into_iter().map(year).collect();
        // Games without a year come first in the map.
        years.sort_by_key(|year| year.year.is_none());
        Ok(PlayerReport {
            player: player.name.clone(),
            different_names: self.names.len() as u64,
            names: most_games(archive, self.names, lines)?,
            games: self.games,
            total: self.total.answer(),
            white: self.white.all.answer(),
            black: self.black.all.answer(),
            openings_as_white: self.white.openings.most_played(lines),
            openings_as_black: self.black.openings.most_played(lines),
            opponents: self.opponents.into_iter().rev().map(band).collect(),
            years,
            lines_as_white: self.white.lines.scores(),
            lines_as_black: self.black.lines.scores(),
            profile: self.profile.profile(archive, lines)?,
        })
    }
}

/// The names of one side in the games that match a filter, most games first, up to a maximum; and the number of all
/// names.
pub fn names_of(
    archive: &Archive,
    side: Color,
    filter: &Filter,
    most: usize,
) -> Result<(Vec<PlayerName>, u64)> {
    let mut names = HashMap::new();
    for game in archive.list::<PlayedGame>(filter) {
        let game = game?;
        let name = side.fold_wb(game.white, game.black);
        name.into_iter().for_each(|name| *names.entry(name).or_default() += 1);
    }
    let different = names.len() as u64;
    Ok((most_games(archive, names, most)?, different))
}

/// The names with the most games; equal ones by their letters, so that archives with the same games agree.
fn most_games(archive: &Archive, names: HashMap<i64, u64>, most: usize) -> Result<Vec<PlayerName>> {
    let mut names: Vec<(i64, u64)> = names.into_iter().collect();
    names.sort_unstable_by_key(|(_, games)| Reverse(*games));
    let least = names.get(most.saturating_sub(1)).map_or(0, |(_, games)| *games);
    let name = |(id, games)| {
        Ok(PlayerName { name: archive.names().of(NameKind::Player, id)?.unwrap_or_default(), games })
    };
    let named: Result<Vec<PlayerName>> =
        names.into_iter().take_while(|(_, games)| *games >= least).map(name).collect();
    let mut named = named?;
    named.sort_by(|one, other| (Reverse(one.games), &one.name).cmp(&(Reverse(other.games), &other.name)));
    named.truncate(most);
    Ok(named)
}

/// The score of a player in a set of games. A game between two players whose names both match counts for both.
pub fn player_score(archive: &Archive, player: &Player, games: GameSet) -> Result<Score> {
    let sides = Sides::new(archive, player)?;
    let mut tally = ScoreTally::default();
    for game in archive.list::<PlayedGame>(&Filter { among: Some(games), ..Filter::default() }) {
        let game = game?;
        sides.of(&game).for_each(|(side, _)| tally.add(&game.facts, side));
    }
    Ok(tally.answer())
}
