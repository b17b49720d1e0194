//! `plybook export`

use std::{io::Write, path::PathBuf};

use clap::Args;

use super::{ArchiveArg, Done, filter::FilterArgs, output};
use crate::{
    archive::{Archive, StoredGame},
    pgn::write_game,
};

/// Write games as PGN
///
/// In export format: the seven-tag roster first, the other tag pairs in their order, movetext in lines of
/// at most 80 columns.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook export > all.pgn
  plybook export --player carlsen --date 2013.. -o carlsen.pgn
  plybook export --id 1..100 | pgn-extract --quiet")]
pub(super) struct Export {
    #[command(flatten)]
    filter: FilterArgs,
    /// Where to write (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write games that were not UTF-8 or had to be repaired byte for byte as they stood in their source
    #[arg(long)]
    original: bool,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let filter = self.filter.filter()?;
        let mut out = output::file_or_stdout(self.output.as_deref())?;
        let original = self.original.then_some(&archive);
        let (mut text, mut count, mut damaged, mut failure) = (Vec::new(), 0u64, 0u64, None);
        archive.for_each_game(&filter, |game| {
            text.clear();
            match game.map_err(anyhow::Error::from).and_then(|game| append(&mut text, &game, original)) {
                Ok(()) => count += 1,
                Err(error) => {
                    eprintln!("plybook: {error:#}");
                    damaged += 1;
                }
            }
            match out.write_all(&text) {
                Ok(()) => true,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        })?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        out.flush()?;
        Ok(count > 0 && damaged == 0)
    }
}

/// Adds a game to a text, from its original if there is an archive to ask.
fn append(text: &mut Vec<u8>, game: &StoredGame, original: Option<&Archive>) -> anyhow::Result<()> {
    if let Some(archive) = original
        && let Some(bytes) = archive.original(game.id)?
    {
        text.extend(bytes.trim_ascii());
        text.extend(b"\n\n");
        return Ok(());
    }
    let line = game.line()?;
    let mut pgn = String::new();
    write_game(&mut pgn, &game.tags, &line.start, &line.moves, &game.annotations(&line)?, line.outcome);
    text.extend(pgn.as_bytes());
    Ok(())
}
