//! A position that is explored, with what is known of the way to it.

use std::ops::ControlFlow;

use super::{
    Exploration, LineTree, OpeningName, PositionIndex, Preparation, PrepareOptions, Sought, TreeOptions,
    explore, games_reaching, line_tree, prepare,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Color, Move, VariantPosition},
    rules::Rules,
};

/// A position to explore. An answer about it names the opening by the moves that led there: another order of moves may
/// lead to the same position by way of another opening.
#[derive(Clone, Debug)]
pub struct ExploredPosition {
    /// The position, in its variant.
    pub position: VariantPosition,
    /// The opening by the last named position of the moves that led there, if they are known.
    pub opening: Option<OpeningName>,
    /// The position that they begin at, and these moves; none if they are not known.
    pub line: Option<(VariantPosition, Vec<Move>)>,
}

impl ExploredPosition {
    /// A position to which the way is not known.
    pub fn new(position: VariantPosition) -> ExploredPosition {
        let opening = named(&[], &position);
        ExploredPosition { position, opening, line: None }
    }

    /// A position to which moves lead.
    pub fn after(position: VariantPosition, start: VariantPosition, moves: &[Move]) -> ExploredPosition {
        let mut line = vec![start.clone()];
        for m in moves {
            line.extend(line.last().cloned().map(|mut next| {
                next.make(*m);
                next
            }));
        }
        let opening = named(&line, &position);
        ExploredPosition { position, opening, line: Some((start, moves.to_vec())) }
    }

    /// What the games that pass a filter went on with in the position; `None` if `watch` breaks off, which
    /// gets the number of games looked through. What the index of the archive has is not looked through.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}};
    /// use plybook::{chess::move_list, query::ExploredPosition, rules::Rules};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// let (start, moves) = move_list("1. e4 e5 2. f4")?;
    /// let mut gambit = start.clone();
    /// moves.iter().for_each(|m| gambit.make(*m));
    /// let asked = ExploredPosition::after(gambit.into(), start.into(), &moves);
    /// let answer = asked.explore(&archive, None, &Filter::default(), |_| ControlFlow::Continue(()))?;
    /// println!("{}", serde_json::to_string(&answer)?);
    /// # let answer = answer.unwrap();
    /// # assert_eq!((answer.opening.unwrap().name, answer.moves[0].san.as_str()), ("King's Gambit", "exf4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn explore(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        filter: &Filter,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Exploration>, ArchiveError> {
        let found = explore(archive, index, std::slice::from_ref(&self.position), filter, watch)?;
        let named = |found: Exploration| Exploration { opening: self.opening.clone(), ..found };
        Ok(found.and_then(|found| found.into_iter().next()).map(named))
    }

    /// The main lines that the games that pass a filter played from the position; `None` as for
    /// [`explore`](ExploredPosition::explore).
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn line_tree(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        filter: &Filter,
        options: TreeOptions,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<LineTree>, ArchiveError> {
        let tree = line_tree(archive, index, &self.position, filter, options, watch)?;
        Ok(tree.map(|tree| LineTree { opening: self.opening.clone(), ..tree }))
    }

    /// What the games of a player went on with from the position: see [`prepare`](prepare()).
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn prepare(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        player: (Color, &Filter),
        options: PrepareOptions,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Preparation>, ArchiveError> {
        let found = prepare(archive, index, &self.position, player, options, watch)?;
        Ok(found.map(|found| Preparation { opening: self.opening.clone(), ..found }))
    }

    /// A filter for those of its games that come to the position. One with a limit stays as it is: which games are the
    /// first of many does not depend on the position.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn games_of(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        filter: &Filter,
    ) -> Result<Filter, ArchiveError> {
        if filter.limit.is_some() || filter.offset > 0 {
            return Ok(filter.clone());
        }
        let sought = Sought::exact(&self.position);
        let reached = games_reaching(archive, index, &sought, filter, |_| ControlFlow::Continue(()))?;
        Ok(Filter { among: Some(reached.unwrap_or_default().games), ..filter.clone() })
    }
}

/// The opening of a position at the end of a line.
fn named(line: &[VariantPosition], position: &VariantPosition) -> Option<OpeningName> {
    let is_named = matches!(position, VariantPosition::Chess(_));
    OpeningName::of(line.iter().chain([position]).filter(|_| is_named))
}
