//! How surprising the moves of games are: bits per ply by ply, by rating and by year.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::{lengths::sum_up, per};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, Result, Sort, Summary},
    chess::{Color, Date, Position, Variant, rating_of_tag},
    codec::{CodecId, game::model::CHECK_BITS},
    record::{GameId, StoredGame},
};

/// Bits are summed in this fraction, as integers, so that the sum does not depend on the order of the games.
const FRACTION: f64 = (1 << 20) as f64;

/// The distance between two groups of ratings.
const RATINGS: u32 = 100;

/// How surprising the moves of some games are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurpriseStats {
    /// The games.
    pub games: u64,
    /// Their moves.
    #[serde(flatten)]
    pub all: Surprise,
    /// Games of variants without a model, which are not measured.
    pub left_out: u64,
    /// The moves by their number of plies from the start, the first one 1.
    pub by_ply: Vec<SurpriseGroup>,
    /// The moves of rated players, in steps of 100.
    pub by_rating: Vec<SurpriseGroup>,
    /// The moves of games with a date.
    pub by_year: Vec<SurpriseGroup>,
}

/// How surprising some moves are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Surprise {
    /// The moves.
    pub plies: u64,
    /// Their mean bits: see [`StoredGame::move_bits`]; 0 without moves.
    pub bits_per_ply: f64,
}

/// The moves of a group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurpriseGroup {
    /// The ply, the lowest rating, or the year.
    pub from: u32,
    /// Its moves.
    #[serde(flatten)]
    pub moves: Surprise,
}

/// Measures the games of standard chess and Chess960 that match a filter, on all cores. `progress` receives the number of
/// games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn surprise_stats(
    archive: &Archive,
    filter: &Filter,
    progress: impl FnMut(u64),
) -> Result<SurpriseStats> {
    let filter = Filter { chess: true, ..filter.clone() };
    let sums = sum_up(archive, &filter, Sums::default(), Sums::add, Sums::merge, progress)?;
    Ok(SurpriseStats {
        games: sums.games,
        all: sums.all.surprise(),
        left_out: sums.left_out,
        by_ply: groups(&sums.by_ply),
        by_rating: groups(&sums.by_rating),
        by_year: groups(&sums.by_year),
    })
}

/// A game in a list by surprise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurprisingGame {
    /// The game.
    #[serde(flatten)]
    pub summary: Summary,
    /// The bits that the codec `model` takes for its moves, its end and its result, per ply.
    pub bits_per_ply: f64,
}

impl AsRef<Summary> for SurprisingGame {
    fn as_ref(&self) -> &Summary {
        &self.summary
    }
}

/// The games of standard chess and Chess960 with at least one move that match a filter, by their bits per ply; those with
/// equally many by id. A filter's descending order, limit and offset apply. Games that are stored with another codec than
/// `model` are encoded for this, on all cores. `progress` receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn surprising_games<'a, P: FnMut(u64)>(
    archive: &'a Archive,
    filter: &Filter,
    progress: P,
) -> Result<impl Iterator<Item = Result<SurprisingGame>> + use<'a, P>> {
    let all =
        Filter { chess: true, sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() };
    let merge = |games: &mut Vec<Measured>, others| games.extend::<Vec<_>>(others);
    let mut games = sum_up(archive, &all, Vec::new(), Measured::add, merge, progress)?;
    games.sort_by(|one, other| {
        let order = one.bits_per_ply.total_cmp(&other.bits_per_ply);
        let order = if filter.descending { order.reverse() } else { order };
        order.then(one.id.cmp(&other.id))
    });
    let [skip, most] = [filter.offset, filter.limit.unwrap_or(u64::MAX)];
    let [skip, most] = [skip, most].map(|games| usize::try_from(games).unwrap_or(usize::MAX));
    games.truncate(skip.saturating_add(most));
    games.drain(..skip.min(games.len()));
    let mut done = 0;
    let pages = std::iter::from_fn(move || {
        let page = games.get(done..games.len().min(done + GAMES_A_PAGE)).filter(|page| !page.is_empty())?;
        done += page.len();
        Some(with_summaries(archive, page))
    });
    Ok(pages.flat_map(|page| match page {
        Ok(games) => games.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    }))
}

/// Games whose summaries are read together.
const GAMES_A_PAGE: usize = 500;

/// A game, and its bits per ply.
#[derive(Clone, Copy, Debug)]
struct Measured {
    id: GameId,
    bits_per_ply: f64,
}

