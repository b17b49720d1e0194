//! A position as in the public opening explorers: only games with a result count that continued from the position, and
//! the best and latest of them are listed.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use shakmaty::{CastlingMode, san::SanPlus, uci::UciMove};

use super::{Context, GameSums, OpeningName, Results, Top, each_played, performance};
use crate::{
    archive::{Filter, Result},
    chess::{Date, Move, VariantPosition},
    record::{GameId, GameMetadata},
    rules::{Color, LegalMoves, Outcome, Rules},
};

/// The book entry of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The moves played, most games first, then by `uci`.
    pub moves: Vec<BookMove>,
    /// The games with the highest sum of ratings; of equal ones, those with the lowest ids.
    pub top: Vec<BookGame>,
    /// The latest games that are not among these; on the same day, those with the highest ids.
    pub recent: Vec<BookGame>,
    /// The months that have games, counted from year 0: 12 times the year, plus 0 to 11.
    pub history: BTreeMap<u32, Results>,
}

/// A move, and the games in which it was the last one played from the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move in UCI notation; castling is always king takes rook, `e1h1`.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The games. All of them have a decisive result or a draw.
    pub games: GameSums,
    /// The game, if the move was played in only one.
    pub only_game: Option<GameId>,
    /// The opening named after the resulting position.
    pub opening: Option<OpeningName>,
}

/// A listed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookGame {
    /// The game.
    pub id: GameId,
    /// The move it played, in the notation of [`BookMove::uci`].
    pub uci: String,
}

/// The book entry of a position, from the games that match a filter.
pub fn book(
    context: Context<'_>,
    position: &VariantPosition,
    filter: &Filter,
    options: &BookOptions,
) -> Result<Book> {
    context.or_without_index(|context| {
        let mut collected = Collected::new(options);
        each_played(context, position, filter, &mut |game, played| {
            if options.counts(game) {
                collected.add(game, played, options.history);
            }
        })?;
        Ok(collected.into_book(position, options))
    })
}

/// The games collected so far.
struct Collected {
    /// By the index of the move among the legal ones, with the last game.
    moves: Vec<(GameSums, GameId)>,
    /// Each with the move it played.
    top: Top<(u64, Reverse<GameId>, u16)>,
    recent: Top<(Date, GameId, u16)>,
    months: BTreeMap<u32, Results>,
}

impl Collected {
    fn new(options: &BookOptions) -> Collected {
        // As many of the latest games may also be among the top ones.
        let recent = if options.recent > 0 { options.recent + options.top } else { 0 };
        Collected {
            moves: Vec::new(),
            top: Top::new(options.top),
            recent: Top::new(recent),
            months: BTreeMap::new(),
        }
    }

    fn add(&mut self, game: &GameMetadata, played: u16, history: bool) {
        let place = usize::from(played);
        if place >= self.moves.len() {
            self.moves.resize(place + 1, (GameSums::default(), 0));
        }
        let (sums, last) = &mut self.moves[place];
        sums.add(game);
        *last = game.id;
        let elo = u64::from(game.white_elo.unwrap_or(0)) + u64::from(game.black_elo.unwrap_or(0));
        self.top.offer((elo, Reverse(game.id), played));
        self.recent.offer((game.date, game.id, played));
        if let Some(month) = month(game).filter(|_| history) {
            self.months.entry(month).or_default().add(game.result);
        }
    }

    fn into_book(self, position: &VariantPosition, options: &BookOptions) -> Book {
        let legal = position.legal();
        let played = |index: u16| legal.nth(u32::from(index));
        let named = |id: GameId, index: u16| Some(BookGame { id, uci: uci(played(index)?) });
        let moves = (0..).zip(self.moves).filter(|(_, (sums, _))| sums.games() > 0);
        let mut moves: Vec<BookMove> = moves
            .filter_map(|(index, (sums, last))| Some(BookMove::new(position, played(index)?, sums, last)))
            .collect();
        moves.sort_by(|a, b| (Reverse(a.games.games()), &a.uci).cmp(&(Reverse(b.games.games()), &b.uci)));
        let top = self.top.values().iter().filter_map(|(_, Reverse(id), index)| named(*id, *index));
        let top: Vec<BookGame> = top.collect();
        let listed: HashSet<GameId> = top.iter().map(|game| game.id).collect();
        let recent = self.recent.values().iter().filter(|(_, id, _)| !listed.contains(id));
        let recent = recent.take(options.recent).filter_map(|(_, id, index)| named(*id, *index)).collect();
        Book { moves, recent, top, history: self.months }
    }
}

