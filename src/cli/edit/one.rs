//! Changes of single games: `plybook add`, `edit`, `comment` and `glyph`

use std::{
    env,
    fs::{self, File},
    io::{IsTerminal, Read, stdin},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use clap::Args;

use super::{ChangeArgs, ask, terminal};
use crate::{
    cli::ExitStatus,
    edit::{ADDED, parse_glyph, record_of, text_of, with_comment, with_glyphs},
    files::TemporaryFolder,
    import::Options,
    limits::MAX_GAME_BYTES,
    record::Ply,
};

/// Add a game to an archive
///
/// The game is read as PGN from standard input, from a file, or from the argument itself. Its source is called "added".
/// To add the games of a whole file, use "plybook import".
///
/// Examples:
/// * plybook add '1. e4 e5 2. Nf3 Nc6 *'
/// * plybook add game.pgn
/// * plybook show 17 -a other.db --format pgn | plybook add
#[derive(Debug, Args)]
pub(in crate::cli) struct Add {
    /// A file, or a game as PGN [default: read standard input]
    #[arg(value_name = "FILE|GAME")]
    game: Option<String>,
    #[command(flatten)]
    change: ChangeArgs,
}

impl Add {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let mut editor = self.change.archive.open_to_change()?;
        let record = record_of(&self.text()?, Options::default().codec)?;
        let mut id = 0;
        let summary = self.change.make(&mut editor, ("added", "add"), |change| {
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
            match record_of(&text, game.codec) {
                Ok(record) => break record,
                Err(error) if wants_to_correct(&error.to_string())? => {}
                Err(error) => {
                    let saved = saved(&file, self.id)?;
                    bail!("{error}; nothing has been stored, and your text is in {}", saved.display());
                }
            }
        };
        let mut editor = self.change.archive.open_to_change()?;
        let made =
            self.change.make(&mut editor, ("edited", "edit"), |change| Ok(change.replace(&game, &record)?));
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

/// Add or replace a comment on a move of a game
///
/// The comment replaces the comments that the move has; an empty text deletes them. Comments in variations stay.
///
/// Examples:
/// * plybook comment 17 12w 'The best move here.'
/// * plybook comment 17 0 'Played in the last round.'
/// * plybook comment 17 23 ''
#[derive(Debug, Args)]
pub(in crate::cli) struct CommentArgs {
    /// Id of the game
    id: i64,
    /// Half-move that the comment follows: a number, 0 for before the first move, or a move such as 12w or 12b
    ply: Ply,
    /// The comment
    text: String,
    #[command(flatten)]
    change: ChangeArgs,
}

impl CommentArgs {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        self.change.edit_ply(self.id, self.ply, ("commented", "comment"), |game, ply| {
            with_comment(game, ply, &self.text)
        })
    }
}

/// Set the glyphs of a move, such as !? or +-
///
/// The glyphs replace those that the move has; without a glyph, they are deleted.
///
/// Examples:
/// * plybook glyph 17 12w '!?'
/// * plybook glyph 17 12b '??' '+-'
/// * plybook glyph 17 12w
#[derive(Debug, Args)]
pub(in crate::cli) struct Glyph {
    /// Id of the game
    id: i64,
    /// Half-move that the glyph follows: a number, or a move such as 12w or 12b
    ply: Ply,
    /// Glyphs: !, ?, !!, ??, !?, ?!, a sign such as +- or =, or a number such as $5
    #[arg(value_parser = parse_glyph)]
    glyphs: Vec<u16>,
    #[command(flatten)]
    change: ChangeArgs,
}

impl Glyph {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        self.change.edit_ply(self.id, self.ply, ("changed", "change"), |game, ply| {
            with_glyphs(game, ply, &self.glyphs)
        })
    }
}
