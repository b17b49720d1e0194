//! The main lines from a position. A game belongs to one line: the moves after its last visit to the position. So the
//! continuations of a move never have more games than the move itself.

mod lines;

use std::{slice, vec::IntoIter};

use serde::Serialize;
use shakmaty::uci::UciMove;

use self::lines::{GameLine, lines_from};
use super::{Context, Exploration, ExploredMove, OpeningName, Results, count_reaching, explore};
use crate::{
    archive::{Filter, Result},
    chess::{Move, MoveKey, TargetPosition, VariantPosition},
    rules::Rules,
};

/// The maximum length of lines, in plies.
const MOST_PLIES: usize = 100;

/// Which lines are main lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The maximum length, in plies, from 1 to 100.
    pub plies: usize,
    /// The minimum share of a move in percent of the games that reach the first position.
    pub percent: u64,
    /// The minimum number of games of a move.
    pub games: u64,
    /// The maximum number of moves in each position.
    pub moves: usize,
}

/// A position, and the lines played from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineTree {
    /// See [`Exploration::position`].
    pub position: String,
    /// See [`Exploration::opening`].
    pub opening: Option<OpeningName>,
    /// The games, including those that ended here.
    #[serde(flatten)]
    pub results: Results,
    /// See [`Exploration::ended_here`].
    pub ended_here: u64,
    /// The games that continue with a move that is not a main one.
    #[serde(skip)]
    pub left_out: u64,
    /// The moves, most games first.
    pub lines: Vec<LineMove>,
}

/// What all games of an archive say of a move in games of the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ComparedMove {
    /// Whether it is a move of the player; otherwise it is the opponent's.
    pub by_player: bool,
    /// The number of all games in the archive that reach the position before it.
    pub all_here: u64,
    /// How many of them played it.
    pub all_games: u64,
    /// The number of all games that reach the position after it.
    pub all_after: u64,
    /// Why a move of the player is rare; `None` if it is not, or if an earlier move already was.
    pub rare: Option<Rare>,
}

/// Why a move is rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rare {
    /// Few games reach the position after it.
    Position,
    /// It was played in a small part of the games that reached the position.
    Move,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineMove {
    /// The move, and the games that played this line up to it.
    #[serde(flatten)]
    pub played: ExploredMove,
    /// The games that reach the resulting position, but not by this line.
    pub by_transposition: u64,
    /// The comparison with all games, in a [preparation](super::Preparation).
    #[serde(flatten)]
    pub compared: Option<ComparedMove>,
    /// The opening named after the resulting position.
    pub opening: Option<OpeningName>,
    /// The moves that follow.
    pub lines: Vec<LineMove>,
}

/// The main lines that games matching a filter played from a position. Damaged games are skipped.
///
/// The watch receives the number of games replayed, first for the lines and then for transpositions.
pub fn line_tree(
    context: Context<'_>,
    root: &VariantPosition,
    filter: &Filter,
    options: TreeOptions,
) -> Result<LineTree> {
    let plies = options.plies.clamp(1, MOST_PLIES);
    let lines = lines_from(context, root, plies, filter)?;
    let mut growth = Growth {
        options: TreeOptions { plies, ..options },
        games: lines.len() as u64,
        positions: Vec::new(),
        left_out: 0,
    };
    let (answer, mut moves) = growth.grow(root, &lines, 0);
    let reached = games_reaching_each(context, &growth.positions, filter)?;
    add_reached(&mut moves, &mut reached.into_iter());
    let Exploration { position, opening, results, ended_here, .. } = answer;
    Ok(LineTree { position, opening, results, ended_here, left_out: growth.left_out, lines: moves })
}

/// The number of games that match a filter and reach each position, by any moves. Without a suitable index, all games
/// are replayed once.
fn games_reaching_each(
    context: Context<'_>,
    positions: &[VariantPosition],
    filter: &Filter,
) -> Result<Vec<u64>> {
    // With a limit or an offset, only the archive can decide which games are the first ones.
    let index =
        context.index.filter(|index| index.has_positions() && filter.limit.is_none() && filter.offset == 0);
    let is_chess = positions.iter().all(|position| matches!(position, VariantPosition::Chess(_)));
    if let Some(index) = index.filter(|_| is_chess) {
        let sought: Vec<TargetPosition> = positions.iter().map(TargetPosition::exact).collect();
        // Together, since the filter is then prepared only once.
        let known =
            index.unless_damaged(index.known_counts(context.archive, &sought, filter))?.unwrap_or_default();
        let mut counts = Vec::with_capacity(positions.len());
        for (place, sought) in sought.iter().enumerate() {
            if let Some(games) = known.get(place).copied().flatten() {
                counts.push(games);
                continue;
            }
            counts.push(count_reaching(context, sought, filter)?.hits);
            if index.is_ignored() {
                // Each further position would require its own scan.
                break;
            }
        }
        if counts.len() == positions.len() {
            return Ok(counts);
        }
    }
    let answers = explore(context.with_index(None), positions, filter)?;
    Ok(answers.iter().map(|answer| answer.results.games).collect())
}