impl BookMove {
    fn new(position: &VariantPosition, m: Move, games: GameSums, last: GameId) -> BookMove {
        let mut after = position.clone();
        after.make(m);
        BookMove {
            uci: uci(m),
            san: SanPlus::from_move(position.clone(), m).to_string(),
            only_game: (games.games() == 1).then_some(last),
            opening: OpeningName::of([&after]),
            games,
        }
    }

    /// The performance rating of a side, by FIDE's table.
    pub fn performance(&self, side: Color) -> Option<i64> {
        performance(self.games.results.of(side), self.games.elo(!side))
    }
}

/// See [`BookMove::uci`].
fn uci(m: Move) -> String {
    UciMove::from_move(m, CastlingMode::Chess960).to_string()
}

/// The lowest mean rating of each group.
const GROUPS: [u32; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// Which games count in addition to the filter, and how much detail is returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// Only games of these groups.
    pub ratings: Option<RatingGroups>,
    /// Only games whose month is known.
    pub with_month: bool,
    /// The maximum number of top-rated games.
    pub top: usize,
    /// The maximum number of the latest games that are not among these.
    pub recent: usize,
    /// Whether games are counted by months.
    pub history: bool,
}

/// Groups of games by the mean of their ratings, rounded down; an unknown rating counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingGroups(u16);

impl RatingGroups {
    /// Adds the group that contains a rating.
    pub fn add(&mut self, rating: u32) {
        self.0 |= 1 << place(rating);
    }

    fn has(self, game: &GameMetadata) -> bool {
        let [white, black] = [game.white_elo, game.black_elo].map(|rating| u64::from(rating.unwrap_or(0)));
        let mean = u32::try_from((white + black) / 2).unwrap_or(u32::MAX);
        self.0 >> place(mean) & 1 == 1
    }
}

fn place(rating: u32) -> usize {
    GROUPS.partition_point(|lowest| *lowest <= rating) - 1
}

impl BookOptions {
    /// Whether a game counts.
    fn counts(&self, game: &GameMetadata) -> bool {
        game.result != Outcome::Unknown
            && self.ratings.is_none_or(|groups| groups.has(game))
            && (!self.with_month || month(game).is_some())
    }
}

/// The month of a game, counted from year 0; `None` if it is unknown.
fn month(game: &GameMetadata) -> Option<u32> {
    let (year, month) = game.date.year().zip(game.date.month())?;
    Some(12 * u32::from(year) + u32::from(month) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(white: u32, black: u32) -> GameMetadata {
        let known = |rating: u32| Some(rating).filter(|rating| *rating > 0);
        let (white_elo, black_elo) = (known(white), known(black));
        GameMetadata { id: 1, result: Outcome::Unknown, white_elo, black_elo, date: Date::default() }
    }

    #[test]
    fn a_game_is_in_the_group_of_its_mean_rating_rounded_down() {
        let group = |rating: u32| {
            let mut groups = RatingGroups::default();
            groups.add(rating);
            groups
        };
        for (chosen, white, black, is_in) in [
            (0, 0, 0, true),
            (0, 999, 1000, true),
            (1000, 999, 1000, false),
            (1000, 1000, 1000, true),
            (1100, 1199, 1200, true),
            (2000, 2300, 1700, true),
            (2000, 0, 4000, true),
            (2200, 2499, 2500, true),
            (2500, 2500, 2500, true),
            (9999, 3000, 3000, true),
            (2500, u32::MAX, u32::MAX, true),
        ] {
            assert_eq!(group(chosen).has(&rated(white, black)), is_in, "{chosen}: {white} {black}");
        }
    }

    #[test]
    fn months_are_counted_from_the_year_0() {
        let of = |year, month| {
            super::month(&GameMetadata { date: Date::new(year, month, 7).unwrap(), ..rated(0, 0) })
        };
        assert_eq!((of(1, 1), of(1984, 12), of(1984, 0), of(0, 5)), (Some(12), Some(23_819), None, None));
    }
}
