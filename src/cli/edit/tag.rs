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
        self.refuse_opponents(&tags)?;
        self.many.make(&ids, "change", |change, games, bar| {
            change.edit(games, |game| TagEdit::apply(&edits, game), terminal::watch(bar))
        })
    }

    /// Refuses to set a player's name in all games of a player: opponents have that colour in some of them.
    fn refuse_opponents(&self, tags: &[String]) -> anyhow::Result<()> {
        let filter = &self.many.filter.text;
        for (tag, colour) in [("White", "white"), ("Black", "black")] {
            let is_set = tags.iter().any(|text| text.split('=').next() == Some(tag));
            if is_set && filter.has("player") && !filter.has("colour") {
                bail!(
                    "--player finds games with either colour, so {tag}=… would also rename opponents; add --colour {colour}, or use --{colour} instead of --player"
                );
            }
        }
        Ok(())
    }
}