impl Measured {
    fn add(games: &mut Vec<Measured>, game: &StoredGame) -> Result<()> {
        if !has_model(game) || game.plies == 0 {
            return Ok(());
        }
        let damaged = |error| ArchiveError::damaged(game.id, error);
        let bits = game.bits_with(CodecId::Model).map_err(damaged)?;
        let bits_per_ply = per(bits.saturating_sub(CHECK_BITS), game.plies as u64);
        games.push(Measured { id: game.id, bits_per_ply });
        Ok(())
    }
}

fn with_summaries(archive: &Archive, games: &[Measured]) -> Result<Vec<SurprisingGame>> {
    let among: GameSet = games.iter().map(|game| game.id).collect();
    let listed = archive.list::<Summary>(&Filter { among: Some(among), ..Filter::default() });
    let mut summaries: HashMap<GameId, Summary> =
        listed.map(|summary| summary.map(|summary| (summary.id, summary))).collect::<Result<_>>()?;
    let of = |game: &Measured| {
        let summary = summaries.remove(&game.id)?;
        Some(SurprisingGame { summary, bits_per_ply: game.bits_per_ply })
    };
    Ok(games.iter().filter_map(of).collect())
}

/// Whether there is a model of how people play the game.
fn has_model(game: &StoredGame) -> bool {
    game.kind.variant().is_some_and(Variant::has_model)
}

fn groups(sums: &BTreeMap<u32, Sum>) -> Vec<SurpriseGroup> {
    sums.iter().map(|(&from, sum)| SurpriseGroup { from, moves: sum.surprise() }).collect()
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    plies: u64,
    bits: u64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.plies += other.plies;
        self.bits += other.bits;
    }

    fn surprise(self) -> Surprise {
        Surprise { plies: self.plies, bits_per_ply: per(self.bits, self.plies) / FRACTION }
    }
}

#[derive(Clone, Debug, Default)]
struct Sums {
    games: u64,
    left_out: u64,
    all: Sum,
    by_ply: BTreeMap<u32, Sum>,
    by_rating: BTreeMap<u32, Sum>,
    by_year: BTreeMap<u32, Sum>,
}

impl Sums {
    fn add(&mut self, game: &StoredGame) -> Result<()> {
        if !has_model(game) {
            self.left_out += 1;
            return Ok(());
        }
        let damaged = |error| ArchiveError::damaged(game.id, error);
        let (bits, first) = (game.move_bits().map_err(damaged)?, game.start().map_err(damaged)?.turn());
        let ratings = Ratings::of(game);
        let mut whole = Sum::default();
        for ((ply, bits), turn) in (1..).zip(bits).zip([first, !first].into_iter().cycle()) {
            let sum = Sum { plies: 1, bits: (bits * FRACTION) as u64 };
            self.by_ply.entry(ply).or_default().add(sum);
            if let Some(rating) = ratings.of_side(turn) {
                self.by_rating.entry(rating / RATINGS * RATINGS).or_default().add(sum);
            }
            whole.add(sum);
        }
        if let Some(year) = year(game).filter(|_| whole.plies > 0) {
            self.by_year.entry(year).or_default().add(whole);
        }
        self.all.add(whole);
        self.games += 1;
        Ok(())
    }

    fn merge(&mut self, other: Sums) {
        self.games += other.games;
        self.left_out += other.left_out;
        self.all.add(other.all);
        for (sums, others) in [
            (&mut self.by_ply, other.by_ply),
            (&mut self.by_rating, other.by_rating),
            (&mut self.by_year, other.by_year),
        ] {
            others.into_iter().for_each(|(from, sum)| sums.entry(from).or_default().add(sum));
        }
    }
}

/// The ratings of White and Black. Nobody has the rating 0, which some programs write for none.
struct Ratings {
    white: Option<u32>,
    black: Option<u32>,
}

impl Ratings {
    fn of(game: &StoredGame) -> Ratings {
        let of = |tag| game.tags.get(tag).and_then(rating_of_tag).filter(|rating| *rating > 0);
        Ratings { white: of("WhiteElo").map(u32::from), black: of("BlackElo").map(u32::from) }
    }

    fn of_side(&self, side: Color) -> Option<u32> {
        side.fold_wb(self.white, self.black)
    }
}

fn year(game: &StoredGame) -> Option<u32> {
    let (date, _) = Date::of_game(game.tags.get("Date"), || game.tags.get("UTCDate"))?;
    date.year().map(u32::from)
}
