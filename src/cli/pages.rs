//! Options for HTML pages with games.

use anyhow::bail;
use clap::Args;

use super::terminal;
use crate::present::{
    game::GameHeading,
    game_pages::{Diagrams, GamePages, MAX_NAMED, ShorterGame},
};

/// What pages with games show.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pages (html)")]
pub(super) struct PageArgs {
    /// Draw these positions: 20w,35b (after that move), 24, -1 (as for --ply), "every 10" (after every tenth move of
    /// Black), comments (after each move of the mainline with a comment)
    #[arg(long, value_name = "20w,35b", value_delimiter = ',', allow_hyphen_values = true)]
    diagrams: Vec<Diagrams>,
    /// Write only the diagrams, several next to each other, without the moves
    #[arg(long)]
    only_diagrams: bool,
    /// Heading of the page
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl PageArgs {
    /// Rejects options that a format does not support.
    pub(super) fn check(&self, is_html: bool) -> anyhow::Result<()> {
        if !is_html && (!self.diagrams.is_empty() || self.only_diagrams || self.title.is_some()) {
            bail!("--diagrams, --only-diagrams and --title require --format html");
        }
        if self.only_diagrams && self.diagrams.is_empty() {
            bail!("--only-diagrams requires --diagrams, which selects the positions");
        }
        Ok(())
    }

    pub(super) fn pages(&self, flip: bool) -> GamePages<'_> {
        GamePages {
            diagrams: &self.diagrams,
            only_diagrams: self.only_diagrams,
            title: self.title.as_deref(),
            flip,
            shorter: Default::default(),
        }
    }
}

/// Reports games that end before a diagram.
pub(super) fn tell_shorter(pages: GamePages<'_>) {
    let shorter = pages.shorter.into_inner().unwrap_or_default();
    for (id, ShorterGame { heading: GameHeading { players, about }, ply }) in shorter.iter().take(MAX_NAMED) {
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        terminal::tell(format_args!("game {id}, {players}{about}, has no diagram at {ply}: it is shorter"));
    }
    if shorter.len() > MAX_NAMED {
        terminal::tell("more games are shorter; these are the first");
    }
}
