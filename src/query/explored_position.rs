//! A position to explore, with the line that leads to it if it is known.

use super::{
    Context, Exploration, LineTree, OpeningName, Preparation, PrepareOptions, TargetPosition, TreeOptions,
    explore, games_reaching, line_tree, prepare,
};
use crate::{
    archive::{Filter, Result},
    chess::{Move, VariantPosition},
    rules::Rules,
};

/// A position to explore. The opening in the result is named by the moves that led there: another move order may reach
/// the same position through another opening.
#[derive(Clone, Debug)]
pub struct ExploredPosition {
    /// The position, in its variant.
    pub position: VariantPosition,
    /// The opening of the last named position on the way there, if the moves are known.
    pub opening: Option<OpeningName>,
    /// The start position and the moves from it; `None` if they are not known.
    pub line: Option<(VariantPosition, Vec<Move>)>,
}

impl ExploredPosition {
    /// A position that was reached by unknown moves.
    pub fn new(position: VariantPosition) -> ExploredPosition {
        let opening = named(&[], &position);
        ExploredPosition { position, opening, line: None }
    }

    /// A position after some moves.
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

    /// The moves that games matching a filter played in the position. The watch receives the number of games scanned;
    /// indexed games are not scanned.
    ///
    /// ```
    /// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}};
    /// use plybook::{chess::move_list, query::{Context, ExploredPosition}, rules::Rules};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let archive = Archive::open(&path)?;
    /// let (start, moves) = move_list("1. e4 e5 2. f4")?;
    /// let mut gambit = start.clone();
    /// moves.iter().for_each(|m| gambit.make(*m));
    /// let asked = ExploredPosition::after(gambit.into(), start.into(), &moves);
    /// let answer = asked.explore(Context::new(&archive), &Filter::default())?;
    /// println!("{}", serde_json::to_string(&answer)?);
    /// # assert_eq!((answer.opening.unwrap().name, answer.moves[0].san.as_str()), ("King's Gambit", "exf4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore(&self, context: Context<'_>, filter: &Filter) -> Result<Exploration> {
        let found = explore(context, std::slice::from_ref(&self.position), filter)?.remove(0);
        Ok(Exploration { opening: self.opening.clone(), ..found })
    }

    /// The main lines that games matching a filter played from the position.
    pub fn line_tree(&self, context: Context<'_>, filter: &Filter, options: TreeOptions) -> Result<LineTree> {
        let tree = line_tree(context, &self.position, filter, options)?;
        Ok(LineTree { opening: self.opening.clone(), ..tree })
    }

    /// The moves that a player's games played from the position: see [`prepare`](prepare()).
    pub fn prepare(
        &self,
        context: Context<'_>,
        player: &Filter,
        options: PrepareOptions,
    ) -> Result<Preparation> {
        let found = prepare(context, &self.position, player, options)?;
        Ok(Preparation { opening: self.opening.clone(), ..found })
    }

    /// Restricts a filter to the games that reach the position. A filter with a limit stays unchanged: which games are
    /// the first ones does not depend on the position.
    pub fn games_of(&self, context: Context<'_>, filter: &Filter) -> Result<Filter> {
        if filter.limit.is_some() || filter.offset > 0 {
            return Ok(filter.clone());
        }
        let sought = TargetPosition::exact(&self.position);
        let reached = games_reaching(context, &sought, filter)?;
        Ok(Filter { among: Some(reached.games), ..filter.clone() })
    }
}

/// The opening of a position at the end of a line.
fn named(line: &[VariantPosition], position: &VariantPosition) -> Option<OpeningName> {
    let is_named = matches!(position, VariantPosition::Chess(_));
    OpeningName::of(line.iter().chain([position]).filter(|_| is_named))
}
