//! `plybook export` of games as text: how they are written.

use anyhow::bail;
use clap::Args;

use crate::{
    export::{Export, GameForm, LineForm},
    pgn::TagOrder,
    record::{Ply, TextOptions},
};

/// How games are written that are no rows of a table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text: pgn, uci, fen, epd")]
pub(super) struct TextArgs {
    /// In PGN, the seven-tag roster first, completed where a tag is missing; without this the tag pairs are those of the
    /// source, in its order
    ///
    /// Missing tags are written as unknown, but Result as the result of the game. A game that had no Result tag and was
    /// won, lost or drawn is therefore another game to an import than without this option.
    #[arg(long)]
    roster: bool,
    /// The games up to a ply: 20, 12w, 12b, or -2 for the last but one; shorter games whole
    #[arg(long, value_name = "PLY", allow_hyphen_values = true)]
    to_ply: Option<Ply>,
    /// In PGN, a comment with the FEN after each move of the game
    #[arg(long)]
    fen_comments: bool,
    /// Write games that were not UTF-8 or had to be repaired byte for byte as they stood in their source; of a
    /// source that was converted as a whole (UTF-16, gbk and the like) as converted to UTF-8
    #[arg(long, conflicts_with_all = ["roster", "to_ply", "fen_comments"])]
    original: bool,
}

/// The formats of a line a game or a position, with what they are.
pub(super) const LINES: [(&str, &str, LineForm); 3] = [
    ("uci", "A line for each game: its moves, as engines take them after the word position", LineForm::Uci),
    ("fen", "A line for each game: its last position, or that of --to-ply", LineForm::Fen),
    (
        "epd",
        "A line for each position: with the move that was played, the result and GAME:PLY",
        LineForm::Epd,
    ),
];

impl TextArgs {
    /// Refuses what cannot be said of a form; `None` is that of a table.
    pub(super) fn check(&self, form: Option<GameForm>) -> anyhow::Result<()> {
        let is_pgn = matches!(form, Some(GameForm::Text));
        for (is_given, name) in
            [(self.roster, "--roster"), (self.fen_comments, "--fen-comments"), (self.original, "--original")]
        {
            if is_given && !is_pgn {
                bail!("{name} is for PGN, and this is another format");
            }
        }
        if self.to_ply.is_some() && form.is_none() {
            bail!("--to-ply is for PGN, uci, fen and epd: a table has the moves of whole games");
        }
        Ok(())
    }

    /// Refuses what records of other games than chess do not have.
    pub(super) fn check_records(&self) -> anyhow::Result<()> {
        if self.roster || self.fen_comments || self.to_ply.is_some() {
            bail!("--roster, --fen-comments and --to-ply are for games of chess: records are written whole");
        }
        Ok(())
    }

    pub(super) fn apply<'a>(&self, export: Export<'a>, form: GameForm) -> Export<'a> {
        let order = if self.roster { TagOrder::RosterFirst } else { TagOrder::AsTheyAre };
        let options = TextOptions { order, to_ply: self.to_ply, fen_comments: self.fen_comments };
        export.form(form).options(options).original(self.original)
    }
}
