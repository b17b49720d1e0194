//! `plybook add`

use std::{
    fs::File,
    io::{IsTerminal, Read, stdin},
};

use anyhow::{Context, bail};
use clap::Args;

use super::{ChangeArgs, read_record, terminal};
use crate::{
    cli::reading::ReadingArgs, edit::ADDED, import::Options, limits::MAX_GAME_BYTES, pgn::ReadOptions,
};

/// Add a game to an archive
///
/// If the archive has an earlier version of the game, that is updated. The game is read as PGN from standard input, from a file, or from the argument itself. Its source is called "added".
/// To add the games of a whole file, use "plybook import".
///
/// Examples:
/// * plybook add '1. e4 e5 2. Nf3 Nc6 *'
/// * plybook add game.pgn
/// * plybook add '1. e4 e5 2. Sf3 Sc6 *' --letters de
/// * plybook show 17 -a other.db --format pgn | plybook add
#[derive(Debug, Args)]
pub(in crate::cli) struct Add {
    /// A file, or a game as PGN [default: read standard input]
    #[arg(value_name = "FILE|GAME")]
    game: Option<String>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    change: ChangeArgs,
}

impl Add {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let mut editor = self.change.archive.open_to_change()?;
        let options = ReadOptions { typed_dates: true, ..self.reading.options() };
        let record = read_record(&self.text()?, options, Options::default().codec)?;
        let mut id = 0;
        let summary = self.change.make(&mut editor, "add", |change| {
            id = change.add(ADDED, &record)?;
            Ok(())
        })?;
        if summary.id.is_some() && !self.change.dry_run {
            terminal::print(format_args!("it is game {id}"))?;
        }
        Ok(())
    }

    fn text(&self) -> anyhow::Result<Vec<u8>> {
        match self.game.as_deref() {
            None | Some("-") => {
                if stdin().is_terminal() {
                    terminal::tell("type or paste a game, and end it with Ctrl-D");
                }
                limited(stdin())
            }
            Some(name) => match File::open(name) {
                Ok(file) => limited(file).with_context(|| name.to_owned()),
                // A name without spaces that is not a file is more likely a misspelt name than a game.
                Err(error) if !name.contains([' ', '.']) || name.ends_with(".pgn") => {
                    bail!("{name}: {error}")
                }
                Err(_) => Ok(name.into()),
            },
        }
    }
}

fn limited(input: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    input.take(MAX_GAME_BYTES as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_GAME_BYTES {
        bail!("the text is too long for a game; to add many games, use plybook import");
    }
    Ok(text)
}
