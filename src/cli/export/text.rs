//! `plybook export` of games as text: the options.

use anyhow::bail;
use clap::Args;

use crate::{
    export::{Export, GameForm, LineForm},
    pgn::TagOrder,
    record::{Ply, TextOptions},
};

/// How games are written as text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text (pgn, uci, fen, epd)")]
pub(super) struct TextArgs {
    /// PGN: write the seven-tag roster first, and add missing tags; without this option, the tag pairs are those of
    /// the source, in its order
    ///
    /// Missing tags are written as unknown, except Result, which is the result of the game. If a decided or drawn game
    /// had no Result tag, this option adds one, so an import treats it as a different game.
    #[arg(long)]
    roster: bool,
    /// Write each game up to a ply: 20, 12w, 12b, or -2 for two plies before the end; shorter games are written
    /// completely
    #[arg(long, value_name = "PLY", allow_hyphen_values = true)]
    to_ply: Option<Ply>,
    /// PGN: add a comment with the FEN after each move of the mainline
    #[arg(long)]
    fen_comments: bool,
    /// Write games that were not UTF-8, or had to be repaired, byte for byte as in their source. If the complete
    /// source was converted (from UTF-16, gbk and others), this is the text after conversion to UTF-8
    #[arg(long, conflicts_with_all = ["roster", "to_ply", "fen_comments"])]
    original: bool,
}

/// The formats with one line per game or position, and their descriptions.
pub(super) const LINES: [(&str, &str, LineForm); 3] = [
    ("uci", "One line per game: the moves, as the arguments of the UCI command position", LineForm::Uci),
    ("fen", "One line per game: the last position, or the position at --to-ply", LineForm::Fen),
    ("epd", "One line per position, with the move played, the result and GAME:PLY", LineForm::Epd),
];

impl TextArgs {
    /// Rejects options that the format does not support; `None` is a table.
    pub(super) fn check(&self, form: Option<GameForm>) -> anyhow::Result<()> {
        let is_pgn = matches!(form, Some(GameForm::Text));
        for (is_given, name) in
            [(self.roster, "--roster"), (self.fen_comments, "--fen-comments"), (self.original, "--original")]
        {
            if is_given && !is_pgn {
                bail!("{name} requires --format pgn");
            }
        }
        if self.to_ply.is_some() && form.is_none() {
            bail!("--to-ply requires --format pgn, uci, fen or epd; tables always have complete games");
        }
        Ok(())
    }

    /// Rejects options that records of other games than chess do not support.
    pub(super) fn check_records(&self) -> anyhow::Result<()> {
        if self.roster || self.fen_comments || self.to_ply.is_some() {
            bail!(
                "--roster, --fen-comments and --to-ply apply only to chess games; records are always complete"
            );
        }
        Ok(())
    }

    pub(super) fn apply<'a>(&self, export: Export<'a>, form: GameForm) -> Export<'a> {
        let order = if self.roster { TagOrder::RosterFirst } else { TagOrder::AsTheyAre };
        let options = TextOptions { order, to_ply: self.to_ply, fen_comments: self.fen_comments };
        Export { form, options, original: self.original, ..export }
    }
}
