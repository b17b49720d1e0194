//! The result of an exploration: the moves played in a position, and the results of the games.

use std::cmp::Reverse;

use serde::Serialize;
use shakmaty::{CastlingMode, EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};

use super::Tally;
use crate::{
    chess::{Chess, File, Keyed, Move, Position, Variant, VariantPosition},
    openings::Openings,
    record::{GameId, GameSums, Results, performance},
    rules::{LegalMoves, Rules},
};

/// A position and the games that reach it. A game counts once, even if it reaches the position several times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exploration {
    /// The position as FEN, with the en passant square only where the capture is legal.
    pub position: String,
    /// The opening named after this position.
    pub opening: Option<OpeningName>,
    /// The games, including those that never moved from here.
    #[serde(flatten)]
    pub results: Results,
    /// Games that never moved from here: they ended when they first reached the position.
    pub ended_here: u64,
    /// The moves played, most games first, then by `uci`.
    pub moves: Vec<ExploredMove>,
    /// Moves that nobody played here, but that lead to positions reached by other games: most games first, then by
    /// `uci`. Only on request, since finding them takes several times as long as everything else.
    #[serde(skip)]
    pub transpositions: Vec<Transposition>,
}

/// A move to a position that games reach only by other moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transposition {
    /// The move in UCI notation, as [`ExploredMove::uci`].
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The number of games that reach the resulting position.
    pub reached: u64,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningName {
    /// Its code, A00 to E99.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// A move, and the games that played it as their last move from the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploredMove {
    /// The move in UCI notation. Castling from e1 with a rook on a1 or h1 (e8, a8 or h8) is the king's move, `e1g1`;
    /// all other castling, of Chess960, is king takes rook.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The games.
    #[serde(flatten)]
    pub results: Results,
    /// The mean rating of the side to move, over the games that give one.
    pub mean_rating: Option<i64>,
    /// The mean rating of the other side, over the games that give one.
    pub mean_opponent: Option<i64>,
    /// The performance rating of the side to move, by FIDE's table. Games that are neither decided nor drawn do not
    /// count in the score.
    pub performance: Option<i64>,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The game with the highest sum of ratings; of several, the first.
    pub best_game: Option<GameId>,
    /// The number of games that reach the resulting position by any move order.
    pub reached: u64,
}

impl Exploration {
    /// The exploration of a tally. `reached` has the number of games that reach the position after each legal move,
    /// with the same indices as the tally. A move of the tally that is not legal in the position is left out.
    pub fn new(position: &VariantPosition, tally: &Tally, reached: &[u64]) -> Exploration {
        let (total, legal) = (tally.total(), position.legal());
        let played = (0_u16..).zip(tally.moves()).filter(|(_, games)| games.games() > 0);
        let explored = |(index, games): (u16, &GameSums)| {
            let reached = reached.get(usize::from(index)).copied().unwrap_or(0);
            Some(ExploredMove::new(position, legal.nth(u32::from(index))?, games, reached))
        };
        let mut moves: Vec<_> = played.filter_map(explored).collect();
        moves.sort_by(|a, b| (Reverse(a.results.games), &a.uci).cmp(&(Reverse(b.results.games), &b.uci)));
        let is_played = |index: usize| tally.moves().get(index).is_some_and(|games| games.games() > 0);
        let other = (0..).zip(reached).filter(|(index, games)| **games > 0 && !is_played(*index));
        let mut transpositions: Vec<Transposition> = other
            .filter_map(|(index, games)| {
                let m = legal.nth(u32::try_from(index).ok()?)?;
                let san = SanPlus::from_move(position.clone(), m).to_string();
                Some(Transposition { uci: uci(m), san, reached: *games })
            })
            .collect();
        transpositions.sort_by(|a, b| (Reverse(a.reached), &a.uci).cmp(&(Reverse(b.reached), &b.uci)));
        Exploration {
            position: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            opening: OpeningName::of([position]),
            results: total.results,
            ended_here: tally.ended().games(),
            moves,
            transpositions,
        }
    }
}

impl OpeningName {
    /// The name of the last named position of a chess line.
    pub fn of<'a>(line: impl IntoIterator<Item = &'a VariantPosition>) -> Option<OpeningName> {
        line.into_iter().filter_map(OpeningName::at).last()
    }

    fn at(position: &VariantPosition) -> Option<OpeningName> {
        let openings = Openings::standard();
        let key = match position {
            VariantPosition::Chess(position) => position.key(),
            // These variants have the openings of chess; only their keys differ, by pieces in hand and remaining
            // checks.
            other if Variant::of(other).has_openings() => {
                let setup = position.to_setup(EnPassantMode::Always);
                let is_usual = setup.pockets.is_none_or(|pockets| pockets == Default::default())
                    && setup.remaining_checks.is_none_or(|checks| checks == Default::default());
                let mode = CastlingMode::detect(&setup);
                is_usual.then(|| setup.position::<Chess>(mode).ok()).flatten()?.key()
            }
            _ => return None,
        };
        let opening = openings.at(key).and_then(|id| openings.get(id))?;
        Some(OpeningName { eco: opening.eco, name: opening.name })
    }
}

impl ExploredMove {
    fn new(position: &VariantPosition, m: Move, games: &GameSums, reached: u64) -> ExploredMove {
        let turn = Rules::turn(position);
        let opponents = games.elo(!turn);
        ExploredMove {
            uci: uci(m),
            san: SanPlus::from_move(position.clone(), m).to_string(),
            results: games.results,
            mean_rating: games.elo(turn).mean(),
            mean_opponent: opponents.mean(),
            performance: performance(games.results.of(turn), opponents),
            last_year: games.last_year,
            best_game: games.best.map(|best| best.id),
            reached,
        }
    }
}

/// See [`ExploredMove::uci`].
fn uci(m: Move) -> String {
    let is_usual = |king: File, rook: File| king == File::E && matches!(rook, File::A | File::H);
    let mode = match m {
        Move::Castle { king, rook } if !is_usual(king.file(), rook.file()) => CastlingMode::Chess960,
        _ => CastlingMode::Standard,
    };
    UciMove::from_move(m, mode).to_string()
}
