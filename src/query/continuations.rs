//! The moves that follow a position, and those that follow each of them: every position with all games that reach it.
//! With an index this is much faster than the [lines](super::line_tree()) of games, which are replayed.

use std::{ops::ControlFlow, slice};

use super::{
    Exploration, ExploredMove, LineMove, OpeningName, PositionIndex, TreeOptions, explore, line_tree::after,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
};

/// The exploration of a position, and its main moves with what follows them; `None` if it was cancelled. `watch`
/// receives the number of games replayed, starting again at 0 for each ply.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn continuations(
    archive: &Archive,
    index: Option<&PositionIndex>,
    root: &VariantPosition,
    options: TreeOptions,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Grown>, ArchiveError> {
    let mut tree = Tree { archive, index, options, games: 0, watch: &mut watch };
    Ok(tree.grow(slice::from_ref(root), options.plies)?.and_then(|tree| tree.into_iter().next()))
}

/// A position, and its main moves.
type Grown = (Exploration, Vec<LineMove>);

struct Tree<'a> {
    archive: &'a Archive,
    index: Option<&'a PositionIndex>,
    options: TreeOptions,
    /// The games that reach the first position.
    games: u64,
    watch: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl Tree<'_> {
    /// Explores positions, and their main moves to a depth of `plies`.
    fn grow(
        &mut self,
        positions: &[VariantPosition],
        plies: usize,
    ) -> Result<Option<Vec<Grown>>, ArchiveError> {
        let watch = |games| (self.watch)(games);
        let Some(explored) = explore(self.archive, self.index, positions, &Filter::default(), watch)? else {
            return Ok(None);
        };
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
            let Some(grown) = self.grow(&next, plies - 1)? else { return Ok(None) };
            grown.into_iter().map(|(_, lines)| lines).collect()
        } else {
            vec![Vec::new(); next.len()]
        }
        .into_iter();
        let line = |(played, next): (ExploredMove, VariantPosition), lines: Vec<LineMove>| LineMove {
            by_transposition: played.reached.saturating_sub(played.results.games),
            opening: OpeningName::of([&next]),
            played,
            lines,
        };
        let with_lines = |(of, main): (Exploration, Vec<_>)| {
            (of, main.into_iter().map(|m| line(m, lines.next().unwrap_or_default())).collect())
        };
        Ok(Some(explored.into_iter().zip(main).map(with_lines).collect()))
    }
}
