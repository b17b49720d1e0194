//! The main lines from a position.

use std::{collections::HashSet, mem};

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Epd, uci::UciMove};

use super::{Exploration, ExploredMove, OpeningName};
use crate::{chess::VariantPosition, rules::Rules};

/// Which lines are main ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The longest line, in plies, at least 1.
    pub plies: usize,
    /// A move is played by at least so many percent of the games that reach the first position.
    pub percent: u64,
    /// A move is played by at least so many games.
    pub games: u64,
    /// At most so many moves from each position.
    pub moves: usize,
}

/// A position, and the lines that are played from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineTree {
    /// See [`Exploration::position`].
    pub position: String,
    /// See [`Exploration::opening`].
    pub opening: Option<OpeningName>,
    /// The number of games, those included that ended here.
    pub games: u64,
    /// Those that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Those that Black won.
    pub black: u64,
    /// Those with any other result.
    pub other: u64,
    /// Games without a move from here.
    pub ended_here: u64,
    /// The moves, most games first.
    pub lines: Vec<LineMove>,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineMove {
    /// The move.
    #[serde(flatten)]
    pub played: ExploredMove,
    /// The opening that is named after the position that it leads to.
    pub opening: Option<OpeningName>,
    /// Whether the lines from there stand elsewhere in the tree, where another order of moves leads there.
    pub transposes: bool,
    /// The moves that follow.
    pub lines: Vec<LineMove>,
}

impl LineTree {
    /// The main lines from a position. `explore` tells of positions of a level at a time, in their order; where it
    /// tells nothing, there is no tree.
    ///
    /// # Errors
    /// What `explore` fails with.
    pub fn new<E>(
        root: &VariantPosition,
        options: TreeOptions,
        mut explore: impl FnMut(&[VariantPosition]) -> Result<Option<Vec<Exploration>>, E>,
    ) -> Result<Option<LineTree>, E> {
        let (mut growth, mut first) = (Growth::new(root, options), None);
        let mut level: Vec<(Option<usize>, VariantPosition)> = vec![(None, root.clone())];
        for _ in 0..options.plies.max(1) {
            let positions: Vec<VariantPosition> =
                level.iter().map(|(_, position)| position.clone()).collect();
            let Some(explored) = explore(&positions)? else { return Ok(None) };
            for ((parent, position), told) in level.iter().zip(explored) {
                let games = first.get_or_insert_with(|| told.clone()).games;
                growth.grow(*parent, position, &told, games);
            }
            level = mem::take(&mut growth.leaves);
            if level.is_empty() {
                break;
            }
        }
        Ok(first.map(|first| LineTree::of(first, growth.lines())))
    }

    fn of(first: Exploration, lines: Vec<LineMove>) -> LineTree {
        let Exploration { position, opening, games, white, draws, black, other, ended_here, .. } = first;
        LineTree { position, opening, games, white, draws, black, other, ended_here, lines }
    }
}

/// A tree that is growing.
struct Growth {
    options: TreeOptions,
    /// Moves, each after the one before it, with its place.
    moves: Vec<(Option<usize>, LineMove)>,
    /// Positions that moves lead to and whose lines are still to come, with the places of the moves.
    leaves: Vec<(Option<usize>, VariantPosition)>,
    /// Positions whose lines stand in the tree, or will.
    known: HashSet<String>,
}

impl Growth {
    fn new(root: &VariantPosition, options: TreeOptions) -> Growth {
        Growth { options, moves: Vec::new(), leaves: Vec::new(), known: HashSet::from([placed(root)]) }
    }

    /// Adds the main moves of a position, which is after a move of the tree; `of` games reach the first position.
    fn grow(&mut self, parent: Option<usize>, position: &VariantPosition, told: &Exploration, of: u64) {
        let TreeOptions { percent, games, moves, .. } = self.options;
        let is_main = |m: &&ExploredMove| m.games >= games && 100 * m.games >= percent * of;
        for played in told.moves.iter().filter(is_main).take(moves) {
            let Some(after) = after(position, played) else { continue };
            let (opening, transposes) = (OpeningName::of([&after]), !self.known.insert(placed(&after)));
            if !transposes {
                self.leaves.push((Some(self.moves.len()), after));
            }
            let played = played.clone();
            self.moves.push((parent, LineMove { played, opening, transposes, lines: Vec::new() }));
        }
    }

    /// The moves of the first position, with all that follow them.
    fn lines(mut self) -> Vec<LineMove> {
        let mut lines = Vec::new();
        // What follows a move stands behind it.
        while let Some((parent, mut line)) = self.moves.pop() {
            line.lines.reverse();
            match parent.and_then(|parent| self.moves.get_mut(parent)) {
                Some((_, parent)) => parent.lines.push(line),
                None => lines.push(line),
            }
        }
        lines.reverse();
        lines
    }
}

/// The position after a move.
fn after(position: &VariantPosition, played: &ExploredMove) -> Option<VariantPosition> {
    let m = played.uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
    let mut after = position.clone();
    after.make(m);
    Some(after)
}

/// A position without its counters.
fn placed(position: &VariantPosition) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}
