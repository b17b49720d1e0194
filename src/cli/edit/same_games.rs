//! `plybook duplicates --keep`, `--join` and `--different`: what becomes of the pairs.

use anyhow::bail;
use clap::Args;

use super::{ChangeArgs, confirm, terminal};
use crate::{
    archive::{Archive, ArchiveError, Change, ChangedGame, GameSet, WhyApart},
    cli::{ExitStatus, OneArchiveArg, answer::AnswerArgs},
    counts::{GAMES, PAIRS},
    edit::{Keep, KeptGame, SameGames, check_shown, name_of, shown_now},
    printable,
    record::GameId,
};

/// What becomes of near duplicates.
#[derive(Debug, Args)]
pub(in crate::cli) struct ResolveArgs {
    /// Ids of the two games to keep one of, to join or to mark [default: the pairs that are found]
    #[arg(value_name = "ID", num_args = 2, requires = "action")]
    ids: Vec<GameId>,
    /// Keep one game of each pair, the richer, first or longest, and remove the other
    #[arg(long, value_name = "GAME", group = "action", help_heading = "Changes")]
    keep: Option<Keep>,
    /// Make one game of each pair, under the lower id
    #[arg(long, group = "action", help_heading = "Changes")]
    join: bool,
    /// Mark the games of each pair as different; the pair is not listed again
    #[arg(long, group = "action", help_heading = "Changes")]
    different: bool,
    /// Only show what would change
    #[arg(short = 'n', long, requires = "action", help_heading = "Changes")]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long, requires = "action", help_heading = "Changes")]
    yes: bool,
}

/// What is done with pairs.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum Action {
    Keep(Keep),
    Join,
    Mark,
}

impl ResolveArgs {
    /// What is done with the pairs, if anything.
    pub(in crate::cli) fn action(&self) -> Option<Action> {
        let action = if self.join { Some(Action::Join) } else { self.different.then_some(Action::Mark) };
        self.keep.map(Action::Keep).or(action)
    }

    /// Resolves the pair with the given ids, or those that `find` returns.
    pub(in crate::cli) fn run(
        &self,
        action: Action,
        AnswerArgs { archive, filter, output }: &AnswerArgs,
        find: impl FnOnce(&Archive) -> anyhow::Result<Vec<[GameId; 2]>>,
    ) -> anyhow::Result<ExitStatus> {
        if output.path().is_some() || !(self.ids.is_empty() || filter.is_empty()) {
            bail!("--output and, with ids, filters have no meaning for a change");
        }
        let paths = archive.paths()?;
        let [path] = paths.files() else {
            bail!("several archives cannot be changed as one; merge them first: plybook merge");
        };
        let change = ChangeArgs { dry_run: self.dry_run, archive: OneArchiveArg { archive: path.clone() } };
        let mut editor = change.archive.open_to_change()?;
        let pairs = match self.pair(editor.archive())? {
            Some(pair) => vec![pair],
            None => find(editor.archive())?,
        };
        let games = action.games(editor.archive(), pairs)?;
        if games.is_empty() {
            terminal::print("nothing to change: there are no such pairs")?;
            return Ok(ExitStatus::complete_if(false));
        }
        // The search takes long, and so may the answer.
        let shown = shown_now(editor.archive(), games.iter().flat_map(KeptGame::all).collect())?;
        match self.dry_run {
            true => games.iter().try_for_each(|game| action.list(editor.archive(), game))?,
            false if self.ids.is_empty() => confirm(self.yes, &action.question(&games))?,
            false => {}
        }
        let mut apart = Vec::new();
        change.make(&mut editor, action.verb(), |change| {
            check_shown(change, &shown)?;
            apart = action.make(change, &games)?;
            Ok(())
        })?;
        for (id, why) in &apart {
            terminal::tell(format_args!("game {id} was not joined: {why}"));
        }
        Ok(ExitStatus::complete_if(apart.is_empty()))
    }

    /// The pair of games that was given, with ascending ids.
    fn pair(&self, archive: &Archive) -> anyhow::Result<Option<[GameId; 2]>> {
        let [one, two] = self.ids[..] else { return Ok(None) };
        if one == two {
            bail!("expected the ids of two games");
        }
        for id in [one, two] {
            archive.game(id)?;
        }
        Ok(Some([one.min(two), one.max(two)]))
    }
}

impl Action {
    /// The games that some pairs connect; of a pair to be marked, the second with the first.
    fn games(self, archive: &Archive, pairs: Vec<[GameId; 2]>) -> anyhow::Result<Vec<KeptGame>> {
        let keep = match self {
            Action::Mark => {
                return Ok(pairs
                    .into_iter()
                    .map(|[id, other]| KeptGame { id, others: vec![other] })
                    .collect());
            }
            Action::Keep(keep) => keep,
            Action::Join => Keep::First,
        };
        let same = SameGames::of(&pairs, &archive.different_games()?);
        for [one, two] in &same.apart {
            terminal::tell(format_args!(
                "games {one} and {two} are left as they are: they lead to games that are marked as different"
            ));
        }
        Ok(same.kept(archive, keep)?)
    }

    fn verb(self) -> &'static str {
        match self {
            Action::Keep(_) => "remove",
            Action::Join => "join",
            Action::Mark => "mark",
        }
    }

    /// What the user confirms.
    fn question(self, games: &[KeptGame]) -> String {
        let others = games.iter().map(|game| game.others.len() as u64).sum::<u64>();
        let kept = games.len() as u64;
        match self {
            Action::Keep(_) => format!("remove {} and keep {}", GAMES.count(others), GAMES.count(kept)),
            Action::Join => format!("make {} of {}", GAMES.count(kept), GAMES.count(kept + others)),
            Action::Mark => format!("mark {} as different", PAIRS.count(kept)),
        }
    }

    /// Says what would be done.
    fn list(self, archive: &Archive, KeptGame { id, others }: &KeptGame) -> anyhow::Result<()> {
        let name = name_of(&ChangedGame::of(&archive.game(*id)?));
        let others = others.iter().map(GameId::to_string).collect::<Vec<_>>().join(", ");
        let what = match self {
            Action::Keep(_) => format!("keep game {id}, remove {others}"),
            Action::Join => format!("join game {id} with {others}"),
            Action::Mark => format!("mark game {id} as different from {others}"),
        };
        Ok(terminal::print(printable::line(&format!("{what}: {name}")))?)
    }

    /// Makes the change. Returns the games that could not be joined.
    fn make(
        self,
        change: &mut Change<'_>,
        games: &[KeptGame],
    ) -> Result<Vec<(GameId, WhyApart)>, ArchiveError> {
        match self {
            Action::Keep(_) => {
                games.iter().try_for_each(|game| change.inherit_marks(game.id, &game.others))?;
                let removed: GameSet = games.iter().flat_map(|game| game.others.iter().copied()).collect();
                let bar = terminal::games_bar(removed.len() as u64);
                change.remove(&removed, terminal::watch(bar)).map(|()| Vec::new())
            }
            Action::Join => {
                let joined = games.iter().map(|game| change.join(&game.all()));
                Ok(joined.collect::<Result<Vec<_>, _>>()?.concat())
            }
            Action::Mark => {
                let pairs = games.iter().flat_map(|game| game.others.iter().map(|other| [game.id, *other]));
                change.mark_different(&pairs.collect::<Vec<_>>()).map(|()| Vec::new())
            }
        }
    }
}
