//! `plybook edit`

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use clap::Args;

use super::{ChangeArgs, ask, read_record, terminal};
use crate::{cli::advice::advice, edit::text_of, files::TemporaryFolder, pgn::ReadOptions};

/// Edit a game as PGN in your editor
///
/// Opens the editor named by VISUAL or EDITOR. The text is checked before it is stored; if it is not a legal game, you
/// can correct it, and it is kept in a file otherwise. The archive is not locked while the editor is open; if the game
/// is changed by another program in the meantime, nothing is stored.
///
/// Examples:
/// * plybook edit 17
/// * EDITOR=nano plybook edit 17
/// * EDITOR='code --wait' plybook edit 17
#[derive(Debug, Args)]
pub(in crate::cli) struct Edit {
    /// Id of the game
    id: i64,
    #[command(flatten)]
    change: ChangeArgs,
}

impl Edit {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        // Not kept open while the editor is.
        let game = self.change.archive.open_to_change()?.archive().game(self.id)?;
        let before = text_of(&game)?;
        let folder = TemporaryFolder::new()?;
        let file = folder.path().join(format!("game-{}.pgn", self.id));
        fs::write(&file, &before)?;
        let record = loop {
            run_editor(&file)?;
            let text = fs::read(&file).with_context(|| file.display().to_string())?;
            if text == before.as_bytes() {
                terminal::print("nothing to change: the text was not edited")?;
                return Ok(());
            }
            match read_record(&text, ReadOptions::default(), game.codec) {
                Ok(record) => break record,
                Err(error) => {
                    let error = anyhow::Error::from(error);
                    let error = format!("{error}{}", advice(&error));
                    if wants_to_correct(&error)? {
                        continue;
                    }
                    let saved = saved(&file, self.id)?;
                    bail!("{error}; nothing has been stored, and your text is in {}", saved.display());
                }
            }
        };
        let mut editor = self.change.archive.open_to_change()?;
        let made = self.change.make(&mut editor, "edit", |change| change.replace(&game, &record));
        if let Err(error) = made {
            let saved = saved(&file, self.id)?;
            bail!("{error}; your text is in {}", saved.display());
        }
        Ok(())
    }
}

/// Opens a file in the user's editor, and waits until it is closed.
fn run_editor(file: &Path) -> anyhow::Result<()> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| env::var(name).ok());
    let editor = named.into_iter().find(|editor| !editor.trim().is_empty());
    let editor = editor.unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program).args(words).arg(file).status();
    let status = status
        .with_context(|| format!("the editor {program:?} cannot be started; set EDITOR to another one"))?;
    if !status.success() {
        bail!("the editor {program:?} failed, so nothing has been stored");
    }
    Ok(())
}

/// Whether the user wants to correct the text.
fn wants_to_correct(error: &str) -> anyhow::Result<bool> {
    let answer = ask(&format!("{error}; edit the text again? [Y/n]"))?;
    Ok(answer.is_some_and(|answer| !matches!(answer.as_str(), "n" | "N" | "no")))
}

/// Keeps a text that was not stored.
fn saved(file: &Path, id: i64) -> anyhow::Result<PathBuf> {
    let kept = tempfile::Builder::new().prefix(&format!("plybook-game-{id}-")).suffix(".pgn").tempfile()?;
    let (_, path) = kept.keep()?;
    fs::copy(file, &path)?;
    Ok(path)
}
