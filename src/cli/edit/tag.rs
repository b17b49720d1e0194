//! `plybook tag`

use anyhow::bail;
use clap::Args;

use super::{ManyGamesArgs, terminal};
use crate::edit::TagEdit;

/// Set or delete tags of games
///
/// Name=Value sets a tag, Name= deletes it. The start position and the moves cannot be changed in this way; see "plybook
/// help edit".
///
/// Examples:
/// * plybook tag 17 White='Carlsen, Magnus' WhiteElo=2864
/// * plybook tag --event 'Wijk aan Zee*' Event='Tata Steel Masters' --dry-run
/// * plybook tag 17 Annotator=
#[derive(Debug, Args)]
pub(in crate::cli) struct Tag {
    /// Ids of games [default: the games that pass the filters], and the tags to set
    #[arg(value_name = "ID|NAME=VALUE", required = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    many: ManyGamesArgs,
}

impl Tag {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let (tags, ids): (Vec<_>, Vec<_>) =
            self.arguments.iter().cloned().partition(|argument| argument.contains('='));
        let edits = tags.iter().map(|tag| tag.parse().map_err(anyhow::Error::msg));
        let edits: Vec<TagEdit> = edits.collect::<Result<_, _>>()?;
        if edits.is_empty() {
            bail!("no tag was given; write it as Name=Value, or Name= to delete it");
        }
        self.many.make(&ids, ("changed", "change"), |change, games, bar| {
            change.edit(games, |game| TagEdit::apply(&edits, game), terminal::watch(bar))
        })
    }
}