/// A tree under construction.
struct Growth {
    options: TreeOptions,
    /// The games that reach the first position.
    games: u64,
    /// The position after each move, in the order of the tree: a move before its continuations.
    positions: Vec<VariantPosition>,
    /// See [`LineTree::left_out`].
    left_out: u64,
}

impl Growth {
    /// The tally of a position, and its main moves with their continuations. The lines are sorted, and all of them lead
    /// here in `depth` moves.
    fn grow(&mut self, position: &VariantPosition, lines: &[GameLine], depth: usize) -> Grown {
        let answer = Exploration::new(position, &lines::tally(position, lines, depth), &[]);
        let TreeOptions { plies, percent, games, moves } = self.options;
        let is_main =
            |m: &&ExploredMove| m.results.games >= games && 100 * m.results.games >= percent * self.games;
        let main: Vec<ExploredMove> = answer.moves.iter().filter(is_main).take(moves).cloned().collect();
        let games = |moves: &[ExploredMove]| moves.iter().map(|m| m.results.games).sum::<u64>();
        self.left_out += games(&answer.moves).saturating_sub(games(&main));
        let next = main.into_iter().filter_map(|played| {
            let (m, after) = after(position, &played)?;
            self.positions.push(after.clone());
            let lines = match depth + 1 < plies {
                true => {
                    let these = lines::with_move(lines, depth, MoveKey::new(position.turn(), m));
                    self.grow(&after, these, depth + 1).1
                }
                false => Vec::new(),
            };
            let opening = OpeningName::of([&after]);
            Some(LineMove { played, by_transposition: 0, compared: None, opening, lines })
        });
        let next = next.collect();
        (answer, next)
    }
}

/// Adds the number of games that reach the position after each move, in the order of the tree.
fn add_reached(lines: &mut [LineMove], reached: &mut IntoIter<u64>) {
    for line in lines {
        line.played.reached = reached.next().unwrap_or(0);
        line.by_transposition = line.played.reached.saturating_sub(line.played.results.games);
        add_reached(&mut line.lines, reached);
    }
}

/// A move that was played in a position, and the position after it.
pub(super) fn after(position: &VariantPosition, played: &ExploredMove) -> Option<(Move, VariantPosition)> {
    let m = played.uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
    let mut after = position.clone();
    after.make(m);
    Some((m, after))
}

/// The exploration of a position, and its main moves with what follows them: every position with all games that reach
/// it. With an index this is much faster than the lines of games, which are replayed. The watch receives the number of
/// games replayed, starting again at 0 for each ply.
pub fn continuations(context: Context<'_>, root: &VariantPosition, options: TreeOptions) -> Result<Grown> {
    let mut tree = Tree { context, options, games: 0 };
    Ok(tree.grow(slice::from_ref(root), options.plies)?.remove(0))
}

/// A position, and its main moves.
type Grown = (Exploration, Vec<LineMove>);

struct Tree<'a> {
    context: Context<'a>,
    options: TreeOptions,
    /// The games that reach the first position.
    games: u64,
}

impl Tree<'_> {
    /// Explores positions, and their main moves to a depth of `plies`.
    fn grow(&mut self, positions: &[VariantPosition], plies: usize) -> Result<Vec<Grown>> {
        let explored = explore(self.context, positions, &Filter::default())?;
        self.games = self.games.max(explored.iter().map(|of| of.results.games).max().unwrap_or(0));
        let TreeOptions { percent, games, moves, .. } = self.options;
        let least = games.max((percent * self.games).div_ceil(100));
        let is_main = |m: &&ExploredMove| m.results.games >= least;
        let main =
            |(of, position): (&Exploration, &VariantPosition)| -> Vec<(ExploredMove, VariantPosition)> {
                let main = of.moves.iter().filter(is_main).take(moves);
                main.filter_map(|played| Some((played.clone(), after(position, played)?.1))).collect()
            };
        let main: Vec<_> = explored.iter().zip(positions).map(main).collect();
        let next: Vec<VariantPosition> = main.iter().flatten().map(|(_, next)| next.clone()).collect();
        let mut lines = if plies > 1 && !next.is_empty() {
            self.grow(&next, plies - 1)?.into_iter().map(|(_, lines)| lines).collect()
        } else {
            vec![Vec::new(); next.len()]
        }
        .into_iter();
        let line = |(played, next): (ExploredMove, VariantPosition), lines: Vec<LineMove>| LineMove {
            by_transposition: played.reached.saturating_sub(played.results.games),
            compared: None,
            opening: OpeningName::of([&next]),
            played,
            lines,
        };
        let with_lines = |(of, main): (Exploration, Vec<_>)| {
            (of, main.into_iter().map(|m| line(m, lines.next().unwrap_or_default())).collect())
        };
        Ok(explored.into_iter().zip(main).map(with_lines).collect())
    }
}
