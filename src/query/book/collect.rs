//! The games of a position, collected into an opening book entry.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    ops::ControlFlow,
};

use shakmaty::{CastlingMode, san::SanPlus, uci::UciMove};

use super::{
    selection::{BookOptions, month},
    top_games::TopGames,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Move, VariantPosition},
    query::{
        GameSums, OpeningName, PositionIndex, each_played,
        explore::{performance, rounded},
    },
    record::{GameId, GameMetadata},
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules},
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
    /// The months that have games, in order.
    pub history: Vec<BookMonth>,
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

/// The games of a month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookMonth {
    /// The month, counted from year 0: 12 times the year, plus 0 to 11.
    pub month: u32,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// The book entry of a position, from the games that match a filter; `None` if `watch` cancelled it.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn book(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    options: &BookOptions,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Book>, ArchiveError> {
    PositionIndex::or_without(index, |index| {
        let mut collected = Collected::new(options);
        let is_whole = each_played(archive, index, position, filter, watch, &mut |game, played| {
            if options.counts(game) {
                collected.add(game, played, options.history);
            }
        })?;
        Ok(is_whole.then(|| collected.into_book(position, options)))
    })
}

/// The games collected so far.
struct Collected {
    /// By the index of the move among the legal ones, with the last game.
    moves: Vec<(GameSums, GameId)>,
    top: TopGames<(u64, Reverse<GameId>), (GameId, u16)>,
    recent: TopGames<(u32, GameId), (GameId, u16)>,
    months: BTreeMap<u32, BookMonth>,
}

impl Collected {
    fn new(options: &BookOptions) -> Collected {
        // As many of the latest games may also be among the top ones.
        let recent = if options.recent > 0 { options.recent + options.top } else { 0 };
        Collected {
            moves: Vec::new(),
            top: TopGames::new(options.top),
            recent: TopGames::new(recent),
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
        self.top.offer((elo, Reverse(game.id)), || (game.id, played));
        self.recent.offer((game.date, game.id), || (game.id, played));
        if let Some(month) = month(game).filter(|_| history) {
            self.months.entry(month).or_insert(BookMonth { month, ..BookMonth::default() }).add(game);
        }
    }

    fn into_book(self, position: &VariantPosition, options: &BookOptions) -> Book {
        let legal = position.legal();
        let played = |index: u16| legal.nth(u32::from(index));
        let named = |(id, index): (GameId, u16)| Some(BookGame { id, uci: uci(played(index)?) });
        let moves = (0..).zip(self.moves).filter(|(_, (sums, _))| sums.games() > 0);
        let mut moves: Vec<BookMove> = moves
            .filter_map(|(index, (sums, last))| Some(BookMove::new(position, played(index)?, sums, last)))
            .collect();
        moves.sort_by(|a, b| (Reverse(a.games.games()), &a.uci).cmp(&(Reverse(b.games.games()), &b.uci)));
        let top: Vec<BookGame> = self.top.into_values().filter_map(named).collect();
        let listed: HashSet<GameId> = top.iter().map(|game| game.id).collect();
        let recent = self.recent.into_values().filter(|(id, _)| !listed.contains(id));
        Book {
            moves,
            recent: recent.take(options.recent).filter_map(named).collect(),
            top,
            history: self.months.into_values().collect(),
        }
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

    /// The mean rating of a side, over the games that give one, rounded half up.
    pub fn mean_rating(&self, side: Color) -> Option<i64> {
        let ratings = self.games.elo(side);
        rounded(i128::from(ratings.sum), i128::from(ratings.games))
    }

    /// The performance rating of a side, by FIDE's table.
    pub fn performance(&self, side: Color) -> Option<i64> {
        let [wins, draws, losses] = self.games.results.of(side);
        performance(wins, draws, losses, self.games.elo(!side))
    }
}

impl BookMonth {
    fn add(&mut self, game: &GameMetadata) {
        match game.result {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => self.white += 1,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => self.black += 1,
            Outcome::Known(KnownOutcome::Draw) => self.draws += 1,
            Outcome::Unknown => {}
        }
    }
}

/// See [`BookMove::uci`].
fn uci(m: Move) -> String {
    UciMove::from_move(m, CastlingMode::Chess960).to_string()
}
