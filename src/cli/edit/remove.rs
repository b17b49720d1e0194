//! `plybook remove`

use clap::Args;

use super::{ManyGamesArgs, terminal};

/// Remove games from an archive
///
/// The ids of the games are not used again. A later import of the same source does not bring the games back, unless it
/// has the option --again. "plybook undo" restores them; "plybook compact" frees their space.
///
/// Examples:
/// * plybook remove 17 20..25
/// * plybook remove --source old.pgn --dry-run
/// * plybook remove --plies ..5 --yes
#[derive(Debug, Args)]
pub(in crate::cli) struct Remove {
    /// Ids of games, or ranges of ids [default: the games that pass the filters]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    #[command(flatten)]
    many: ManyGamesArgs,
}

impl Remove {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        self.many.make(&self.ids, "remove", |change, games, bar| change.remove(games, terminal::watch(bar)))
    }
}
